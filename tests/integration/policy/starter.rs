//! The starter policy.

use proptest::prelude::*;
use ratewaf::policy::{LimitChoice, Starter, StarterRoute, TwinLimit, starter};
use ratewaf::rules::{
    Network, NetworkKind, PathPattern, Route, Spelling, WebAclTarget, canonical_cidr,
};
use ratewaf::units::Window;

use super::sample::policy;
use super::{assert_golden, golden};

fn route(text: &str) -> StarterRoute {
    StarterRoute {
        route: text.parse().unwrap(),
        window: Window::FIVE_MINUTES,
        evidence: vec!["1.60x above the busiest normal client (187), 1.56x below 468.".to_owned()],
    }
}

fn network(name: &str, kind: NetworkKind, cidrs: &[&str]) -> Network {
    Network {
        name: name.to_owned(),
        cidrs: cidrs.iter().map(|text| canonical_cidr(text).unwrap()).collect(),
        kind,
        until: None,
    }
}

fn given(networks: Vec<Network>, routes: Vec<StarterRoute>) -> Starter {
    Starter {
        name: "acl".to_owned(),
        web_acl: "prod".to_owned(),
        networks,
        routes,
        left_out: vec!["GET /assets/*: static assets, cheap to serve".to_owned()],
    }
}

#[test]
fn the_starter_is_commented_and_loads() {
    let text = starter(&given(
        vec![
            network("203.0.113.10/32", NetworkKind::Tester, &["203.0.113.10", "2001:db8:7::/64"]),
            network("office", NetworkKind::KnownGood, &["198.51.100.0/24", "::/0"]),
        ],
        vec![
            route("GET /oauth/token"),
            route("GET,POST shop.example/api/v1/oauth-token"),
            route("*.php"),
            route("/oauth/*"),
            route("GET /OAuth/Token/"),
            route("~^/v[0-9]+/t$"),
            route("/sixth"),
            route("/seventh"),
        ],
    ));
    assert_golden(&golden("starter.yaml"), &text);
    let loaded = policy(&text);
    assert_eq!(loaded.web_acl, WebAclTarget::Create("prod".to_owned()));
    assert_eq!(loaded.routes.len(), 5, "with their twins they fill the ten slots");
    assert!(loaded.routes.iter().all(|route| route.limit == LimitChoice::Auto
        && route.twins.len() == 1
        && route.twins[0].limit == TwinLimit::Auto));
    assert!(loaded.alarms.is_some());
    assert_eq!(loaded.response.status, 429);
}

#[test]
fn nothing_found_still_makes_a_policy() {
    let text = starter(&given(Vec::new(), Vec::new()));
    assert_golden(&golden("starter-empty.yaml"), &text);
    assert!(policy(&text).routes.is_empty());
}

/// Takes the `#` off every example in the comments: what people will do.
#[test]
fn the_commented_examples_load_when_they_are_used() {
    let text = starter(&Starter { left_out: Vec::new(), ..given(Vec::new(), Vec::new()) });
    let mut used = String::new();
    let mut example = false;
    for line in text.lines() {
        let bare = line.strip_prefix("# ").unwrap_or(line);
        example = line.starts_with('#')
            && (["networks:", "never_limited:"].contains(&bare)
                || example && bare.starts_with("  "));
        used.push_str(if example { bare } else { line });
        used.push('\n');
    }
    let loaded = policy(&used);
    assert_eq!(loaded.networks.len(), 2, "{used}");
    assert_eq!(loaded.never_limited.len(), 2);
}

#[test]
fn names_are_settled_once() {
    let mut input = given(
        vec![network("qa", NetworkKind::Tester, &["192.0.2.1"])],
        vec![route("/token"), route("POST /token"), route("/token-qa"), route("/x")],
    );
    input.routes[3].route.name = "prod".to_owned();
    input.name = String::new();
    input.web_acl = "route-prod".to_owned();
    input.settle_names();
    let names: Vec<&str> = input.routes.iter().map(|route| route.route.name.as_str()).collect();
    assert_eq!(names, ["token", "token-2", "token-qa-2", "prod-2"]);
    let again = starter(&input);
    assert_eq!(
        starter(&{
            input.settle_names();
            input
        }),
        again
    );
    policy(&again);
}

fn any_path() -> impl Strategy<Value = PathPattern> {
    let text = prop_oneof![
        "/[ -~]{0,30}",
        any::<String>().prop_map(|tail| format!("/{tail}")),
        any::<String>()
    ];
    (text, 0_u8..5).prop_map(|(text, kind)| match kind {
        0 => PathPattern::Exactly(text),
        1 => PathPattern::StartsWith(text),
        2 => PathPattern::EndsWith(text),
        3 => PathPattern::Contains(text),
        _ => PathPattern::Regex(text),
    })
}

prop_compose! {
    fn any_route()(
        path in any_path(),
        name in prop_oneof![any::<String>(), "[a-z]{1,3}", Just("a".repeat(200))],
        methods in prop::collection::vec(prop_oneof!["GET|POST|NO|ON", any::<String>()], 0..3),
        host in prop::option::of(prop_oneof!["[a-z.]{1,9}", any::<String>()]),
        strict in any::<bool>(),
        window in 0_usize..4,
        evidence in prop::collection::vec(any::<String>(), 0..3),
    ) -> StarterRoute {
        let mut methods = methods;
        methods.dedup();
        StarterRoute {
            route: Route {
                name,
                methods,
                host,
                path,
                spelling: if strict { Spelling::Strict } else { Spelling::Loose },
            },
            window: Window::ALL[window],
            evidence,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn whatever_the_logs_hold_loads_back_unchanged(
        routes in prop::collection::vec(any_route(), 0..14),
        left_out in prop::collection::vec(any::<String>(), 0..3),
        network_name in any::<String>(),
        name in any::<String>(),
        web_acl in any::<String>(),
        testers in 0_usize..3,
    ) {
        let networks = (0..testers)
            .map(|place| network(&network_name, NetworkKind::Tester, &[&format!("192.0.2.{place}")]))
            .collect();
        let mut input = Starter { name, web_acl, networks, routes, left_out };
        input.settle_names();
        let text = starter(&input);
        let loaded = ratewaf::policy::Policy::parse(&text, "ratewaf.yaml");
        prop_assert!(loaded.is_ok(), "{}\n{}", text, loaded.unwrap_err());
        let loaded = loaded.unwrap();
        prop_assert_eq!(loaded.networks.len(), testers);
        for read in &loaded.routes {
            let written = input.routes.iter().find(|route| route.route.name == read.route.name).unwrap();
            let mut expected = written.route.clone();
            expected.host = expected.host.map(|host| host.to_ascii_lowercase());
            prop_assert_eq!(&read.route, &expected, "{}", text);
            prop_assert_eq!(read.window, written.window);
            prop_assert_eq!(read.twins.len(), testers);
        }
        prop_assert!(loaded.routes.len() * (1 + testers) <= 10);
    }
}
