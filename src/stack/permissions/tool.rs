//! `ratewaf` itself: what it reads of the live web ACL, and what it writes.

use super::access::Access;
use super::{Grant, GrantedAction, IamResource};
use crate::stack::Acl;

pub(super) fn grant(access: &mut Access<'_>) {
    let name = access.stack.acl.web_acl().to_owned();
    let web_acl = access.waf(&format!("webacl/{name}/*"));
    access.grant(
        "StatusFind",
        vec![IamResource::Any],
        Some("AWS knows no resource for lists, metrics and capacity."),
        &[
            ("cloudwatch:GetMetricData", "status: what each rule counted and blocked"),
            ("cloudwatch:ListMetrics", "status: whether the metrics of the rules are there at all"),
            ("wafv2:CheckCapacity", "plan: whether the rules fit, before anything is written"),
            ("wafv2:ListIPSets", "finds IP sets by their names"),
            ("wafv2:ListWebACLs", "finds the web ACL by its name"),
        ],
        &[],
    );
    access.grant(
        "StatusWebAcl",
        vec![web_acl.clone()],
        None,
        &[
            ("wafv2:GetRateBasedStatementManagedKeys", "status: who is over a limit right now"),
            ("wafv2:GetSampledRequests", "status: requests that a rule acted on"),
            ("wafv2:GetWebACL", "reads the live rules, which plan compares"),
        ],
        &[],
    );
    let ip_sets = access.waf(&format!("ipset/{}-*/*", access.stack.name));
    access.grant(
        "StatusIpSets",
        vec![ip_sets.clone()],
        None,
        &[("wafv2:GetIPSet", "reads the live addresses, which plan compares")],
        &[],
    );
    let names = access.names(access.stack.alarms.iter().map(|alarm| alarm.name.clone()));
    if !names.is_empty() {
        let alarms =
            names.iter().map(|name| access.regional("cloudwatch", format!("alarm:{name}")));
        access.grant(
            "StatusAlarms",
            alarms.collect(),
            None,
            &[("cloudwatch:DescribeAlarms", "status: which alarm is on")],
            &[],
        );
    }
    let mut checked = vec![web_acl, ip_sets.clone()];
    if !matches!(access.stack.acl, Acl::Own(_)) {
        for kind in ["managedruleset", "regexpatternset", "rulegroup"] {
            checked.push(access.waf(&format!("{kind}/*/*")));
        }
        if let Some(sets) = checked.get_mut(1) {
            *sets = access.waf("ipset/*/*");
        }
    }
    let mut write = |sid: &str, resources, about: Option<&str>, actions: &[(&str, &str)]| {
        access.grants.push(Grant {
            sid: sid.to_owned(),
            actions: actions
                .iter()
                .map(|(action, reason)| GrantedAction {
                    action: (*action).to_owned(),
                    reason: (*reason).to_owned(),
                })
                .collect(),
            resources,
            conditions: Vec::new(),
            about: about.map(str::to_owned),
        });
    };
    write(
        "ApplyWebAcl",
        checked,
        Some(
            "Leave out the statements whose Sid begins with Apply where ratewaf only looks. AWS checks this \
             action against the web ACL and against everything that its rules name.",
        ),
        &[("wafv2:UpdateWebACL", "apply, promote, demote, rollback: changes our rules")],
    );
    write(
        "ApplyIpSets",
        vec![ip_sets],
        None,
        &[
            ("wafv2:CreateIPSet", "apply: makes the sets of a new network"),
            ("wafv2:UpdateIPSet", "apply, rollback: changes the addresses of a network"),
        ],
    );
}
