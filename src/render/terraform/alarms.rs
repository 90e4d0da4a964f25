//! One alarm per rule, and the topic they report to.

use super::super::hcl::{Content, call, list, number, object, text};
use super::Terraform;
use super::files::{File, Files};
use crate::stack::{Alarm, Attribute, Resource, Topic, Value, WafMetric};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    if let Some(Topic::Made { name }) = &terraform.stack.topic {
        write_topic(terraform, name, files);
    }
    files.part(File::Alarms, |file| {
        for (place, alarm) in terraform.stack.alarms.iter().enumerate() {
            if place == 0 {
                file.comment(terraform.stack.home.about_metrics());
            }
            if let Some(about) = &alarm.about {
                file.comment(about);
            }
            let label = terraform.labels.of(&alarm.rule);
            file.block("resource", &["aws_cloudwatch_metric_alarm", label], |resource| {
                write_alarm(terraform, alarm, resource);
            });
        }
    });
}

fn write_alarm(terraform: &Terraform<'_>, alarm: &Alarm, resource: &mut Content) {
    let topic = match &terraform.stack.topic {
        Some(Topic::Given(_)) => terraform.given_topic(),
        Some(Topic::Made { .. }) | None => terraform.value(&alarm.topic),
    };
    terraform.home(resource);
    resource.attribute("alarm_name", text(&alarm.name));
    resource.attribute("alarm_description", text(&alarm.description));
    resource.attribute("namespace", text(WafMetric::NAMESPACE));
    resource.attribute("metric_name", text(alarm.metric.name));
    let dimensions = alarm.metric.dimensions.iter();
    let dimensions = dimensions.map(|one| (one.name, terraform.value(&one.value)));
    resource.attribute("dimensions", object(dimensions));
    resource.attribute("statistic", text("Sum"));
    resource.attribute("period", number(alarm.period));
    resource.attribute("evaluation_periods", number(1_u32));
    resource.attribute("datapoints_to_alarm", number(1_u32));
    resource.attribute("comparison_operator", text("GreaterThanThreshold"));
    resource.attribute("threshold", number(alarm.threshold));
    resource.attribute("treat_missing_data", text("notBreaching"));
    if !alarm.actions_enabled {
        resource.attribute("actions_enabled", false);
    }
    resource.attribute("alarm_actions", list([topic.clone()]));
    resource.attribute("ok_actions", list([topic]));
    terraform.tags(resource);
}

/// A topic that CloudWatch may publish to, for this account's alarms only.
fn write_topic(terraform: &Terraform<'_>, name: &str, files: &mut Files) {
    let label = terraform.labels.alarms();
    let account = terraform.value(&Value::Of(Resource::Account, Attribute::Id));
    let arn = || terraform.value(&Value::arn(Resource::Topic));
    files.part(File::Alarms, |file| {
        terraform.bare_data("aws_caller_identity", &label, file);
        file.comment("Subscribe to it where you keep subscriptions; it has none of its own.");
        file.block("resource", &["aws_sns_topic", &label], |resource| {
            terraform.home(resource);
            resource.attribute("name", text(name));
            terraform.tags(resource);
        });
        file.block("resource", &["aws_sns_topic_policy", &label], |resource| {
            terraform.home(resource);
            resource.attribute("arn", arn());
            let source = object([("aws:SourceAccount", account)]);
            let statement = object([
                ("Sid", text("CloudWatchAlarmsOfThisAccount")),
                ("Effect", text("Allow")),
                ("Principal", object([("Service", text("cloudwatch.amazonaws.com"))])),
                ("Action", text("sns:Publish")),
                ("Resource", arn()),
                ("Condition", object([("StringEquals", source)])),
            ]);
            let policy =
                object([("Version", text("2012-10-17")), ("Statement", list([statement]))]);
            resource.attribute("policy", call("jsonencode", policy));
        });
    });
    files.part(File::Outputs, |file| {
        file.block("output", &[&format!("{label}_topic_arn")], |output| {
            output.attribute("description", text("The SNS topic of the rate-limit alarms"));
            output.attribute("value", arn());
        });
    });
}
