//! Sentences about a deployment: what it changes, and what the logs say to that.

use serde_json::Value;

use crate::checks::context::Context;
use crate::checks::model::{Rate, Rule, RuleEffect, Statement};
use crate::policy::LockRoute;
use crate::units::{count, listed, ratio, thousands};

/// With a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// A change of a rule: what happens, and what the logs say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChangeInWords {
    /// What the rule is about: foreign text.
    pub(super) subject: String,
    /// Words before the subject.
    pub(super) verb: &'static str,
    /// Words after it.
    pub(super) rest: String,
    /// Each a sentence.
    pub(super) evidence: Vec<String>,
}

/// What happens to rate-based rules, in the order of the deployment.
pub(super) fn changes(context: &Context<'_>) -> Vec<ChangeInWords> {
    let mut out = Vec::new();
    for acl in &context.deployment.acls {
        for rule in &acl.rules {
            out.extend(change(context, rule));
        }
        for removed in acl.removed_rules() {
            let statement = Statement(&removed["Statement"]);
            if let Some(rate) = statement.of("RateBasedStatement") {
                let name = removed["Name"].as_str().unwrap_or_default();
                out.push(ChangeInWords {
                    subject: subject(Rate { raw: rate }, name),
                    verb: "removes the limit on",
                    rest: format!(" ({})", Rate { raw: rate }.in_words()),
                    evidence: Vec::new(),
                });
            }
        }
    }
    out
}

fn change(context: &Context<'_>, rule: &Rule) -> Option<ChangeInWords> {
    let rate = rule.rate()?;
    let name = rule.name.as_deref().unwrap_or_default();
    let subject = subject(rate, name);
    let evidence = |limit| match context.evidence(rule) {
        Some(found) => evidence(found.locked, limit, rate.window()),
        None => Vec::new(),
    };
    let does = effect(rule.effect());
    let Some(before) = rule.rate_before() else {
        return rule.is_new().then(|| ChangeInWords {
            subject,
            verb: "adds a limit on",
            rest: format!(": {}, {does}", rate.in_words()),
            evidence: evidence(rate.limit()),
        });
    };
    let (mut verb, mut parts) = ("changes", Vec::new());
    match (before.limit(), rate.limit()) {
        (Some(was), Some(is)) if was != is || before.window() != rate.window() => {
            if before.window() == rate.window() {
                verb = if is < was { "lowers" } else { "raises" };
                let was = thousands(was.unsigned_abs());
                parts.push(format!("from {was} to {}", rate.in_words()));
            } else {
                parts.push(format!("from {} to {}", before.in_words(), rate.in_words()));
            }
        }
        _ => {}
    }
    if before.raw["ScopeDownStatement"] != rate.raw["ScopeDownStatement"] {
        parts.push("what it counts".to_owned());
    }
    if before.key_type() != rate.key_type() || before.raw["CustomKeys"] != rate.raw["CustomKeys"] {
        parts.push("what it counts by".to_owned());
    }
    if rule.effect_before() != rule.effect() {
        parts.push(format!("from {} to {does}", effect(rule.effect_before())));
    }
    (!parts.is_empty()).then(|| ChangeInWords {
        subject,
        verb,
        rest: format!(": {}", listed(&parts)).replacen(": from", " from", 1),
        evidence: evidence(rate.limit()),
    })
}

const fn effect(effect: Option<RuleEffect>) -> &'static str {
    match effect {
        Some(RuleEffect::Block) => "blocking",
        Some(RuleEffect::Count) => "counting only",
        Some(RuleEffect::Captcha) => "asking for a CAPTCHA",
        Some(RuleEffect::Challenge) => "challenging the browser",
        Some(_) => "another action",
        None => "an unknown action",
    }
}

/// The path that a rule is about, else its name.
fn subject(rate: Rate<'_>, name: &str) -> String {
    let Some(scope_down) = rate.scope_down() else { return format!("everything ({name})") };
    let field = |it: &&Value, field: &str| it["FieldToMatch"].get(field).is_some();
    let matches = scope_down.all_of("ByteMatchStatement");
    let path =
        matches.iter().copied().find(|it| field(it, "UriPath")).and_then(Statement::search_text);
    match path {
        Some(path) => path,
        None => name.to_owned(),
    }
}

/// What the logs say about a limit.
fn evidence(locked: &LockRoute, limit: Option<i64>, window: Option<i64>) -> Vec<String> {
    let Some(limit) = limit.and_then(|limit| u32::try_from(limit).ok()) else { return Vec::new() };
    let mut out = Vec::new();
    if window != Some(i64::from(locked.window.seconds())) {
        let seconds = window.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or_default();
        if let Some(peaks) = locked.distribution.get(&seconds) {
            out.push(format!(
                "In this window, 99 of 100 clients of the logs peaked at {} or below",
                thousands(peaks.sliding.p99.into())
            ));
        }
        return out;
    }
    let (above, all) = counted(&locked.near_misses.below, |peak| peak > limit);
    if above > 0 {
        let peaks: Vec<String> = locked
            .near_misses
            .below
            .iter()
            .filter(|one| one.peak > limit)
            .map(|one| thousands(one.peak.into()))
            .collect();
        let least = if all { "at least " } else { "" };
        out.push(format!(
            "{least}{} of the logs would be limited, with peaks of {}",
            count(above as u64, "normal client", "normal clients"),
            listed(&peaks)
        ));
    } else if let Some(lower) = locked.lower {
        out.push(format!(
            "no normal client of the logs would be limited: the busiest peaked at {}, and the limit is {} that",
            thousands(lower.into()),
            ratio(f64::from(limit) / f64::from(lower.max(1))),
        ));
    }
    let (spared, all) = counted(&locked.near_misses.above, |peak| peak <= limit);
    if spared > 0 {
        let least = if all { "at least " } else { "" };
        out.push(format!(
            "{least}{} of the logs would not be limited any more",
            count(spared as u64, "abusive client", "abusive clients"),
        ));
    } else if let Some(upper) = locked.upper {
        out.push(format!(
            "the weakest abusive client peaked at {}, {} the limit",
            thousands(upper.into()),
            ratio(f64::from(upper) / f64::from(limit.max(1))),
        ));
    }
    for (name, peak) in &locked.good_peaks {
        if *peak > limit {
            out.push(format!(
                "the known-good network `{name}` would be limited, with a peak of {}",
                thousands((*peak).into())
            ));
        }
    }
    out
}

/// How many peaks are so, and whether all are: then there may be more than the lock lists.
fn counted(peaks: &[crate::policy::Peak], so: impl Fn(u32) -> bool) -> (usize, bool) {
    let number = peaks.iter().filter(|one| so(one.peak)).count();
    (number, number == peaks.len())
}
