//! One route: the sentence, the evidence as a table, the clients folded away.

use std::fmt::Write as _;

use super::escape::{code, prose};
use crate::report::view::{
    ClientColumns, Labelled, ProposalReport, QuestionReport, RouteReport, WarningReport,
};
use crate::units::{count, percent, ratio, thousands};

/// Most clients of one table: a pull request holds 65,536 characters.
const SHOWN: usize = 30;
/// Most labelled clients.
const LABELLED: usize = 10;

/// The sentence, the evidence and what to watch out for, without the clients.
pub(super) fn write_summary<'a>(
    out: &mut String,
    route: &'a RouteReport,
    warnings: &mut dyn Iterator<Item = &'a WarningReport>,
) {
    let proposal = &route.proposal;
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "## {}: {}\n", code(&route.route), proposal.grade);
    let _ = writeln!(out, "**{}**\n", prose(&proposal.headline));
    if let Some(pinned) = &route.pinned {
        let _ = writeln!(out, "Pinned: {}.\n", prose(&pinned.in_words()));
    }
    evidence(out, route);
    write_caveats(out, &proposal.questions, warnings);
}

/// Questions and warnings as a list.
pub(super) fn write_caveats(
    out: &mut String,
    questions: &[QuestionReport],
    warnings: &mut dyn Iterator<Item = &WarningReport>,
) {
    let questions = questions.iter().map(|question| ("question", &question.words));
    let mut any = false;
    for (id, text) in questions.chain(warnings.map(|warning| (warning.id, &warning.text))) {
        any = true;
        let _ = writeln!(out, "- **{id}**: {}", prose(text));
    }
    if any {
        out.push('\n');
    }
}

/// The whole route.
pub(super) fn write(out: &mut String, route: &RouteReport) {
    write_summary(out, route, &mut route.warnings.iter());
    write_clients(out, route, SHOWN);
}

/// Who is above and who just below, at most `shown` of them each.
pub(super) fn write_clients(out: &mut String, route: &RouteReport, shown: usize) {
    clients(out, "The busiest", &route.busiest, shown);
    let above = count(route.above.len() as u64, "client", "clients");
    clients(out, &format!("{above} above the limit"), &route.above, shown);
    clients(out, "The busiest just below", &route.below, shown);
    clients(out, "There all day", &route.all_day, shown);
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
        let above = route.above.len();
        let clients = if above == 1 { "client" } else { "clients" };
        let mut text = format!("{clients}, {}", route.share_above_in_words());
        if let Some(strongest) = route.above.first() {
            text.push_str(&format!(", strongest {}", number(strongest.peak)));
        }
        if let Some(looks) = route.looks_above_in_words() {
            text.push_str(&format!("; {looks}"));
        }
        let text = prose(&text);
        row("above", &thousands(above as u64), &text);
    }
    if let Some(evidence) = proposal.evidence {
        row("evidence", &format!("{evidence:.1}"), &prose(&proposal.evidence_words));
    }
    for client in route.good.iter().take(LABELLED) {
        row("good", &number(client.peak), &good(client));
    }
    for client in route.exempt.iter().take(LABELLED) {
        let text = format!("{} ({})", code(&client.client), code(&client.network));
        row("exempt", &number(client.peak), &(text + &agent(client)));
    }
    let more =
        route.good.len().saturating_sub(LABELLED) + route.exempt.len().saturating_sub(LABELLED);
    if more > 0 {
        row("", "", &format!("and {} more good or exempt", thousands(more as u64)));
    }
    let quantiles = route.quantiles;
    let counted = route.clients.saturating_sub(route.clients_exempt) as u64;
    let of_them = |exempt: u64| match exempt {
        0 => String::new(),
        exempt => format!(", {} of them exempt", thousands(exempt)),
    };
    let all = format!(
        "clients{}; {}{}",
        of_them(route.clients_exempt as u64),
        count(route.requests, "request", "requests"),
        of_them(route.requests_exempt)
    );
    let largest = format!(
        "half of {}{}; {} for 90 %, {} for 99 %, largest {}",
        count(counted, "client", "clients"),
        if route.exempt.is_empty() { "" } else { " that are not exempt" },
        number(quantiles.p90),
        number(quantiles.p99),
        number(quantiles.largest)
    );
    row("all", &thousands(route.clients as u64), &all);
    row("peaks up to", &number(quantiles.half), &largest);
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
    format!("{} ({}){room}{}", code(&client.client), code(&client.network), agent(client))
}

fn agent(client: &Labelled) -> String {
    match client.agent_in_words() {
        Some(agent) => format!(", {}", code(&agent)),
        None => String::new(),
    }
}

fn clients(out: &mut String, summary: &str, clients: &[ClientColumns], shown: usize) {
    if clients.is_empty() {
        return;
    }
    let _ = writeln!(out, "<details><summary>{summary}</summary>\n");
    out.push_str("| peak | client | a minute | requests | hours | agents | 4xx | seems to be |\n");
    out.push_str("| --: | :-- | --: | --: | --: | --: | --: | :-- |\n");
    for client in clients.iter().take(shown) {
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
            seems(client),
        );
    }
    out.push('\n');
    if clients.len() > shown {
        let more = thousands((clients.len() - shown) as u64);
        let _ = writeln!(out, "And {more} more; `--format json` lists all.\n");
    }
    out.push_str("</details>\n\n");
}

fn seems(client: &ClientColumns) -> String {
    let mut text = match client.details.as_str() {
        "" => prose(&client.head),
        details => prose(&format!("{}; {details}", client.head)),
    };
    let (agents, agent) = client.agents_in_words();
    if !agents.is_empty() {
        text.push_str(&format!("; {agents}"));
    }
    if client.top_agent.is_some() {
        text.push_str(&format!(" {}", code(&agent)));
    }
    text
}
