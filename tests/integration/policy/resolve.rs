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
    // A line of the policy accepts it for one route.
    let text = include_str!("../../fixtures/policies/good/full.yaml");
    let lines = text.replacen("    limit: auto", "    accept: weak\n    limit: auto", 1);
    assert_ne!(lines, text);
    let set = resolved(&policy(&lines), &lock);
    assert!(set.rules.iter().all(|rule| rule.action == Action::Block));
    assert_eq!(set.notes, Vec::<String>::new());
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
        twin_floors: [("qa-runner".to_owned(), limit(10_000))].into(),
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
        ("1000", "auto", loud.clone(), 10_000),
        // A network that never called the route.
        (
            "auto",
            "auto",
            LockRoute { exempt_peaks: [].into(), twin_floors: [].into(), ..token() },
            3_000,
        ),
        // A lock of an older version has the peak only.
        ("auto", "auto", LockRoute { twin_floors: [].into(), ..loud }, 8_000),
        // A pinned limit where the logs gave none.
        ("100", "auto", no_limit(), 1_000),
        ("2000000000", "10x", token(), 2_000_000_000),
    ] {
        let set = resolved(&with(main, twin), &lock(vec![locked]));
        assert_eq!(set.rules[1].limit, limit(expected), "{main} {twin}");
    }
    let set = resolve(&with("400", "auto"), None, &TODAY).unwrap();
    assert_eq!(set.rules[1].limit, limit(4_000));
    let set = resolved(&with("300", "200"), &lock(vec![token()]));
    assert!(set.notes.iter().any(|note| note.contains("no more than the main rule's 300")));
    let set = resolved(&with("auto", "100"), &lock(vec![token()]));
    assert!(set.notes.iter().any(|note| {
        note.contains("peaked at 113 requests before it changed, above the limit 100")
    }));
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

fn at(year: i64, month: u32, day: u32, locked: LockRoute) -> RuleSet {
    let options = ResolveOptions { today: Timestamp::from_date(year, month, day), ..TODAY };
    resolve(&example(), Some(&lock(vec![locked])), &options).unwrap()
}

#[test]
fn an_expired_network_is_treated_like_everybody_and_keeps_its_sets() {
    assert_eq!(at(2027, 3, 1, token()).rules.len(), 2, "the last day counts");
    let after = at(2027, 3, 2, token());
    assert_eq!(after.rules.len(), 1);
    assert_eq!(after.rules[0].except_networks, Vec::<String>::new());
    assert_eq!(after.networks.len(), 1, "its sets go in a second step");
    assert_eq!(
        after.notes,
        [
            "Network `qa-runner` expired on 2027-03-01: it is treated like everybody else. Route `token`: its busiest peak in the logs was 113, not above the limit 300. Run `ratewaf analyze` again for limits that count it. Its IP sets stay until it is removed from the policy; apply this first."
        ]
    );
    let loud = LockRoute { exempt_peaks: [("qa-runner".to_owned(), 19_275)].into(), ..token() };
    assert!(at(2027, 3, 2, loud).notes[0].contains(
        "its busiest peak in the logs was 19,275, above the limit 300, so it would be limited."
    ));
}

#[test]
fn an_end_that_is_near_is_told_on_the_terminal_only() {
    let reminders = |month, day| at(2027, month, day, token()).reminders;
    assert_eq!(reminders(1, 29), Vec::<String>::new(), "31 days before");
    assert!(
        reminders(1, 30)[0].starts_with("Network `qa-runner` expires in 30 days, on 2027-03-01")
    );
    assert_eq!(
        reminders(2, 17),
        [
            "Network `qa-runner` expires in 12 days, on 2027-03-01: from the next day on it is treated like everybody else. Route `token`: its busiest peak in the logs was 113, not above the limit 300."
        ]
    );
    assert!(reminders(3, 1)[0].starts_with("Network `qa-runner` expires today"));
    assert_eq!(reminders(3, 2), Vec::<String>::new());
    let notes = |day| at(2027, 2, day, token()).notes;
    assert_eq!(notes(17), notes(18), "what is kept must not differ from day to day");
}

