//! Sentences, word by word.

use super::made::{
    behaving, body, client, clients, cron, labelled, office, script, unknown, visitor,
};
use crate::profile::{ClientProfile, Label};
use crate::proposal::{
    Observation, Proposal, evidence_in_words, headline, other_window_in_words, propose,
    question_in_words, rate_in_words, sentence,
};
use crate::rules::Route;
use crate::units::{Limit, Window};

fn proposed(more: &[(&str, Observation)], days: u32) -> (Vec<ClientProfile>, Proposal) {
    let mut list = clients(&body());
    list.extend(more.iter().map(|(name, seen)| client(name, seen)));
    let proposal = propose(&list, days, Window::FIVE_MINUTES);
    (list, proposal)
}

fn route() -> Route {
    "GET /api/v1/token".parse().unwrap()
}

fn scripts() -> Vec<(&'static str, Observation)> {
    ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"]
        .into_iter()
        .zip([60, 75, 130, 1_400].map(script))
        .collect()
}

/// The sentence about the last client of a list.
fn last_sentence(seen: Observation, days: u32) -> String {
    let (list, proposal) = proposed(&[("203.0.113.7", seen)], days);
    sentence(&proposal, &list, list.len() - 1)
}

#[test]
fn the_headline_gives_limit_rate_and_room() {
    let (_, mut proposal) = proposed(&scripts(), 7);
    assert_eq!(
        headline(&proposal, &route()),
        "20 requests per 300 s (4 per minute): 2.22x above the busiest normal client (9), 3.00x below the weakest abusive one (60)"
    );
    (proposal.limit, proposal.lower, proposal.upper) = (Limit::new(300).ok(), Some(187), Some(468));
    (proposal.headroom, proposal.margin) = (Some(300.0 / 187.0), Some(468.0 / 300.0));
    assert_eq!(
        headline(&proposal, &route()),
        "300 requests per 300 s (1 per second): 1.60x above the busiest normal client (187), 1.56x below the weakest abusive one (468)"
    );
    let (_, weak) = proposed(&scripts(), 3);
    let weak = headline(&weak, &route());
    let (_, why) = weak.split_once("3.00x below the weakest one above it (60)").unwrap();
    assert!(why.contains("because") && why.contains("3 days"), "{why}");
}

#[test]
fn without_a_limit_the_headline_gives_reason_choices_and_ceiling() {
    let (_, proposal) = proposed(&[], 7);
    assert_eq!(
        headline(&proposal, &route()),
        "No limit for GET /api/v1/token: no gap, as the peaks rise to the highest without a break. Ceiling 20 requests per 300 s (4 per minute): blocks nobody of these logs; not derived from abuse"
    );
    let mut more = scripts();
    more.push(("203.0.113.7", office(200)));
    let (_, proposal) = proposed(&more, 7);
    assert_eq!(
        headline(&proposal, &route()),
        "No limit for GET /api/v1/token: a client that has to pass is in the way of the gap. Yours to decide: 20 if 1 client gets a rule of its own; 600 if 1 client is unwanted. Ceiling 3,000 requests per 300 s (10 per second): blocks nobody of these logs; not derived from abuse"
    );
}

#[test]
fn rates_are_per_second_or_per_minute() {
    let rate = |limit, window| rate_in_words(Limit::new(limit).unwrap(), window);
    assert_eq!(rate(300, Window::FIVE_MINUTES), "1 per second");
    assert_eq!(rate(400, Window::FIVE_MINUTES), "1.33 per second");
    assert_eq!(rate(450, Window::FIVE_MINUTES), "1.5 per second");
    assert_eq!(rate(315, Window::FIVE_MINUTES), "1.05 per second");
    assert_eq!(rate(250, Window::FIVE_MINUTES), "50 per minute");
    assert_eq!(rate(12, Window::FIVE_MINUTES), "2.4 per minute");
    assert_eq!(rate(10, Window::TEN_MINUTES), "1 per minute");
    assert_eq!(rate(600_000, Window::FIVE_MINUTES), "2,000 per second");
}

/// The words for a sum of evidence of which `weight` is not the gap's.
fn evidence(evidence: f64, weight: f64) -> String {
    let (_, proposal) = proposed(&scripts(), 7);
    evidence_in_words(&Proposal { evidence: Some(evidence), weight, ..proposal })
}

