//! `resource-type-unknown`: a resource has a type that there is not, so nothing looks at it.

use crate::checks::model::Tool;
use crate::checks::shapes::nearest;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ResourceTypeUnknown;

const ABOUT: About = About {
    id: "resource-type-unknown",
    title: "A resource has a type that there is not, and is not looked at",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/resource-type-unknown.md"),
};

/// Terraform's types of WAF (provider of version 6.69) and those that stand around a web ACL.
const TERRAFORM: [&str; 13] = [
    "aws_wafv2_api_key",
    "aws_wafv2_ip_set",
    "aws_wafv2_regex_pattern_set",
    "aws_wafv2_rule_group",
    "aws_wafv2_web_acl",
    "aws_wafv2_web_acl_association",
    "aws_wafv2_web_acl_logging_configuration",
    "aws_wafv2_web_acl_rule",
    "aws_wafv2_web_acl_rule_group_association",
    "aws_cloudwatch_metric_alarm",
    "aws_cloudfront_distribution",
    "aws_cloudwatch_log_group",
    "aws_sns_topic_policy",
];

/// CloudFormation's.
const TEMPLATE: [&str; 10] = [
    "AWS::WAFv2::IPSet",
    "AWS::WAFv2::LoggingConfiguration",
    "AWS::WAFv2::RegexPatternSet",
    "AWS::WAFv2::RuleGroup",
    "AWS::WAFv2::WebACL",
    "AWS::WAFv2::WebACLAssociation",
    "AWS::CloudWatch::Alarm",
    "AWS::CloudFront::Distribution",
    "AWS::Logs::LogGroup",
    "AWS::SNS::TopicPolicy",
];

impl Check for ResourceTypeUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for resource in &context.deployment.resources {
            let kind = resource.kind.as_str();
            let known: &[&str] = match resource.item.tool {
                Tool::CloudFormation => &TEMPLATE,
                Tool::Terraform => &TERRAFORM,
                // A plan has the types of its providers, and what the API prints has none.
                Tool::Plan | Tool::Api | Tool::Live => continue,
            };
            // Types that this program reads have CloudFormation's name by now.
            if known.contains(&kind) || kind.starts_with("Ratewaf::") {
                continue;
            }
            if resource.item.tool == Tool::Terraform && kind.contains("::") {
                continue;
            }
            let plain = letters(kind);
            let same = known.iter().copied().find(|one| letters(one) == plain);
            let is_waf = plain.starts_with("awswafv2");
            let Some(meant) =
                same.or_else(|| is_waf.then(|| nearest(kind, known.iter().copied())).flatten())
            else {
                if is_waf {
                    findings
                        .add(resource.place(), said(&resource.item.address, kind))
                        .help("spell it as the documentation does");
                }
                continue;
            };
            findings
                .add(resource.place(), said(&resource.item.address, kind))
                .help(format!("did you mean `{meant}`?"));
        }
    }
}

fn said(address: &str, kind: &str) -> String {
    format!("`{address}` is of the type `{kind}`, which there is not: nothing of it was checked")
}

/// What is left when separators, case and the plural are taken away.
fn letters(kind: &str) -> String {
    let plain = kind.chars().filter(char::is_ascii_alphanumeric);
    let plain = plain.map(|it| it.to_ascii_lowercase()).collect::<String>();
    plain.trim_end_matches('s').replace("awswaf2", "awswafv2")
}
