//! Random rule sets, full of text that means something somewhere: each is refused with a reason, or
//! becomes HCL that holds to the schema, is within AWS's quotas, reads back as the same rules, and
//! holds no code that we did not write.

use hcl::expr::TraversalOperator;
use hcl::template::Element;
use hcl::{Body, Expression, ObjectKey, Structure};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use ratewaf::quotas;
use ratewaf::rules::{
    Action, AggregationKey, AlarmedRules, Alarms, Exemption, Fallback, ForwardedIp, KeyPart,
    Network, NetworkKind, PathPattern, RateRule, Response, Role, Route, RuleSet, Spelling,
    canonical_cidr, merge,
};
use ratewaf::units::{Limit, Window};
use ratewaf::wafv2::rule_capacity;
use ratewaf::wafv2::terraform::{read_hcl, read_plan};

use super::pretended::{as_modules, read_back, translated};
use super::refusals::refusals;
use super::stub::{Version, providers};
use super::{samples, schema, try_emit};
use crate::tools;

/// Text that means something in HCL, YAML, TypeScript, JSON, a shell or a terminal.
fn hostile(most: usize) -> impl Strategy<Value = String> {
    let piece = select(vec![
        "${",
        "$${",
        "%{",
        "%%{",
        "$",
        "%",
        "{",
        "}",
        "\"",
        "'",
        "`",
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\t",
        "<<EOT\n",
        "EOT\n",
        "<<-",
        "#",
        "//",
        "/*",
        "*/",
        "~}",
        "---\n",
        "- ",
        ": ",
        "&a ",
        "*a",
        "!!str ",
        "!Ref ",
        "!Sub ",
        "Fn::Sub",
        "| ",
        "> ",
        "@",
        "null",
        "~",
        "yes",
        "0x10",
        "1e3",
        "${AWS::AccountId}",
        "{{resolve:ssm:x}}",
        "$(id)",
        "`${1}`",
        "');globalThis.ran=1//",
        "${globalThis.ran=1}",
        "\u{2029}globalThis.ran=1\u{2029}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\u{feff}",
        "\u{0}",
        "\u{1b}[2J",
        "é",
        "ß",
        "日本",
        "😀",
        "a",
        "api",
        "/",
        ".",
        "-",
        "_",
        "=",
        " ",
        "]]>",
        "</script>",
        "local.x",
        "path.module",
        "file(\"/etc/passwd\")",
    ]);
    vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => "[a-zA-Z0-9][a-zA-Z0-9_-]{0,20}",
        1 => hostile(3),
        1 => select(vec!["ALL".to_owned(), "x".repeat(128), "x".repeat(129), String::new()]),
    ]
}

fn path() -> impl Strategy<Value = PathPattern> {
    let text = || prop_oneof![3 => "/[a-z0-9/.-]{0,20}", 2 => hostile(8).prop_map(|text| format!("/{text}"))];
    prop_oneof![
        3 => text().prop_map(PathPattern::Exactly),
        3 => text().prop_map(PathPattern::StartsWith),
        1 => text().prop_map(PathPattern::EndsWith),
        1 => text().prop_map(PathPattern::Contains),
        1 => "(\\^/[a-z]{1,5}(\\[0-9\\]\\+)?(/|\\$))|[a-z]{1,5}\\.[a-z]{2}".prop_map(PathPattern::Regex),
    ]
}

fn spelling() -> impl Strategy<Value = Spelling> {
    select(vec![Spelling::Loose, Spelling::Strict])
}

fn route() -> impl Strategy<Value = Route> {
    let method = prop_oneof![
        9 => select(vec!["GET".to_owned(), "POST".to_owned(), "PUT".to_owned()]),
        1 => hostile(3),
    ];
    let host = prop_oneof![
        4 => "[a-z]{1,8}\\.example",
        1 => hostile(4),
    ];
    (name(), vec(method, 0..3), option::weighted(0.3, host), path(), spelling()).prop_map(
        |(name, methods, host, path, spelling)| Route { name, methods, host, path, spelling },
    )
}

fn networks() -> impl Strategy<Value = Vec<Network>> {
    let cidr = prop_oneof![
        any::<[u8; 4]>().prop_flat_map(|octets| (0_u8..=32).prop_map(move |length| {
            let [a, b, c, d] = octets;
            format!("{a}.{b}.{c}.{d}/{length}")
        })),
        any::<[u16; 4]>().prop_flat_map(|words| (0_u8..=128).prop_map(move |length| {
            let [a, b, c, d] = words;
            format!("2001:{a:x}:{b:x}:{c:x}:{d:x}::/{length}")
        })),
    ];
    let kind = select(vec![NetworkKind::Tester, NetworkKind::KnownGood]);
    let until = option::of(hostile(3));
    let network = (vec(cidr, 0..6), kind, until);
    vec(network, 0..4).prop_map(|all| {
        let all = all.into_iter().enumerate();
        all.map(|(place, (cidrs, kind, until))| {
            let cidrs: Vec<_> = cidrs.iter().filter_map(|cidr| canonical_cidr(cidr)).collect();
            Network { name: format!("n{place}"), cidrs: merge(&cidrs), kind, until }
        })
        .collect()
    })
}

