use super::*;
use crate::checks::model::{Change, Item};

fn place(tool: Tool, address: &str, rule: Option<&str>, member: Option<&str>) -> Place {
    Place {
        item: Item {
            input: "stack".into(),
            environment: None,
            file: None,
            address: address.into(),
            tool,
            change: Change::NotTold,
            region: None,
        },
        rule: rule.map(str::to_owned),
        member: member.map(str::to_owned),
    }
}

fn line(sources: &[Source], place: &Place) -> Option<String> {
    let locator = Locator::new(sources, "infra", &[place]);
    let spot = locator.spot(place)?;
    Some(format!(
        "{}:{}:{}",
        spot.file,
        spot.line,
        &sources[spot.source].text[spot.start..spot.end]
    ))
}

#[test]
fn terraform() {
    let source =
        |path: &str, text: &str| Source { path: path.into(), text: text.into(), is_hcl: true };
    let acl = "resource \"aws_wafv2_web_acl\" \"this\" {\n  scope = \"REGIONAL\"\n  rule {\n    name = \"a\"\n    statement {\n      rate_based_statement {\n        limit = 5\n      }\n    }\n  }\n  rule {\n    name = \"b\"\n    statement {\n      rate_based_statement {\n        limit = 6 # why\n        custom_key {}\n      }\n    }\n  }\n}\n";
    let sources = [
        source("infra/main.tf", "module \"edge\" {\n  source = \"./waf\"\n}\n"),
        source("infra/waf/acl.tf", acl),
        source("infra/other/acl.tf", acl),
        source("infra/broken.tf", "resource {{{"),
        source(
            "infra/alarm.tf",
            "resource \"aws_cloudwatch_metric_alarm\" \"x\" {\n  dimensions = {\n    Rule   = \"a\"\n    Region = \"eu\"\n  }\n}\n",
        ),
    ];
    let at = |rule, member| {
        let address = "module.edge[\"x\"].aws_wafv2_web_acl.this[0]";
        line(&sources, &place(Tool::Plan, address, rule, member)).unwrap()
    };
    assert_eq!(at(Some("b"), Some("Limit")), "infra/waf/acl.tf:15:limit = 6");
    assert_eq!(at(Some("b"), Some("CustomKeys")), "infra/waf/acl.tf:16:custom_key");
    assert_eq!(at(Some("b"), None), "infra/waf/acl.tf:11:rule");
    assert_eq!(at(None, Some("Scope")), "infra/waf/acl.tf:2:scope = \"REGIONAL\"");
    assert_eq!(at(None, None), "infra/waf/acl.tf:1:resource \"aws_wafv2_web_acl\" \"this\"");
    let alarm = place(Tool::Terraform, "aws_cloudwatch_metric_alarm.x", None, Some("Region"));
    assert_eq!(line(&sources, &alarm).unwrap(), "infra/alarm.tf:4:Region = \"eu\"");
    let several = place(Tool::Plan, "aws_wafv2_web_acl.this", None, None);
    assert_eq!(line(&sources, &several), None, "two files have it, and neither is the root's");
}

#[test]
fn templates_and_api() {
    let source = |text: &str| [Source { path: "stack".into(), text: text.into(), is_hcl: false }];
    let template = source(
        "Resources:\n  Acl:\n    Type: AWS::WAFv2::WebACL\n    Properties:\n      Name: prod\n      Rules:\n        - Name: a\n          Statement: { RateBasedStatement: { Limit: 5 } }\n        - Name: b\n          Statement:\n            RateBasedStatement:\n              Limit: 6\n",
    );
    let of =
        |rule, member| line(&template, &place(Tool::CloudFormation, "Acl", rule, member)).unwrap();
    assert_eq!(of(Some("b"), Some("Limit")), "stack:12:Limit");
    assert_eq!(of(Some("a"), None), "stack:7:Name: a");
    assert_eq!(of(None, None), "stack:2:Acl");
    let api = source(
        "{\"WebACL\": {\n\"Name\": \"prod\",\n\"Rules\": [{\"Name\": \"a\",\n\"Priority\": 1}]}}",
    );
    let found = line(&api, &place(Tool::Api, "prod", Some("a"), Some("Priority"))).unwrap();
    assert_eq!(found, "stack:4:\"Priority\"");
}
