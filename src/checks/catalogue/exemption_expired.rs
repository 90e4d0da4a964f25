//! `exemption-expired`: an exemption is past its date and still deployed.

use ipnet::IpNet;

use crate::checks::model::IpSet;
use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ExemptionExpired;

const ABOUT: About = About {
    id: "exemption-expired",
    title: "An exemption is past its date and still deployed",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/exemption-expired.md"),
};

impl Check for ExemptionExpired {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let today = context.today.date_text();
        for set in &context.deployment.ip_sets {
            let name = set.name.as_deref().unwrap_or(&set.item.address);
            let own = policy_of(context, name).or(context.policy);
            let by_policy = own.and_then(|policy| {
                policy.networks.iter().find_map(|network| {
                    let until = network.until.as_deref()?;
                    is_of(set, &policy.name, &network.name, &network.cidrs)
                        .then(|| until.to_owned())
                })
            });
            let Some(until) = by_policy.or_else(|| described(set)) else { continue };
            if until.as_str() >= today.as_str() {
                continue;
            }
            findings
                .add(
                    set.place(),
                    format!("the exemption of `{name}` ended on {until} and is still deployed"),
                )
                .help("remove it, or give it a new date in the policy");
        }
    }
}

/// Whether a set is that of a network of the policy: by the name that `emit` gives it, or by what it holds.
fn is_of(set: &IpSet, prefix: &str, network: &str, cidrs: &[IpNet]) -> bool {
    let named =
        |family: &str| set.name.as_deref() == Some(format!("{prefix}-{network}-{family}").as_str());
    let holds = set.addresses.as_ref().is_some_and(|list| {
        !list.is_empty()
            && list.iter().all(|text| {
                text.parse::<IpNet>().is_ok_and(|cidr| cidrs.iter().any(|one| one.contains(&cidr)))
            })
    });
    named("v4") || named("v6") || holds
}

/// The date after `until` in the description of a set.
fn described(set: &IpSet) -> Option<String> {
    let text = set.raw["Description"].as_str()?;
    let after =
        text.to_ascii_lowercase().split_once("until ").map(|(before, _)| before.len() + 6)?;
    let date = text.get(after..after + 10)?;
    let is_date = date.bytes().enumerate().all(|(place, byte)| {
        if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    });
    is_date.then(|| date.to_owned())
}
