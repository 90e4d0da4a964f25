//! Random rule sets with what may stand around them, in every dialect: refused with a reason, or read back
//! as the same rules, which limit the requests that were counted and no others.

use std::net::IpAddr;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use ratewaf::render::{TerraformOptions, api_json, cloudformation, terraform};
use ratewaf::rules::{
    LogDestination, LoggedRequests, LoggingPlan, OriginGuard, PathPattern, Permitted, RedactedPart,
    Route, RuleSet, Spelling, Surroundings,
};
use ratewaf::stack::Stack;
use ratewaf::wafv2::{NetworkSet, Request, matches};

use super::{files_of_all, read};
use crate::terraform::random::{cases, rule_set};
use crate::terraform::{samples, stack};

fn logging() -> impl Strategy<Value = LoggingPlan> {
    let destination = prop_oneof![
        "aws-waf-logs-[a-z]{1,8}"
            .prop_map(|name| LogDestination::LogGroup { name, retention_days: 90 }),
        "aws-waf-logs-[a-z]{1,8}".prop_map(LogDestination::Bucket),
        "aws-waf-logs-[a-z]{1,8}".prop_map(LogDestination::Firehose),
    ];
    let redacted = vec![
        RedactedPart::Method,
        RedactedPart::Path,
        RedactedPart::QueryString,
        RedactedPart::Header("authorization".to_owned()),
    ];
    let keep = select(vec![LoggedRequests::Limited, LoggedRequests::All]);
    (destination, subsequence(redacted, 0..=4), keep)
        .prop_map(|(destination, redacted, keep)| LoggingPlan { destination, redacted, keep })
}

fn guard() -> impl Strategy<Value = OriginGuard> {
    ("[a-z][a-z0-9-]{0,12}", "/[a-z]{1,8}/[a-z]{1,8}", any::<bool>(), any::<bool>()).prop_map(
        |(header, parameter, rotating, counts_only)| OriginGuard {
            header,
            parameter,
            region: "eu-central-1".to_owned(),
            associations: Vec::new(),
            rotating,
            counts_only,
        },
    )
}

/// Rules, and whatever a policy may ask for around them.
pub fn with_surroundings() -> impl Strategy<Value = RuleSet> {
    let permissions = subsequence(Permitted::ALL.to_vec(), 0..=3);
    let around = (
        option::weighted(0.3, logging()),
        any::<bool>(),
        option::weighted(0.3, guard()),
        permissions,
    )
        .prop_map(|(logging, dashboard, guard, permissions)| Surroundings {
            logging,
            dashboard,
            guard,
            permissions,
            ..Surroundings::default()
        });
    (rule_set(), around).prop_map(|(set, around)| RuleSet { around, ..set })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        // A rule set is large, and to make it as small as can be takes minutes.
        max_shrink_time: 30_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_rules_are_refused_or_said_in_every_dialect(set in with_surroundings()) {
        let stack = match stack(&set) {
            Ok(stack) => stack,
            Err(error) => {
                prop_assert!(error.to_string().contains(' '));
                return Ok(());
            }
        };
        if let Err(error) = cloudformation(&stack) {
            prop_assert!(error.to_string().contains("; "), "{error}");
            return Ok(());
        }
        read::assert_same_rules("random", &stack);
        prop_assert_eq!(files_of_all(&stack), files_of_all(&stack.clone()));
    }
}

/// What a request is compared with: all of it may be near the rule's, or far away.
#[derive(Clone, Debug)]
struct Sent {
    method: &'static str,
    path: String,
    host: Option<&'static str>,
    address: IpAddr,
}

fn sent() -> impl Strategy<Value = Sent> {
    let path = select(vec![
        "/api/token",
        "/API/token",
        "/api//token",
        "/api/token/",
        "/api/tok%65n",
        "/api/tokens",
        "/api",
        "/api/health",
        "/api/Health",
        "/other/api/token",
        "/api/%2e%2e/api/token",
        "/",
    ]);
    let near = prop_oneof![
        (0..16_u8).prop_map(|last| IpAddr::from([203, 0, 113, last])),
        (6..9_u16).prop_map(|net| IpAddr::from([0x2001, 0xdb8, net, 0, 0, 0, 0, 1])),
        any::<u32>().prop_map(|bits| IpAddr::V4(bits.into())),
        any::<u128>().prop_map(|bits| IpAddr::V6(bits.into())),
    ];
    let host = option::of(select(vec!["shop.example", "SHOP.example", "other.example"]));
    (select(vec!["GET", "POST", "get"]), path, host, near).prop_map(
        |(method, path, host, address)| Sent { method, path: path.to_owned(), host, address },
    )
}

