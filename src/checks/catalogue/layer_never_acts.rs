//! `layer-never-acts`: what stands behind AWS WAF is looser than AWS WAF.

use crate::checks::layers::{inner, outer};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct LayerNeverActs;

const ABOUT: About = About {
    id: "layer-never-acts",
    title: "A limit behind AWS WAF is looser than AWS WAF's own and never acts",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/layer-never-acts.md"),
};

impl Check for LayerNeverActs {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for outer in outer(context) {
            // Of other keys a client can have many.
            if outer.rate.key_type() != Some("IP") {
                continue;
            }
            let (Some(limit), Some(window)) = (outer.rate.limit(), outer.rate.window()) else {
                continue;
            };
            for inner in inner(&outer) {
                if !inner.is_out_of_reach(limit, window) {
                    continue;
                }
                let message = format!(
                    "{} allows an address {}, and {} {}: it never acts",
                    outer.rule.title(),
                    outer.rate.in_words(),
                    inner.title,
                    inner.in_words(),
                );
                findings.add(outer.rule.place().member("Limit"), message).help(
                    "give what stands behind the lower limit, and AWS WAF what only abuse reaches",
                );
            }
        }
    }
}
