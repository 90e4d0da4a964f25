//! What people have to do, because no file of ours can.

use super::Stack;
use super::acl::Acl;
use crate::wafv2::Scope;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duty {
    /// Whose.
    pub whose: &'static str,
    /// What, in a sentence or two.
    pub what: String,
}

const OWNER: &str = "the owner of the web ACL";

fn from_outside(web_acl: &str, when: &str) -> String {
    format!(
        "{when} {web_acl} is a Terraform resource anywhere, it needs lifecycle {{ ignore_changes = [rule] }}; without it the owner's next apply removes our rules"
    )
}

pub(super) fn build(stack: &Stack) -> Vec<Duty> {
    let mut duties = Vec::new();
    let web_acl = stack.acl.web_acl();
    let mut add = |whose, what: String| duties.push(Duty { whose, what });
    match &stack.acl {
        Acl::Own(_) if stack.home.scope == Scope::CloudFront => {}
        Acl::Own(_) => {
            if stack.associations.is_empty() {
                add(
                    "you",
                    format!(
                        "The web ACL {web_acl} stands before nothing yet: name what it protects under `associations` in the policy."
                    ),
                );
            }
        }
        Acl::Groups { .. } => add(
            OWNER,
            format!(
                "{}. Where the owner writes the reference to our group into that resource, it must not have that line: Terraform would never add the rule.",
                from_outside(web_acl, "If our group is added from outside, and the web ACL")
            ),
        ),
        Acl::Rules { .. } => {
            add(OWNER, format!("{}.", from_outside(web_acl, "If the web ACL")));
        }
    }
    if matches!(stack.acl, Acl::Rules { .. }) {
        add(
            "you",
            format!(
                "A rule of the same name that is in {web_acl} already is taken over, not refused; and the provider drops the web ACL's data_protection_config when it writes a rule (hashicorp/terraform-provider-aws#49388): check that it has none."
            ),
        );
    }
    duties
}
