//! Rule sets by hand, one for each thing that a Terraform file can hold.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use ratewaf::rules::{
    Action, AggregationKey, Alarms, Exemption, Network, NetworkKind, PathPattern, RateRule,
    Response, Role, Route, RuleSet, Scope, Spelling, Surroundings, WebAclTarget, canonical_cidr,
    merge,
};
use ratewaf::units::{Limit, Window, rate_in_words};

pub fn rule(name: &str, priority: u32, route: &str, limit: u64) -> RateRule {
    RateRule {
        name: name.to_owned(),
        priority,
        role: Role::Main,
        route: route.parse().unwrap(),
        limit: Limit::new(limit).unwrap(),
        window: Window::FIVE_MINUTES,
        key: AggregationKey::Ip,
        action: Action::Block,
        except_networks: Vec::new(),
        // As the article week has it.
        evidence: vec![
            format!(
                "{limit} requests per 300 s ({}): 1.60x above the busiest normal client (187), 1.56x below \
                 the weakest abusive one (468)",
                rate_in_words(Limit::new(limit).unwrap(), Window::FIVE_MINUTES)
            ),
            "Grade clear; 8,921 clients and 104,806 requests, 2026-09-08 to 2026-09-14.".to_owned(),
            "Peaks in any 300 s: half of the clients at most 3, 90 % 9, 99 % 22, largest 7,383."
                .to_owned(),
            "The gap: busiest client below it 187, weakest above it 468; headroom 1.60x, margin \
             1.56x; 11 clients above it; clients above the proposed limit sent 36 % of the requests."
                .to_owned(),
            "Peaks just below the proposed limit: 187, 128, 103, 99, 88.".to_owned(),
            "Peaks just above the proposed limit: 468, 512, 640, 905, 1,180.".to_owned(),
        ],
    }
}

pub fn twin(of: &RateRule, network: &str, priority: u32, limit: u64) -> RateRule {
    RateRule {
        name: format!("{}-{network}", of.name),
        priority,
        role: Role::Twin { network: network.to_owned() },
        limit: Limit::new(limit).unwrap(),
        evidence: vec!["The larger of 10x the main limit and 2x the busiest tester.".to_owned()],
        ..of.clone()
    }
}

pub fn network(name: &str, cidrs: &[&str]) -> Network {
    let cidrs: Vec<_> = cidrs.iter().map(|cidr| canonical_cidr(cidr).unwrap()).collect();
    let (cidrs, kind) = (merge(&cidrs), NetworkKind::Tester);
    Network { name: name.to_owned(), cidrs, kind, until: Some("2027-03-01".to_owned()) }
}

pub fn exemption(name: &str, path: PathPattern) -> Exemption {
    Exemption { name: name.to_owned(), path, spelling: Spelling::Loose }
}

/// What the starter policy gives for one route.
pub fn one_route() -> RuleSet {
    RuleSet {
        name: "acl".to_owned(),
        scope: Scope::CloudFront,
        web_acl: WebAclTarget::Create("prod".to_owned()),
        rules: vec![rule("acl-token", 10, "GET /oauth/token", 300)],
        networks: Vec::new(),
        exemptions: Vec::new(),
        response: Response {
            status: 429,
            retry_after: Some(300),
            body: r#"{"error":"too_many_requests","message":"Please slow down."}"#.to_owned(),
            ..Response::plain_block()
        },
        alarms: None,
        around: Surroundings::default(),
        flat_rate_plan: None,
        notes: Vec::new(),
        reminders: Vec::new(),
    }
}

/// Two routes, a tester with both families and its twin, exemptions, alarms to a given topic.
pub fn whole_story() -> RuleSet {
    let mut set = one_route();
    let token = RateRule {
        except_networks: vec!["qa-runner".to_owned()],
        ..rule("acl-token", 20, "GET,HEAD /oauth/token", 300)
    };
    let twin = twin(&token, "qa-runner", 10, 3_000);
    let twin = RateRule { except_networks: Vec::new(), ..twin };
    let api = RateRule {
        except_networks: vec!["qa-runner".to_owned()],
        ..rule("acl-api", 30, "/api/*", 2_000)
    };
    set.rules = vec![twin, token, api];
    set.networks = vec![
        network("qa-runner", &["203.0.113.10", "2001:db8:7::/64", "203.0.113.11"]),
        network("unused", &["192.0.2.0/24"]),
    ];
    set.exemptions = vec![
        exemption("webhooks", PathPattern::StartsWith("/api/webhooks/".to_owned())),
        exemption("health", PathPattern::Exactly("/healthz".to_owned())),
    ];
    set.alarms = Some(Alarms {
        topic_arn: Some("arn:aws:sns:us-east-1:123456789012:alerts".to_owned()),
        threshold: 0,
        ..Alarms::default()
    });
    set.notes =
        vec!["GET /feed.json: no rule, as there is no gap (two classes of clients).".to_owned()];
    set
}

