//! Where the web ACL is logged.

use serde_json::Value as Json;

use super::build::Builder;
use super::node::{Node, member};
use super::template::{Kind, Resource};
use crate::rules::LogDestination;
use crate::stack::{self, Stack, Value};

pub(super) fn build(builder: &mut Builder<'_>) {
    let stack = builder.stack;
    let Some(logging) = &stack.logging else { return };
    let mut depends_on = Vec::new();
    if let LogDestination::LogGroup { name, retention_days } = &logging.destination {
        let id = builder.name(stack::Resource::LogDestination, "", "WafLogs");
        let properties =
            vec![member("LogGroupName", name.clone()), member("RetentionInDays", *retention_days)];
        let mut group = Resource::new(&id, Kind::LOG_GROUP, properties);
        // The evidence outlives a stack that was deleted in a hurry.
        group.retain = true;
        builder.add(group);
        depends_on.push(id);
    }
    let mut properties = vec![
        member("ResourceArn", builder.value(&Value::arn(stack::Resource::WebAcl))),
        member("LogDestinationConfigs", Node::list([destination_arn(stack)])),
    ];
    if !logging.redacted.is_empty() {
        let fields = logging.redacted.iter().map(|field| {
            // A typed shape of ours always becomes JSON.
            match Node::of(serde_json::to_value(field).unwrap_or_default()) {
                Node::Map(kinds) => Node::Map(
                    kinds
                        .into_iter()
                        .map(|kind| member(&kind.key, Node::Verbatim(Box::new(kind.value))))
                        .collect(),
                ),
                other => other,
            }
        });
        properties.push(member("RedactedFields", Node::list(fields)));
    }
    if let Some(filter) = &logging.filter {
        let filter: Json = serde_json::to_value(filter).unwrap_or_default();
        // To the CDK it is a document, whose keys it does not spell.
        properties.push(member("LoggingFilter", Node::Verbatim(Box::new(Node::of(filter)))));
    }
    let id = builder.ids.of("", "WafLogging");
    let mut resource =
        Resource::new(&id, Kind::LOGGING, properties).about(logging.about.iter().cloned());
    resource.depends_on = depends_on;
    builder.add(resource);
}

/// The ARN of the destination. That of a log group is put together because `Fn::GetAtt` gives it with
/// `:*` at its end, which WAF refuses; a bucket or a stream is not the template's.
pub(super) fn destination_arn(stack: &Stack) -> Node {
    let Some(logging) = &stack.logging else { return Node::Text(String::new()) };
    let text = |text: &str| Node::Text(text.to_owned());
    let pseudo = |name: &str| Node::Ref(format!("AWS::{name}"));
    let region = || [text(":"), pseudo("Region"), text(":"), pseudo("AccountId")];
    let mut parts = vec![text("arn:"), pseudo("Partition")];
    match &logging.destination {
        LogDestination::LogGroup { name, .. } => {
            parts.push(text(":logs"));
            parts.extend(region());
            parts.push(Node::Text(format!(":log-group:{name}")));
        }
        LogDestination::Bucket(name) => parts.push(Node::Text(format!(":s3:::{name}"))),
        LogDestination::Firehose(name) => {
            parts.push(text(":firehose"));
            parts.extend(region());
            parts.push(Node::Text(format!(":deliverystream/{name}")));
        }
    }
    Node::Join(parts)
}
