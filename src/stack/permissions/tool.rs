//! `ratewaf` itself: what it reads of the live web ACL, and what it writes.

use super::access::Access;
use super::{Grant, GrantedAction, IamResource};
use crate::stack::Acl;
use crate::wafv2::Scope;

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
            ("wafv2:ListTagsForResource", "which rules apply wrote, and since when they count"),
        ],
        &[],
    );
    let ip_sets = access.waf(&format!("ipset/{}-*/*", access.stack.name));
    access.grant(
        "StatusIpSets",
        vec![ip_sets.clone()],
        None,
        &[
            ("wafv2:GetIPSet", "reads the live addresses, which plan compares"),
            ("wafv2:ListTagsForResource", "which sets apply wrote"),
        ],
        &[],
    );
    // Also where the policy has no alarms now: those that it had are found and removed.
    let alarms = vec![access.regional("cloudwatch", format!("alarm:{}-*", access.stack.name))];
    access.grant(
        "StatusAlarms",
        alarms.clone(),
        None,
        &[("cloudwatch:DescribeAlarms", "plan compares the alarms, status tells which is on")],
        &[],
    );
    let distributions = vec![IamResource::Pattern {
        service: "cloudfront",
        region: String::new(),
        has_account: true,
        resource: "distribution/*".to_owned(),
    }];
    let is_global = access.stack.home.scope == Scope::CloudFront;
    if is_global {
        access.grant(
            "StatusDistribution",
            distributions.clone(),
            Some("Only for --distribution."),
            &[("cloudfront:GetDistributionConfig", "which web ACL the distribution has")],
            &[],
        );
    }
    let is_own = matches!(access.stack.acl, Acl::Own(_));
    around(access, &web_acl, is_global, is_own);
    let mut checked = vec![web_acl.clone(), ip_sets.clone()];
    if !is_own {
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
        if is_own {
            &[
                ("wafv2:CreateWebACL", "apply: makes the web ACL, if it is not there"),
                ("wafv2:UpdateWebACL", "apply, promote, demote, rollback: changes our rules"),
            ]
        } else {
            &[("wafv2:UpdateWebACL", "apply, promote, demote, rollback: changes our rules")]
        },
    );
    write(
        "ApplyRecords",
        vec![web_acl],
        Some(
            "The web ACL's tags tell our rules from others, and edits by hand from changes of the policy.",
        ),
        &[
            ("wafv2:TagResource", "remembers what was written, and when"),
            ("wafv2:UntagResource", "forgets rules that are gone"),
        ],
    );
    write(
        "ApplyIpSets",
        vec![ip_sets],
        None,
        &[
            ("wafv2:CreateIPSet", "apply: makes the sets of a new network"),
            ("wafv2:DeleteIPSet", "apply, rollback: removes the sets of a network that is gone"),
            ("wafv2:TagResource", "remembers what was written"),
            ("wafv2:UpdateIPSet", "apply, rollback: changes the addresses of a network"),
        ],
    );
    write(
        "ApplyAlarms",
        alarms,
        None,
        &[
            ("cloudwatch:DeleteAlarms", "removes the alarms of rules that are gone"),
            ("cloudwatch:PutMetricAlarm", "makes alarms, and lets them follow count and block"),
        ],
    );
    if is_global {
        write(
            "ApplyDistribution",
            distributions,
            Some("Only for --distribution."),
            &[(
                "cloudfront:AssociateDistributionWebACL",
                "puts the web ACL before the distribution",
            )],
        );
    }
}

/// What `check --live` reads besides.
fn around(access: &mut Access<'_>, web_acl: &IamResource, is_global: bool, is_own: bool) {
    let about = Some("Only for check --live, which says what it may not read.");
    access.grant(
        "StatusLogging",
        vec![web_acl.clone()],
        about,
        &[("wafv2:GetLoggingConfiguration", "check: where the web ACL is logged, and what of it")],
        &[],
    );
    let any_alarm = access.regional("cloudwatch", "alarm:*");
    access.grant(
        "StatusEveryAlarm",
        vec![any_alarm],
        about,
        &[("cloudwatch:DescribeAlarms", "check: alarms on the rules, whatever they are called")],
        &[],
    );
    if is_global {
        access.grant(
            "StatusProtected",
            vec![IamResource::Any],
            about,
            &[(
                "cloudfront:ListDistributionsByWebACLId",
                "check: whether anything is protected, and over which IP families",
            )],
            &[],
        );
    } else {
        access.grant(
            "StatusProtected",
            vec![web_acl.clone()],
            about,
            &[(
                "wafv2:ListResourcesForWebACL",
                "check: whether anything is protected; of some kinds only with their services' permissions",
            )],
            &[],
        );
    }
    if !is_own {
        let foreign = vec![access.waf("ipset/*/*"), access.waf("rulegroup/*/*")];
        access.grant(
            "StatusForeign",
            foreign,
            about,
            &[
                ("wafv2:GetIPSet", "check: sets that rules of others name"),
                ("wafv2:GetRuleGroup", "check: rules of groups that the web ACL takes in"),
            ],
            &[],
        );
    }
}
