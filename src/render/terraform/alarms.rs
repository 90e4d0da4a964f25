//! One alarm per rule, and the topic they report to.

use super::super::Error;
use super::super::hcl::{Content, call, list, number, object, reference, text};
use super::{Stack, provider};
use crate::rules::{Action, Alarms, RateRule, RuleSet};
use crate::units::count;

/// Seconds of an alarm's period; WAF sends a figure a minute.
const PERIOD: u32 = 300;

/// The topic that the policy names, if it does.
pub(super) fn given_topic(set: &RuleSet) -> Option<&str> {
    set.alarms.as_ref()?.topic_arn.as_deref()
}

/// The local that holds it.
pub(super) fn topic_local(stack: &Stack<'_>) -> String {
    format!("{}_alarm_topic_arn", stack.labels.set)
}

/// Refuses a topic that these alarms cannot report to: an alarm notifies topics of its own Region
/// only, and the metrics of a web ACL for CloudFront are in us-east-1.
pub(super) fn check(set: &RuleSet) -> Result<(), Error> {
    let Some(arn) = given_topic(set) else {
        return Ok(());
    };
    let refused = |reason| Err(Error::Topic { arn: arn.to_owned(), reason });
    let parts: Vec<&str> = arn.split(':').collect();
    let [start, partition, service, region, account, name] = parts.as_slice() else {
        return refused("it is no ARN of a topic, like arn:aws:sns:us-east-1:123456789012:alerts");
    };
    let is_word = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    if *start != "arn" || !is_word(partition) || *service != "sns" || !is_account {
        return refused("it is no ARN of a topic, like arn:aws:sns:us-east-1:123456789012:alerts");
    }
    if !is_word(name.strip_suffix(".fifo").unwrap_or(name)) {
        return refused("the topic's name has characters that SNS does not take");
    }
    if *region != "us-east-1" {
        return refused("an alarm on a web ACL for CloudFront can only use a topic in us-east-1");
    }
    Ok(())
}

pub(super) fn write(stack: &Stack<'_>, file: &mut Content) {
    let Some(alarms) = &stack.set.alarms else {
        return;
    };
    let label = format!("{}_alarms", stack.labels.set);
    let topic = if alarms.topic_arn.is_some() {
        reference(&["local", &topic_local(stack)])
    } else {
        write_topic(stack, &label, file);
        reference(&["aws_sns_topic", &label, "arn"])
    };
    for (place, rule) in stack.rules.iter().enumerate() {
        if place == 0 {
            file.comment(
                "A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm \
                 sees no data and stays green. Figures are sent only when there is something to count.",
            );
        }
        let name = stack.labels.of(&rule.name);
        file.block("resource", &["aws_cloudwatch_metric_alarm", name], |resource| {
            write_alarm(stack, rule, alarms, &topic, resource);
        });
    }
}

fn write_alarm(
    stack: &Stack<'_>,
    rule: &RateRule,
    alarms: &Alarms,
    topic: &::hcl::Expression,
    resource: &mut Content,
) {
    let (metric, done) = match rule.action {
        Action::Block => ("BlockedRequests", "blocked"),
        Action::Count => ("CountedRequests", "counted"),
        Action::Challenge => ("ChallengeRequests", "challenged"),
        Action::Captcha => ("CaptchaRequests", "given a CAPTCHA"),
    };
    let requests = match alarms.threshold {
        0 => "Requests".to_owned(),
        some => format!("More than {}", count(some.into(), "request", "requests")),
    };
    let description =
        format!("{requests} over the limit of {} were {done} within 5 minutes", rule.name);
    provider(resource);
    // The name says nothing about the action, so that going from count to block keeps the alarm.
    resource.attribute("alarm_name", text(format!("{}-over-limit", rule.name)));
    resource.attribute("alarm_description", text(description));
    resource.attribute("namespace", text("AWS/WAFV2"));
    resource.attribute("metric_name", text(metric));
    let acl = reference(&["aws_wafv2_web_acl", &stack.labels.web_acl, "name"]);
    resource.attribute("dimensions", object([("WebACL", acl), ("Rule", text(&rule.name))]));
    resource.attribute("statistic", text("Sum"));
    resource.attribute("period", number(PERIOD));
    resource.attribute("evaluation_periods", number(1_u32));
    resource.attribute("datapoints_to_alarm", number(1_u32));
    resource.attribute("comparison_operator", text("GreaterThanThreshold"));
    resource.attribute("threshold", number(alarms.threshold));
    resource.attribute("treat_missing_data", text("notBreaching"));
    resource.attribute("alarm_actions", list([topic.clone()]));
    resource.attribute("ok_actions", list([topic.clone()]));
}

/// A topic that CloudWatch may publish to, for this account's alarms only.
fn write_topic(stack: &Stack<'_>, label: &str, file: &mut Content) {
    let account = reference(&["data", "aws_caller_identity", label, "account_id"]);
    let arn = || reference(&["aws_sns_topic", label, "arn"]);
    file.block("data", &["aws_caller_identity", label], |data| {
        data.attribute("provider", reference(&["aws", super::PROVIDER]));
    });
    file.comment("Subscribe to it where you keep subscriptions; it has none of its own.");
    file.block("resource", &["aws_sns_topic", label], |resource| {
        provider(resource);
        resource.attribute("name", text(format!("{}-alarms", stack.set.name)));
    });
    file.block("resource", &["aws_sns_topic_policy", label], |resource| {
        provider(resource);
        resource.attribute("arn", arn());
        let statement = object([
            ("Sid", text("CloudWatchAlarmsOfThisAccount")),
            ("Effect", text("Allow")),
            ("Principal", object([("Service", text("cloudwatch.amazonaws.com"))])),
            ("Action", text("sns:Publish")),
            ("Resource", arn()),
            ("Condition", object([("StringEquals", object([("aws:SourceAccount", account)]))])),
        ]);
        let policy = object([("Version", text("2012-10-17")), ("Statement", list([statement]))]);
        resource.attribute("policy", call("jsonencode", policy));
    });
    file.block("output", &[&format!("{label}_topic_arn")], |output| {
        output.attribute("description", text("The SNS topic of the rate-limit alarms"));
        output.attribute("value", arn());
    });
}
