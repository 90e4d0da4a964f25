//! `edge-function`: a function at CloudFront's edge is made in a way that CloudFront refuses.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct EdgeFunction;

const ABOUT: About = About {
    id: "edge-function",
    title: "A function at CloudFront's edge is made in a way that CloudFront refuses",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/edge-function.md"),
};

impl Check for EdgeFunction {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for distribution in &deployment.distributions {
            for value in associated(&distribution.raw) {
                let Some(function) = deployment.referred(value, &distribution.item) else {
                    continue;
                };
                if function.kind != "AWS::Lambda::Function" {
                    continue;
                }
                let values = &function.values;
                let variables = &values["Environment"]["Variables"];
                let fault = if variables.as_object().is_some_and(|it| !it.is_empty())
                    || marker::is_hidden(variables)
                {
                    "has environment variables, which functions at the edge cannot have"
                } else if values["Publish"] == false {
                    "is not published, and CloudFront takes published versions only"
                } else if marker::resource(value).is_some_and(|(_, attribute)| attribute == "Arn") {
                    "is associated without a version"
                } else {
                    continue;
                };
                findings
                    .add(function.place(), format!("`{}` {fault}", function.item.address))
                    .help("publish it, and associate its qualified ARN")
                    .related(distribution.place(), "runs it");
            }
        }
    }
}

/// The functions that cache behaviours of a distribution run.
fn associated(config: &Value) -> Vec<&Value> {
    let first = [&config["DefaultCacheBehavior"]];
    let others = config["CacheBehaviors"].as_array().into_iter().flatten();
    first
        .into_iter()
        .chain(others)
        .filter_map(|one| one["LambdaFunctionAssociations"].as_array())
        .flatten()
        .filter_map(|one| {
            ["LambdaFunctionARN", "LambdaArn", "LambdaARN"]
                .iter()
                .map(|it| &one[*it])
                .find(|it| !it.is_null())
        })
        .collect()
}
