//! `custom-response`: AWS refuses the answer of a blocked request.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::AclKind;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::{RESPONSE_BODIES_BYTES, RESPONSE_BODY_BYTES, RESPONSE_CODES, RESPONSE_HEADERS};

/// The check.
#[derive(Debug)]
pub struct CustomResponse;

const ABOUT: About = About {
    id: "custom-response",
    title: "AWS refuses the answer of a blocked request",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/custom-response.md"),
};

impl Check for CustomResponse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            let bodies = &acl.raw["CustomResponseBodies"];
            let sizes: Vec<(&String, usize)> = bodies
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(key, body)| Some((key, body["Content"].as_str()?.len())))
                .collect();
            for (key, size) in &sizes {
                if *size > RESPONSE_BODY_BYTES {
                    findings
                        .add(acl.place().member("CustomResponseBodies"), format!("the body `{key}` of {} has {size} bytes, and AWS takes {RESPONSE_BODY_BYTES}", acl.title()))
                        .help("make it shorter");
                }
            }
            let total: usize = sizes.iter().map(|(_, size)| size).sum();
            if total > RESPONSE_BODIES_BYTES {
                findings
                    .add(acl.place().member("CustomResponseBodies"), format!("the bodies of {} have {total} bytes together, and AWS takes {RESPONSE_BODIES_BYTES}", acl.title()))
                    .help("make them shorter");
            }
            let defaults = (
                acl.place(),
                format!("the default action of {}", acl.title()),
                &acl.raw["DefaultAction"]["Block"]["CustomResponse"],
            );
            let answers = acl.rules.iter().map(|rule| {
                (rule.place(), rule.title(), &rule.raw["Action"]["Block"]["CustomResponse"])
            });
            for (place, title, response) in answers.chain([defaults]) {
                for fault in faults(response) {
                    findings
                        .add(place.clone().member("CustomResponse"), format!("{title} {fault}"))
                        .help("AWS refuses it when it is applied");
                }
                let Some(key) = response["CustomResponseBodyKey"].as_str() else { continue };
                let is_readable = acl.kind != AclKind::Foreign
                    && !marker::is_unknown(bodies)
                    && !marker::is_hidden(bodies);
                if is_readable && bodies.get(key).is_none() {
                    findings
                        .add(
                            place.member("CustomResponseBodyKey"),
                            format!(
                                "{title} answers with the body `{key}`, which {} does not define",
                                acl.title()
                            ),
                        )
                        .help("define it with custom_response_body, or drop the key");
                }
            }
        }
    }
}

fn faults(response: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(code) = response["ResponseCode"].as_u64()
        && !RESPONSE_CODES.iter().any(|it| u64::from(*it) == code)
    {
        faults.push(format!("answers with the status {code}, which AWS does not take"));
    }
    let headers: Vec<String> = response["ResponseHeaders"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| Some(one["Name"].as_str()?.to_ascii_lowercase()))
        .collect();
    if headers.len() > RESPONSE_HEADERS {
        faults.push(format!(
            "answers with {} headers, and AWS takes {RESPONSE_HEADERS}",
            headers.len()
        ));
    }
    for (place, name) in headers.iter().enumerate() {
        if name == "content-type" {
            faults.push("sets the header content-type, which comes from the body".to_owned());
        } else if headers[..place].contains(name) {
            faults.push(format!("sets the header `{name}` twice"));
        }
    }
    faults
}
