//! The emitted statements against what was counted: the same requests, on random ones.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::*;
use crate::quotas;
use crate::rules::{
    Action, AggregationKey, Exemption, Fallback, ForwardedIp, KeyPart, Network, NetworkKind,
    PathPattern, RateRule, Response, Role, Route, RuleSet, Scope as RuleScope, Spelling,
    Surroundings, WebAclTarget, canonical_cidr, merge,
};
use crate::units::{Limit, Window};

fn rule(name: &str, priority: u32, route: Route) -> RateRule {
    RateRule {
        name: name.to_owned(),
        priority,
        role: Role::Main,
        route,
        limit: Limit::new(300).unwrap(),
        window: Window::FIVE_MINUTES,
        key: AggregationKey::Ip,
        action: Action::Block,
        except_networks: Vec::new(),
        evidence: Vec::new(),
    }
}

fn network(name: &str, cidrs: &[&str]) -> Network {
    let cidrs: Vec<_> = cidrs.iter().map(|cidr| canonical_cidr(cidr).unwrap()).collect();
    let kind = NetworkKind::Tester;
    Network { name: name.to_owned(), cidrs: merge(&cidrs), kind, until: None }
}

fn rule_set(rules: Vec<RateRule>) -> RuleSet {
    RuleSet {
        name: "acl".to_owned(),
        scope: RuleScope::CloudFront,
        web_acl: WebAclTarget::Create("prod".to_owned()),
        rules,
        networks: Vec::new(),
        exemptions: Vec::new(),
        response: Response {
            status: 429,
            retry_after: Some(300),
            body: "{}".to_owned(),
            ..Response::plain_block()
        },
        alarms: None,
        around: Surroundings::default(),
        flat_rate_plan: None,
        notes: Vec::new(),
        reminders: Vec::new(),
    }
}

fn route(text: &str) -> Route {
    text.parse().unwrap()
}

/// A main rule that leaves one network out, its twin, and exemptions.
fn with_twin(route: Route, cidrs: &[&str], exemptions: Vec<Exemption>) -> RuleSet {
    let main =
        RateRule { except_networks: vec!["qa".to_owned()], ..rule("acl-main", 20, route.clone()) };
    let twin =
        RateRule { role: Role::Twin { network: "qa".to_owned() }, ..rule("acl-twin", 10, route) };
    let mut set = rule_set(vec![main, twin]);
    set.networks = vec![network("qa", cidrs)];
    set.exemptions = exemptions;
    set
}

const PATHS: [&str; 8] =
    ["/", "/a", "/a/", "/api/v2/report", "/API/V2", "/a b", "/é/x", "/api/v2/report/2026"];

fn pattern() -> impl Strategy<Value = PathPattern> {
    let path = proptest::sample::select(PATHS.to_vec()).prop_map(str::to_owned);
    let regex = proptest::sample::select(vec!["^/api/v[0-9]+", "report$", "a", "^/[a-z]/?$"]);
    (0..5_u8, path, regex).prop_map(|(kind, path, regex)| match kind {
        0 => PathPattern::Exactly(path),
        1 => PathPattern::StartsWith(path),
        2 => PathPattern::EndsWith(path.trim_start_matches('/').to_owned() + "x"),
        3 => PathPattern::Contains(path),
        _ => PathPattern::Regex(regex.to_owned()),
    })
}

fn spelling() -> impl Strategy<Value = Spelling> {
    prop_oneof![Just(Spelling::Loose), Just(Spelling::Strict)]
}

fn any_route() -> impl Strategy<Value = Route> {
    let methods = proptest::sample::subsequence(vec!["GET", "HEAD", "POST"], 0..=3);
    let host = proptest::option::of(Just("shop.example".to_owned()));
    (methods, host, pattern(), spelling()).prop_map(|(methods, host, path, spelling)| Route {
        name: "r".to_owned(),
        methods: methods.into_iter().map(str::to_owned).collect(),
        host,
        path,
        spelling,
    })
}

