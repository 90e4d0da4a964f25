use super::*;
use crate::rules::{
    Action, AggregationKey, Response, RuleSet, Scope as Where, Spelling, Surroundings, WebAclTarget,
};
use crate::stack::{Origin, Stack};
use crate::units::{Limit, Window};
use crate::wafv2::{Request, matches};

fn rule(name: &str, priority: u32, route: &str, role: Role) -> RateRule {
    RateRule {
        name: name.to_owned(),
        priority,
        role,
        route: route.parse().unwrap(),
        limit: Limit::new(300).unwrap(),
        window: Window::FIVE_MINUTES,
        key: AggregationKey::Ip,
        action: Action::Block,
        except_networks: Vec::new(),
        evidence: Vec::new(),
    }
}

const API: &str = "arn:aws:apigateway:eu-central-1::/restapis/a1b2c3/stages/Live";

fn wanted() -> OriginGuard {
    OriginGuard {
        header: "x-origin-secret".to_owned(),
        parameter: "/acl/origin-secret".to_owned(),
        region: "eu-central-1".to_owned(),
        associations: vec![API.to_owned()],
        rotating: false,
        counts_only: false,
    }
}

fn set(guard: OriginGuard) -> RuleSet {
    RuleSet {
        name: "acl".to_owned(),
        scope: Where::CloudFront,
        web_acl: WebAclTarget::Create("prod".to_owned()),
        rules: vec![
            rule(
                "acl-token-second",
                10,
                "GET /oauth/token",
                Role::Second { main: "acl-token".to_owned() },
            ),
            rule("acl-token", 20, "GET shop.example/oauth/token", Role::Main),
            rule("acl-api", 30, "/api/*", Role::Main),
        ],
        networks: Vec::new(),
        exemptions: Vec::new(),
        response: Response::plain_block(),
        alarms: None,
        around: Surroundings { guard: Some(guard), ..Surroundings::default() },
        flat_rate_plan: None,
        notes: Vec::new(),
        reminders: Vec::new(),
    }
}

fn guard(wanted: OriginGuard) -> Result<Guard, Error> {
    Stack::new(&set(wanted), Origin::default()).map(|stack| stack.guard.unwrap())
}

#[test]
fn each_limited_route_is_guarded_once() {
    let guard = guard(wanted()).unwrap();
    let names: Vec<&str> = guard.web_acl.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["acl-token-guard", "acl-api-guard"]);
    assert_eq!(guard.web_acl.name, "acl-origin");
    assert_eq!(guard.web_acl.scope, Scope::Regional);
    assert_eq!(guard.associations[0].resource_arn, API);
    assert!(guard.web_acl.rules.iter().all(|rule| matches!(rule.action, RuleAction::Block(_))));
}

/// The evaluator takes the stand-in of a secret for one that nobody sends: so what matches here is what
/// is stopped without it.
#[test]
fn what_has_no_secret_is_stopped_on_the_limited_routes_only() {
    let guard = guard(wanted()).unwrap();
    let stopped = |method: &str, path: &str| {
        let request = Request {
            method: method.as_bytes(),
            path: path.as_bytes(),
            host: Some(b"a1b2c3.execute-api.eu-central-1.amazonaws.com"),
            address: "192.0.2.1".parse().unwrap(),
            forwarded: None,
        };
        guard.web_acl.rules.iter().any(|rule| matches(&rule.statement, &request, &[]))
    };
    for path in ["/oauth/token", "/oauth//Token/", "/Live/oauth/token", "/live/%6fauth/token"] {
        assert!(stopped("GET", path), "{path}");
    }
    assert!(stopped("POST", "/api/v1") && stopped("PUT", "/Live/api/v1"));
    for (method, path) in [("POST", "/oauth/token"), ("GET", "/healthz"), ("GET", "/Live/other")] {
        assert!(!stopped(method, path), "{method} {path}");
    }
}

/// Every secret that is valid has a `not` of its own, so that any of them lets a request pass.
#[test]
fn two_secrets_are_taken_while_one_is_exchanged() {
    let secrets = |guard: &Guard| -> Vec<String> {
        let Statement::And(and) = &guard.web_acl.rules[0].statement else { panic!("no and") };
        let names = and.statements.iter().filter_map(|part| {
            let Statement::Not(not) = part else { return None };
            let Statement::ByteMatch(matched) = not.statement.as_ref() else { return None };
            match (&matched.search_string, &matched.field_to_match) {
                (SearchString::Secret(name), FieldToMatch::SingleHeader { name: header }) => {
                    assert_eq!(header, "x-origin-secret");
                    Some(name.clone())
                }
                _ => None,
            }
        });
        names.collect()
    };
    let one = guard(wanted()).unwrap();
    assert_eq!(secrets(&one), ["acl-origin"]);
    let two = guard(OriginGuard { rotating: true, ..wanted() }).unwrap();
    assert_eq!(secrets(&two), ["acl-origin", "acl-origin-previous"]);
    let parameters: Vec<&str> = two.secrets.iter().map(|one| one.parameter.as_str()).collect();
    assert_eq!(parameters, ["/acl/origin-secret", "/acl/origin-secret-previous"]);
    assert!(two.secrets.iter().all(|secret| secret.length == 44));
    assert_eq!(two.rotation.len(), 5);
}

#[test]
fn a_guard_can_count_first() {
    let guard = guard(OriginGuard { counts_only: true, ..wanted() }).unwrap();
    assert!(guard.web_acl.rules.iter().all(|rule| matches!(rule.action, RuleAction::Count(_))));
    assert!(guard.about.iter().any(|line| line.contains("only counts")));
}

#[test]
fn headers_and_parameters_that_cannot_be_are_refused() {
    let header = |header: &str| OriginGuard { header: header.to_owned(), ..wanted() };
    let parameter = |name: &str| OriginGuard { parameter: name.to_owned(), ..wanted() };
    let mut refused = Vec::new();
    for name in
        ["", "X-Origin", "host", "cookie", "x-amz-secret", "x edge", "x${y}", &"x".repeat(41)]
    {
        refused.push(header(name));
    }
    for name in ["", "a/b", "/aws/x", "ssm-x", "/a b", "/a/${b}", "/a//b", "/a/", "/a;rm"] {
        refused.push(parameter(name));
    }
    refused.push(OriginGuard { region: "eu-west-1".to_owned(), ..wanted() });
    for wanted in refused {
        let said = guard(wanted.clone()).map(|_| ());
        assert!(matches!(said, Err(Error::Guard(_) | Error::Association { .. })), "{wanted:?}");
    }
    for name in ["/acl/origin-secret", "secret", "/acl/prod/origin.secret_1"] {
        assert!(guard(parameter(name)).is_ok(), "{name}");
    }
    let mut regional = set(wanted());
    regional.scope = Where::Regional { region: "eu-central-1".to_owned() };
    let said = Stack::new(&regional, Origin::default()).unwrap_err().to_string();
    assert!(said.contains("no way around it"), "{said}");
}

#[test]
fn a_strict_route_stays_strict_behind_cloudfront() {
    let mut set = set(wanted());
    set.rules[1].route.spelling = Spelling::Strict;
    let guard = Stack::new(&set, Origin::default()).unwrap().guard.unwrap();
    let request = |path: &'static str| Request {
        method: b"GET",
        path: path.as_bytes(),
        host: None,
        address: "192.0.2.1".parse().unwrap(),
        forwarded: None,
    };
    let statement = &guard.web_acl.rules[0].statement;
    assert!(matches(statement, &request("/OAuth/Token"), &[]));
    assert!(!matches(statement, &request("/oauth//token"), &[]));
}
