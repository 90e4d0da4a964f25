//! Policy and lock to rules.

use std::fmt::Write;

use ratewaf::policy::{Grade, Lock, LockRoute, Policy, ResolveOptions, resolve};
use ratewaf::rules::{Action, Role, RuleSet};
use ratewaf::units::Timestamp;

use super::sample::{example, limit, lock, no_limit, policy, token};
use super::{assert_golden, golden};

const TODAY: ResolveOptions = ResolveOptions {
    count_mode: false,
    accept_weak: false,
    today: Timestamp::from_date(2026, 11, 29),
};

fn resolved(policy: &Policy, lock: &Lock) -> RuleSet {
    resolve(policy, Some(lock), &TODAY).unwrap_or_else(|problems| panic!("{problems}"))
}

fn weak() -> LockRoute {
    LockRoute { grade: Grade::Weak, ..token() }
}

/// A rule set as text, everything that a reviewer would look at.
fn show(set: &RuleSet) -> String {
    let mut out = String::new();
    for rule in &set.rules {
        writeln!(
            out,
            "{} {} {:?} {} {} / {} {:?} except {:?}",
            rule.priority,
            rule.name,
            rule.role,
            rule.route,
            rule.limit,
            rule.window,
            rule.action,
            rule.except_networks
        )
        .unwrap();
        for line in &rule.evidence {
            writeln!(out, "    {line}").unwrap();
        }
    }
    for note in &set.notes {
        writeln!(out, "note: {note}").unwrap();
    }
    out
}

#[test]
fn the_example_becomes_a_rule_and_its_twin() {
    let set = resolved(&example(), &lock(vec![token()]));
    assert_golden(&golden("resolved.txt"), &show(&set));
    assert_eq!(set.networks.len(), 1, "networks that no rule names are left out");
    assert_eq!(set.exemptions.len(), 2);
    assert_eq!(set.rules[0].except_networks, ["qa-runner"]);
    assert_eq!(set.rules[1].role, Role::Twin { network: "qa-runner".to_owned() });
    assert_eq!((set.rules[0].limit, set.rules[1].limit), (limit(300), limit(3_000)));
    let shown = show(&set);
    assert!(!shown.contains("192.0.2") && !shown.contains("198.51.100"), "addresses: {shown}");
}

#[test]
fn a_weak_proposal_counts_until_it_is_accepted() {
    let lock = lock(vec![weak()]);
    let set = resolved(&example(), &lock);
    assert!(set.rules.iter().all(|rule| rule.action == Action::Count));
    assert_eq!(set.notes.len(), 1);
    assert!(set.notes[0].contains("weak proposal"), "{:?}", set.notes);
    let accepted = ResolveOptions { accept_weak: true, ..TODAY };
    let set = resolve(&example(), Some(&lock), &accepted).unwrap();
    assert!(set.rules.iter().all(|rule| rule.action == Action::Block));
    assert_eq!(set.notes, Vec::<String>::new());
}

#[test]
fn count_mode_makes_every_rule_count() {
    let options = ResolveOptions { count_mode: true, ..TODAY };
    let set = resolve(&example(), Some(&lock(vec![token()])), &options).unwrap();
    assert!(set.rules.iter().all(|rule| rule.action == Action::Count));
}

#[test]
fn no_proposal_makes_no_rule_and_says_why_and_the_others_keep_their_priority() {
    let two = policy(
        "version: 1
name: acl
web_acl: { create: prod }
networks: { qa: { cidrs: [192.0.2.1], kind: tester } }
routes:
  - { name: token, methods: [GET], path: { exactly: /oauth/token }, twins: [{ network: qa }] }
  - { name: fixed, path: { exactly: /fixed }, limit: 50 }
",
    );
    let set = resolved(&two, &lock(vec![no_limit()]));
    assert_golden(&golden("resolved-none.txt"), &show(&set));
    assert_eq!(set.rules.len(), 1);
    assert_eq!(set.rules[0].priority, 30);
    let full = resolved(&two, &lock(vec![token()]));
    assert_eq!(full.rules.iter().map(|rule| rule.priority).collect::<Vec<_>>(), [10, 20, 30]);
}