fn action() -> impl Strategy<Value = Action> {
    select(vec![Action::Block, Action::Block, Action::Count, Action::Challenge, Action::Captcha])
}

fn response() -> impl Strategy<Value = Response> {
    let status = prop_oneof![9 => Just(429_u16), 1 => select(vec![200, 403, 503, 299])];
    let header = (
        prop_oneof![4 => "x-[a-z]{1,8}", 1 => hostile(3)],
        prop_oneof![4 => "[a-z0-9 ;=]{1,12}", 1 => hostile(4)],
    );
    (status, option::of(0_u32..100_000), hostile(12), any::<bool>(), vec(header, 0..3)).prop_map(
        |(status, retry_after, body, tells_policy, headers)| Response {
            status,
            retry_after,
            body,
            tells_policy,
            headers,
        },
    )
}

fn key() -> impl Strategy<Value = AggregationKey> {
    let name = || prop_oneof![4 => "[a-z][a-z0-9-]{0,12}", 1 => hostile(3)];
    let part = prop_oneof![
        Just(KeyPart::Ip),
        Just(KeyPart::Method),
        name().prop_map(KeyPart::Header),
        name().prop_map(KeyPart::Cookie),
        name().prop_map(KeyPart::QueryArgument),
        Just(KeyPart::QueryString),
        Just(KeyPart::Path),
        Just(KeyPart::Ja4),
    ];
    let forwarded = (name(), select(vec![Fallback::Match, Fallback::NoMatch]))
        .prop_map(|(header, fallback)| ForwardedIp { header, fallback });
    prop_oneof![
        6 => Just(AggregationKey::Ip),
        1 => forwarded.prop_map(AggregationKey::ForwardedIp),
        2 => vec(part, 1..6)
            .prop_map(|parts| AggregationKey::Custom { parts, forwarded: None }),
    ]
}

prop_compose! {
    fn rule(networks: usize)(
        route in route(),
        limit in prop_oneof![9 => 10_u64..1_000_000, 1 => Just(2_000_000_000)],
        window in select(Window::ALL.to_vec()),
        action in action(),
        twin in option::weighted(0.2, 0..networks.max(1)),
        except in vec(0..networks.max(1), 0..2),
        evidence in vec(hostile(6), 0..3),
        own_name in name(),
        key in key(),
    ) -> RateRule {
        let network = |place: &usize| format!("n{place}");
        let role = match twin {
            Some(place) if networks > 0 => Role::Twin { network: network(&place) },
            _ => Role::Main,
        };
        let mut except_networks: Vec<String> = except.iter().map(network).collect();
        except_networks.dedup();
        if networks == 0 || role != Role::Main {
            except_networks.clear();
        }
        RateRule {
            limit: Limit::new(limit).unwrap(),
            name: own_name,
            role,
            route,
            window,
            key,
            action,
            except_networks,
            evidence,
            ..samples::rule("x", 0, "/", 10)
        }
    }
}

pub fn rule_set() -> impl Strategy<Value = RuleSet> {
    let exemption = || {
        (hostile(3), path(), spelling()).prop_map(|(name, path, spelling)| Exemption {
            name,
            path,
            spelling,
        })
    };
    let alarms = || {
        (0_u32..100, any::<bool>(), option::weighted(0.2, hostile(4))).prop_map(
            |(threshold, given, topic)| Alarms {
                topic_arn: topic.or_else(|| {
                    given.then(|| "arn:aws:sns:us-east-1:123456789012:alerts".to_owned())
                }),
                threshold,
                on: AlarmedRules::All,
                ..Alarms::default()
            },
        )
    };
    networks().prop_flat_map(move |networks| {
        (
            prop_oneof![19 => "[a-z][a-z0-9-]{0,12}", 1 => hostile(2)],
            prop_oneof![19 => "[a-z][a-z0-9-]{0,12}", 1 => hostile(2)],
            vec(rule(networks.len()), 0..12),
            vec(exemption(), 0..3),
            response(),
            option::of(alarms()),
            vec(hostile(6), 0..3),
            Just(networks),
        )
            .prop_map(
                |(name, web_acl, rules, exemptions, response, alarms, notes, networks)| {
                    let mut rules = rules;
                    for (priority, rule) in (10..).step_by(10).zip(&mut rules) {
                        rule.priority = priority;
                    }
                    RuleSet {
                        name,
                        web_acl: ratewaf::rules::WebAclTarget::Create(web_acl),
                        rules,
                        networks,
                        exemptions,
                        response,
                        alarms,
                        notes,
                        ..samples::one_route()
                    }
                },
            )
    })
}

