//! `logging-destination`: WAF refuses the place that logs should go to.

use serde_json::Value;

use crate::checks::model::{Deployment, Item};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct LoggingDestination;

const ABOUT: About = About {
    id: "logging-destination",
    title: "WAF refuses the place that logs should go to",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/logging-destination.md"),
};

impl Check for LoggingDestination {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for logging in &deployment.loggings {
            let place = || logging.place().member("LogDestinationConfigs");
            if logging.destinations.len() > 1 {
                findings
                    .add(
                        place(),
                        format!(
                            "logs are to go to {} places, and AWS takes one",
                            logging.destinations.len()
                        ),
                    )
                    .help("keep one, and copy from there");
            }
            for destination in &logging.destinations {
                if destination.as_str().is_some_and(|it| it.ends_with(":*")) {
                    findings
                        .add(place(), "the ARN of the log group ends in `:*`, which WAF refuses")
                        .help("leave `:*` off");
                }
                let Some(name) = name(deployment, destination, &logging.item) else { continue };
                if !name.starts_with(PREFIX) {
                    findings
                        .add(place(), format!("logs are to go to `{name}`, and WAF writes only where the name begins with `{PREFIX}`"))
                        .help(format!("call it `{PREFIX}{name}`"));
                }
            }
        }
    }
}

/// What all destinations are called.
const PREFIX: &str = "aws-waf-logs-";

/// The name of a destination, if it is known.
fn name(deployment: &Deployment, destination: &Value, from: &Item) -> Option<String> {
    if let Some(arn) = destination.as_str() {
        let mut parts = arn.splitn(6, ':');
        let service = parts.nth(2)?;
        let rest = parts.nth(2)?;
        let name = match service {
            "logs" => rest.strip_prefix("log-group:")?.trim_end_matches(":*"),
            "firehose" => rest.strip_prefix("deliverystream/")?,
            "s3" => rest.split('/').next()?,
            _ => return None,
        };
        return Some(name.to_owned());
    }
    let resource = deployment.referred(destination, from)?;
    ["LogGroupName", "BucketName", "DeliveryStreamName", "Name", "Bucket"]
        .iter()
        .find_map(|member| resource.values[*member].as_str())
        .map(str::to_owned)
}
