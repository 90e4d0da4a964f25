//! One route: the sentence, the evidence as a table, the clients folded away.

use std::fmt::Write as _;

use super::escape::{code, prose};
use crate::report::view::{ClientColumns, Labelled, ProposalReport, RouteReport};
use crate::units::{count, percent, ratio, thousands};

/// Most clients of one table: a pull request holds 65,536 characters.
const SHOWN: usize = 30;
/// Most labelled clients.
const LABELLED: usize = 10;

/// The sentence, the evidence and what to watch out for, without the clients.
pub(super) fn write_summary(out: &mut String, route: &RouteReport) {
    let proposal = &route.proposal;
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "## {}: {}\n", code(&route.route), proposal.grade);
    let _ = writeln!(out, "**{}**\n", prose(&proposal.headline));
    evidence(out, route);
    for question in &proposal.questions {
        let _ = writeln!(out, "- **question**: {}", prose(&question.words));
    }
    for warning in &route.warnings {
        let _ = writeln!(out, "- **{}**: {}", warning.id, prose(&warning.text));
    }
    if !proposal.questions.is_empty() || !route.warnings.is_empty() {
        out.push('\n');
    }
}

/// The whole route.
pub(super) fn write(out: &mut String, route: &RouteReport) {
    write_summary(out, route);
    clients(out, "The busiest", &route.busiest);
    let above = count(route.above.len() as u64, "client", "clients");
    clients(out, &format!("{above} above the limit"), &route.above);
    clients(out, "The busiest just below", &route.below);
}

fn evidence(out: &mut String, route: &RouteReport) {
    let proposal = &route.proposal;
    out.push_str("| | | |\n| :-- | --: | :-- |\n");
    let mut row = |name: &str, number: &str, text: &str| {
        let _ = writeln!(out, "| {name} | {number} | {text} |");
    };
    let number = |value: u32| thousands(value.into());
    limit(proposal, &mut row);
    if let (Some(below), Some(headroom)) = (&proposal.busiest_below, proposal.headroom) {
        let text = format!("{}, {} room", code(&below.client), ratio(headroom));
        row("busiest below", &number(below.peak), &text);
    }
    if let (Some(above), Some(margin)) = (&proposal.weakest_above, proposal.margin) {
        let text = format!("{}, {} over", code(&above.client), ratio(margin));
        row("weakest above", &number(above.peak), &text);
    }
    if proposal.limit.is_some() {
        let mut text = format!("clients, {} of the requests", percent(proposal.share_above));
        if let Some(strongest) = route.above.first() {
            text.push_str(&format!(", strongest {}", number(strongest.peak)));
        }
        let text = prose(&text);
        row("above", &thousands(route.above.len() as u64), &text);
    }
    if let Some(evidence) = proposal.evidence {
        row("evidence", &format!("{evidence:.1}"), &prose(&proposal.evidence_words));
    }
    for client in route.good.iter().take(LABELLED) {
        row("good", &number(client.peak), &good(client));
    }
    for client in route.exempt.iter().take(LABELLED) {
        let text = format!("{} ({})", code(&client.client), code(&client.network));
        row("exempt", &number(client.peak), &text);
    }
    let more =
        route.good.len().saturating_sub(LABELLED) + route.exempt.len().saturating_sub(LABELLED);
    if more > 0 {
        row("", "", &format!("and {} more good or exempt", thousands(more as u64)));
    }
    let largest = format!(
        "half of {}; {} for 90 %, {} for 99 %, largest {}",
        count(route.clients as u64, "client", "clients"),
        number(route.quantiles.p90),
        number(route.quantiles.p99),
        number(route.quantiles.largest)
    );
    row("peaks up to", &number(route.quantiles.half), &largest);
    if !proposal.ladder.is_empty() {
        row("other limits", "", &proposal.ladder_in_words());
    }
    if let Some(cautious) = proposal.cautious_limit {
        row("careful limit", &number(cautious), "spares those who do not look like runaways");
    }
    if let Some(other) = &route.other_window {
        let found = other.limit.map_or_else(String::new, number);
        let text = format!("in a window of {} s, {}", other.window, other.grade);
        row("other window", &found, &text);
    }
    row("statement", "", &prose(&route.traffic.in_words()));
    out.push('\n');
}

fn limit(proposal: &ProposalReport, row: &mut impl FnMut(&str, &str, &str)) {
    match proposal.limit {
        Some(limit) => {
            let text = format!("requests per {} s", proposal.window);
            row("**limit**", &format!("**{}**", thousands(limit.into())), &text);
        }
        None => {
            row("no limit", "", &prose(&proposal.reason));
            row(
                "ceiling",
                &thousands(proposal.ceiling.into()),
                "blocks nobody of this log; not derived from abuse",
            );
        }
    }
}

fn good(client: &Labelled) -> String {
    let room = match client.room {
        Some(room) if room < 1.0 => ", **above the limit: needs an exempt rule**".to_owned(),
        Some(room) => format!(", {} room", ratio(room)),
        None => String::new(),
    };
    format!("{} ({}){room}", code(&client.client), code(&client.network))
}

fn clients(out: &mut String, summary: &str, clients: &[ClientColumns]) {
    if clients.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>{summary}</summary>\n");
    out.push_str("| peak | client | a minute | requests | hours | agents | 4xx | seems to be |\n");
    out.push_str("| --: | :-- | --: | --: | --: | --: | --: | :-- |\n");
    for client in clients.iter().take(SHOWN) {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            thousands(client.peak.into()),
            code(&client.client),
            thousands(client.clock_60.into()),
            thousands(client.requests.into()),
            thousands(client.hours.into()),
            client.agents,
            prose(&percent(client.share_4xx)),
            prose(&seems(client)),
        );
    }
    out.push('\n');
    if clients.len() > SHOWN {
        let more = thousands((clients.len() - SHOWN) as u64);
        let _ = writeln!(out, "And {more} more; `--format json` lists all.\n");
    }
    out.push_str("</details>\n\n");
}

fn seems(client: &ClientColumns) -> String {
    match client.details.as_str() {
        "" => client.head.clone(),
        details => format!("{}; {details}", client.head),
    }
}
