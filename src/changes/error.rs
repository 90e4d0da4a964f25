//! Why nothing is written.

use crate::units::plain;

/// What the live web ACL is, that no change set can be made or written for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// AWS sent something that is no web ACL.
    #[error("what AWS sent as the web ACL cannot be read: {0}")]
    NotReadable(String),
    /// A setting that would get lost.
    #[error("the web ACL has the setting `{}`, which this ratewaf does not know: to write it back could lose it", plain(.0))]
    UnknownSetting(String),
    /// A member of a rule of ours that would get lost.
    #[error("the rule `{}` has the member `{}`, which this ratewaf does not know: to write it anew would lose it", plain(.rule), plain(.member))]
    UnknownMember {
        /// The rule.
        rule: String,
        /// Its member.
        member: String,
    },
    /// What would be sent is not what was read.
    #[error("`{}` of the web ACL would not go back as it came; nothing is written", plain(.0))]
    Lost(String),
    /// Managed from elsewhere.
    #[error("the web ACL `{}` is managed by AWS Firewall Manager, which undoes what others write", plain(.0))]
    FirewallManager(String),
    /// A rule of somebody else has the name.
    #[error("the web ACL has a rule `{}` that is no rate-based rule", plain(.0))]
    NotOurs(String),
    /// A rule of somebody else has the priority.
    #[error("priority {priority}, which `{}` has to have, is that of the rule `{}`", plain(.rule), plain(.taken))]
    Priority {
        /// Ours.
        rule: String,
        /// The other one.
        taken: String,
        /// The priority of both.
        priority: i64,
    },
    /// The same rules stand there already, in a group.
    #[error("the rule `{}` refers to a rule group of this policy, with the same limits", plain(.0))]
    Grouped(String),
    /// More rate-based rules than AWS allows.
    #[error("the web ACL would have {0} rate-based rules, and AWS allows {1}")]
    Slots(usize, usize),
    /// An IP set of ours holds another family.
    #[error("the IP set `{}` is there for the other family of addresses", plain(.0))]
    Family(String),
    /// The web ACL is not there, and is not ours to make.
    #[error("there is no web ACL `{}`", plain(.0))]
    Missing(String),
    /// The distribution has another one.
    #[error("the distribution {} has the web ACL `{}` and not `{}`", plain(.id), plain(.has), plain(.wanted))]
    Distribution {
        /// Its id.
        id: String,
        /// Of what it has.
        has: String,
        /// Of the policy.
        wanted: String,
    },
}

impl Refusal {
    /// What to do.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotReadable(_) => "update ratewaf; `aws wafv2 get-web-acl` shows what AWS sends".to_owned(),
            Self::UnknownSetting(_) | Self::UnknownMember { .. } | Self::Lost(_) => {
                "update ratewaf; until then change the rule in the console or with `aws wafv2`".to_owned()
            }
            Self::FirewallManager(_) => {
                "change the Firewall Manager policy, or attach to a web ACL that is yours".to_owned()
            }
            Self::NotOurs(_) => {
                "rename it, or give the policy another `name`, the prefix of its rules".to_owned()
            }
            Self::Priority { .. } => {
                "give the policy another place: `web_acl: { attach: NAME, priority: N }`; to roll back, begin with the newest undo file".to_owned()
            }
            Self::Grouped(_) => {
                "let Terraform keep it, or take the group out there first: each request would count twice".to_owned()
            }
            Self::Slots(..) => {
                "leave out a route or a twin, or let one twin count for all routes (docs/policy-file.md)".to_owned()
            }
            Self::Family(_) => "rename the network in the policy".to_owned(),
            Self::Missing(_) => {
                "check the name and --profile: `aws wafv2 list-web-acls` shows what is there; `web_acl: { create: NAME }` makes it"
                    .to_owned()
            }
            Self::Distribution { .. } => {
                "write `web_acl: { attach: NAME }` with the web ACL that the distribution has: its rules stay".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind; the match makes the compiler ask for a new one here.
    fn all() -> Vec<Refusal> {
        let text = || "that".to_owned();
        let all = vec![
            Refusal::NotReadable(text()),
            Refusal::UnknownSetting(text()),
            Refusal::UnknownMember { rule: text(), member: text() },
            Refusal::Lost(text()),
            Refusal::FirewallManager(text()),
            Refusal::NotOurs(text()),
            Refusal::Priority { rule: text(), taken: text(), priority: 7 },
            Refusal::Grouped(text()),
            Refusal::Slots(11, 10),
            Refusal::Family(text()),
            Refusal::Missing(text()),
            Refusal::Distribution { id: text(), has: text(), wanted: text() },
        ];
        for one in &all {
            match one {
                Refusal::NotReadable(_)
                | Refusal::UnknownSetting(_)
                | Refusal::UnknownMember { .. }
                | Refusal::Lost(_)
                | Refusal::FirewallManager(_)
                | Refusal::NotOurs(_)
                | Refusal::Priority { .. }
                | Refusal::Grouped(_)
                | Refusal::Slots(..)
                | Refusal::Family(_)
                | Refusal::Missing(_)
                | Refusal::Distribution { .. } => {}
            }
        }
        all
    }

    #[test]
    fn every_refusal_names_what_it_is_about_and_a_way_out() {
        for refusal in all() {
            let said = refusal.to_string();
            assert!(said.contains("that") || said.contains("11"), "{said}");
            assert!(refusal.hint().len() > 20 && !refusal.hint().ends_with('.'), "{said}");
        }
    }
}
