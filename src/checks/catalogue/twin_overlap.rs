//! `twin-overlap`: a network with a limit of its own is counted by the stricter rule too.

use crate::checks::model::{Rule, RuleEffect};
use crate::checks::requests::{Requests, counts, key, speed};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct TwinOverlap;

const ABOUT: About = About {
    id: "twin-overlap",
    title: "A network with a limit of its own is counted by the stricter rule too",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/twin-overlap.md"),
};

impl Check for TwinOverlap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for acl in &deployment.acls {
            for twin in acl.rules.iter().filter(|rule| counts_a_network(rule)) {
                for main in acl
                    .rules
                    .iter()
                    .filter(|rule| rule.name != twin.name && !counts_a_network(rule))
                {
                    let (Some(own), Some(general)) = (twin.rate(), main.rate()) else { continue };
                    let (Some(fast), Some(slow)) = (speed(own), speed(general)) else { continue };
                    if slow > fast || key(own).is_none() || key(own) != key(general) {
                        continue;
                    }
                    let requests = Requests::of(deployment, &[twin, main]);
                    let both = requests.all().iter().any(|sample| {
                        counts(deployment, twin, sample) == Some(true)
                            && counts(deployment, main, sample) == Some(true)
                    });
                    if !both {
                        continue;
                    }
                    let message = format!(
                        "{} ({}) is for one network, and {} ({}) counts that network's requests as well",
                        twin.title(),
                        own.in_words(),
                        main.title(),
                        general.in_words()
                    );
                    let finding = findings.add(main.place().member("ScopeDownStatement"), message);
                    finding
                        .help(format!(
                            "leave the network of {} out of {}, in both families",
                            twin.title(),
                            main.title()
                        ))
                        .related(twin.place(), "the network's rule");
                    if main.effect() == Some(RuleEffect::Count) {
                        finding.severity(Severity::Warning);
                    }
                }
            }
        }
    }
}

/// Whether a rule looks at requests from an IP set only.
fn counts_a_network(rule: &Rule) -> bool {
    let Some(scope_down) = rule.rate().and_then(|rate| rate.scope_down()) else { return false };
    let all = scope_down.all_of("IPSetReferenceStatement").len();
    let excluded: usize = scope_down
        .all_of("NotStatement")
        .into_iter()
        .map(|not| {
            crate::checks::model::Statement(&not["Statement"])
                .all_of("IPSetReferenceStatement")
                .len()
        })
        .sum();
    all > excluded
}
