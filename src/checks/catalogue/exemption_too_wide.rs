//! `exemption-too-wide`: an exemption covers far more than a network of one's own.

use ipnet::IpNet;

use super::exempt_one_family::exempt;
use crate::checks::model::IpSet;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ExemptionTooWide;

const ABOUT: About = About {
    id: "exemption-too-wide",
    title: "An exemption covers far more than a network of one's own",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/exemption-too-wide.md"),
};

impl Check for ExemptionTooWide {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let mut seen: Vec<&IpSet> = Vec::new();
        for rule in deployment.acls.iter().flat_map(|acl| &acl.rules) {
            for reference in exempt(rule) {
                let Some(set) = deployment.ip_set(&reference["ARN"], &rule.item) else { continue };
                if seen.iter().any(|other| other.item == set.item) {
                    continue;
                }
                seen.push(set);
                for text in set.addresses.iter().flatten() {
                    let Ok(cidr) = text.parse::<IpNet>() else { continue };
                    let (narrow, length) = match cidr {
                        IpNet::V4(_) => (16, cidr.prefix_len()),
                        IpNet::V6(_) => (32, cidr.prefix_len()),
                    };
                    if length >= narrow || is_private(&cidr) {
                        continue;
                    }
                    let name = set.name.as_deref().unwrap_or(&set.item.address);
                    let message = format!(
                        "{} exempts `{name}`, which holds {cidr}: {} addresses",
                        rule.title(),
                        size(&cidr)
                    );
                    let finding = findings.add(set.place().member("Addresses"), message);
                    finding
                        .help("list the addresses that the network really leaves by")
                        .related(rule.place(), "exempts it");
                    if length <= 1 {
                        finding.severity(Severity::Error);
                    }
                }
            }
        }
    }
}

/// Addresses that cannot come from the internet.
fn is_private(cidr: &IpNet) -> bool {
    match cidr {
        IpNet::V4(cidr) => cidr.network().is_private() && cidr.broadcast().is_private(),
        IpNet::V6(cidr) => cidr.network().is_unique_local() && cidr.prefix_len() >= 7,
    }
}

fn size(cidr: &IpNet) -> String {
    let bits = cidr.max_prefix_len() - cidr.prefix_len();
    match 1_u64.checked_shl(bits.into()) {
        Some(size) if bits < 64 => crate::units::thousands(size),
        _ => format!("2^{bits}"),
    }
}
