//! `layer-never-acts`: what stands further in is looser than what stands before it.

use crate::checks::layers::{Depth, Limit, sites};
use crate::checks::{About, Check, Confidence, Context, Findings, Place, Severity};

/// The check.
#[derive(Debug)]
pub struct LayerNeverActs;

const ABOUT: About = About {
    id: "layer-never-acts",
    title: "A limit is looser than one of a layer before it and never acts",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/layer-never-acts.md"),
};

impl Check for LayerNeverActs {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for site in sites(context) {
            for name in site.names() {
                compare(&site.limits(name), &site.place(name), findings);
            }
            compare(&site.together(), &site.acl.place(), findings);
        }
    }
}

/// Of limits from outside to inside, those that nobody reaches. One finding each: about the surest, outermost reason.
fn compare(limits: &[Limit], place: &Place, findings: &mut Findings) {
    for inner in limits {
        let mut reasons: Vec<(Confidence, &Limit)> = limits
            .iter()
            .filter_map(|outer| Some((inner.is_out_of_reach(outer)?, outer)))
            .collect();
        reasons.sort_by_key(|(confidence, _)| std::cmp::Reverse(*confidence));
        let Some((confidence, outer)) = reasons.first() else { continue };
        let message = format!(
            "{} allows {} {}, and {} {}: it never acts",
            outer.title,
            outer.client.in_words(),
            outer.in_words(),
            inner.title,
            inner.in_words(),
        );
        let help = match (outer.depth, confidence) {
            (Depth::Waf, Confidence::Low) => {
                "a client of one address never gets what the layer behind allows it: give AWS WAF what only abuse \
                 reaches, or exempt the networks of such clients"
            }
            (Depth::Waf, _) => {
                "give what stands behind the lower limit, and AWS WAF what only abuse reaches"
            }
            _ => "give what stands further in the lower limit, or take it away",
        };
        let place = outer.place.clone().unwrap_or_else(|| place.clone());
        findings.add(place, message).help(help).confidence(*confidence);
    }
}
