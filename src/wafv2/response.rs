//! The action of a rule and the answer to a blocked request.

use std::collections::BTreeMap;

use super::error::Error;
use super::names::check_name;
use super::web_acl::{
    BlockAction, CustomHttpHeader, CustomResponse, CustomResponseBody, Empty, RuleAction,
};
use crate::quotas;
use crate::rules::{Action, Response, RuleSet};

/// The answers of a rule set: declared once, and only if a rule blocks, as AWS refuses a key without
/// a body and a body without a rule is litter.
pub(super) struct Answers {
    blocking: BlockAction,
    pub(super) bodies: BTreeMap<String, CustomResponseBody>,
}

impl Answers {
    pub(super) fn new(set: &RuleSet) -> Result<Self, Error> {
        let blocks = set.rules.iter().any(|rule| rule.action == Action::Block);
        // AWS WAF's own answer needs no custom response, and the Free plan of CloudFront refuses any.
        if !blocks || set.response.is_plain_block() {
            return Ok(Self { blocking: BlockAction::default(), bodies: BTreeMap::new() });
        }
        let Response { status, retry_after, body } = &set.response;
        if !quotas::RESPONSE_CODES.contains(status) {
            return Err(Error::Status(*status));
        }
        if body.len() > quotas::RESPONSE_BODY_BYTES {
            return Err(Error::Body(body.len()));
        }
        let mut bodies = BTreeMap::new();
        let key = if body.is_empty() {
            None
        } else {
            let key = format!("{}-limited", set.name);
            check_name("a response body", &key)?;
            let content_type = content_type(body).to_owned();
            bodies.insert(key.clone(), CustomResponseBody { content_type, content: body.clone() });
            Some(key)
        };
        let response_headers = retry_after
            .map(|seconds| CustomHttpHeader {
                name: "Retry-After".to_owned(),
                value: seconds.to_string(),
            })
            .into_iter()
            .collect();
        let response = CustomResponse {
            response_code: *status,
            custom_response_body_key: key,
            response_headers,
        };
        Ok(Self { blocking: BlockAction { custom_response: Some(response) }, bodies })
    }

    pub(super) fn action(&self, action: &Action) -> RuleAction {
        match action {
            Action::Count => RuleAction::Count(Empty {}),
            Action::Block => RuleAction::Block(self.blocking.clone()),
            Action::Challenge => RuleAction::Challenge(Empty {}),
            Action::Captcha => RuleAction::Captcha(Empty {}),
        }
    }
}

/// JSON if it is JSON, HTML if it starts like it, else plain text.
fn content_type(body: &str) -> &'static str {
    if serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok() {
        "APPLICATION_JSON"
    } else if body.trim_start().starts_with('<') {
        "TEXT_HTML"
    } else {
        "TEXT_PLAIN"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_follows_the_body() {
        assert_eq!(content_type(r#"{"error":"slow down"}"#), "APPLICATION_JSON");
        assert_eq!(content_type("<!doctype html><p>Slow down"), "TEXT_HTML");
        assert_eq!(content_type("Slow down {please}"), "TEXT_PLAIN");
    }
}
