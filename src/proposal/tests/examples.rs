//! Small lists with the decision that has to follow, one after the other.

use super::made::{behaving, body, cron, labelled, office, script, unknown, visitor};
use crate::profile::Label;
use crate::proposal::{Decision, Grade, Observation, QuestionKind, Reason, decide};
use crate::units::{Limit, Window};

fn decided(more: &[Observation]) -> Decision {
    decided_in(more, 7)
}

fn decided_in(more: &[Observation], days: u32) -> Decision {
    let clients: Vec<Observation> = body().into_iter().chain(more.iter().copied()).collect();
    decide(&clients, days, Window::FIVE_MINUTES)
}

fn limit(decision: &Decision) -> Option<u32> {
    decision.limit.map(Limit::requests)
}

fn gap(decision: &Decision) -> Option<(u32, u32)> {
    decision.lower.zip(decision.upper)
}

/// Kind, number of clients and limit of each question.
fn asked(decision: &Decision) -> Vec<(QuestionKind, usize, u32)> {
    decision
        .questions
        .iter()
        .map(|question| (question.kind, question.clients.len(), question.limit.requests()))
        .collect()
}

fn is_close(evidence: Option<f64>, wanted: f64) -> bool {
    evidence.is_some_and(|evidence| (evidence - wanted).abs() < 1e-4)
}

const FOUR: [u32; 4] = [60, 75, 130, 400];

fn scripts() -> Vec<Observation> {
    FOUR.map(script).to_vec()
}

fn all_unknown(more: &[u32]) -> Vec<Observation> {
    body().into_iter().chain(more.iter().map(|&peak| visitor(peak))).map(unknown).collect()
}

#[test]
fn without_behaviour_the_gap_alone_decides() {
    let decision = decide(&all_unknown(&FOUR), 7, Window::FIVE_MINUTES);
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Weak));
    assert_eq!(gap(&decision), Some((9, 60)));
    assert!(is_close(decision.evidence, 6.8901));
    assert_eq!(decision.fewest_signs, None);
}

#[test]
fn a_good_client_above_stops_it() {
    let mut clients = all_unknown(&FOUR);
    clients.push(labelled(unknown(visitor(500)), Label::Good));
    let decision = decide(&clients, 7, Window::FIVE_MINUTES);
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::InTheWay)));
    assert_eq!(asked(&decision)[0], (QuestionKind::Exempt, 1, 20));
    assert_eq!(decision.ceiling.requests(), 1000);
}

#[test]
fn scripts_above_visitors_are_clear() {
    let decision = decided(&scripts());
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Clear));
    assert_eq!((decision.fewest_signs, decision.clients_above_cut), (Some(3), 4));
    assert!(is_close(decision.evidence, 8.3901));
}

#[test]
fn visitors_above_visitors_are_a_question() {
    let decision = decided(&FOUR.map(visitor));
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::Undecided)));
    assert_eq!(
        asked(&decision),
        [(QuestionKind::Unwanted, 4, 20), (QuestionKind::Unwanted, 1, 250)]
    );
}

#[test]
fn an_office_below_lifts_the_edge() {
    let decision = decided(&[scripts(), vec![office(30)]].concat());
    assert_eq!((limit(&decision), decision.grade), (Some(50), Grade::Clear));
    assert_eq!(gap(&decision), Some((30, 60)));
}

#[test]
fn an_office_among_the_runaways_is_in_the_way() {
    let decision = decided(&[scripts(), vec![office(200)]].concat());
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::InTheWay)));
    assert_eq!(asked(&decision), [(QuestionKind::Exempt, 1, 20), (QuestionKind::Unwanted, 1, 300)]);
    assert_eq!(decision.questions[0].clients, [128]);
}

#[test]
fn an_office_above_all_is_in_the_way() {
    let decision = decided(&[scripts(), vec![office(900)]].concat());
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::InTheWay)));
    assert_eq!(asked(&decision)[0], (QuestionKind::Exempt, 1, 20));
    assert_eq!(decision.ceiling.requests(), 1800);
}

#[test]
fn one_script_is_a_question_until_its_rate_is_steady() {
    let decision = decided(&[script(60)]);
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::Undecided)));
    assert_eq!(asked(&decision), [(QuestionKind::Unwanted, 1, 20)]);

    let decision = decided(&[behaving(script(60), |script| script.middle = 58)]);
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Weak));
    assert_eq!(decision.fewest_signs, Some(4));
    assert!(is_close(decision.evidence, 5.7326));
}

