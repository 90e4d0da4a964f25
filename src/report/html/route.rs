//! One route: the sentence, the peaks with the slider, the clients, the week, other limits, what to watch
//! out for.

use serde_json::{Value, json};

use super::clients;
use crate::report::chart::{Chart, ladder, peaks, week};
use crate::report::drift::DriftOf;
use crate::report::markup::escape;
use crate::report::view::{Picture, RouteReport};
use crate::units::{ratio, thousands};

/// The section of a route.
pub(super) fn write(
    out: &mut String,
    place: usize,
    route: &RouteReport,
    picture: &Picture,
    drift: Option<&DriftOf>,
) {
    let proposal = &route.proposal;
    out.push_str(&format!(
        "<section class=\"route\" id=\"route-{place}\" aria-labelledby=\"name-{place}\">\n<h2 id=\"name-{place}\"><code>{}</code> <span class=\"grade {1}\">{1}</span></h2>\n<p class=\"sentence\">{2}</p>\n",
        escape(&route.route),
        escape(proposal.grade),
        escape(&proposal.headline)
    ));
    if let Some(pinned) = &route.pinned {
        out.push_str(&format!("<p><strong>Pinned:</strong> {}.</p>\n", escape(&pinned.in_words())));
    }
    if let Some(drift) = drift {
        changes(out, drift);
    }
    facts(out, route, picture);
    out.push_str("<h3>Peaks</h3>\n");
    figure(
        out,
        &peaks(&route.route, picture),
        place,
        "Bars: all clients by their peak. Below: one mark a client, for the busiest and those around the limit; point at one, or walk with the arrow keys.",
    );
    slider(out, place);
    clients::clients(out, place, picture);
    if let Some(chart) = week(&route.route, picture) {
        out.push_str("<h3>The week</h3>\n");
        figure(out, &chart, place, "Requests of the route in each hour of each day, UTC.");
    }
    out.push_str("<h3>The ladder</h3>\n");
    figure(out, &ladder(&route.route, picture), place, "Clients above each limit.");
    clients::windows(out, place, picture);
    caveats(out, route);
    out.push_str("</section>\n");
}

fn figure(out: &mut String, chart: &Chart, place: usize, caption: &str) {
    let id = format!("{}-{place}", chart.name);
    out.push_str(
        "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"chart\">\n",
    );
    out.push_str(&chart.inline(&id));
    out.push_str(&format!("</div>\n<figcaption>{}</figcaption>\n</figure>\n", escape(caption)));
}

/// Without its script the page has no slider.
fn slider(out: &mut String, place: usize) {
    out.push_str(&format!(
        "<div class=\"slider\" hidden>\n<div class=\"head\"><label for=\"limit-{place}\">Move the limit</label><button type=\"button\">Reset</button></div>\n<input type=\"range\" id=\"limit-{place}\" min=\"0\" max=\"0\" step=\"1\" value=\"0\">\n<output for=\"limit-{place}\" aria-live=\"polite\"></output>\n<p class=\"who\"></p>\n</div>\n"
    ));
}

fn facts(out: &mut String, route: &RouteReport, picture: &Picture) {
    let proposal = &route.proposal;
    let limit =
        format!("{} in {} s", thousands(picture.limit.requests().into()), picture.window.seconds());
    let range = proposal.lowest_limit.zip(proposal.highest_limit).map(|(lowest, highest)| {
        format!("{} to {}", thousands(lowest.into()), thousands(highest.into()))
    });
    let above = picture.step(picture.limit.requests()).map(|step| thousands(step.clients));
    let quantiles = &route.quantiles;
    let label = match picture.limit_is {
        "pinned" => "Pinned limit",
        "proposed" => "Proposed limit",
        _ => "Ceiling (no proposal)",
    };
    out.push_str("<dl class=\"facts\">\n");
    for (name, value) in [
        (label, Some(limit)),
        (
            "Clients above it",
            above.map(|above| format!("{above} of {}", thousands(picture.clients))),
        ),
        ("Headroom", proposal.headroom.map(ratio)),
        ("Margin", proposal.margin.map(ratio)),
        ("Safe limits", range),
        ("Requests", Some(thousands(route.requests))),
        ("Half come to", Some(thousands(quantiles.half.into()))),
        ("99 % come to", Some(thousands(quantiles.p99.into()))),
    ] {
        if let Some(value) = value {
            out.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(&value)));
        }
    }
    out.push_str("</dl>\n");
    let statement = format!("The statement {}", route.traffic.in_words());
    let evidence = proposal
        .evidence
        .map(|evidence| format!("Evidence {evidence:.1}: {}", proposal.evidence_words));
    for words in evidence.iter().chain([&statement]) {
        if !words.is_empty() {
            out.push_str(&format!("<p class=\"aside\">{}.</p>\n", escape(words)));
        }
    }
}

fn changes(out: &mut String, drift: &DriftOf) {
    out.push_str("<h3>Since the older lock</h3>\n<ul class=\"caveats drift\">\n");
    for finding in &drift.findings {
        let id = escape(finding.id);
        out.push_str(&format!("<li class=\"finding\">{id}: {}</li>\n", escape(&finding.text)));
    }
    out.push_str(&format!("<li>{}</li>\n</ul>\n", escape(&drift.summary)));
}

fn caveats(out: &mut String, route: &RouteReport) {
    let questions = route.proposal.questions.iter().map(|question| ("question", &question.words));
    let caps = route.proposal.caps.iter().map(|cap| (cap.id, &cap.text));
    let warnings = route.warnings.iter().map(|warning| (warning.id, &warning.text));
    let all: Vec<_> = questions.chain(caps).chain(warnings).collect();
    out.push_str("<h3>Warnings and questions</h3>\n");
    if all.is_empty() {
        out.push_str("<p>None.</p>\n");
        return;
    }
    out.push_str("<ul class=\"caveats\">\n");
    for (id, text) in all {
        out.push_str(&format!("<li><strong>{}</strong>: {}</li>\n", escape(id), escape(text)));
    }
    out.push_str("</ul>\n");
}

/// What the script needs to know of a route.
pub(super) fn data(picture: &Picture) -> Value {
    let steps: Vec<Value> = (picture.steps.iter())
        .map(|step| json!([step.limit, step.clients, step.requests]))
        .collect();
    json!({
        "limit": picture.limit.requests(),
        "is": picture.limit_is,
        "window": picture.window.seconds(),
        "clients": picture.clients,
        "requests": picture.requests,
        "steps": steps,
    })
}
