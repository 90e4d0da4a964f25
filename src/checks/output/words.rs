//! Sentences about a deployment: what it changes, and what the logs say to that.

use serde_json::Value;

use crate::checks::context::Context;
use crate::checks::model::{Acl, Rate, Removed, Rule, RuleEffect, Statement};
use crate::checks::paths::counted_in_words;
use crate::checks::requests::canonical;
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

/// What happens to rate-based rules, in the order of the deployment; what goes, last.
pub(super) fn changes(context: &Context<'_>) -> Vec<ChangeInWords> {
    let deployment = context.deployment;
    let mut gone: Vec<Rule> = deployment.acls.iter().flat_map(Acl::removed_rules).collect();
    gone.extend(deployment.removed.iter().flat_map(Removed::rules));
    let mut out = Vec::new();
    for rule in deployment.acls.iter().flat_map(|acl| &acl.rules) {
        let was = gone.iter().position(|was| rule.is_new() && is_moved(was, rule));
        match was.map(|place| gone.remove(place)) {
            Some(was) => {
                let moved = Rule { before: Some(was.raw), ..rule.clone() };
                out.extend(change(context, &moved).or_else(|| moved_in_words(rule)));
            }
            None => out.extend(change(context, rule)),
        }
    }
    out.extend(gone.iter().filter_map(|rule| removal(context, rule)));
    out
}

/// Whether a rule that goes comes back in another place: it counts the same requests by the same key.
fn is_moved(was: &Rule, rule: &Rule) -> bool {
    let (Some(old), Some(new)) = (was.rate(), rule.rate()) else { return false };
    let same = |member: &str| canonical(&old.raw[member]) == canonical(&new.raw[member]);
    old.key_type() == new.key_type() && same("ScopeDownStatement") && same("CustomKeys")
}

fn moved_in_words(rule: &Rule) -> Option<ChangeInWords> {
    let rate = rule.rate()?;
    Some(ChangeInWords {
        subject: subject(rate, rule.name.as_deref().unwrap_or_default()),
        verb: "moves the limit on",
        rest: format!(" ({})", rate.in_words()),
        evidence: Vec::new(),
    })
}

fn removal(context: &Context<'_>, rule: &Rule) -> Option<ChangeInWords> {
    let rate = rule.rate()?;
    let limited = rate.limit().filter(|_| rule.effect() != Some(RuleEffect::Count));
    let evidence = context.evidence(rule).zip(limited).and_then(|(found, limit)| {
        let same_window = rate.window() == Some(found.locked.window.seconds().into());
        same_window.then(|| not_limited(found.locked, i64::MAX, Some(limit))).flatten()
    });
    Some(ChangeInWords {
        subject: subject(rate, rule.name.as_deref().unwrap_or_default()),
        verb: "removes the limit on",
        rest: format!(" ({})", rate.in_words()),
        evidence: evidence.into_iter().collect(),
    })
}

fn change(context: &Context<'_>, rule: &Rule) -> Option<ChangeInWords> {
    let rate = rule.rate()?;
    let name = rule.name.as_deref().unwrap_or_default();
    let subject = subject(rate, name);
    let counts = rule.effect() == Some(RuleEffect::Count);
    let evidence = |was| match context.evidence(rule) {
        Some(found) if counts => counted_only(found.locked, rate, was),
        Some(found) => evidence(found.locked, rate.limit(), rate.window(), was),
        None => Vec::new(),
    };
    let does = effect(rule.effect());
    let Some(before) = rule.rate_before() else {
        return rule.is_new().then(|| ChangeInWords {
            subject,
            verb: "adds a limit on",
            rest: format!(": {}, {does}", rate.in_words()),
            evidence: evidence(None),
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
        let counted = |rate| counted_in_words(rate).replace('`', "");
        let (was, is) = (counted(before), counted(rate));
        if was == is {
            parts.push("what it counts".to_owned());
        } else {
            parts.push(format!("what it counts from {was} to {is}"));
        }
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
        // Whom it limited, if it counted the same.
        evidence: evidence(before.limit().filter(|_| {
            rule.effect_before() != Some(RuleEffect::Count)
                && before.window() == rate.window()
                && before.raw["ScopeDownStatement"] == rate.raw["ScopeDownStatement"]
        })),
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

/// What the logs say about a rule that limits nobody. `was` is the limit that it had before.
fn counted_only(locked: &LockRoute, rate: Rate<'_>, was: Option<i64>) -> Vec<String> {
    let Some(limit) = rate.limit() else { return Vec::new() };
    if rate.window() != Some(locked.window.seconds().into()) {
        return Vec::new();
    }
    if was.is_some() {
        return not_limited(locked, i64::MAX, was).into_iter().collect();
    }
    let (above, all) = counted(&locked.near_misses.above, |peak| i64::from(peak) > limit);
    let least = if all { "at least " } else { "" };
    let clients = count(above as u64, "abusive client", "abusive clients");
    (above > 0)
        .then(|| format!("{least}{clients} of the logs would be counted, and nobody is limited"))
        .into_iter()
        .collect()
}

/// The abusive clients whom a limit lets pass, those first whom the one before did not: `was`.
fn not_limited(locked: &LockRoute, limit: i64, was: Option<i64>) -> Option<String> {
    // The lock lists the lowest of them.
    let peaks = || locked.near_misses.above.iter().map(|one| i64::from(one.peak));
    let most = peaks().max().unwrap_or_default();
    let up_to = |limit: i64| peaks().filter(|peak| *peak <= limit).count() as u64;
    let spared = if limit == i64::MAX { locked.clients_above_cut } else { up_to(limit) };
    let before = was.map(up_to).filter(|before| *before < spared);
    let (number, any_more) = match before {
        Some(before) => (spared - before, " any more"),
        None => (spared, ""),
    };
    let is_cut = limit != i64::MAX && most <= limit || was.is_some_and(|was| most <= was);
    let least = if is_cut { "at least " } else { "" };
    let clients = count(number, "abusive client", "abusive clients");
    (number > 0).then(|| format!("{least}{clients} of the logs would not be limited{any_more}"))
}

/// What the logs say about a limit. `was` is the one that there was before.
fn evidence(
    locked: &LockRoute,
    limit: Option<i64>,
    window: Option<i64>,
    was: Option<i64>,
) -> Vec<String> {
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
            "{least}{} of the logs would be limited, with {} of {}",
            count(above as u64, "normal client", "normal clients"),
            if above == 1 { "a peak" } else { "peaks" },
            listed(&peaks)
        ));
    } else if let Some(lower) = locked.lower {
        out.push(format!(
            "no normal client of the logs would be limited: the busiest peaked at {}, and the limit is {} that",
            thousands(lower.into()),
            ratio(f64::from(limit) / f64::from(lower.max(1))),
        ));
    }
    if let Some(spared) = not_limited(locked, limit.into(), was) {
        out.push(spared);
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
