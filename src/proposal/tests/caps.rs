//! Logs that bound the grade of whatever is found in them.

use super::made::{body, clients, days, labelled, route, script, unknown};
use crate::counts::{Completeness, Coverage};
use crate::profile::{Label, RouteProfile};
use crate::proposal::{Cap, Grade, Reason, caps, headline, lock_route, propose_route};

/// A route with a clear limit.
fn clear() -> RouteProfile {
    let mut seen = body();
    seen.extend([60, 75, 130, 1_400].map(script));
    route(clients(&seen))
}

fn log(completeness: Completeness) -> Coverage {
    Coverage { completeness, ..days(7) }
}

fn waf(allowed: u64, records: u64) -> Coverage {
    let records =
        Completeness { waf_records: records, waf_allowed: allowed, ..Completeness::default() };
    log(records)
}

#[test]
fn a_log_that_holds_everything_has_no_caps() {
    assert!(caps(&log(Completeness::default())).is_empty());
    assert!(caps(&waf(100_000, 100_000)).is_empty());
    assert!(caps(&waf(50_000, 100_000)).is_empty());
    let edges = Completeness { edge_lines: 50_000, ..Completeness::default() };
    assert!(caps(&log(edges)).is_empty());
    assert_eq!(propose_route(&clear(), &days(7)).proposal.grade, Grade::Clear);
}

#[test]
fn a_sample_is_never_clear_and_says_so_in_headline_and_lock() {
    let mut sampled = Completeness { scaled: true, ..Completeness::default() };
    sampled.note_sampling(10);
    let coverage = log(sampled);
    let (profile, free) = (clear(), propose_route(&clear(), &days(7)));
    let found = propose_route(&profile, &coverage);
    assert_eq!(found.proposal.grade, Grade::Weak);
    assert_eq!(found.proposal.limit, free.proposal.limit);
    assert!(found.other_window.is_none());
    let line = headline(&found.proposal, &profile.route);
    assert!(
        line.ends_with("(60). No more than weak, because the log holds only 10 % of the requests, so peaks are estimates from a sample"),
        "{line}"
    );
    let locked = lock_route(&profile, &found, &[]);
    assert_eq!((locked.caps[0].id.as_str(), locked.caps[0].grade.as_str()), ("sampled", "weak"));
    assert_eq!(locked.sentence, line);
}

#[test]
fn without_allowed_records_nothing_is_proposed() {
    for (allowed, grade) in [(40_000, Grade::Weak), (0, Grade::None)] {
        let found = propose_route(&clear(), &waf(allowed, 100_000)).proposal;
        assert_eq!((found.grade, found.limit.is_none()), (grade, grade == Grade::None));
        assert_eq!(found.caps, [Cap::Filtered { allowed, records: 100_000 }]);
    }
}

#[test]
fn edges_of_cloudfront_are_no_clients() {
    let edges = Completeness { edge_lines: 98_000, ..Completeness::default() };
    let profile = clear();
    let found = propose_route(&profile, &log(edges));
    let proposal = &found.proposal;
    assert_eq!((proposal.grade, proposal.limit), (Grade::None, None));
    assert_eq!(proposal.reason, Some(Reason::EdgeAddresses));
    assert!(proposal.questions.is_empty() && proposal.above.is_empty());
    assert!(proposal.lower.is_none() && proposal.evidence.is_none());
    let line = headline(proposal, &profile.route);
    assert!(line.contains("98 % of the requests come from CloudFront's own machines"), "{line}");
    assert!(!line.contains("Ceiling"), "{line}");
    let locked = lock_route(&profile, &found, &[]);
    assert_eq!(locked.reason, "the clients are CloudFront's own machines");
    assert!(locked.limit.is_none());
}

/// A log that tells less is never graded better: with its columns this one is clear, without them it takes
/// labels, as it does for those who show no signs.
#[test]
fn less_knowledge_is_not_graded_better() {
    let abusers = [120, 150, 260, 2_800].map(script);
    let grade = |seen: &[crate::proposal::Observation], of: i64| {
        let found = propose_route(&route(clients(seen)), &days(of));
        assert!(found.other_window.is_none());
        (found.proposal.grade, found.proposal.caps.iter().map(Cap::id).collect::<Vec<_>>())
    };
    let with = |abusers: &[crate::proposal::Observation]| [&body(), abusers].concat();
    let dark = |seen: Vec<crate::proposal::Observation>| -> Vec<_> {
        seen.into_iter().map(unknown).collect()
    };
    assert_eq!(grade(&with(&abusers), 7), (Grade::Clear, vec![]));
    assert_eq!(grade(&dark(with(&abusers)), 7), (Grade::Weak, vec!["no-behaviour"]));
    let bad = abusers.map(|client| labelled(client, Label::Bad));
    assert_eq!(grade(&dark(with(&bad)), 7), (Grade::Clear, vec![]));
    // Half of them are enough, a quarter is not; and a day is too short.
    let half = [bad[0], bad[1], abusers[2], abusers[3]];
    assert_eq!(grade(&dark(with(&half)), 7), (Grade::Clear, vec![]));
    let quarter = [bad[0], abusers[1], abusers[2], abusers[3]];
    assert_eq!(grade(&dark(with(&quarter)), 7), (Grade::Weak, vec!["no-behaviour"]));
    assert_eq!(grade(&dark(with(&bad)), 1), (Grade::Weak, vec!["no-behaviour"]));
}

#[test]
fn hidden_values_are_named() {
    let redacted = [("path", 3), ("user agent", 9)].into();
    let coverage = log(Completeness { redacted, ..Completeness::default() });
    let cap = caps(&coverage).remove(0);
    assert_eq!(cap.grade(), Grade::Weak);
    assert!(cap.in_words().starts_with("the WAF log hides the path, user agent in 9 records"));
}
