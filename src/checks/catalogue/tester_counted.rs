//! `tester-counted`: the rule would limit a tester that the policy knows.

use crate::checks::context::request_of;
use crate::checks::model::{RuleEffect, Sample};
use crate::checks::requests::Looks;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::Policy;
use crate::units::{listed, thousands};

/// The check.
#[derive(Debug)]
pub struct TesterCounted;

const ABOUT: About = About {
    id: "tester-counted",
    title: "The rule would limit a tester that the policy knows",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/tester-counted.md"),
};

impl Check for TesterCounted {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let Some(policy) = context.policy else { return };
        for (_, rule, _) in context.rates() {
            let Some((limit, locked)) = super::limit_below_normal::compared(context, rule) else {
                continue;
            };
            let Some(request) = request_of(locked) else { continue };
            let looks = Looks::of(context.deployment, rule);
            let hit: Vec<String> = locked
                .exempt_peaks
                .iter()
                .filter(|(name, peak)| {
                    limit <= i64::from(**peak) && counts(&looks, &request, policy, name)
                })
                .map(|(name, peak)| format!("`{name}`, which sent {}", thousands((*peak).into())))
                .collect();
            let [one, ..] = hit.as_slice() else { continue };
            let only_counts = rule.effect() == Some(RuleEffect::Count);
            let message = format!(
                "{} allows {} and counts the policy's {}: it would be limited{}",
                rule.title(),
                rule.rate().map_or_else(String::new, |rate| rate.in_words()),
                if hit.len() == 1 {
                    format!("tester {one}")
                } else {
                    format!("testers {}", listed(&hit))
                },
                if only_counts { " if it blocked" } else { "" }
            );
            let finding = findings.add(rule.place().member("Limit"), message);
            finding.help("leave its addresses out of the scope-down and give it a twin rule, as `ratewaf emit` does");
            if only_counts {
                finding.severity(Severity::Note);
            }
        }
    }
}

/// Whether a rule counts what an address of a network sends. A set that nobody knows may leave it out.
fn counts(looks: &Looks, request: &Sample, policy: &Policy, name: &str) -> bool {
    let network = policy.networks.iter().find(|one| one.name == name);
    network.is_some_and(|one| {
        one.cidrs.iter().any(|cidr| {
            let sample = Sample { address: cidr.network(), ..request.clone() };
            looks.counts(&sample) == Some(true)
        })
    })
}
