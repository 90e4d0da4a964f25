//! The web ACL or what joins one, and IP sets.

use super::access::Access;
use crate::stack::Acl;

/// Needed where a resource, or the provider's `default_tags`, has tags.
pub(super) const TAG: (&str, &str) =
    ("wafv2:TagResource", "sets tags, which the provider's default_tags put on everything");
pub(super) const UNTAG: (&str, &str) = ("wafv2:UntagResource", "takes tags away again");
pub(super) const TAGS: (&str, &str) =
    ("wafv2:ListTagsForResource", "Terraform reads the tags at every plan");

pub(super) fn grant(access: &mut Access<'_>) {
    let web_acl = access.waf(&format!("webacl/{}/*", access.stack.acl.web_acl()));
    match &access.stack.acl {
        Acl::Own(_) => {
            access.grant(
                "WebAcl",
                vec![web_acl.clone()],
                None,
                &[("wafv2:GetWebACL", "Terraform compares the web ACL at every plan"), TAGS],
                &[
                    ("wafv2:DeleteWebACL", "removes it; leave this out to keep it for good"),
                    TAG,
                    UNTAG,
                ],
            );
            let mut checked = vec![web_acl];
            if !access.stack.networks.is_empty() {
                checked.push(ip_sets(access));
            }
            access.grant(
                "WebAclWrite",
                checked,
                Some(
                    "AWS checks these actions against the web ACL and against every IP set that a rule names.",
                ),
                &[],
                &[
                    ("wafv2:CreateWebACL", "makes the web ACL"),
                    ("wafv2:UpdateWebACL", "changes rules, limits and actions"),
                ],
            );
        }
        Acl::Groups { .. } | Acl::Rules { .. } => joined(access, web_acl),
    }
    if !access.stack.networks.is_empty() {
        access.grant(
            "IpSets",
            vec![ip_sets(access)],
            None,
            &[("wafv2:GetIPSet", "Terraform compares the addresses at every plan"), TAGS],
            &[
                ("wafv2:CreateIPSet", "makes the sets of a network"),
                ("wafv2:DeleteIPSet", "removes those of a network that left the policy"),
                TAG,
                UNTAG,
                ("wafv2:UpdateIPSet", "changes the addresses of a network"),
            ],
        );
    }
}

fn ip_sets(access: &Access<'_>) -> super::IamResource {
    access.waf(&format!("ipset/{}-*/*", access.stack.name))
}

/// Somebody else's web ACL: the provider reads all of it, puts our rule in, and writes all of it, so
/// AWS checks everything that any rule of it names.
fn joined(access: &mut Access<'_>, web_acl: super::IamResource) {
    access.grant(
        "FindWebAcl",
        vec![super::IamResource::Any],
        Some("AWS knows no resource for a list."),
        &[("wafv2:ListWebACLs", "the web ACL is looked up by its name")],
        &[],
    );
    access.grant(
        "WebAcl",
        vec![web_acl.clone()],
        None,
        &[("wafv2:GetWebACL", "our rule is read out of the web ACL at every plan"), TAGS],
        &[],
    );
    let mut checked = vec![web_acl];
    for kind in ["ipset", "managedruleset", "regexpatternset", "rulegroup"] {
        checked.push(access.waf(&format!("{kind}/*/*")));
    }
    access.grant(
        "WebAclWrite",
        checked,
        Some(
            "The web ACL is written as a whole, and AWS checks this action against everything that any of its \
             rules names, those of its owner included.",
        ),
        &[],
        &[("wafv2:UpdateWebACL", "puts our rule in and takes it out")],
    );
    if matches!(access.stack.acl, Acl::Groups { .. }) {
        let group = access.waf(&format!("rulegroup/{}-*/*", access.stack.name));
        access.grant(
            "RuleGroups",
            vec![group.clone()],
            None,
            &[("wafv2:GetRuleGroup", "Terraform compares the group at every plan"), TAGS],
            &[("wafv2:DeleteRuleGroup", "removes it"), TAG, UNTAG],
        );
        let mut checked = vec![group];
        if !access.stack.networks.is_empty() {
            checked.push(ip_sets(access));
        }
        access.grant(
            "RuleGroupsWrite",
            checked,
            Some("AWS checks these actions against the group and against every IP set that a rule names."),
            &[],
            &[
                ("wafv2:CreateRuleGroup", "makes the group"),
                ("wafv2:UpdateRuleGroup", "changes rules, limits and actions"),
            ],
        );
    }
}