#[test]
fn evidence_is_a_number_of_weeks() {
    let chance = "a tail like this one shows such a gap by chance";
    assert_eq!(evidence(13.6, 0.0), format!("{chance} less than once in 10,000 weeks"));
    assert_eq!(evidence(4.51, 0.0), format!("{chance} about once in 55 weeks"));
    assert_eq!(evidence(f64::INFINITY, 0.0), evidence(20.0, 0.0));
    let (_, without) = proposed(&[], 7);
    assert_eq!(evidence_in_words(&without), "");
}

#[test]
fn chance_is_told_of_the_gap_alone() {
    let alone = "by the gap alone, a tail like this one shows such a gap by chance";
    assert_eq!(
        evidence(12.6, 3.0),
        format!("9.6 from the gap, 3 for how those above look; {alone} about once in 9,000 weeks")
    );
    assert_eq!(
        evidence(5.6, -3.0),
        format!("8.6 from the gap, -3 for how those above look; {alone} about once in 3,300 weeks")
    );
    assert_eq!(
        evidence(6.0, 1.5),
        format!("4.5 from the gap, 1.5 for how those above look; {alone} about once in 55 weeks")
    );
    assert_eq!(
        evidence(11.3, 10.0),
        format!(
            "1.3 from the gap, 10 because you called clients bad; {alone} about once in 2 weeks"
        )
    );
    assert_eq!(
        evidence(8.0, 10.0),
        format!("-2.0 from the gap, 10 because you called clients bad; {alone} nearly every week")
    );
}

#[test]
fn evidence_by_rule_claims_no_odds() {
    // Ten visitors and, fifty times higher, one more.
    let mut list: Vec<Observation> = (2..=11).map(visitor).collect();
    list.push(visitor(600));
    let proposal = propose(&clients(&list), 7, Window::FIVE_MINUTES);
    assert_eq!(proposal.evidence, Some(4.5));
    assert_eq!(evidence_in_words(&proposal), "by rule: fewer than 30 clients and a gap of 54.5x");
    let narrow = Proposal { lower: Some(100), ..proposal };
    assert!(evidence_in_words(&narrow).ends_with("a gap of 10x or more"));
}

#[test]
fn nobody_up_to_the_peak_of_nine_in_ten_is_an_outlier() {
    let (mut list, _) = proposed(&[], 7);
    list.push(client("203.0.113.8", &labelled(script(900), Label::Exempt)));
    let proposal = propose(&list, 7, Window::FIVE_MINUTES);
    let mut peaks: Vec<u32> = body().iter().map(|seen| seen.peak).collect();
    peaks.sort_unstable();
    let ordinary = peaks[(peaks.len() * 9).div_ceil(10) - 1];
    assert_eq!(proposal.ordinary_peak, ordinary, "exempt clients do not count");
    for (place, client) in list[..list.len() - 1].iter().enumerate() {
        let peak = client.peak(Window::FIVE_MINUTES);
        let words = sentence(&proposal, &list, place);
        if proposal.signs[place] == 0 && !proposal.established[place] && !proposal.shared[place] {
            assert_eq!(words.contains("outlier"), peak > ordinary, "{words}");
            assert!(words.contains("looks like a visitor"), "{words}");
        }
    }
}

#[test]
fn a_label_that_decides_shows_in_the_weight() {
    // Nobody would propose a limit between these two; a label does.
    let unlabelled = [("203.0.113.1", visitor(30)), ("203.0.113.2", visitor(34))];
    let (_, before) = proposed(&unlabelled, 7);
    assert_eq!((before.limit, before.weight), (None, 0.0));
    let told = unlabelled.map(|(name, seen)| (name, labelled(seen, Label::Bad)));
    let (_, after) = proposed(&told, 7);
    assert_eq!(after.weight, 10.0);
    assert!(after.evidence.unwrap() > 10.0);
    assert!(evidence_in_words(&after).contains("10 because you called clients bad"));
}

