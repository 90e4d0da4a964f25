//! `scope-widened`: the change makes a rule count requests that its limit was not made for.

use crate::checks::paths::{Field, counted_in_words, text_matches};
use crate::checks::requests::{ANYWHERE, Looks, Requests, canonical};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity, model::Rule};

/// The check.
#[derive(Debug)]
pub struct ScopeWidened;

const ABOUT: About = About {
    id: "scope-widened",
    title: "The change makes a rule count requests that its limit was not made for",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/scope-widened.md"),
};

impl Check for ScopeWidened {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (_, rule, rate) in context.rates() {
            let (Some(raw), Some(before)) = (&rule.before, rule.rate_before()) else { continue };
            let (was, is) = (&before.raw["ScopeDownStatement"], &rate.raw["ScopeDownStatement"]);
            if !before.is_scoped() || canonical(was) == canonical(is) {
                continue;
            }
            let was = Rule::was(&rule.item, raw);
            let looked = Looks::of_strangers(deployment, &was);
            let looks = Looks::of_strangers(deployment, rule);
            // Other spellings of its paths, and what lies below them, are the same thing done better.
            let own: Vec<String> = text_matches(was.statement())
                .iter()
                .filter(|one| one.field == Field::Path && !one.is_excluded)
                .filter_map(|one| one.text.as_ref().map(|it| it.to_lowercase()))
                .collect();
            let requests = Requests::of(deployment, &[&was, rule]);
            let mut more = requests.of_one_client().filter(|sample| {
                let path = sample.path.to_lowercase();
                looks.counts(sample) == Some(true)
                    && looked.counts(sample) == Some(false)
                    && !own.iter().any(|own| path.contains(own.trim_end_matches('/')))
            });
            let Some(one) = more.next() else { continue };
            let example = if one.path == ANYWHERE {
                String::new()
            } else {
                format!(", such as `{} {}`", one.method, one.path)
            };
            let message = format!(
                "{} counted {} and counts {} now{example}: clients reach its limit of {} by requests that it was not made for",
                rule.title(),
                counted_in_words(before),
                counted_in_words(rate),
                rate.in_words()
            );
            findings
                .add(rule.place().member("RateBasedStatement"), message)
                .help("give the other requests a rule and a limit of their own: `ratewaf analyze` on the logs says which, and whom it would limit");
        }
    }
}