prop_compose! {
    fn limited()(
        exactly in any::<bool>(),
        spelling in select(vec![Spelling::Loose, Spelling::Strict]),
        methods in subsequence(vec!["GET".to_owned(), "POST".to_owned()], 0..=2),
        host in option::of(Just("shop.example".to_owned())),
        cidrs in subsequence(vec!["203.0.113.8/30", "2001:db8:7::/64"], 1..=2),
    ) -> (RuleSet, Route) {
        let path = if exactly {
            PathPattern::Exactly("/api/token".to_owned())
        } else {
            PathPattern::StartsWith("/api".to_owned())
        };
        let route = Route { name: "r".to_owned(), methods, host, path, spelling };
        let mut set = samples::one_route();
        let main = ratewaf::rules::RateRule {
            route: route.clone(),
            except_networks: vec!["qa".to_owned()],
            ..samples::rule("acl-main", 20, "/", 300)
        };
        let twin = ratewaf::rules::RateRule {
            except_networks: Vec::new(),
            ..samples::twin(&main, "qa", 10, 3_000)
        };
        set.rules = vec![twin, main];
        set.networks = vec![samples::network("qa", &cidrs)];
        set.exemptions =
            vec![samples::exemption("health", PathPattern::Exactly("/api/health".to_owned()))];
        (set, route)
    }
}

/// What each dialect says, read back: the web ACL and the IP sets.
fn said(stack: &Stack) -> Vec<(&'static str, read::Said)> {
    let template = read::template_of_yaml(&cloudformation(stack).unwrap()[0].1);
    let json = TerraformOptions { is_json: true, ..TerraformOptions::default() };
    let json = serde_json::from_str(&terraform(stack, &json).unwrap()[0].1).unwrap();
    let hcl = terraform(stack, &TerraformOptions::default()).unwrap();
    let api = &api_json(stack, &Default::default()).unwrap()[0].1;
    vec![
        ("CloudFormation", read::of_template(template)),
        ("Terraform", read::Said::of(&read::of_terraform(&hcl[0].1))),
        ("Terraform JSON", read::Said::of(&read::of_terraform_json(&[json]))),
        ("API", read::of_api(&serde_json::from_str(api).unwrap())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    /// The rule and its twin never count the same request, and together they count those that `analyze`
    /// counts for the route: in the statements as each dialect has them.
    #[test]
    fn emitted_statements_limit_what_was_counted(
        (set, route) in limited(),
        requests in vec(sent(), 1..30),
    ) {
        let exempt = &set.exemptions[0];
        let exempt = ratewaf::rules::PathMatcher::new(&exempt.path, exempt.spelling).unwrap();
        let matcher = route.matcher().unwrap();
        for (dialect, said) in said(&stack(&set).unwrap()) {
            let sets: Vec<NetworkSet> = said
                .ip_sets
                .into_iter()
                .map(|set| NetworkSet { network: "qa".to_owned(), set })
                .collect();
            let rule = |name: &str| {
                said.web_acls[0].rules.iter().find(|rule| rule.name == name).unwrap()
            };
            let (main, twin) = (rule("acl-main"), rule("acl-main-qa"));
            for sent in &requests {
                let request = Request {
                    method: sent.method.as_bytes(),
                    path: sent.path.as_bytes(),
                    host: sent.host.map(str::as_bytes),
                    address: sent.address,
                    forwarded: None,
                };
                let host = sent.host.map_or(route.host.is_none(), |host| route.has_host(host.as_bytes()));
                let counted = route.has_method(request.method)
                    && host
                    && matcher.matches(request.path)
                    && !exempt.matches(request.path);
                let tester = set.networks[0].contains(sent.address);
                let by_main = matches(&main.statement, &request, &sets);
                let by_twin = matches(&twin.statement, &request, &sets);
                prop_assert_eq!((by_main, by_twin), (counted && !tester, counted && tester), "{}: {:?}", dialect, sent);
            }
        }
    }
}
