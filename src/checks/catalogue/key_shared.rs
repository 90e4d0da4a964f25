//! `key-shared`: one client can use up the limit of everybody.

use crate::checks::requests::{Requests, speed};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct KeyShared;

const ABOUT: About = About {
    id: "key-shared",
    title: "One client can use up the limit of everybody",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/key-shared.md"),
};

impl Check for KeyShared {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (acl, rule, rate) in context.rates() {
            let is_shared = match rate.key_type() {
                Some("CONSTANT") => true,
                Some("CUSTOM_KEYS") => {
                    let parts = rate.key_parts();
                    !parts.is_empty()
                        && parts.iter().all(|part| matches!(part.kind, "HTTPMethod" | "UriPath"))
                }
                _ => false,
            };
            if !is_shared {
                continue;
            }
            let guarded = acl.rules.iter().any(|other| {
                let Some(own) = other.rate() else { return false };
                let slower = speed(own).zip(speed(rate)).is_some_and(|(own, shared)| own < shared);
                other.name != rule.name
                    && matches!(own.key_type(), Some("IP" | "FORWARDED_IP"))
                    && slower
                    && Requests::of(deployment, &[other, rule]).covers(other, rule) == Some(true)
            });
            if !guarded {
                let message = format!(
                    "{} has one count for all clients: one of them can use up {} for everybody",
                    rule.title(),
                    rate.in_words()
                );
                findings
                    .add(rule.place().member("AggregateKeyType"), message)
                    .help("add a rule by IP with a lower limit for the same requests");
            }
        }
    }
}
