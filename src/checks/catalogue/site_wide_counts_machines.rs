//! `site-wide-counts-machines`: a rule for the whole site counts webhooks and health checks too.

use crate::checks::model::Sample;
use crate::checks::paths::{Field, text_matches};
use crate::checks::requests::counts;
use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::rules::PathPattern;

/// The check.
#[derive(Debug)]
pub struct SiteWideCountsMachines;

const ABOUT: About = About {
    id: "site-wide-counts-machines",
    title: "A rule for the whole site counts webhooks and health checks too",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/site-wide-counts-machines.md"),
};

impl Check for SiteWideCountsMachines {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (_, rule, rate) in context.rates() {
            if let Some(policy) = rule.name.as_deref().and_then(|name| policy_of(context, name)) {
                for exemption in &policy.never_limited {
                    let Some(sample) = sample(&exemption.path) else { continue };
                    if counts(deployment, rule, &sample) == Some(true) {
                        let message = format!(
                            "{} counts {}, which the policy never limits",
                            rule.title(),
                            sample.path
                        );
                        findings
                            .add(rule.place().member("ScopeDownStatement"), message)
                            .help(format!("leave `{}` out, as `ratewaf emit` does", exemption.name))
                            .severity(Severity::Warning);
                    }
                }
            }
            let anywhere = ["/qzxj-7193/vk", "/webhooks/qz", "/healthz"];
            let counts_all = anywhere.iter().all(|path| {
                ["GET", "POST"].iter().any(|method| {
                    counts(deployment, rule, &Sample::new(method, path)) == Some(true)
                })
            });
            let leaves_out = rate.scope_down().is_some_and(|it| {
                text_matches(it).iter().any(|one| one.is_excluded && one.field == Field::Path)
            });
            if counts_all && !leaves_out {
                let message = format!(
                    "{} counts the whole site, webhooks and health checks included",
                    rule.title()
                );
                findings
                    .add(rule.place().member("RateBasedStatement"), message)
                    .help("leave the paths of machines out of the scope-down");
            }
        }
    }
}

/// A request for an exempt path; methods are tried by those who ask.
fn sample(path: &PathPattern) -> Option<Sample> {
    let path = match path {
        PathPattern::Exactly(path) => path.clone(),
        PathPattern::StartsWith(path) => format!("{path}vk"),
        PathPattern::EndsWith(_) | PathPattern::Contains(_) | PathPattern::Regex(_) => return None,
    };
    Some(Sample::new("GET", &path))
}
