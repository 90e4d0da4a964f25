//! The action of a rule and the answer to a blocked request.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use super::error::Error;
use super::names::check_name;
use super::web_acl::{
    BlockAction, CustomHttpHeader, CustomResponse, CustomResponseBody, Empty, RuleAction,
};
use crate::quotas;
use crate::rules::{Action, RateRule, Response, Role, RuleSet};

/// The answers of a rule set: a body is declared once, and only if a rule blocks, as AWS refuses a key
/// without a body and a body without a rule is litter.
pub(super) struct Answers {
    /// What all answers share; `None`: AWS WAF's own.
    common: Option<CustomResponse>,
    /// Limit and window of each rule by its name; `None`: no header tells them.
    told: Option<BTreeMap<String, (u32, u32)>>,
    pub(super) bodies: BTreeMap<String, CustomResponseBody>,
}

/// The header that tells a client what it may send (draft-ietf-httpapi-ratelimit-headers).
pub const POLICY_HEADER: &str = "RateLimit-Policy";

/// What [`POLICY_HEADER`] says about a rule: `"acl-token";q=300;w=300`.
#[must_use]
pub fn policy_header(rule: &str, limit: impl Display, window: impl Display) -> String {
    format!("\"{rule}\";q={limit};w={window}")
}

impl Answers {
    pub(super) fn new(set: &RuleSet) -> Result<Self, Error> {
        let blocks = set.rules.iter().any(|rule| rule.action == Action::Block);
        // AWS WAF's own answer needs no custom response, and the Free plan of CloudFront refuses any.
        if !blocks || set.response.is_plain_block() {
            return Ok(Self { common: None, told: None, bodies: BTreeMap::new() });
        }
        let Response { status, retry_after, body, tells_policy, headers } = &set.response;
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
        let retry_after = retry_after.map(|seconds| CustomHttpHeader {
            name: "Retry-After".to_owned(),
            value: seconds.to_string(),
        });
        let more = headers
            .iter()
            .map(|(name, value)| CustomHttpHeader { name: name.clone(), value: value.clone() });
        let response_headers: Vec<CustomHttpHeader> = retry_after.into_iter().chain(more).collect();
        check_headers(&response_headers, usize::from(*tells_policy))?;
        let common = CustomResponse {
            response_code: *status,
            custom_response_body_key: key,
            response_headers,
        };
        let numbers =
            |rule: &RateRule| (rule.name.clone(), (rule.limit.requests(), rule.window.seconds()));
        let told = tells_policy.then(|| set.rules.iter().map(numbers).collect());
        Ok(Self { common: Some(common), told, bodies })
    }

    pub(super) fn action(&self, rule: &RateRule) -> RuleAction {
        match rule.action {
            Action::Count => RuleAction::Count(Empty {}),
            Action::Block => RuleAction::Block(BlockAction { custom_response: self.answer(rule) }),
            Action::Challenge => RuleAction::Challenge(Empty {}),
            Action::Captcha => RuleAction::Captcha(Empty {}),
        }
    }

    fn answer(&self, rule: &RateRule) -> Option<CustomResponse> {
        let mut answer = self.common.clone()?;
        // A second rule answers in place of the main one, whose limit is the one to keep.
        let name = match &rule.role {
            Role::Second { main } => main,
            Role::Main | Role::Twin { .. } | Role::SharedTwin { .. } => &rule.name,
        };
        if let Some((limit, window)) = self.told.as_ref().and_then(|told| told.get(name)) {
            let value = policy_header(name, limit, window);
            let header = CustomHttpHeader { name: POLICY_HEADER.to_owned(), value };
            answer.response_headers.push(header);
        }
        Some(answer)
    }
}

/// What AWS WAF takes as headers of an answer (API, `CustomHTTPHeader`; guide, "limits").
fn check_headers(headers: &[CustomHttpHeader], more: usize) -> Result<(), Error> {
    let refused = |name: &str, reason| Err(Error::Header { name: name.to_owned(), reason });
    let mut seen = BTreeSet::new();
    for CustomHttpHeader { name, value } in headers {
        let characters = |byte: u8| byte.is_ascii_alphanumeric() || b"._$-".contains(&byte);
        if !(1..=quotas::RESPONSE_HEADER_NAME).contains(&name.len())
            || !name.bytes().all(characters)
        {
            return refused(name, "a name has 1 to 64 letters, digits, `.`, `_`, `$` or `-`");
        }
        if !(1..=quotas::RESPONSE_HEADER_VALUE).contains(&value.len()) {
            return refused(name, "a value has 1 to 255 characters");
        }
        if name.eq_ignore_ascii_case("content-type") {
            return refused(name, "the type follows the body");
        }
        let policy = more > 0 && name.eq_ignore_ascii_case(POLICY_HEADER);
        if policy || !seen.insert(name.to_ascii_lowercase()) {
            return refused(name, "it would be sent twice");
        }
    }
    if headers.len() + more > quotas::RESPONSE_HEADERS {
        return refused(&headers[0].name, "an answer has 10 headers at most");
    }
    Ok(())
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