#[test]
fn a_cron_job_belongs_here_unless_somebody_says_otherwise() {
    let decision = decided(&[cron(150)]);
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::NoGap)));
    assert_eq!(asked(&decision), [(QuestionKind::Regular, 1, 30)]);
    assert_eq!(decision.ceiling.requests(), 300);

    let decision = decided(&[labelled(cron(150), Label::Bad)]);
    assert_eq!((limit(&decision), decision.grade), (Some(30), Grade::Weak));
    assert!(is_close(decision.evidence, 13.9865));
}

#[test]
fn a_short_log_is_never_clear() {
    let decision = decided_in(&scripts(), 3);
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Weak));
    assert!(is_close(decision.evidence, 8.3901));
}

#[test]
fn four_visitors_are_a_question_and_eight_are_the_known_hole() {
    let decision = decided(&[60, 64, 70, 75].map(visitor));
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::Undecided)));
    assert_eq!(asked(&decision), [(QuestionKind::Unwanted, 4, 20)]);

    let decision = decided(&[60, 62, 64, 66, 68, 70, 72, 75].map(visitor));
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Weak));
    assert_eq!(decision.fewest_signs, Some(0));
    assert!(is_close(decision.evidence, 9.2871));
}

#[test]
fn a_shared_address_lifts_the_edge() {
    let crowd =
        behaving(Observation { agents: 20, focus: 1.0, share_4xx: 0.15, ..visitor(55) }, |crowd| {
            (crowd.hours, crowd.windows, crowd.middle) = (1, 1, 55)
        });
    let mut clients = [600, 750, 900].map(script).to_vec();
    clients.push(crowd);
    let decision = decided(&clients);
    assert_eq!((limit(&decision), decision.grade), (Some(150), Grade::Clear));
    assert_eq!(gap(&decision), Some((55, 600)));
    assert!(decision.shared[127]);
}

#[test]
fn too_few_clients_tell_nothing() {
    let four = [3, 5, 400, 900].map(visitor);
    let decision = decide(&four, 7, Window::FIVE_MINUTES);
    assert_eq!(decision.reason, Some(Reason::TooFewClients));
    assert_eq!(decision.ceiling.requests(), 1800);

    let offices = [10, 20, 30, 40, 50, 60].map(|peak| labelled(visitor(peak), Label::Good));
    let decision = decide(&offices, 7, Window::FIVE_MINUTES);
    assert_eq!(decision.reason, Some(Reason::NearlyEverybody));

    let nobody = decide(&[], 7, Window::FIVE_MINUTES);
    assert_eq!((nobody.reason, nobody.ceiling.requests()), (Some(Reason::TooFewClients), 10));
}

/// Lists of unknown clients, for the paths on which no behaviour is looked at.
#[test]
fn two_classes_are_not_called_abuse_until_one_of_them_is() {
    let mut clients: Vec<Observation> = (0..100).map(|number| visitor(1 + number % 8)).collect();
    clients.extend([60; 40].map(visitor));
    let mut clients: Vec<Observation> = clients.into_iter().map(unknown).collect();
    let decision = decide(&clients, 7, Window::FIVE_MINUTES);
    assert_eq!(decision.reason, Some(Reason::TwoClasses));
    assert_eq!(asked(&decision), [(QuestionKind::Unwanted, 40, 20)]);
    assert_eq!(decision.ceiling.requests(), 150);

    clients[139].label = Some(Label::Bad);
    let decision = decide(&clients, 7, Window::FIVE_MINUTES);
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Clear));
    assert!(is_close(decision.evidence, 61.3059));
}

#[test]
fn a_lower_cut_without_a_hint_comes_with_the_careful_one() {
    let decision =
        decide(&all_unknown(&[60, 64, 70, 2000, 2200, 2400, 2600]), 7, Window::FIVE_MINUTES);
    assert_eq!((limit(&decision), decision.grade), (Some(20), Grade::Weak));
    assert_eq!(decision.cautious_limit.map(Limit::requests), Some(300));
    assert_eq!(decision.clients_above_cut, 7);
    assert!(is_close(decision.evidence, 5.4033));
}

#[test]
fn no_question_offers_a_limit_that_stops_nobody() {
    // Gaps between 3 and 7 exist, but no limit AWS WAF accepts lies in them.
    let clients: Vec<Observation> = [[1; 20].as_slice(), &[2; 10], &[3; 4], &[7, 8]]
        .concat()
        .into_iter()
        .map(visitor)
        .collect();
    let decision = decide(&clients, 7, Window::FIVE_MINUTES);
    assert_eq!((limit(&decision), decision.reason), (None, Some(Reason::Undecided)));
    assert_eq!(decision.questions, []);
}
