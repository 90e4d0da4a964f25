//! Clients and the grid, as tables.

use crate::report::chart::{grid, kind_in_words};
use crate::report::markup::escape;
use crate::report::view::{ClientColumns, Dot, Kind, Picture};
use crate::units::{Window, percent, thousands};

/// The clients that the charts show: the busiest and those around the limit.
pub(super) fn clients(out: &mut String, place: usize, picture: &Picture) {
    let limit = picture.limit.requests();
    out.push_str(&format!(
        "<h3 id=\"clients-{place}\">Clients above and below</h3>\n<div class=\"scroll tall\" role=\"region\" aria-labelledby=\"clients-{place}\" tabindex=\"0\">\n<table class=\"clients\">\n<caption>The busiest and those around the limit"
    ));
    if picture.undrawn > 0 {
        out.push_str(&format!("; {} more are counted, not named", thousands(picture.undrawn)));
    }
    out.push_str(". Peak: most requests in any ");
    out.push_str(&format!("{} s.</caption>\n<thead><tr><th scope=\"col\">Client</th><th scope=\"col\" class=\"n\" aria-sort=\"descending\">Peak</th><th scope=\"col\">At this limit</th><th scope=\"col\">Who it seems to be</th><th scope=\"col\" class=\"n\">Requests</th><th scope=\"col\" class=\"n\">4xx</th><th scope=\"col\">Busiest at (UTC)</th></tr></thead>\n<tbody>\n", picture.window.seconds()));
    for dot in &picture.dots {
        row(out, dot, limit);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn row(out: &mut String, dot: &Dot, limit: u32) {
    let columns = &dot.columns;
    let is_exempt = dot.kind == Kind::Exempt;
    let is_over = columns.peak > limit && !is_exempt;
    let mark = match (is_exempt, is_over) {
        (true, _) => "tester",
        (_, true) => "limited",
        _ => "passes",
    };
    let class = if is_over { " class=\"over\"" } else { "" };
    let exempt = if is_exempt { " data-exempt=\"\"" } else { "" };
    out.push_str(&format!("<tr data-peak=\"{}\"{exempt}{class}>", columns.peak));
    let client = escape(&columns.client);
    out.push_str(&format!("<td data-v=\"{client}\"><code>{client}</code></td>"));
    number(out, columns.peak.into(), &thousands(columns.peak.into()));
    out.push_str(&format!(
        "<td data-v=\"{}\"><span class=\"mark\">{mark}</span></td>",
        u8::from(is_over)
    ));
    out.push_str(&format!(
        "<td class=\"who\" data-v=\"{}\">{}<small>{}</small></td>",
        kind_in_words(dot.kind),
        escape(&columns.head),
        escape(&rests_on(columns))
    ));
    number(out, columns.requests.into(), &thousands(columns.requests.into()));
    // Whole millionths sort like the share.
    number(out, (columns.share_4xx * 1e6) as u64, &percent(columns.share_4xx));
    let busiest = escape(&columns.busiest);
    let words = busiest.get(..16).unwrap_or(&busiest).replace('T', " ");
    out.push_str(&format!(
        "<td data-v=\"{busiest}\"><time datetime=\"{busiest}\">{words}</time></td></tr>\n"
    ));
}

fn number(out: &mut String, value: u64, words: &str) {
    out.push_str(&format!("<td class=\"n\" data-v=\"{value}\">{words}</td>"));
}

/// What the head rests on, with the user agent.
fn rests_on(columns: &ClientColumns) -> String {
    let (lead, agent) = columns.agents_in_words();
    let agent = match (lead.is_empty(), agent.is_empty()) {
        (true, _) => String::new(),
        (_, true) => lead,
        _ => format!("{lead} “{agent}”"),
    };
    let parts = [columns.details.as_str(), agent.as_str()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Limits by windows.
pub(super) fn windows(out: &mut String, place: usize, picture: &Picture) {
    let found = &picture.grid;
    if found.limits.is_empty() {
        return;
    }
    out.push_str(&format!(
        "<h3 id=\"grid-{place}\">Other limits and windows</h3>\n<div class=\"scroll\" role=\"region\" aria-labelledby=\"grid-{place}\" tabindex=\"0\">\n<table class=\"grid\">\n<caption>Clients that the limit in force hits and this one would hit, too, + others. Marked *: the lowest of these limits that hits nobody else.</caption>\n<thead><tr><th scope=\"col\" class=\"n\">Limit</th>"
    ));
    for window in Window::ALL {
        out.push_str(&format!("<th scope=\"col\">{} s</th>", window.seconds()));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (row, (limit, cells)) in found.limits.iter().zip(&found.cells).enumerate() {
        let limit = thousands(limit.requests().into());
        out.push_str(&format!("<tr><th scope=\"row\" class=\"n\">{limit}</th>"));
        for (window, cell) in Window::ALL.into_iter().zip(cells) {
            let is_knee = found.knee(window) == Some(row);
            let others = match cell.hit {
                0 => String::new(),
                hit => format!(" + {}", thousands(hit)),
            };
            out.push_str(&format!(
                "<td class=\"{}\">{}{others}{}</td>",
                grid::class(cell.hit, is_knee),
                thousands(cell.caught),
                if is_knee { " *" } else { "" }
            ));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}
