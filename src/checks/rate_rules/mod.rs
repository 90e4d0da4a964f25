//! The rate-based rules of a deployment in the terms of `rules`, for whoever runs them over logs.
//!
//! Nothing is guessed: a rule whose statement asks for something that is not in logs, or that this program
//! cannot decide as AWS WAF does, is named and left out; where a rule before another one may stop requests that
//! this one counts, it says so.

mod scope;
mod title;
mod walk;

use crate::rules::{Action, Condition, Network};
use crate::units::{Limit, Window};

pub use walk::rate_rules;

/// The rate-based rules of one web ACL.
#[derive(Clone, Debug, Default)]
pub struct RateRules {
    /// The web ACL, to begin a message with: `web ACL "prod"`.
    pub web_acl: String,
    /// In the order in which requests meet them.
    pub rules: Vec<HeldRule>,
    /// Rules that cannot be run over logs: their names, and why, to stand behind `not replayed:`.
    pub left_out: Vec<(String, String)>,
    /// Whether the web ACL has other rules that are not among what was read.
    pub is_part: bool,
}

/// A rate-based rule that counts by the address that connected.
#[derive(Clone, Debug)]
pub struct HeldRule {
    /// Its name.
    pub name: String,
    /// What it counts, as after `--route`.
    pub title: String,
    /// Which requests it counts, those of earlier rules that end there left out.
    pub condition: Condition,
    /// It counts addresses that are in one network of each of these lists.
    pub only: Vec<Vec<Network>>,
    /// It counts no address of these.
    pub but: Vec<Network>,
    /// Requests per window.
    pub limit: Limit,
    /// The evaluation window.
    pub window: Window,
    /// What it does.
    pub action: Action,
    /// Why it may in truth see fewer requests than here, in one sentence each.
    pub careful: Vec<String>,
}

/// Why there are no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// None at all.
    #[error("no web ACL with a rate-based rule is in it")]
    None,
    /// Several, and nobody said which.
    #[error("there are {} web ACLs with rate-based rules in it: {}", .0.len(), .0.join(", "))]
    Several(Vec<String>),
    /// None of that name.
    #[error("there is no web ACL `{name}` with rate-based rules in it, but {}", .others.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        others: Vec<String>,
    },
}

#[cfg(test)]
mod tests;