fn any_key() -> impl Strategy<Value = AggregationKey> {
    let forwarded = ForwardedIp { header: "x-real-ip".to_owned(), fallback: Fallback::Match };
    let all = vec![
        KeyPart::ForwardedIp,
        KeyPart::Method,
        KeyPart::Header("x-api-key".to_owned()),
        KeyPart::Cookie("Session".to_owned()),
        KeyPart::QueryArgument("id".to_owned()),
        KeyPart::QueryString,
        KeyPart::Path,
        KeyPart::Ja3,
        KeyPart::Ja4,
        KeyPart::Asn,
        KeyPart::LabelNamespace("a:b:".to_owned()),
    ];
    let custom = proptest::sample::subsequence(all, 0..=4);
    (0..3_u8, custom).prop_map(move |(kind, mut parts)| match kind {
        0 => AggregationKey::Ip,
        1 => AggregationKey::ForwardedIp(forwarded.clone()),
        _ => {
            parts.push(KeyPart::Ip);
            parts.push(KeyPart::Path);
            parts.dedup();
            parts.truncate(5);
            let used = parts.contains(&KeyPart::ForwardedIp).then(|| forwarded.clone());
            AggregationKey::Custom { parts, forwarded: used }
        }
    })
}

/// A path near the ones that rules are about, spelled in some way.
fn sent_path() -> impl Strategy<Value = Vec<u8>> {
    let base = proptest::sample::select(PATHS.to_vec());
    let tail = proptest::sample::select(vec!["", "/", "x", "//", "/.", "/../a", "%2F", "%"]);
    (base, tail, any::<u64>()).prop_map(|(base, tail, mut choices)| {
        let mut out = Vec::new();
        for byte in base.bytes().chain(tail.bytes()) {
            match choices % 8 {
                0 if byte != b'%' => out.extend(format!("%{byte:02x}").into_bytes()),
                1 => out.push(byte.to_ascii_uppercase()),
                2 if byte == b'/' => out.extend(b"//"),
                _ => out.push(byte),
            }
            choices = choices.rotate_right(3);
        }
        out
    })
}

