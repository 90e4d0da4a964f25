//! `limit-removed`: the change leaves requests without a limit that had one.

use crate::checks::context::request_of;
use crate::checks::model::{Deployment, Rate, Rule, RuleEffect, Sample};
use crate::checks::paths::counted_in_words;
use crate::checks::requests::{ANYWHERE, Looks, Requests, canonical};
use crate::checks::{About, Check, Confidence, Context, Findings, Place, Severity};
use crate::policy::{Grade, LockRoute};

/// The check.
#[derive(Debug)]
pub struct LimitRemoved;

const ABOUT: About = About {
    id: "limit-removed",
    title: "The change leaves requests without a limit that had one",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/limit-removed.md"),
};

/// Requests that are tried on rules at most: more would make a gate slow.
const TRIED: usize = 200_000;

impl Check for LimitRemoved {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for rule in deployment.acls.iter().flat_map(|acl| &acl.rules) {
            only_counts_now(context, findings, rule);
        }
        // Limits may have gone to a group that is not part of this.
        let before = rules_before(deployment);
        if before.is_empty() || deployment.may_hide_rules(Rule::is_new) {
            return;
        }
        let now: Vec<(&Rule, Looks)> = deployment
            .rates()
            .map(|(_, rule, _)| (rule, Looks::of_strangers(deployment, rule)))
            .collect();
        let mut left = TRIED;
        for (place, was) in before {
            let Some(rate) = was.rate() else { continue };
            let looked = Looks::of_strangers(deployment, &was);
            let requests = Requests::of(deployment, &[&was]);
            let counted: Vec<&Sample> = requests
                .of_one_client()
                .filter(|sample| looked.counts(sample) == Some(true))
                .collect();
            let mut first = |is_left: &dyn Fn(&Rule, &Looks, &Sample) -> bool| {
                counted.iter().copied().find(|sample| {
                    left = left.saturating_sub(now.len() + 1);
                    left > 0 && now.iter().all(|(rule, looks)| is_left(rule, looks, sample))
                })
            };
            let lost = first(&|rule, looks, sample| !takes_over(&was, rule, looks, sample));
            if let Some(lost) = lost {
                add(context, findings, place, &was, rate, lost);
                continue;
            }
            // What was counted for certain may be let through by a condition that nobody can judge here.
            let doubtful = first(&|_, looks, sample| looks.counts(sample) != Some(true));
            if let Some(sample) = doubtful {
                let message = format!(
                    "{} counted {} and counts only some of that now: a condition was added",
                    was.title(),
                    in_words(sample)
                );
                findings.add(place, message).help(
                    "say in a suppression why the others need no limit, or give them a rule of their own",
                );
            }
        }
    }
}

/// A rule that blocked and counts from now on is there, and limits nobody.
fn only_counts_now(context: &Context<'_>, findings: &mut Findings, rule: &Rule) {
    let acted = rule.effect_before().is_some_and(|effect| effect != RuleEffect::Count);
    if !acted || rule.effect() != Some(RuleEffect::Count) {
        return;
    }
    let Some(rate) = rule.rate_before() else { return };
    // Where the logs show nothing that it stopped, it may well go back to counting.
    let was_needed = context.evidence(rule).is_some_and(|found| found.locked.grade == Grade::Clear);
    findings
        .add(
            rule.place().member("Action"),
            format!(
                "{} only counts from now on, and limits nobody: it acted at {}",
                rule.title(),
                rate.in_words()
            ),
        )
        .help("if it is meant for some days, suppress this until then, with the reason")
        .severity(if was_needed { Severity::Warning } else { Severity::Note });
}

fn add(
    context: &Context<'_>,
    findings: &mut Findings,
    place: Place,
    was: &Rule,
    rate: Rate<'_>,
    lost: &Sample,
) {
    let message = format!(
        "nothing limits {} any more: {} counted {}, {}",
        in_words(lost),
        was.title(),
        counted_in_words(rate),
        rate.in_words()
    );
    let routes = context.lock.into_iter().flat_map(|lock| &lock.routes);
    let route = routes.filter(|locked| locked.limit.is_some()).find(|it| is_for(it, lost));
    let counts = was.effect() == Some(RuleEffect::Count);
    let finding = findings.add(place, message);
    match route {
        Some(locked) => finding.help(format!(
            "the logs propose a limit for the route `{}`; bring the rule back, or take the route out of the policy",
            locked.name
        )),
        None => finding
            .help("bring the rule back or correct its scope-down; if it is meant, suppress this with the reason"),
    };
    match (route.is_some(), counts) {
        (true, false) => finding.severity(Severity::Error),
        (false, true) => finding.severity(Severity::Note),
        _ => finding,
    };
}

fn in_words(sample: &Sample) -> String {
    if sample.path == ANYWHERE {
        "whatever no other rule counts".to_owned()
    } else {
        format!("`{} {}`", sample.method, sample.path)
    }
}

fn is_for(locked: &LockRoute, lost: &Sample) -> bool {
    request_of(locked).is_some_and(|own| own.method == lost.method && own.path == lost.path)
}

/// Whether a rule does for a request what the old one did, or may do so.
fn takes_over(was: &Rule, rule: &Rule, looks: &Looks, sample: &Sample) -> bool {
    let is_weaker = was.effect() != Some(RuleEffect::Count)
        && rule.effect() == Some(RuleEffect::Count)
        // Of one that is changed where it stands, this is said by itself.
        && (rule.name != was.name || rule.is_new());
    looks.counts(sample) != Some(false) && !is_weaker
}

/// Rules that the deployment had and takes away or changes, each with the place to point at.
fn rules_before(deployment: &Deployment) -> Vec<(Place, Rule)> {
    let mut out = Vec::new();
    for acl in &deployment.acls {
        out.extend(acl.removed_rules().into_iter().map(|rule| (acl.place(), rule)));
        for rule in &acl.rules {
            let Some(before) = &rule.before else { continue };
            if canonical(&before["Statement"]) != canonical(&rule.raw["Statement"]) {
                let place = rule.place().member("RateBasedStatement");
                out.push((place, Rule::was(&rule.item, before)));
            }
        }
    }
    for one in &deployment.removed {
        if !(one.kind.starts_with("AWS::WAFv2::") || one.kind == "Ratewaf::WebACLRule") {
            continue;
        }
        let mut rules = one.rules();
        if !one.before["Rules"].is_array() {
            rules.push(Rule::was(&one.item, &one.before));
        }
        out.extend(rules.into_iter().map(|rule| (Place::of(&one.item), rule)));
    }
    out
}
