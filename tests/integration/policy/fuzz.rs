//! No text makes the reader panic, hang or write control characters.

use proptest::prelude::*;
use ratewaf::policy::{Lock, Policy};

use super::sample::{lock, token};

const POLICIES: [&str; 3] = [
    include_str!("../../fixtures/policies/good/full.yaml"),
    include_str!("../../fixtures/policies/good/everything.yaml"),
    include_str!("../../fixtures/policies/bad/free-plan.yaml"),
];

fn harmless(text: &str) {
    if let Err(problems) = Policy::parse(text, "a\u{1b}b.yaml") {
        assert!(!problems.list().is_empty());
        let shown = problems.render(false);
        assert!(shown.chars().all(|c| c == '\n' || ratewaf::units::is_plain(c)), "{shown:?}");
        for problem in problems.list() {
            if let Some((line, column)) = problems.place(problem) {
                assert!(line >= 1 && column >= 1 && line <= text.matches('\n').count() + 1);
            }
        }
    }
}

/// Replaces a part of a text, at character boundaries.
fn mutated(text: &str, from: usize, length: usize, with: &str) -> String {
    let from = text.floor_char_boundary(from % (text.len() + 1));
    let to = text.ceil_char_boundary((from + length).min(text.len()));
    format!("{}{with}{}", &text[..from], &text[to..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text(text in any::<String>()) {
        harmless(&text);
    }

    #[test]
    fn yaml_like_text(text in "[-:#\\[\\]{}&*!|>%@'\" ,?~a-c0-9\n\t\r\u{85}\u{2028}\u{feff}]{0,80}") {
        harmless(&text);
    }

    #[test]
    fn mutated_policies(
        policy in 0_usize..3,
        changes in prop::collection::vec((any::<usize>(), 0_usize..12, prop_oneof![any::<String>(), "[-:#\\[\\]{}&*!|>'\" ,\n0-9a-z]{0,6}"]), 1..5),
    ) {
        let mut text = POLICIES[policy].to_owned();
        for (from, length, with) in changes {
            text = mutated(&text, from, length, &with);
        }
        harmless(&text);
    }

    #[test]
    fn mutated_locks(changes in prop::collection::vec((any::<usize>(), 0_usize..12, any::<String>()), 1..4)) {
        let mut text = lock(vec![token()]).to_json(true);
        for (from, length, with) in changes {
            text = mutated(&text, from, length, &with);
        }
        if let Err(error) = Lock::parse(&text, "lock.json") {
            let shown = error.to_string();
            prop_assert!(shown.chars().all(|c| c == '\n' || ratewaf::units::is_plain(c)), "{:?}", shown);
        }
    }
}

#[test]
fn many_faults_and_long_lines_stay_readable() {
    let mut text = "version: 1\nname: acl\nweb_acl: { create: prod }\nroutes: [".to_owned();
    for number in 0..20_000 {
        text.push_str(&format!("{{ nome: r{number} }}, "));
    }
    text.push_str("]\n");
    let problems = Policy::parse(&text, "long.yaml").unwrap_err();
    assert!(problems.list().len() > 50_000);
    let shown = problems.render(false);
    assert!(shown.len() < 100_000, "{}", shown.len());
    assert!(shown.contains("more\n"));
    harmless(&format!("a: {}", "x".repeat(1 << 20)));
}

/// Processor time of a policy of so many routes, in nanoseconds: a busy machine takes none of it.
fn time_for(routes: usize) -> u64 {
    let mut text = "version: 1\nname: acl\nweb_acl: { create: prod }\nroutes:\n".to_owned();
    for number in 0..routes {
        text.push_str(&format!("  - {{ name: r{number}, path: {{ exactly: /r{number} }} }}\n"));
    }
    let now = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let started = now();
    let problems = Policy::parse(&text, "many.yaml").unwrap_err();
    assert_eq!(problems.list().len(), 1, "{problems}");
    now() - started
}

/// Each with each would be 64 times the work for 8 times the routes.
#[test]
fn many_routes_are_compared_in_time() {
    let (few, many) = (time_for(2_500), time_for(20_000));
    assert!(many < 24 * few, "{few} ns and {many} ns");
}
