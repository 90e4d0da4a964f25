//! `alarm-topic-policy`: CloudWatch may not publish to the topic of an alarm.

use serde_json::Value;

use crate::checks::alarms::{alarms, title};
use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmTopicPolicy;

const ABOUT: About = About {
    id: "alarm-topic-policy",
    title: "CloudWatch may not publish to the topic of an alarm",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-topic-policy.md"),
};

impl Check for AlarmTopicPolicy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for alarm in alarms(deployment) {
            for action in &alarm.actions {
                let Some(topic) = deployment.referred(action, &alarm.item) else { continue };
                if topic.kind != "AWS::SNS::Topic" {
                    continue;
                }
                if topic.values["KmsMasterKeyId"] == "alias/aws/sns" {
                    let message = format!(
                        "{} tells a topic whose key `alias/aws/sns` CloudWatch may not use",
                        title(alarm)
                    );
                    findings
                        .add(topic.place().member("KmsMasterKeyId"), message)
                        .help("encrypt the topic with a key of your own that lets cloudwatch.amazonaws.com use it")
                        .related(alarm.place(), "the alarm");
                    continue;
                }
                for policy in &deployment.topic_policies {
                    let is_its = policy.topics.iter().any(|one| {
                        deployment
                            .referred(one, &policy.item)
                            .is_some_and(|it| it.item == topic.item)
                    });
                    if !is_its || allows(&policy.document) != Some(false) {
                        continue;
                    }
                    let message = format!(
                        "the policy of the topic of {} does not let CloudWatch publish",
                        title(alarm)
                    );
                    findings
                        .add(policy.place().member("PolicyDocument"), message)
                        .help("allow sns:Publish to the service cloudwatch.amazonaws.com")
                        .related(alarm.place(), "the alarm");
                }
            }
        }
    }
}

/// Whether a policy lets CloudWatch publish; `None` if nobody can tell.
fn allows(document: &Value) -> Option<bool> {
    let statements = &document["Statement"];
    if !marker::is_known(document) || !marker::is_known(statements) {
        return None;
    }
    let mut open = Some(false);
    for statement in list(statements) {
        if statement["Effect"] != "Allow"
            || !statement["NotPrincipal"].is_null()
            || !statement["NotAction"].is_null()
        {
            // Deny and the inverse forms are rare in topics: nobody tells then.
            open = None;
            continue;
        }
        let publishes = list(&statement["Action"]).iter().any(|action| {
            action.as_str().is_none_or(|it| {
                let it = it.to_ascii_lowercase();
                matches!(it.as_str(), "*" | "sns:*" | "sns:publish" | "sns:pub*" | "sns:p*")
            })
        });
        let principal = &statement["Principal"];
        let is_open =
            principal == "*" || principal["AWS"].is_array() || !principal["AWS"].is_null();
        let services = list(&principal["Service"]);
        let is_meant = is_open
            || marker::any(principal)
            || services.iter().any(|one| one == &"cloudwatch.amazonaws.com");
        if publishes && is_meant {
            return Some(true);
        }
    }
    open
}

/// One or several, as policies write it.
fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().collect(),
        Value::Null => Vec::new(),
        one => vec![one],
    }
}
