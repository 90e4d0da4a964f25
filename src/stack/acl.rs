//! The web ACL, or what joins somebody else's.

use super::{Error, Given};
use crate::quotas;
use crate::rules::{AttachedAs, Attachment, WebAclTarget};
use crate::wafv2::{
    Rule, RuleAction, RuleGroup, Scope, Statement, VisibilityConfig, WebAcl, rule_capacity,
};

/// Whose web ACL it is, and what of it is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acl {
    /// All of it.
    Own(WebAcl),
    /// Rule groups of ours; in somebody else's web ACL one rule refers to each.
    Groups {
        /// The web ACL's name; it is looked up.
        web_acl: String,
        /// The groups, in the order in which they are looked at.
        groups: Vec<JoinedGroup>,
    },
    /// Single rules in somebody else's web ACL.
    Rules {
        /// The web ACL's name; it is looked up.
        web_acl: String,
        /// By priority in that web ACL. Their scope-downs have no `and`, `or` and `not`, and their
        /// answers no body: that would have to stand in the web ACL.
        rules: Vec<Rule>,
    },
}

/// A rule group and its place in the web ACL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedGroup {
    /// The group.
    pub group: RuleGroup,
    /// The name of the rule that refers to it.
    pub rule: String,
    /// The priority of that rule. Its override action is none: each rule acts as it says.
    pub priority: u32,
}

impl Acl {
    /// The web ACL's name.
    #[must_use]
    pub fn web_acl(&self) -> &str {
        match self {
            Self::Own(acl) => &acl.name,
            Self::Groups { web_acl, .. } | Self::Rules { web_acl, .. } => web_acl,
        }
    }

    /// The rules, by priority.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        let lists: Vec<&[Rule]> = match self {
            Self::Own(acl) => vec![&acl.rules],
            Self::Groups { groups, .. } => {
                groups.iter().map(|joined| joined.group.rules.as_slice()).collect()
            }
            Self::Rules { rules, .. } => vec![rules],
        };
        lists.into_iter().flatten()
    }

    /// The rule group that a rule stands in, if it stands in one.
    #[must_use]
    pub fn group_of(&self, rule: &str) -> Option<&RuleGroup> {
        let Self::Groups { groups, .. } = self else { return None };
        groups
            .iter()
            .map(|joined| &joined.group)
            .find(|group| group.rules.iter().any(|one| one.name == rule))
    }

    /// Whether the web ACL is ours.
    #[must_use]
    pub const fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }
}

/// Space between two priorities, so that a rule of somebody else fits in between.
const PRIORITY_STEP: u32 = 10;
/// A rule group's capacity is a multiple of this: it cannot be changed later, so there is room left.
const CAPACITY_STEP: u32 = 250;

pub(super) fn build(given: &Given<'_>) -> Result<Acl, Error> {
    let attachment = match &given.set.web_acl {
        WebAclTarget::Create(_) => return Ok(Acl::Own(given.waf.web_acl.clone())),
        WebAclTarget::Attach(attachment) => attachment,
    };
    match attachment.form {
        AttachedAs::RuleGroup => groups(given, attachment),
        AttachedAs::Rules => single(given, attachment),
    }
}

fn groups(given: &Given<'_>, attachment: &Attachment) -> Result<Acl, Error> {
    // The plans are of distributions.
    if let (Some(plan), Scope::CloudFront) = (given.set.flat_rate_plan, given.home.scope) {
        return Err(Error::GroupOnPlan { plan });
    }
    let acl = &given.waf.web_acl;
    let mut groups = Vec::new();
    // AWS refuses an empty one; without rules there is no group.
    for (place, rules) in acl.rules.chunks(quotas::RATE_RULES_PER_RULE_GROUP).enumerate() {
        let name = match place {
            0 => format!("{}-limits", given.set.name),
            more => format!("{}-limits-{}", given.set.name, more + 1),
        };
        if let Some(rule) = acl.rules.iter().find(|rule| rule.name == name) {
            return Err(Error::GroupName { name: rule.name.clone() });
        }
        let used = rule_capacity(rules);
        let capacity = (used + used / 2).next_multiple_of(CAPACITY_STEP);
        let priority = attachment.priority + PRIORITY_STEP * u32::try_from(place).unwrap_or(0);
        groups.push(JoinedGroup {
            rule: name.clone(),
            priority,
            group: RuleGroup {
                scope: acl.scope,
                capacity: capacity.clamp(used, quotas::WCU_PER_WEB_ACL.max(used)),
                description: acl.description.clone(),
                rules: rules.to_vec(),
                visibility_config: VisibilityConfig::new(&name),
                custom_response_bodies: acl.custom_response_bodies.clone(),
                name,
            },
        });
    }
    for joined in &mut groups {
        let used: Vec<String> = joined.group.rules.iter().filter_map(body_key).collect();
        joined.group.custom_response_bodies.retain(|key, _| used.contains(key));
    }
    Ok(Acl::Groups { web_acl: attachment.web_acl.clone(), groups })
}

fn body_key(rule: &Rule) -> Option<String> {
    match &rule.action {
        RuleAction::Block(block) => {
            block.custom_response.as_ref()?.custom_response_body_key.clone()
        }
        _ => None,
    }
}

fn single(given: &Given<'_>, attachment: &Attachment) -> Result<Acl, Error> {
    let mut rules = given.waf.web_acl.rules.clone();
    for rule in &mut rules {
        let Statement::RateBased(rate) = &rule.statement else { continue };
        let levels = rate.scope_down_statement.as_deref().map_or(0, crate::wafv2::levels);
        if levels > 0 {
            return Err(Error::NotSingle { rule: rule.name.clone() });
        }
        if body_key(rule).is_some() {
            return Err(Error::BodyOfSingle { rule: rule.name.clone() });
        }
        // The first rule of the policy has the priority 10.
        rule.priority = attachment.priority + rule.priority.saturating_sub(PRIORITY_STEP);
    }
    Ok(Acl::Rules { web_acl: attachment.web_acl.clone(), rules })
}
