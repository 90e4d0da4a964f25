//! Alarms, the topic they report to, and the dashboard.

use super::super::dashboard::body;
use super::build::Builder;
use super::node::{Node, member};
use super::template::{Kind, Output, Resource};
use crate::stack::{self, Alarm, Dashboard, Topic, WafMetric};

pub(super) fn build(builder: &mut Builder<'_>) {
    let stack = builder.stack;
    if let Some(Topic::Made { name }) = &stack.topic {
        topic(builder, name);
    }
    for (place, one) in stack.alarms.iter().enumerate() {
        let about = (place == 0).then(|| stack.home.about_metrics().to_owned());
        let resource = alarm(builder, one);
        builder.add(resource.about(about).about(one.about.clone()));
    }
    if let Some(one) = &stack.dashboard {
        dashboard(builder, one);
    }
}

fn topic(builder: &mut Builder<'_>, name: &str) {
    let id = builder.name(stack::Resource::Topic, "", "AlarmTopic");
    let arn = || Node::Ref(id.clone());
    let properties = vec![member("TopicName", name)];
    let about = "Subscribe to it where you keep subscriptions; it has none of its own.".to_owned();
    builder.add(Resource::new(&id, Kind::TOPIC, properties).about([about]));
    let source = vec![member("aws:SourceAccount", Node::Ref("AWS::AccountId".to_owned()))];
    let statement = Node::Map(vec![
        member("Sid", "CloudWatchAlarmsOfThisAccount"),
        member("Effect", "Allow"),
        member("Principal", vec![member("Service", "cloudwatch.amazonaws.com")]),
        member("Action", "sns:Publish"),
        member("Resource", arn()),
        member("Condition", vec![member("StringEquals", source)]),
    ]);
    let document = Node::Map(vec![
        member("Version", "2012-10-17"),
        member("Statement", Node::list([statement])),
    ]);
    let properties = vec![
        member("Topics", Node::list([arn()])),
        member("PolicyDocument", Node::Verbatim(Box::new(document))),
    ];
    let policy = builder.ids.of("", "AlarmTopicPolicy");
    builder.add(Resource::new(&policy, Kind::TOPIC_POLICY, properties));
    builder.outputs.push(Output {
        id: "AlarmTopicArn".to_owned(),
        description: "The SNS topic of the rate-limit alarms".to_owned(),
        value: arn(),
    });
}

fn alarm(builder: &mut Builder<'_>, alarm: &Alarm) -> Resource {
    let dimensions = alarm.metric.dimensions.iter().map(|one| {
        Node::Map(vec![member("Name", one.name), member("Value", builder.value(&one.value))])
    });
    let dimensions = Node::list(dimensions);
    let topic = || Node::list([builder.value(&alarm.topic)]);
    let mut properties = vec![
        member("AlarmName", alarm.name.clone()),
        member("AlarmDescription", alarm.description.clone()),
        member("Namespace", WafMetric::NAMESPACE),
        member("MetricName", alarm.metric.name),
        member("Dimensions", dimensions),
        member("Statistic", "Sum"),
        member("Period", alarm.period),
        member("EvaluationPeriods", 1),
        member("DatapointsToAlarm", 1),
        member("ComparisonOperator", "GreaterThanThreshold"),
        member("Threshold", alarm.threshold),
        member("TreatMissingData", "notBreaching"),
    ];
    if !alarm.actions_enabled {
        properties.push(member("ActionsEnabled", false));
    }
    properties.push(member("AlarmActions", topic()));
    properties.push(member("OKActions", topic()));
    let id = builder.ids.of(&alarm.name, "Alarm");
    Resource::new(&id, Kind::ALARM, properties)
}

fn dashboard(builder: &mut Builder<'_>, dashboard: &Dashboard) {
    let properties = vec![
        member("DashboardName", dashboard.name.clone()),
        member("DashboardBody", body(dashboard, builder.stack)),
    ];
    let id = builder.ids.of("", "Dashboard");
    builder.add(Resource::new(&id, Kind::DASHBOARD, properties));
}