/// Expressions that we write; everything else came in with somebody's text.
fn foreign(expression: &Expression) -> Vec<String> {
    match expression {
        Expression::Bool(_) | Expression::Number(_) | Expression::String(_) => Vec::new(),
        Expression::Array(items) => items.iter().flat_map(foreign).collect(),
        Expression::Object(members) => members
            .iter()
            .flat_map(|(key, value)| {
                let plain = matches!(
                    key,
                    ObjectKey::Identifier(_) | ObjectKey::Expression(Expression::String(_))
                );
                let key = (!plain).then(|| key.to_string());
                key.into_iter().chain(foreign(value))
            })
            .collect(),
        Expression::FuncCall(call)
            if matches!(call.name.name.as_str(), "jsonencode" | "format")
                && call.name.namespace.is_empty() =>
        {
            call.args.iter().flat_map(foreign).collect()
        }
        Expression::Traversal(traversal)
            if traversal
                .operators
                .iter()
                .all(|step| matches!(step, TraversalOperator::GetAttr(_))) =>
        {
            Vec::new()
        }
        Expression::TemplateExpr(template) => match hcl::Template::from_expr(template) {
            Ok(template) => template.elements().iter().flat_map(foreign_part).collect(),
            Err(error) => vec![error.to_string()],
        },
        other => vec![other.to_string()],
    }
}

/// In a template of ours there are references and nothing else.
fn foreign_part(part: &Element) -> Vec<String> {
    match part {
        Element::Literal(_) => Vec::new(),
        Element::Interpolation(inner) if matches!(inner.expr, Expression::Traversal(_)) => {
            foreign(&inner.expr)
        }
        other => vec![format!("{other:?}")],
    }
}

fn foreign_in(body: &Body) -> Vec<String> {
    body.into_iter()
        .flat_map(|structure| match structure {
            Structure::Attribute(attribute) => foreign(attribute.expr()),
            Structure::Block(block) => foreign_in(block.body()),
        })
        .collect()
}

fn holds(set: &RuleSet, text: &str) -> Result<(), TestCaseError> {
    let faults = schema::faults(&providers(Version::Six), text);
    prop_assert!(faults.is_empty(), "{faults:#?}\n{text}");
    let faults = schema::faults(&providers(Version::Five), text);
    prop_assert!(faults.is_empty(), "5.100: {faults:#?}\n{text}");
    let resources = read_hcl(text).unwrap();
    let refused = refusals(&resources);
    prop_assert!(refused.is_empty(), "{refused:#?}\n{text}");
    let (acls, sets) = translated(set);
    prop_assert_eq!(read_back(&resources), (acls.clone(), sets.clone()));
    let foreign = foreign_in(&hcl::parse(text).unwrap());
    prop_assert!(foreign.is_empty(), "{foreign:#?}");
    // One resource each, and nothing that nobody asked for.
    let count = |kind: &str| resources.iter().filter(|resource| resource.kind == kind).count();
    let alarms = set.alarms.as_ref().map_or(0, |_| set.rules.len());
    prop_assert_eq!(count("aws_cloudwatch_metric_alarm"), alarms);
    let made = set.alarms.as_ref().is_some_and(|alarms| alarms.topic_arn.is_none());
    let around = if made { 2 } else { 0 };
    prop_assert_eq!(resources.len(), 1 + sets.len() + alarms + around);
    let rules = &acls[0].rules;
    prop_assert!(rules.len() <= quotas::RATE_RULES_PER_WEB_ACL);
    prop_assert!(rule_capacity(rules) <= quotas::WCU_PER_WEB_ACL);
    Ok(())
}

/// In CI more than elsewhere.
pub fn cases() -> u32 {
    if tools::required() { 1_000 } else { 200 }
}

#[test]
fn random_rules_become_valid_terraform_or_are_refused() {
    let mut runner = TestRunner::new(Config {
        cases: cases(),
        // A rule set is large, and to make it as small as can be takes minutes.
        max_shrink_time: 30_000,
        ..Config::default()
    });
    let emitted = std::cell::Cell::new(0_u32);
    let result = runner.run(&rule_set(), |set| {
        let text = match try_emit(&set) {
            Ok(text) => text,
            Err(error) => {
                prop_assert!(error.contains(' '), "{error}");
                return Ok(());
            }
        };
        emitted.set(emitted.get() + 1);
        prop_assert_eq!(&text, &try_emit(&set).unwrap());
        holds(&set, &text)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(emitted.get() > cases() / 10, "only {} of {} emitted", emitted.get(), cases());
}

/// Terraform itself reads what we read: some of them, always the same.
#[test]
fn terraform_plans_random_rules_as_they_are_meant() {
    let algorithm = RngAlgorithm::ChaCha;
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(algorithm));
    let mut sets = Vec::new();
    while sets.len() < 12 {
        let set = rule_set().new_tree(&mut runner).unwrap().current();
        if set.rules.len() < 5
            && let Ok(text) = try_emit(&set)
        {
            sets.push((format!("set{}", sets.len()), set, text));
        }
    }
    let texts: Vec<(&str, String)> =
        sets.iter().map(|(name, _, text)| (name.as_str(), text.clone())).collect();
    let Some(workspace) = as_modules(Version::Six, &texts) else { return };
    let resources = read_plan(&workspace.plan()).unwrap();
    for (name, set, _) in &sets {
        let module = format!("module.{name}");
        let own: Vec<_> = resources.iter().filter(|it| it.module == module).cloned().collect();
        assert_eq!(read_back(&own), translated(set), "{name}");
    }
}