#[test]
fn twins_take_the_larger_of_ten_times_and_twice_the_peak() {
    let with = |main: &str, twin: &str| {
        policy(&format!(
            "version: 1
name: acl
web_acl: {{ create: prod }}
networks: {{ qa-runner: {{ cidrs: [192.0.2.1], kind: tester }} }}
routes:
  - name: token
    methods: [GET]
    path: {{ exactly: /oauth/token }}
    limit: {main}
    twins: [{{ network: qa-runner, limit: {twin} }}]
"
        ))
    };
    let loud = LockRoute {
        exempt_peaks: [("qa-runner".to_owned(), 4_000)].into(),
        twin_limits: [("qa-runner".to_owned(), limit(10_000))].into(),
        ..token()
    };
    for (main, twin, locked, expected) in [
        ("auto", "auto", token(), 3_000),
        ("auto", "10x", token(), 3_000),
        ("auto", "3x", token(), 900),
        ("auto", "700", token(), 700),
        ("auto", "auto", loud.clone(), 10_000),
        ("500", "auto", token(), 5_000),
        ("500", "auto", loud.clone(), 10_000),
        ("1000", "auto", loud, 10_000),
        // A network that never called the route.
        (
            "auto",
            "auto",
            LockRoute { exempt_peaks: [].into(), twin_limits: [].into(), ..token() },
            3_000,
        ),
        // A pinned limit where the logs gave none.
        ("100", "auto", no_limit(), 1_000),
        ("2000000000", "10x", token(), 2_000_000_000),
    ] {
        let set = resolved(&with(main, twin), &lock(vec![locked]));
        assert_eq!(set.rules[1].limit, limit(expected), "{main} {twin}");
    }
    // What the lock proposes goes before ten times of a limit nobody proposed.
    let set = resolve(&with("400", "auto"), None, &TODAY).unwrap();
    assert_eq!(set.rules[1].limit, limit(4_000));
    let set = resolved(&with("300", "200"), &lock(vec![token()]));
    assert!(set.notes.iter().any(|note| note.contains("no more than the main rule's 300")));
    let set = resolved(&with("auto", "100"), &lock(vec![token()]));
    assert!(
        set.notes.iter().any(|note| note.contains("peaked at 113 requests, above the limit 100"))
    );
}

#[test]
fn a_tester_without_a_twin_is_left_out_and_noted() {
    let text = include_str!("../../fixtures/policies/good/full.yaml")
        .replace("    twins: [{ network: qa-runner, limit: auto }]", "   ");
    let set = resolved(&policy(&text), &lock(vec![token()]));
    assert_eq!(set.rules.len(), 1);
    assert_eq!(set.rules[0].except_networks, ["qa-runner"]);
    assert!(
        set.notes[0].contains("no rule counts the tester network `qa-runner`"),
        "{:?}",
        set.notes
    );
}

#[test]
fn an_expired_network_is_treated_like_everybody() {
    let at = |year, month, day| {
        let options = ResolveOptions { today: Timestamp::from_date(year, month, day), ..TODAY };
        resolve(&example(), Some(&lock(vec![token()])), &options).unwrap()
    };
    assert_eq!(at(2027, 3, 1).rules.len(), 2, "the last day counts");
    let after = at(2027, 3, 2);
    assert_eq!(after.rules.len(), 1);
    assert_eq!(after.rules[0].except_networks, Vec::<String>::new());
    assert_eq!(after.networks, []);
    assert_eq!(
        after.notes,
        ["Network `qa-runner` expired after 2027-03-01: it is treated like everybody else."]
    );
}

#[test]
fn a_pinned_limit_is_held_against_the_logs() {
    let text = include_str!("../../fixtures/policies/good/full.yaml")
        .replace("limit: auto     ", "limit: 187");
    let pinned = policy(&text);
    let set = resolved(&pinned, &lock(vec![token()]));
    assert_eq!(set.rules[0].limit, limit(187));
    assert!(set.notes[0].contains("not above the busiest normal client, which peaked at 187"));
    assert!(set.rules[0].evidence[0].starts_with("Pinned in the policy: 187 requests per 300 s."));
    let set = resolve(&pinned, None, &TODAY).unwrap();
    assert!(set.notes[0].contains("the lock has no figures"), "{:?}", set.notes);
    let set = resolved(&pinned, &lock(vec![no_limit()]));
    assert!(set.notes[0].contains("the logs give none (two classes of clients)"));
    assert_eq!(set.rules[0].action, Action::Block, "a person decided it");
}

#[test]
fn a_missing_or_stale_lock_is_told_with_the_command() {
    let fresh = token();
    let stale = [
        None,
        Some(lock(Vec::new())),
        Some(lock(vec![LockRoute { route: "POST /oauth/token".to_owned(), ..fresh.clone() }])),
        Some(lock(vec![LockRoute { spelling: ratewaf::rules::Spelling::Strict, ..fresh.clone() }])),
        Some(lock(vec![LockRoute { window: ratewaf::units::Window::ONE_MINUTE, ..fresh }])),
    ];
    let mut told = String::new();
    for lock in stale {
        let problems = resolve(&example(), lock.as_ref(), &TODAY).unwrap_err();
        assert_eq!(problems.place(&problems.list()[0]), Some((15, 11)));
        writeln!(told, "{problems}\n").unwrap();
    }
    assert_golden(&golden("resolve-problems.txt"), &told);
}
