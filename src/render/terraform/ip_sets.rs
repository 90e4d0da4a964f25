//! One resource per network and family.

use super::super::hcl::{Content, list, text};
use super::{Stack, provider};
use crate::rules::NetworkKind;

pub(super) fn write(stack: &Stack<'_>, file: &mut Content) {
    let mut last = None;
    for one in &stack.waf.ip_sets {
        let set = &one.set;
        if last != Some(&one.network) {
            file.comment(&about(stack, &one.network));
            last = Some(&one.network);
        }
        file.block("resource", &["aws_wafv2_ip_set", stack.labels.of(&set.name)], |resource| {
            provider(resource);
            resource.attribute("name", text(&set.name));
            resource.attribute("scope", text(set.scope.api_name()));
            resource.attribute("ip_address_version", text(set.ip_address_version.api_name()));
            resource.attribute(
                "addresses",
                list(set.addresses.iter().map(|cidr| text(cidr.to_string()))),
            );
        });
    }
}

fn about(stack: &Stack<'_>, name: &str) -> String {
    let Some(network) = stack.set.networks.iter().find(|network| network.name == name) else {
        return name.to_owned();
    };
    let kind = match network.kind {
        NetworkKind::Tester => "testers: counted by rules of their own",
        NetworkKind::KnownGood => "known good",
        NetworkKind::KnownBad => "known bad",
    };
    let until = network.until.as_ref().map(|day| format!(", until {day}")).unwrap_or_default();
    format!("{name}: {kind}{until}")
}