/// Addresses in and around 203.0.113.8/30 and 2001:db8:7::/64.
fn address() -> impl Strategy<Value = IpAddr> {
    prop_oneof![
        (0..16_u8).prop_map(|last| IpAddr::from(Ipv4Addr::new(203, 0, 113, last))),
        (6..9_u16, any::<u16>())
            .prop_map(|(net, last)| Ipv6Addr::new(0x2001, 0xdb8, net, 0, 0, 0, 0, last).into()),
        (0..16_u8).prop_map(|last| Ipv4Addr::new(203, 0, 113, last).to_ipv6_mapped().into()),
        any::<u32>().prop_map(|bits| IpAddr::from(Ipv4Addr::from(bits))),
        any::<u128>().prop_map(|bits| IpAddr::from(Ipv6Addr::from(bits))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn main_and_twin_share_the_counted_requests_without_overlap(
        route in any_route(),
        exempt in proptest::collection::vec((pattern(), spelling()), 0..3),
        families in proptest::sample::subsequence(vec!["203.0.113.8/30", "2001:db8:7::/64"], 1..=2),
        requests in proptest::collection::vec(
            (
                proptest::sample::select(vec!["GET", "get", "POST", "POSTS", "OPTIONS"]),
                sent_path(),
                proptest::option::of(proptest::sample::select(vec!["Shop.example", "shop.example.org"])),
                address(),
            ),
            1..20,
        ),
    ) {
        let exemptions: Vec<Exemption> = exempt
            .into_iter()
            .enumerate()
            .map(|(place, (path, spelling))| Exemption { name: place.to_string(), path, spelling })
            .collect();
        let set = with_twin(route.clone(), &families, exemptions);
        let translated = translate(&set).unwrap();
        let [twin, main] = translated.web_acl.rules.as_slice() else { panic!("two rules") };
        prop_assert_eq!((twin.name.as_str(), main.name.as_str()), ("acl-twin", "acl-main"));
        let matcher = route.matcher().unwrap();
        for (method, path, host, address) in &requests {
            let request = Request {
                method: method.as_bytes(),
                path,
                host: host.map(str::as_bytes),
                address: *address,
                forwarded: None,
            };
            let exempted = set.exemptions.iter().any(|exemption| {
                let path_matcher =
                    crate::rules::PathMatcher::new(&exemption.path, exemption.spelling).unwrap();
                path_matcher.matches(path)
            });
            let host_fits = match request.host {
                Some(host) => route.has_host(host),
                None => route.host.is_none(),
            };
            let counted = route.has_method(request.method)
                && host_fits
                && matcher.matches(path)
                && !exempted;
            let tester = set.networks[0].contains(*address);
            let sets = &translated.ip_sets;
            prop_assert_eq!(matches(&main.statement, &request, sets), counted && !tester);
            prop_assert_eq!(matches(&twin.statement, &request, sets), counted && tester);
        }
    }

    #[test]
    fn a_shared_twin_counts_what_the_main_rules_leave_out_for_it(
        routes in proptest::collection::vec(any_route(), 1..4),
        exempt in proptest::collection::vec((pattern(), spelling()), 0..3),
        key in any_key(),
        requests in proptest::collection::vec(
            (
                proptest::sample::select(vec!["GET", "HEAD", "POST", "OPTIONS"]),
                sent_path(),
                proptest::option::of(proptest::sample::select(vec!["Shop.example", "x.example"])),
                address(),
                proptest::option::of(address()),
            ),
            1..20,
        ),
    ) {
        let exemptions: Vec<Exemption> = exempt
            .into_iter()
            .enumerate()
            .map(|(place, (path, spelling))| Exemption { name: place.to_string(), path, spelling })
            .collect();
        let mut rules: Vec<RateRule> = (0_u32..)
            .zip(&routes)
            .map(|(place, route)| RateRule {
                except_networks: vec!["qa".to_owned()],
                key: key.clone(),
                ..rule(&format!("acl-{place}"), place, route.clone())
            })
            .collect();
        let role = Role::SharedTwin { network: "qa".to_owned(), routes: routes.clone() };
        rules.push(RateRule { role, key: key.clone(), ..rule("acl-all-qa", 90, routes[0].clone()) });
        let mut set = rule_set(rules);
        set.networks = vec![network("qa", &["203.0.113.8/30", "2001:db8:7::/64"])];
        set.exemptions = exemptions;
        let translated = translate(&set).unwrap();
        let (shared, mains) = translated.web_acl.rules.split_last().unwrap();
        let Statement::RateBased(rate) = &shared.statement else { panic!("a rate-based rule") };
        let scope_down = rate.scope_down_statement.as_deref().unwrap();
        prop_assert!(levels(scope_down) <= quotas::TERRAFORM_SCOPE_DOWN_LEVELS);
        let sets = &translated.ip_sets;
        for (method, path, host, address, forwarded) in &requests {
            let request = Request {
                method: method.as_bytes(),
                path,
                host: host.map(str::as_bytes),
                address: *address,
                forwarded: *forwarded,
            };
            let client = if key.forwarded().is_some() { *forwarded } else { Some(*address) };
            let is_tester = client.is_some_and(|client| set.networks[0].contains(client));
            let is_exempt = set.exemptions.iter().any(|exemption| {
                crate::rules::PathMatcher::new(&exemption.path, exemption.spelling)
                    .unwrap()
                    .matches(path)
            });
            let mut counts_any = false;
            let mut on_a_path = false;
            for (main, route) in mains.iter().zip(&routes) {
                let host_fits = match request.host {
                    Some(host) => route.has_host(host),
                    None => route.host.is_none(),
                };
                let on_path = route.matcher().unwrap().matches(path);
                let counted =
                    route.has_method(request.method) && host_fits && on_path && !is_exempt;
                on_a_path |= on_path;
                counts_any |= counted;
                prop_assert_eq!(matches(&main.statement, &request, sets), counted && !is_tester);
            }
            let by_twin = matches(&shared.statement, &request, sets);
            // Together complete, and disjoint: the twin sees testers only, the main rules never.
            prop_assert!(!counts_any || !is_tester || by_twin);
            prop_assert!(!by_twin || (is_tester && on_a_path && !is_exempt));
            if routes.len() == 1 {
                prop_assert_eq!(by_twin, counts_any && is_tester);
            }
        }
    }

    #[test]
    fn keys_survive_the_wire(key in any_key(), route in any_route()) {
        let set = rule_set(vec![RateRule { key: key.clone(), ..rule("acl-a", 10, route) }]);
        let translated = translate(&set).unwrap();
        let wire = serde_json::to_string(&translated.web_acl).unwrap();
        prop_assert_eq!(&serde_json::from_str::<WebAcl>(&wire).unwrap(), &translated.web_acl);
        let Statement::RateBased(rate) = &translated.web_acl.rules[0].statement else {
            panic!("a rate-based rule")
        };
        let parts = match &key {
            AggregationKey::Custom { parts, .. } => parts.len(),
            AggregationKey::Ip | AggregationKey::ForwardedIp(_) => 0,
        };
        prop_assert_eq!(rate.custom_keys.len(), parts);
        prop_assert_eq!(rate.forwarded_ip_config.is_some(), key.forwarded().is_some());
    }

    #[test]
    fn statements_are_flat_and_survive_the_wire(
        route in any_route(),
        exempt in proptest::collection::vec((pattern(), spelling()), 0..3),
    ) {
        let exemptions = exempt.into_iter().map(|(path, spelling)| {
            Exemption { name: "e".to_owned(), path, spelling }
        });
        let set = with_twin(route, &["203.0.113.8/30", "2001:db8:7::/64"], exemptions.collect());
        let translated = translate(&set).unwrap();
        for rule in &translated.web_acl.rules {
            let Statement::RateBased(rate) = &rule.statement else { panic!("a rate-based rule") };
            let scope_down = rate.scope_down_statement.as_deref().unwrap();
            prop_assert!(levels(scope_down) <= quotas::TERRAFORM_SCOPE_DOWN_LEVELS);
            prop_assert!(has_no_lonely_part(scope_down));
        }
        let wire = serde_json::to_string(&translated.web_acl).unwrap();
        prop_assert_eq!(serde_json::from_str::<WebAcl>(&wire).unwrap(), translated.web_acl);
    }
}

fn has_no_lonely_part(statement: &Statement) -> bool {
    match statement {
        Statement::And(AndStatement { statements }) | Statement::Or(OrStatement { statements }) => {
            statements.len() > 1 && statements.iter().all(has_no_lonely_part)
        }
        Statement::Not(inner) => has_no_lonely_part(&inner.statement),
        _ => true,
    }
}

#[test]
fn a_web_acl_has_the_spelling_of_the_api() {
    let set = with_twin(route("GET /t*"), &["203.0.113.8/30"], Vec::new());
    let translated = translate(&set).unwrap();
    let value = serde_json::to_value(&translated.web_acl).unwrap();
    assert_eq!(value["Scope"], "CLOUDFRONT");
    assert_eq!(value["DefaultAction"], serde_json::json!({"Allow": {}}));
    assert_eq!(
        value["Rules"][1]["Action"],
        serde_json::json!({"Block": {"CustomResponse": {
            "ResponseCode": 429,
            "CustomResponseBodyKey": "acl-limited",
            "ResponseHeaders": [{"Name": "Retry-After", "Value": "300"}],
        }}})
    );
    assert_eq!(
        value["CustomResponseBodies"],
        serde_json::json!({"acl-limited": {"ContentType": "APPLICATION_JSON", "Content": "{}"}})
    );
    assert_eq!(
        value["Rules"][0]["VisibilityConfig"],
        serde_json::json!({
            "SampledRequestsEnabled": true,
            "CloudWatchMetricsEnabled": true,
            "MetricName": "acl-twin",
        })
    );
    assert_eq!(
        serde_json::to_value(&translated.ip_sets[0].set).unwrap(),
        serde_json::json!({
            "Name": "acl-qa-v4",
            "Scope": "CLOUDFRONT",
            "IPAddressVersion": "IPV4",
            "Addresses": ["203.0.113.8/30"],
        })
    );
}

#[test]
fn a_key_has_the_spelling_of_the_api() {
    let forwarded = ForwardedIp { header: "x-real-ip".to_owned(), fallback: Fallback::NoMatch };
    let parts = vec![
        KeyPart::ForwardedIp,
        KeyPart::Header("x-api-key".to_owned()),
        KeyPart::Path,
        KeyPart::Ja4,
        KeyPart::Asn,
    ];
    let key = AggregationKey::Custom { parts, forwarded: Some(forwarded) };
    let set = rule_set(vec![RateRule { key, ..rule("acl-a", 10, route("/a*")) }]);
    let value = serde_json::to_value(&translate(&set).unwrap().web_acl).unwrap();
    let rate = &value["Rules"][0]["Statement"]["RateBasedStatement"];
    assert_eq!(rate["AggregateKeyType"], "CUSTOM_KEYS");
    assert_eq!(
        rate["ForwardedIPConfig"],
        serde_json::json!({"HeaderName": "x-real-ip", "FallbackBehavior": "NO_MATCH"})
    );
    assert_eq!(
        rate["CustomKeys"],
        serde_json::json!([
            {"ForwardedIP": {}},
            {"Header": {
                "Name": "x-api-key", "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}},
            {"UriPath": {"TextTransformations": [
                {"Priority": 0, "Type": "URL_DECODE"}, {"Priority": 1, "Type": "NORMALIZE_PATH"},
                {"Priority": 2, "Type": "LOWERCASE"}]}},
            {"JA4Fingerprint": {"FallbackBehavior": "MATCH"}},
            {"ASN": {}},
        ])
    );
}

#[test]
fn capacity_and_price_are_sums_of_the_table() {
    let set = with_twin(route("GET /t*"), &["203.0.113.8/30", "2001:db8:7::/64"], Vec::new());
    let budget = translate(&set).unwrap().budget;
    // Each: 2 for the rate, 2 + 30 for the path, 2 for the method, 1 for each IP set.
    assert_eq!(budget.wcu, 2 * (2 + 32 + 2 + 2));
    assert_eq!((budget.rate_rules, budget.references), (2, 4));
    assert_eq!((budget.fixed_cents, budget.cents_per_million), (700, 60));
}

#[test]
fn a_body_is_declared_only_where_a_rule_blocks() {
    let mut set = rule_set(vec![rule("acl-a", 10, route("/a"))]);
    set.rules[0].action = Action::Count;
    set.response.status = 600;
    let acl = translate(&set).unwrap().web_acl;
    assert_eq!(acl.rules[0].action, RuleAction::Count(Empty {}));
    assert!(acl.custom_response_bodies.is_empty());
    set.rules[0].action = Action::Block;
    assert_eq!(translate(&set), Err(Error::Status(600)));
    set.response = Response {
        status: 429,
        retry_after: None,
        body: "x".repeat(4_097),
        ..Response::plain_block()
    };
    assert_eq!(translate(&set), Err(Error::Body(4_097)));
}

#[test]
fn exemptions_stand_only_where_they_can_be_met() {
    let webhooks = Exemption {
        name: "webhooks".to_owned(),
        path: PathPattern::StartsWith("/api/webhooks/".to_owned()),
        spelling: Spelling::Loose,
    };
    let mut set = rule_set(vec![
        rule("acl-token", 10, route("/oauth/token")),
        rule("acl-api", 20, route("/api/*")),
        rule("acl-one", 30, route("/API/webhooks/one")),
        rule("acl-v", 40, route("~^/v")),
    ]);
    set.exemptions = vec![webhooks];
    let exempted = translate(&set).unwrap().exempted;
    assert_eq!(exempted[0].rules, ["acl-api", "acl-one", "acl-v"]);
}

#[test]
fn what_aws_would_refuse_is_refused_with_the_reason() {
    let many: Vec<RateRule> = (0..11).map(|n| rule(&format!("acl-{n}"), n, route("/a"))).collect();
    let text = |set: &RuleSet| translate(set).unwrap_err().to_string();
    assert!(text(&rule_set(many.clone())).contains("one web ACL takes 10"));

    let mut set = rule_set(many[..2].to_vec());
    set.rules[1].name = "acl-0".to_owned();
    assert!(text(&set).contains("another rule's"));
    set.rules[1].name = "prod".to_owned();
    assert!(text(&set).contains("the web ACL's"));
    set.rules[1].name = "Default_Action".to_owned();
    assert!(text(&set).contains("reserved by AWS"));
    set.rules[1].name = "${x}".to_owned();
    assert!(matches!(translate(&set), Err(Error::Name { .. })));
    set.rules[1].name = "acl-1".to_owned();
    set.rules[1].priority = 0;
    assert!(text(&set).contains("the same priority 0"));

    let mut set = with_twin(route("/a"), &["203.0.113.8/30"], Vec::new());
    set.networks = Vec::new();
    assert!(matches!(translate(&set), Err(Error::UnknownNetwork { .. })));
    set.networks = vec![network("qa", &[])];
    assert!(matches!(translate(&set), Err(Error::EmptyNetwork { .. })));
    set.networks = vec![network("qa", &["::/0"])];
    assert!(text(&set).contains("::/0"));
    let even: Vec<String> =
        (0..10_001_u32).map(|n| format!("{}/32", Ipv4Addr::from(0x0a00_0000 + 2 * n))).collect();
    let even: Vec<&str> = even.iter().map(String::as_str).collect();
    set.networks = vec![network("qa", &even)];
    assert!(text(&set).contains("10001 CIDRs"));
    set.networks = vec![network("qa", &even[..10_000])];
    assert_eq!(translate(&set).unwrap().ip_sets[0].set.addresses.len(), 10_000);

    let mut set = rule_set(many[..1].to_vec());
    set.rules[0].route.path = PathPattern::Exactly("/x?y".to_owned());
    assert!(matches!(translate(&set), Err(Error::Pattern { of: "rule", .. })));
    set.name = "a b".to_owned();
    assert!(matches!(translate(&set), Err(Error::Name { .. })));
}

#[test]
fn keys_that_aws_does_not_take_are_refused() {
    let said = |parts: Vec<KeyPart>| {
        let mut set = rule_set(vec![rule("a", 10, route("/a"))]);
        set.rules[0].key = AggregationKey::Custom { parts, forwarded: None };
        translate(&set).err().map(|error| error.to_string())
    };
    let header = |name: &str| KeyPart::Header(name.to_owned());
    for (parts, reason) in [
        (vec![], "1 to 5 parts"),
        (vec![KeyPart::Method; 6], "1 to 5 parts"),
        (vec![KeyPart::Ip], "the address alone"),
        (vec![header("")], "1 to 64 characters"),
        (vec![header(&"x".repeat(65))], "1 to 64 characters"),
        (vec![header("X-Api-Key")], "lower case"),
        (vec![KeyPart::QueryArgument("Key".to_owned())], "lower case"),
    ] {
        let said = said(parts).unwrap();
        assert!(said.contains(reason), "{reason}: {said}");
    }
    assert_eq!(said(vec![header("x-api-key"), KeyPart::Cookie("SID".to_owned())]), None);
}

#[test]
fn too_much_capacity_and_too_many_references_are_refused() {
    let mut set = rule_set((0..10).map(|n| rule(&format!("acl-{n}"), n, route("/a*"))).collect());
    set.exemptions = (0..16)
        .map(|n| Exemption {
            name: n.to_string(),
            path: PathPattern::Contains(format!("/{n}/")),
            spelling: Spelling::Loose,
        })
        .collect();
    // Each of ten rules: 2 + 32, and 16 times 10 + 30.
    assert_eq!(translate(&set), Err(Error::Capacity(10 * (34 + 16 * 40))));
    set.exemptions.clear();
    set.networks =
        (0..6).map(|n| network(&format!("n{n}"), &[&format!("192.0.2.{n}/32")])).collect();
    for rule in &mut set.rules {
        rule.except_networks = (0..6).map(|n| format!("n{n}")).collect();
    }
    assert_eq!(translate(&set), Err(Error::TooManyReferences(60)));
}

#[test]
fn the_sets_of_a_tester_outlive_its_last_rule() {
    let mut set = rule_set(vec![rule("acl-a", 10, route("/a"))]);
    set.networks = vec![
        network("qa", &["192.0.2.1", "2001:db8::/64"]),
        Network { kind: NetworkKind::KnownGood, ..network("office", &["198.51.100.0/24"]) },
    ];
    let sets = translate(&set).unwrap().ip_sets;
    let names: Vec<&str> = sets.iter().map(|set| set.set.name.as_str()).collect();
    assert_eq!(names, ["acl-qa-v4", "acl-qa-v6"]);
    // The same ones as before, in the same order.
    set.rules[0].except_networks = vec!["qa".to_owned()];
    assert_eq!(translate(&set).unwrap().ip_sets, sets);
}
