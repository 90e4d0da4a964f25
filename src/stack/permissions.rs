//! The least that those who deploy have to be allowed, each action with its reason.
//!
//! Actions, and which resources each of them is checked against: AWS's service authorization reference,
//! as of November 2026; what Terraform calls: the AWS provider's source.

mod access;
mod around;
mod rules;
mod tool;

use super::Stack;
use super::reference::Value;
use crate::rules::{Permitted, RuleSet};
use access::Access;

/// An IAM policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IamPolicy {
    /// Its name: `acl-ci-plan`.
    pub name: String,
    /// Whose it is and what for.
    pub description: String,
    /// What it allows, one statement each.
    pub grants: Vec<Grant>,
}

/// A statement of an IAM policy that allows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Letters and digits, unique in the policy.
    pub sid: String,
    /// In alphabetical order.
    pub actions: Vec<GrantedAction>,
    /// On what.
    pub resources: Vec<IamResource>,
    /// When only.
    pub conditions: Vec<GrantCondition>,
    /// What a reader should know, such as why a resource is `*`.
    pub about: Option<String>,
}

impl Grant {
    /// The conditions by operator, each in its first place: one operator may have several keys.
    #[must_use]
    pub fn operators(&self) -> Vec<(&str, Vec<&GrantCondition>)> {
        let mut operators: Vec<(&str, Vec<&GrantCondition>)> = Vec::new();
        for condition in &self.conditions {
            match operators.iter_mut().find(|(operator, _)| *operator == condition.operator) {
                Some((_, conditions)) => conditions.push(condition),
                None => operators.push((&condition.operator, vec![condition])),
            }
        }
        operators
    }
}

/// An action and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedAction {
    /// Such as `wafv2:GetWebACL`.
    pub action: String,
    /// In a few words.
    pub reason: String,
}

/// A condition of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantCondition {
    /// Such as `StringEquals`.
    pub operator: String,
    /// Such as `aws:SourceAccount`.
    pub key: String,
    /// One of these.
    pub values: Vec<Value>,
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IamResource {
    /// `*`, where AWS knows no resource for the action.
    Any,
    /// One resource: its ARN.
    One(Value),
    /// All resources whose ARNs look so: `arn:PARTITION:service:region:ACCOUNT:resource`, with the
    /// partition and the number of the account that this is deployed in.
    Pattern {
        /// Such as `wafv2`.
        service: &'static str,
        /// Such as `us-east-1`; empty where the ARN has none.
        region: String,
        /// Whether the ARN has an account.
        has_account: bool,
        /// Such as `global/webacl/prod/*`.
        resource: String,
    },
}

pub(super) fn build(stack: &Stack, set: &RuleSet) -> Vec<IamPolicy> {
    set.around.permissions.iter().map(|permitted| stack.policy_of(*permitted)).collect()
}

impl Stack {
    /// The permissions that somebody needs for this stack, also if the policy does not ask for them.
    /// They name no resource of the stack but by how its ARN looks, as they have to be there first.
    #[must_use]
    pub fn policy_of(&self, permitted: Permitted) -> IamPolicy {
        let (end, description) = match permitted {
            Permitted::Plan => {
                ("ci-plan", format!("What terraform plan reads of {}", self.acl.web_acl()))
            }
            Permitted::Apply => (
                "ci-apply",
                format!("What terraform apply reads and writes of {}", self.acl.web_acl()),
            ),
            Permitted::Ratewaf => {
                ("ratewaf", format!("What ratewaf status and apply do to {}", self.acl.web_acl()))
            }
        };
        let mut access = Access::new(self, permitted == Permitted::Apply);
        if permitted == Permitted::Ratewaf {
            tool::grant(&mut access);
        } else {
            rules::grant(&mut access);
            around::grant(&mut access);
        }
        IamPolicy { name: format!("{}-{end}", self.name), description, grants: access.grants }
    }
}
