//! `replica-without-stream`: a table of counters has replicas and no stream.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ReplicaWithoutStream;

const ABOUT: About = About {
    id: "replica-without-stream",
    title: "A table of counters has replicas and no stream",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/replica-without-stream.md"),
};

impl Check for ReplicaWithoutStream {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for table in context.deployment.of_kind("AWS::DynamoDB::Table") {
            let values = &table.values;
            let replicas = values["Replicas"].as_array().is_some_and(|it| !it.is_empty());
            let stream = &values["StreamEnabled"];
            let has_stream =
                values["StreamSpecification"].is_object() || !(stream.is_null() || stream == false);
            if replicas && !has_stream {
                findings
                    .add(
                        table.place(),
                        format!("`{}` has replicas and no stream to feed them", table.item.address),
                    )
                    .help("enable a stream of new and old images");
            }
        }
    }
}