#[test]
fn every_kind_of_client_has_its_head() {
    assert_eq!(
        last_sentence(script(7_383), 7),
        "peak 7,383: looks like a runaway; near its peak on 1 of 7 days, there in 1 hour, half of its busy windows at 3,692 or under; sends no referer, a tool where others use browsers, calls nothing but this route"
    );
    assert_eq!(
        last_sentence(cron(113), 7),
        "peak 113: a habit: looks like a machine that belongs here; near its peak on 7 of 7 days, there in 168 hours, half of its busy windows at 100 or under; sends no referer, a tool where others use browsers, calls nothing but this route, the same rate all the time"
    );
    assert_eq!(
        last_sentence(office(40), 7),
        "peak 40: a habit: looks like people at a busy address; near its peak on 5 of 7 days, there in 52 hours, half of its busy windows at 5 or under"
    );
    assert_eq!(
        last_sentence(Observation { agents: 64, ..visitor(40) }, 7),
        "peak 40: looks shared; near its peak on 1 of 7 days, there in 2 hours, half of its busy windows at 20 or under; 64 user agents"
    );
    assert_eq!(
        last_sentence(visitor(60), 1),
        "peak 60: an outlier that looks like a visitor; near its peak on 1 of 1 day, there in 2 hours, half of its busy windows at 30 or under"
    );
    let alone = Observation { focus: 1.0, ..visitor(60) };
    assert!(
        last_sentence(alone, 0).starts_with(
            "peak 60: one sign of a runaway; near its peak on 1 day, there in 2 hours"
        )
    );
    assert_eq!(last_sentence(unknown(visitor(60)), 7), "peak 60: behaviour not known");
    let errors = Observation { share_4xx: 0.9, ..unknown(visitor(60)) };
    assert_eq!(
        last_sentence(errors, 7),
        "peak 60: behaviour not known; 90 % of its requests answered 4xx"
    );
    assert!(
        last_sentence(labelled(cron(60), Label::Bad), 7)
            .starts_with("peak 60: labelled bad (office); near its peak on 7 of 7 days")
    );
}

#[test]
fn questions_name_clients_and_the_limit_that_follows() {
    let asked = |more: &[(&str, Observation)]| {
        let (list, proposal) = proposed(more, 7);
        question_in_words(&proposal.questions[0], &proposal, &list)
    };
    let mut more = scripts();
    more.push(("203.0.113.7", office(200)));
    assert_eq!(
        asked(&more),
        "203.0.113.7 (peak 200, near its peak on 5 of 7 days, there in 52 hours) stands in the way of a gap, above 3 clients that look like runaways. If it has to pass, give it a rule of its own with --exempt 203.0.113.7; the limit would then be 20 per 300 s (4 per minute)."
    );
    assert_eq!(
        asked(&[("203.0.113.7", cron(150))]),
        "203.0.113.7 (peak 150, near its peak on 7 of 7 days, there in 168 hours) keeps coming and looks like a machine; a partner's job looks exactly like that. If it is unwanted, say --bad 203.0.113.7; the limit would then be 30 per 300 s (6 per minute)."
    );
    let visitors =
        [("198.51.100.1", 60), ("198.51.100.2", 400), ("198.51.100.3", 75), ("198.51.100.4", 130)]
            .map(|(name, peak)| (name, visitor(peak)));
    assert_eq!(
        asked(&visitors),
        "198.51.100.2 (peak 400), 198.51.100.4 (peak 130), 198.51.100.3 (peak 75) and 1 more stand apart from the clients below, which proves nothing by itself. If they are unwanted, say --bad 198.51.100.2 --bad 198.51.100.4 --bad 198.51.100.3 and so on for the other; the limit would then be 20 per 300 s (4 per minute)."
    );
}

#[test]
fn foreign_text_is_made_harmless() {
    let hostile = behaving(script(60), |script| script.middle = 58);
    let (list, mut proposal) = proposed(&[("x\u{1b}[2J.x", hostile)], 7);
    proposal.questions = vec![crate::proposal::Question {
        kind: crate::proposal::QuestionKind::Unwanted,
        clients: vec![list.len() - 1],
        more: 0,
        limit: proposal.ceiling,
    }];
    let words = question_in_words(&proposal.questions[0], &proposal, &list);
    assert!(words.starts_with("x\\u{1b}[2J.x (peak 60) stands apart"), "{words}");
    assert!(words.contains("If it is unwanted, the limit would then be"), "no flag takes a mask");
}

#[test]
fn another_window_is_told_with_its_grade() {
    let (_, mut proposal) = proposed(&scripts(), 7);
    proposal.window = Window::ONE_MINUTE;
    assert_eq!(
        other_window_in_words(&proposal).as_deref(),
        Some("a window of 60 s does better: 20 requests per 60 s (20 per minute), clear")
    );
}
