//! `change-resets-counters`: the change makes WAF forget whom it is limiting.

use crate::checks::marker;
use crate::checks::requests::canonical;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::units::listed;

/// The check.
#[derive(Debug)]
pub struct ChangeResetsCounters;

const ABOUT: About = About {
    id: "change-resets-counters",
    title: "The change makes WAF forget whom it is limiting",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/change-resets-counters.md"),
};

/// Members whose change starts counters anew, beside limit, window and kind of key.
const MEMBERS: [(&str, &str); 3] = [
    ("CustomKeys", "its key"),
    ("ForwardedIPConfig", "where it looks for the address"),
    ("ScopeDownStatement", "what it counts"),
];

impl Check for ChangeResetsCounters {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let Some(before) = rule.rate_before() else { continue };
            let mut changed = Vec::new();
            if before.limit() != rate.limit() && before.limit().is_some() && rate.limit().is_some()
            {
                changed.push("its limit");
            }
            if before.window() != rate.window()
                && before.window().is_some()
                && rate.window().is_some()
            {
                changed.push("its window");
            }
            for (member, what) in MEMBERS {
                let (was, is) = (&before.raw[member], &rate.raw[member]);
                if !marker::any(was) && !marker::any(is) && canonical(was) != canonical(is) {
                    changed.push(what);
                }
            }
            if before.key_type() != rate.key_type()
                && before.key_type().is_some()
                && rate.key_type().is_some()
            {
                changed.push("what it counts by");
            }
            if changed.is_empty() {
                continue;
            }
            let what = listed(&changed);
            let numbers = if changed == ["its limit"] || changed == ["its limit", "its window"] {
                format!(" from {} to {}", before.in_words(), rate.in_words())
            } else {
                String::new()
            };
            let message = format!(
                "{} changes {what}{numbers}: its counters start anew, and whoever is limited now is let in again",
                rule.title()
            );
            let finding = findings.add(rule.place().member("RateBasedStatement"), message);
            if rule.effect_before() != rule.effect() {
                finding
                    .severity(Severity::Warning)
                    .help("change the action in a step of its own, so that it starts with what was counted");
            }
        }
    }
}