#[test]
fn networks_that_changed_since_the_logs_were_read_are_told() {
    let text = include_str!("../../fixtures/policies/good/full.yaml");
    let told = |from: &str, to: &str| {
        assert!(text.contains(from));
        resolved(&policy(&text.replace(from, to)), &lock(vec![token()])).notes
    };
    let changed = |what: &str| {
        format!(
            "Route `token`: the networks changed since the logs were read ({what}): run `ratewaf analyze` again."
        )
    };
    let office = "eu-dashboard-nat: {";
    assert_eq!(told(office, office), Vec::<String>::new());
    assert_eq!(told(office, "office: {")[0], changed("office added, eu-dashboard-nat removed"));
    assert_eq!(told("kind: known-good", "kind: known-bad")[0], changed("eu-dashboard-nat changed"));
    assert_eq!(told("203.0.113.10/32", "203.0.113.11/32")[0], changed("qa-runner changed"));
    // A pinned limit does not depend on them, except on the testers that its rule leaves out.
    let pinned = text.replace("limit: auto     ", "limit: 250").replace(office, "office: {");
    let notes = resolved(&policy(&pinned), &lock(vec![token()])).notes;
    assert!(!notes.iter().any(|note| note.contains("networks changed")), "{notes:?}");
    let pinned = text
        .replace("limit: auto     ", "limit: 250")
        .replace("203.0.113.10/32", "203.0.113.11/32");
    let set = resolved(&policy(&pinned), &lock(vec![token()]));
    assert_eq!(set.notes[0], changed("qa-runner changed"));
    assert_eq!(
        set.rules[1].evidence[1],
        "Its busiest address peaked at 113 requests before the network changed."
    );
    // A lock of an older version does not say.
    let mut old = lock(vec![token()]);
    old.inputs.networks = None;
    assert!(!old.to_json(false).contains("networks"));
    assert_eq!(
        resolved(&policy(&text.replace(office, "office: {")), &old).notes,
        Vec::<String>::new()
    );
}

#[test]
fn the_twin_of_a_network_that_the_lock_does_not_know_gets_ten_times() {
    let text = include_str!("../../fixtures/policies/good/full.yaml").replace("qa-runner", "load");
    let locked = LockRoute { limit: Some(limit(200)), ..token() };
    let set = resolved(&policy(&text), &lock(vec![locked]));
    assert_eq!(set.rules[1].limit, limit(2_000));
    assert_eq!(
        set.rules[1].evidence,
        [
            "Counts the network `load` only. 2,000 (6.67 per second): 10x the main limit 200.",
            "The logs were read without this network, so its peak is not known."
        ]
    );
    assert!(set.notes[0].contains("(load added, qa-runner removed)"), "{:?}", set.notes);
}

#[test]
fn a_twin_says_which_of_its_sources_won() {
    let first = |main: u64, twin: u64, peak: u32, pinned: &str| {
        let locked = LockRoute {
            limit: Some(limit(main)),
            exempt_peaks: [("qa-runner".to_owned(), peak)].into(),
            twin_floors: [("qa-runner".to_owned(), limit(twin))].into(),
            ..token()
        };
        let text = include_str!("../../fixtures/policies/good/full.yaml")
            .replace("limit: auto     ", &format!("limit: {pinned}"));
        resolved(&policy(&text), &lock(vec![locked])).rules[1].evidence[0].clone()
    };
    for (line, why) in [
        (
            first(200, 60_000, 19_275, "auto "),
            "60,000 (200 per second): the next round number at or above twice its busiest peak (2 x 19,275 = 38,550).",
        ),
        (first(300, 300, 113, "auto "), "3,000 (10 per second): 10x the main limit 300."),
        (first(300, 300, 113, "75 "), "750 (2.5 per second): 10x the main limit 75."),
        (
            first(300, 3_000, 1_400, "100 "),
            "3,000 (10 per second): the next round number at or above twice its busiest peak (2 x 1,400 = 2,800).",
        ),
        (
            first(300, 4_000, 2_000, "350 "),
            "4,000 (13.33 per second): twice its busiest peak (2 x 2,000 = 4,000).",
        ),
    ] {
        assert_eq!(line, format!("Counts the network `qa-runner` only. {why}"));
    }
}

