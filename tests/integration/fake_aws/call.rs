//! A call as a service understands it, and how the service says no.

use std::time::Instant;

use serde_json::{Value, json};

use super::cloudwatch::cbor;
use super::wire::{Message, Reply};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Waf,
    CloudWatch,
    CloudFront,
    Sts,
}

/// One call that was made.
#[derive(Clone, Debug)]
pub struct Call {
    pub service: Service,
    /// Such as `UpdateWebACL`.
    pub operation: String,
    /// The Region that the request is signed for.
    pub region: String,
    /// JSON: of WAF the bytes that were sent, of CloudWatch what the CBOR says; XML of CloudFront.
    pub body: String,
    /// Path and query.
    pub target: String,
    pub if_match: Option<String>,
    /// When it came.
    pub at: Instant,
}

impl Call {
    /// `None`: no service of ours.
    pub fn of(message: &Message) -> Option<Self> {
        let path = message.target.split('?').next()?;
        let text = || String::from_utf8_lossy(&message.body).into_owned();
        let (service, operation, body) = if let Some(target) = message.header("x-amz-target") {
            (Service::Waf, target.strip_prefix("AWSWAF_20190729.")?.to_owned(), text())
        } else if let Some(rest) = path.strip_prefix("/service/GraniteServiceVersion20100801/") {
            let operation = rest.strip_prefix("operation/")?.to_owned();
            (Service::CloudWatch, operation, cbor::read(&message.body).to_string())
        } else if let Some(rest) = path.strip_prefix("/2020-05-31/") {
            let operation = super::cloudfront::operation(&message.method, rest)?;
            (Service::CloudFront, operation.to_owned(), text())
        } else {
            let body = text();
            let action = body.split('&').find_map(|pair| pair.strip_prefix("Action="))?.to_owned();
            (Service::Sts, action, body)
        };
        Some(Self {
            service,
            operation,
            region: signed_for(message).unwrap_or_else(|| "us-east-1".to_owned()),
            body,
            target: message.target.clone(),
            if_match: message.header("if-match").map(str::to_owned),
            at: Instant::now(),
        })
    }

    /// The body of WAF and CloudWatch, understood; null if it is no JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub fn is_write(&self) -> bool {
        let verbs =
            ["Create", "Update", "Put", "Delete", "Tag", "Untag", "Associate", "Disassociate"];
        verbs.iter().any(|verb| self.operation.starts_with(verb))
    }
}

/// The Region in `Credential=KEY/20260914/us-east-1/wafv2/aws4_request`.
fn signed_for(message: &Message) -> Option<String> {
    let (_, scope) = message.header("authorization")?.split_once("Credential=")?;
    scope.split('/').nth(2).map(str::to_owned)
}

/// What a service answers in place of a result.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub status: u16,
    /// Such as `WAFOptimisticLockException`.
    pub code: String,
    pub message: String,
    /// What else the error says.
    pub members: Vec<(String, Value)>,
}

impl Refusal {
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Self { status, code: code.to_owned(), message: message.into(), members: Vec::new() }
    }

    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.push((name.to_owned(), value.into()));
        self
    }

    /// In the words of a service.
    pub fn reply(&self, service: Service) -> Reply {
        let Self { status, code, message, members } = self;
        let xml = |kind: &str| {
            format!(
                "<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>{}</Message></Error><{kind}>1</{kind}></ErrorResponse>",
                super::xml::escaped(message)
            )
        };
        let (headers, body) = match service {
            Service::Waf => {
                let kind = format!("com.amazonaws.wafv2#{code}");
                let mut body = json!({ "__type": kind, "message": message });
                body.as_object_mut().unwrap().extend(members.clone());
                (
                    vec![("Content-Type", "application/x-amz-json-1.1".to_owned())],
                    body.to_string().into_bytes(),
                )
            }
            Service::CloudWatch => {
                let body = json!({ "__type": format!("com.amazonaws.cloudwatch#{code}"), "message": message });
                let headers = vec![
                    ("Content-Type", "application/cbor".to_owned()),
                    ("smithy-protocol", "rpc-v2-cbor".to_owned()),
                    ("x-amzn-query-error", format!("{code};Sender")),
                ];
                (headers, cbor::written(&body))
            }
            Service::CloudFront | Service::Sts => {
                (vec![("Content-Type", "text/xml".to_owned())], xml("RequestId").into_bytes())
            }
        };
        Reply { status: *status, headers, body }
    }
}