/// Everything counts; the alarms have a topic of their own.
fn counting() -> RuleSet {
    let mut set = one_route();
    set.rules =
        vec![RateRule { action: Action::Count, ..rule("acl-token", 10, "POST /login", 120) }];
    set.alarms = Some(Alarms { topic_arn: None, threshold: 20, ..Alarms::default() });
    set.notes = vec!["acl-token counts only: its grade is weak.".to_owned()];
    set
}

/// Every kind of path, a host, strict spelling, every window and action.
fn kinds() -> RuleSet {
    let mut set = one_route();
    let mut rules = vec![
        rule("acl-strict", 10, "GET /Strict/Path", 60),
        rule("acl-regex", 20, "POST ~^/v[0-9]+/login$", 100),
        rule("acl-host", 30, "GET Shop.Example/api/*", 500),
        rule("acl-php", 40, "*.php", 10),
        rule("acl-report", 50, "GET,POST */report/*", 1_000),
    ];
    rules[0].route.spelling = Spelling::Strict;
    for (rule, window) in rules.iter_mut().zip(Window::ALL) {
        rule.window = window;
    }
    rules[2].action = Action::Challenge;
    rules[3].action = Action::Captcha;
    rules[4].action = Action::Count;
    set.rules = rules;
    set.alarms = Some(Alarms { topic_arn: None, threshold: 0, ..Alarms::default() });
    set.response =
        Response { status: 503, retry_after: None, body: String::new(), ..Response::plain_block() };
    set
}

/// No route has a limit.
fn none() -> RuleSet {
    let mut set = one_route();
    set.rules = Vec::new();
    set.alarms = Some(Alarms { topic_arn: None, threshold: 0, ..Alarms::default() });
    set.notes =
        vec!["GET /feed.json: no rule, as there is no gap (undecided); ceiling 900.".to_owned()];
    set
}

/// Names as long as AWS takes them, and texts that want to be something else than text.
fn hostile() -> RuleSet {
    let mut set = one_route();
    let name = format!("acl-{}", "x".repeat(120));
    let mut rule = rule(&name, 10, "GET /a", 300);
    rule.route = Route {
        name: "a".to_owned(),
        methods: vec!["GET".to_owned()],
        host: None,
        path: PathPattern::StartsWith("/${file(\"/etc/passwd\")}/$${b}/%{if true}\\\"".to_owned()),
        spelling: Spelling::Strict,
    };
    rule.evidence = vec![
        "ends here\n}\nresource \"null_resource\" \"x\" {\r\u{2028}".to_owned(),
        "agent \u{1b}[2J\u{202e}gnp.exe ${path.module} */ <<EOT".to_owned(),
    ];
    set.rules = vec![rule];
    set.response.body = "<p>${local.x} %{ for a in b }\n\"quoted\"\tCafé </p>\nEOT\n".to_owned();
    set.notes = vec!["note\u{0}\nlocals {}".to_owned()];
    set
}

/// All of them, by the name of their golden file.
pub fn all() -> Vec<(&'static str, RuleSet)> {
    vec![
        ("one-route", one_route()),
        ("whole-story", whole_story()),
        ("counting", counting()),
        ("kinds", kinds()),
        ("none", none()),
        ("hostile", hostile()),
    ]
}

/// As much as fits into one web ACL: the whole story with a topic of its own, hostile text and a rule
/// that counts.
pub fn everything() -> RuleSet {
    let (mut set, hostile) = (whole_story(), hostile());
    let extra = hostile.rules.into_iter().zip([40]).map(|(rule, priority)| RateRule {
        priority,
        action: Action::Count,
        ..rule
    });
    set.rules.extend(extra);
    set.response = hostile.response;
    set.alarms = Some(Alarms { topic_arn: None, threshold: 0, ..Alarms::default() });
    set
}