#[test]
fn a_pinned_limit_is_held_against_the_logs() {
    let pinned = |limit: &str| {
        policy(
            &include_str!("../../fixtures/policies/good/full.yaml")
                .replace("limit: auto     ", &format!("limit: {limit} ")),
        )
    };
    let note = |limit: &str, locked| resolved(&pinned(limit), &lock(vec![locked])).notes[0].clone();
    for (limit, said) in [
        ("187", "at or below the busiest normal client (187): it would limit it."),
        (
            "186",
            "at or below the busiest normal client (187): it would limit it. It would limit the known-good network `eu-dashboard-nat` (peak 187).",
        ),
        (
            "250",
            "above the busiest normal client (187) and below the weakest one above the gap (468).",
        ),
        (
            "468",
            "above the busiest normal client (187), but not below the weakest one above the gap (468): 1 of the 2 peaks just above the proposed limit would pass.",
        ),
        ("7383", "at or above every peak of these logs (largest 7,383): it never acts."),
    ] {
        let number = ratewaf::units::thousands(limit.parse().unwrap());
        assert_eq!(
            note(limit, token()),
            format!("Route `token`: pinned {number}: {said} The logs propose 300 (clear).")
        );
    }
    assert_eq!(
        note("250", no_limit()),
        "Route `token`: pinned 250: below the largest peak of these logs (7,383). The logs give no limit (two classes of clients)."
    );
    let set = resolved(&pinned("187"), &lock(vec![token()]));
    assert_eq!(set.rules[0].limit, limit(187));
    assert!(set.rules[0].evidence[0].starts_with("Pinned in the policy: 187 requests per 300 s."));
    let set = resolve(&pinned("187"), None, &TODAY).unwrap();
    assert!(set.notes[0].contains("the lock has no figures"), "{:?}", set.notes);
    let set = resolved(&pinned("187"), &lock(vec![no_limit()]));
    assert_eq!(set.rules[0].action, Action::Block, "a person decided it");
}

#[test]
fn an_environment_is_the_policy_with_what_is_different_there() {
    let text = "version: 1
name: acl
web_acl: { create: prod }
networks:
  qa: { cidrs: [192.0.2.1], kind: tester }
routes:
  - { name: a, path: { exactly: /a }, limit: 100, action: captcha, twins: [{ network: qa }] }
site_wide: { limit: 5000 }
alarms: {}
logging: { log_group: aws-waf-logs-acl }
environments:
  stage:
    name: acl-stage
    web_acl: { attach: stage, priority: 200 }
    action: count
    limits: { a: 50, site-wide: 900 }
    networks:
      qa: { cidrs: [198.51.100.1], kind: tester }
      lab: { cidrs: [198.51.100.2], kind: tester }
    alarms: { off_until: 2027-01-31, reason: 'login loop, bug 4711' }
    logging: off
";
    let policy = policy(text);
    let set = |policy: &Policy| resolve(policy, None, &TODAY).unwrap();
    let base = set(&policy);
    assert_eq!(base.around.environment, None);
    assert_eq!(base.rules[0].action, Action::Captcha);
    assert!(base.around.logging.is_some());
    let stage = set(policy.in_environment("stage").unwrap());
    assert_eq!(stage.around.environment.as_deref(), Some("stage"));
    assert_eq!((stage.name.as_str(), stage.web_acl.name()), ("acl-stage", "stage"));
    let limits: Vec<(&str, u32)> =
        stage.rules.iter().map(|rule| (rule.name.as_str(), rule.limit.requests())).collect();
    let wanted = [("acl-stage-a", 50), ("acl-stage-a-qa", 500), ("acl-stage-site-wide", 900)];
    assert_eq!(limits, wanted);
    assert!(stage.rules.iter().all(|rule| rule.action == Action::Count));
    assert_eq!(stage.networks.len(), 2);
    assert!(stage.networks.iter().any(|network| network.cidrs[0].to_string() == "198.51.100.1/32"));
    assert!(stage.around.logging.is_none());
    assert_eq!(stage.alarms.unwrap().off.unwrap().until, "2027-01-31");
    // From the day after on the alarms tell again.
    let later = ResolveOptions { today: Timestamp::from_date(2027, 2, 1), ..TODAY };
    let stage = resolve(policy.in_environment("stage").unwrap(), None, &later).unwrap();
    assert_eq!(stage.alarms.unwrap().off, None);
    let unknown = policy.in_environment("prod").unwrap_err().to_string();
    assert_eq!(unknown, "the policy has no environment `prod`; it has stage");
}

