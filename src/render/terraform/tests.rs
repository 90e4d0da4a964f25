use ::hcl::expr::TraversalOperator;
use ::hcl::{Body, Expression, Structure};
use proptest::prelude::*;

use super::*;
use crate::rules::{
    Action, AggregationKey, Alarms, Exemption, Network, NetworkKind, PathPattern, RateRule,
    Response, Role, Route, RuleSet, Scope, Spelling, Surroundings, WebAclTarget, canonical_cidr,
};
use crate::stack::Origin;
use crate::units::{Limit, Window};

fn rule(name: &str, path: PathPattern) -> RateRule {
    RateRule {
        name: name.to_owned(),
        priority: 10,
        role: Role::Main,
        route: Route {
            name: "r".to_owned(),
            methods: vec!["GET".to_owned()],
            host: None,
            path,
            spelling: Spelling::Loose,
        },
        limit: Limit::new(300).unwrap(),
        window: Window::FIVE_MINUTES,
        key: AggregationKey::Ip,
        action: Action::Block,
        except_networks: Vec::new(),
        evidence: Vec::new(),
    }
}

fn rule_set(rules: Vec<RateRule>) -> RuleSet {
    RuleSet {
        name: "acl".to_owned(),
        scope: Scope::CloudFront,
        web_acl: WebAclTarget::Create("prod".to_owned()),
        rules,
        networks: Vec::new(),
        exemptions: Vec::new(),
        response: Response {
            status: 429,
            retry_after: Some(60),
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

fn one(path: &str) -> RuleSet {
    rule_set(vec![rule("acl-a", PathPattern::Exactly(path.to_owned()))])
}

fn emit(set: &RuleSet, origin: Origin) -> Result<String, Error> {
    let stack = Stack::new(set, origin).unwrap();
    let files = terraform(&stack, &TerraformOptions::default())?;
    Ok(files.into_iter().map(|(_, text)| text).collect())
}

fn text(set: &RuleSet) -> String {
    emit(set, Origin::default()).unwrap()
}

fn refused(set: &RuleSet) -> Error {
    emit(set, Origin::default()).unwrap_err()
}

#[test]
fn the_answer_of_waf_itself_is_no_custom_response() {
    // The Free plan of CloudFront refuses a custom response of any kind.
    let mut set = one("/a");
    set.response = Response::plain_block();
    let text = text(&set);
    assert!(text.contains("block {}"), "{text}");
    assert!(!text.contains("custom_response"), "{text}");
}

#[test]
fn what_terraform_cannot_express_is_refused() {
    let not_text = refused(&one("/caf%E9"));
    assert!(matches!(&not_text, Error::NotText { text, .. } if text == r"/caf\xe9"), "{not_text}");
    assert!(matches!(refused(&one("/cafe\u{301}")), Error::NotNormal { .. }));
    assert!(emit(&one("/caf\u{e9}"), Origin::default()).is_ok());

    let mut set = one("/a");
    set.rules.push(RateRule { name: "acl_a".to_owned(), priority: 20, ..set.rules[0].clone() });
    assert!(matches!(refused(&set), Error::SameLabel { .. }));
}

#[test]
fn alarms_report_to_a_topic_of_their_own_region() {
    let mut set = one("/a");
    let mut with = |arn: &str| {
        set.alarms =
            Some(Alarms { topic_arn: Some(arn.to_owned()), threshold: 0, ..Alarms::default() });
        Stack::new(&set, Origin::default())
    };
    assert!(with("arn:aws:sns:us-east-1:123456789012:alerts").is_ok());
    assert!(with("arn:aws:sns:us-east-1:123456789012:alerts.fifo").is_ok());
    for (arn, reason) in [
        ("arn:aws:sns:eu-central-1:123456789012:alerts", "only use a topic in us-east-1"),
        ("arn:aws:sqs:us-east-1:123456789012:alerts", "no ARN of a topic"),
        ("arn:aws:sns:us-east-1:12345:alerts", "no ARN of a topic"),
        ("alerts", "no ARN of a topic"),
        ("arn:aws:sns:us-east-1:123456789012:${x}", "characters that SNS does not take"),
    ] {
        let error = with(arn).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn an_alarm_watches_what_its_rule_does() {
    let mut set = one("/a");
    set.alarms = Some(Alarms { topic_arn: None, threshold: 0, ..Alarms::default() });
    for (action, metric) in [
        (Action::Block, "BlockedRequests"),
        (Action::Count, "CountedRequests"),
        (Action::Challenge, "ChallengeRequests"),
        (Action::Captcha, "CaptchaRequests"),
    ] {
        set.rules[0].action = action;
        let text = text(&set);
        assert!(text.contains(&format!("metric_name       = \"{metric}\"")), "{text}");
        assert!(!text.contains("Region ="), "{text}");
    }
}

#[test]
fn the_head_gives_the_command_that_wrote_it() {
    let head = |flags: &[&str]| {
        let flags = flags.iter().map(ToString::to_string).collect();
        let origin = Origin { flags, ..Origin::default() };
        emit(&one("/a"), origin).unwrap()
    };
    assert!(head(&[]).contains("# To compare the two: ratewaf emit --check waf.tf\n"));
    assert!(!head(&[]).contains("accepted"));
    let weak = head(&["--accept weak"]);
    assert!(weak.contains("# To compare the two: ratewaf emit --accept weak --check waf.tf\n"));
    assert!(weak.contains("# Weak limits were accepted by --accept weak.\n"));
    let counting = head(&["--count-mode"]);
    assert!(counting.contains("ratewaf emit --count-mode --check waf.tf\n"));
    assert!(counting.contains("# Every rule only counts because of --count-mode.\n"));
}

#[test]
fn a_flat_rate_plan_includes_the_web_acl() {
    let mut set = one("/a");
    assert!(text(&set).contains("pay as you go"));
    set.flat_rate_plan = Some("free");
    let text = text(&set);
    assert!(text.contains("# Costs nothing more: included in the flat-rate plan free.\n"));
    assert!(!text.contains("USD"), "{text}");
}

#[test]
fn labels_are_identifiers() {
    let mut set = one("/a");
    set.rules[0].name = "1-a".to_owned();
    set.web_acl = WebAclTarget::Create("2".to_owned());
    let text = text(&set);
    assert!(text.contains("local._1_a_limit") && text.contains("aws_wafv2_web_acl._2.arn"));
}

/// Text that is likely to hold what means something in HCL.
fn hostile() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "${", "%{", "$", "{", "}", "\"", "\\", "\n", "\r", "<<EOT\n", "#", "*/", "~}", "a", "/",
        "\u{2028}", "\u{202e}", "é", "\0",
    ]);
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Every expression of a file, and the types of its top-level blocks.
fn expressions(body: &Body, into: &mut Vec<Expression>) {
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => parts(&attribute.expr, into),
            Structure::Block(block) => expressions(&block.body, into),
        }
    }
}

fn parts(expression: &Expression, into: &mut Vec<Expression>) {
    match expression {
        Expression::Array(items) => items.iter().for_each(|item| parts(item, into)),
        Expression::Object(members) => members.values().for_each(|value| parts(value, into)),
        Expression::FuncCall(call) => call.args.iter().for_each(|value| parts(value, into)),
        _ => {}
    }
    into.push(expression.clone());
}

fn is_ours(expression: &Expression) -> bool {
    match expression {
        Expression::FuncCall(call) => call.name.name.as_str() == "jsonencode",
        Expression::Traversal(traversal) => {
            let root = traversal.expr.to_string();
            let plain = |part: &TraversalOperator| matches!(part, TraversalOperator::GetAttr(_));
            (matches!(root.as_str(), "local" | "aws" | "data") || root.starts_with("aws_"))
                && traversal.operators.iter().all(plain)
        }
        Expression::Bool(_)
        | Expression::Number(_)
        | Expression::String(_)
        | Expression::Array(_)
        | Expression::Object(_) => true,
        _ => false,
    }
}

proptest! {
    #[test]
    fn no_text_becomes_code(
        path in hostile(),
        host in hostile(),
        body in hostile(),
        words in proptest::collection::vec(hostile(), 5),
    ) {
        let path = PathPattern::StartsWith(format!("/{path}"));
        let mut main = rule("acl-a", path.clone());
        main.route.spelling = Spelling::Strict;
        main.route.host = (!host.is_empty()).then_some(host);
        main.evidence = vec![words[0].clone(), words[1].clone()];
        main.except_networks = vec!["qa".to_owned()];
        let mut set = rule_set(vec![main]);
        set.networks = vec![Network {
            name: "qa".to_owned(),
            cidrs: vec![canonical_cidr("192.0.2.1").unwrap()],
            kind: NetworkKind::Tester,
            until: Some(words[2].clone()),
        }];
        set.exemptions =
            vec![Exemption { name: words[3].clone(), path, spelling: Spelling::Strict }];
        set.response.body = body.clone();
        set.notes = vec![words[4].clone()];
        set.alarms = Some(Alarms { topic_arn: None, threshold: 1, ..Alarms::default() });
        let origin = Origin {
            lines: vec![words[3].clone()],
            flags: vec![words[4].clone()],
            files: vec![words[4].clone()],
            target: Some(words[3].clone()),
            traffic: None,
        };
        // `?` and the like are no paths.
        let Ok(stack) = Stack::new(&set, origin) else {
            return Err(TestCaseError::reject("no path"));
        };
        let files = match terraform(&stack, &TerraformOptions::default()) {
            Ok(files) => files,
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let read = ::hcl::parse(&files[0].1).unwrap();
        let kinds: Vec<&str> = read
            .blocks()
            .map(|block| block.labels().first().map_or(block.identifier(), |label| label.as_str()))
            .collect();
        prop_assert_eq!(kinds, [
            "terraform", "aws", "locals", "aws_wafv2_ip_set", "aws_wafv2_web_acl",
            "prod_web_acl_arn", "aws_caller_identity", "aws_sns_topic", "aws_sns_topic_policy",
            "acl_alarms_topic_arn", "aws_cloudwatch_metric_alarm",
        ]);
        let mut all = Vec::new();
        expressions(&read, &mut all);
        for expression in &all {
            prop_assert!(is_ours(expression), "{expression}");
        }
        if !body.is_empty() {
            prop_assert!(all.contains(&Expression::String(body)));
        }
    }
}
