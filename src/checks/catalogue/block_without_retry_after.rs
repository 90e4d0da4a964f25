//! `block-without-retry-after`: a limited client is not told when to come back.

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct BlockWithoutRetryAfter;

const ABOUT: About = About {
    id: "block-without-retry-after",
    title: "A limited client is not told when to come back",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/block-without-retry-after.md"),
};

impl Check for BlockWithoutRetryAfter {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, _) in context.rates() {
            let response = &rule.raw["Action"]["Block"]["CustomResponse"];
            let code = response["ResponseCode"].as_u64();
            let headers = &response["ResponseHeaders"];
            if !matches!(code, Some(429 | 503))
                || marker::is_unknown(headers)
                || marker::is_hidden(headers)
            {
                continue;
            }
            let told = headers.as_array().into_iter().flatten().any(|header| {
                header["Name"].as_str().is_none_or(|name| name.eq_ignore_ascii_case("retry-after"))
            });
            if !told {
                let message = format!("{} does not tell clients when to come back", rule.title());
                findings
                    .add(rule.place().member("CustomResponse"), message)
                    .help("add the header Retry-After with the seconds of the window");
            }
        }
    }
}
