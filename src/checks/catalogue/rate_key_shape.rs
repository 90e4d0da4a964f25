//! `rate-key-shape`: the key of a rate rule is incomplete or contradicts itself.

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::CUSTOM_KEYS;

/// The check.
#[derive(Debug)]
pub struct RateKeyShape;

const ABOUT: About = About {
    id: "rate-key-shape",
    title: "The key of a rate rule is incomplete or contradicts itself",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rate-key-shape.md"),
};

impl Check for RateKeyShape {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let raw = rate.raw;
            let keys = &raw["CustomKeys"];
            let is_known = !marker::is_unknown(keys) && !marker::is_hidden(keys);
            let parts = rate.key_parts();
            let fault = match rate.key_type() {
                Some("CONSTANT") if !rate.is_scoped() => {
                    Some("counts everything together and has no scope-down".to_owned())
                }
                Some("CUSTOM_KEYS") if is_known && parts.is_empty() => {
                    Some("counts by CUSTOM_KEYS and has none".to_owned())
                }
                Some("CUSTOM_KEYS") if parts.len() > CUSTOM_KEYS => {
                    Some(format!("has {} custom keys, and AWS takes {CUSTOM_KEYS}", parts.len()))
                }
                Some("CUSTOM_KEYS")
                    if parts.len() == 1 && matches!(parts[0].kind, "IP" | "ForwardedIP") =>
                {
                    Some("has the address as its only custom key, which AWS refuses".to_owned())
                }
                Some(kind @ ("IP" | "FORWARDED_IP" | "CONSTANT")) if !parts.is_empty() => {
                    Some(format!("has custom keys and counts by {kind}"))
                }
                Some(kind @ ("FORWARDED_IP" | "CUSTOM_KEYS"))
                    if raw["ForwardedIPConfig"].is_null()
                        && (kind == "FORWARDED_IP"
                            || parts.iter().any(|part| part.kind == "ForwardedIP")) =>
                {
                    Some(
                        "counts by a forwarded address and does not say which header holds it"
                            .to_owned(),
                    )
                }
                Some("IP" | "FORWARDED_IP" | "CUSTOM_KEYS" | "CONSTANT") | None => None,
                Some(other) => Some(format!("counts by `{other}`, which AWS does not know")),
            };
            if let Some(fault) = fault {
                findings
                    .add(
                        rule.place().member("AggregateKeyType"),
                        format!("{} {fault}", rule.title()),
                    )
                    .help("AWS refuses it when it is applied");
            }
            for part in parts {
                let has_capitals = part
                    .name
                    .is_some_and(|name| name.bytes().any(|byte| byte.is_ascii_uppercase()));
                if matches!(part.kind, "Header" | "QueryArgument") && has_capitals {
                    findings
                        .add(rule.place().member("CustomKeys"), format!("{} has a name with capitals in its key, which comes back in lower case: every plan shows a change", rule.title()))
                        .help("write the name in lower case")
                        .severity(Severity::Note);
                }
            }
        }
    }
}