#[test]
fn one_twin_can_stand_for_all_routes() {
    let text = "version: 1
name: acl
web_acl: { create: prod }
networks:
  qa: { cidrs: [192.0.2.1], kind: tester }
routes:
  - { name: a, path: { exactly: /a }, limit: 100 }
  - { name: b, path: { exactly: /b }, limit: 700 }
shared_twins: [{ network: qa }]
alarms: { second_limit: 2x }
";
    let set = resolve(&policy(text), None, &TODAY).unwrap();
    let rules: Vec<(&str, u32, u32)> = set
        .rules
        .iter()
        .map(|rule| (rule.name.as_str(), rule.priority, rule.limit.requests()))
        .collect();
    let wanted = [
        ("acl-a", 10, 100),
        ("acl-a-second", 5, 200),
        ("acl-b", 20, 700),
        ("acl-b-second", 15, 1_400),
        ("acl-all-qa", 30, 7_000),
    ];
    assert_eq!(rules, wanted);
    assert!(!set.notes.iter().any(|note| note.contains("no rule counts")), "{:?}", set.notes);
}

#[test]
fn a_key_that_a_client_can_leave_out_is_a_bypass() {
    let of = |key: &str, limit: &str| {
        let text = format!(
            "version: 1\nname: acl\nweb_acl: {{ create: prod }}\nroutes:\n  - {{ name: a, path: {{ exactly: /a }}, limit: {limit}, key: {key} }}\n"
        );
        resolve(&policy(&text), None, &TODAY)
    };
    let notes = |key: &str| of(key, "100").unwrap().notes.join("\n");
    for key in ["{ header: x-api-key }", "[ip, { cookie: session }]", "{ query_argument: id }"] {
        assert!(notes(key).contains("a missing key is a bypass"), "{key}");
    }
    for key in ["ip", "[ip, path]", "ja4", "asn"] {
        assert!(!notes(key).contains("bypass"), "{key}: {}", notes(key));
    }
    assert!(notes("forwarded_ip").contains("every client can write itself"));
    assert!(notes("{ label_namespace: 'a:b:' }").contains("labelled"));
    let problems = of("asn", "auto").unwrap_err().to_string();
    assert!(problems.contains("the logs were counted by address"), "{problems}");
}

#[test]
fn a_flat_rate_plan_is_passed_on() {
    let of = |plan: &str| {
        let text = format!(
            "version: 1\nname: acl\nweb_acl: {{ create: prod }}\npricing_plan: {plan}\nroutes: []\n"
        );
        resolved(&policy(&text), &lock(Vec::new())).flat_rate_plan
    };
    assert_eq!(of("payg"), None);
    for plan in ["free", "pro", "business", "premium"] {
        assert_eq!(of(plan), Some(plan));
    }
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
