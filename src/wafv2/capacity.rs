//! How many capacity units (WCU) rules use: an estimate, as only `CheckCapacity` knows.
//!
//! Source: AWS WAF developer guide, the page of each statement ("waf-rule-statement-type-…", 2025-26)
//! and for regular expressions "waf-rule-statements-list".

use super::statement::{PositionalConstraint, Statement, TextTransformation};
use super::web_acl::Rule;
use crate::rules::Transformation;

/// A rate-based statement without its scope-down.
const RATE_BASED: u32 = 2;
/// Each part of a custom key.
const CUSTOM_KEY: u32 = 30;
/// A string match of the whole, the beginning or the end.
const STRING_MATCH: u32 = 2;
/// A string match anywhere.
const STRING_MATCH_ANYWHERE: u32 = 10;
/// A regular expression (the list page; an older page said 4).
const REGEX_MATCH: u32 = 3;
/// A reference to an IP set.
const IP_SET: u32 = 1;
/// Each text transformation. The guide does not say whether `NONE` is free; it does nothing, so it
/// counts nothing here.
const TRANSFORMATION: u32 = 10;

/// The table that the estimate is made with, in words.
pub const CAPACITIES: [(&str, u32); 7] = [
    ("a rate-based rule", RATE_BASED),
    ("each part of a custom key", CUSTOM_KEY),
    ("a match of the whole, the beginning or the end", STRING_MATCH),
    ("a match anywhere", STRING_MATCH_ANYWHERE),
    ("a regular expression", REGEX_MATCH),
    ("an IP set", IP_SET),
    ("each text transformation", TRANSFORMATION),
];

/// The estimate for a statement: `and`, `or` and `not` cost what their parts do.
#[must_use]
pub fn capacity(statement: &Statement) -> u32 {
    match statement {
        Statement::RateBased(rate) => {
            let keys = u32::try_from(rate.custom_keys.len()).unwrap_or(u32::MAX);
            RATE_BASED
                + CUSTOM_KEY * keys
                + rate.scope_down_statement.as_deref().map_or(0, capacity)
        }
        Statement::And(inner) => inner.statements.iter().map(capacity).sum(),
        Statement::Or(inner) => inner.statements.iter().map(capacity).sum(),
        Statement::Not(inner) => capacity(&inner.statement),
        Statement::ByteMatch(inner) => {
            let base = match inner.positional_constraint {
                PositionalConstraint::Contains => STRING_MATCH_ANYWHERE,
                PositionalConstraint::Exactly
                | PositionalConstraint::StartsWith
                | PositionalConstraint::EndsWith => STRING_MATCH,
            };
            base + transformations(&inner.text_transformations)
        }
        Statement::RegexMatch(inner) => REGEX_MATCH + transformations(&inner.text_transformations),
        Statement::IpSetReference(_) => IP_SET,
    }
}

/// The estimate for rules.
#[must_use]
pub fn rule_capacity(rules: &[Rule]) -> u32 {
    rules.iter().map(|rule| capacity(&rule.statement)).sum()
}

fn transformations(list: &[TextTransformation]) -> u32 {
    list.iter().filter(|one| one.kind != Transformation::None).map(|_| TRANSFORMATION).sum()
}
