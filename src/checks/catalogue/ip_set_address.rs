//! `ip-set-address`: an IP set holds something that AWS refuses.

use ipnet::IpNet;
use std::net::IpAddr;

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::CIDRS_PER_IP_SET;

/// The check.
#[derive(Debug)]
pub struct IpSetAddress;

const ABOUT: About = About {
    id: "ip-set-address",
    title: "An IP set holds something that AWS refuses",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/ip-set-address.md"),
};

impl Check for IpSetAddress {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for set in &context.deployment.ip_sets {
            let name = set.name.as_deref().unwrap_or(&set.item.address);
            let Some(addresses) = &set.addresses else { continue };
            if addresses.len() > CIDRS_PER_IP_SET {
                findings
                    .add(
                        set.place().member("Addresses"),
                        format!(
                            "the IP set `{name}` holds {} CIDRs, and AWS takes {CIDRS_PER_IP_SET}",
                            addresses.len()
                        ),
                    )
                    .help("merge them, or split the set");
            }
            for (place, text) in addresses.iter().enumerate() {
                if let Some((fault, help)) = fault(text, set.version.as_deref()) {
                    findings
                        .add(
                            set.place().member("Addresses"),
                            format!("the IP set `{name}` holds `{text}`, {fault}"),
                        )
                        .help(help);
                } else if addresses[..place].contains(text) {
                    findings
                        .add(
                            set.place().member("Addresses"),
                            format!("the IP set `{name}` holds `{text}` twice"),
                        )
                        .help("drop one of them")
                        .severity(Severity::Note);
                }
            }
        }
    }
}

/// What AWS refuses of one entry, and what to write.
fn fault(text: &str, version: Option<&str>) -> Option<(&'static str, String)> {
    if let Ok(address) = text.parse::<IpAddr>() {
        let length = if address.is_ipv4() { 32 } else { 128 };
        return Some(("an address without a length", format!("write `{text}/{length}`")));
    }
    let Ok(cidr) = text.parse::<IpNet>() else {
        return Some(("which is no CIDR", "write an address and a length".to_owned()));
    };
    if cidr.prefix_len() == 0 {
        return Some(("which AWS refuses", "list the networks that are meant".to_owned()));
    }
    let wanted = if matches!(cidr, IpNet::V4(_)) { "IPV4" } else { "IPV6" };
    if version.is_some_and(|it| it != wanted) {
        return Some(("which is of the other family", format!("put it into a set of {wanted}")));
    }
    if cidr.network() != cidr.addr() {
        return Some(("whose host bits are not zero", format!("write `{}`", cidr.trunc())));
    }
    None
}
