//! What a web ACL uses of its quotas, and what it costs; refused before AWS says no.

use super::capacity::rule_capacity;
use super::error::Error;
use super::price::PRICES;
use super::statement::Statement;
use super::web_acl::Rule;
use crate::quotas;

/// What a web ACL uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Rate-based rules, of [`quotas::RATE_RULES_PER_WEB_ACL`].
    pub rate_rules: usize,
    /// References to IP sets, of [`quotas::REFERENCE_STATEMENTS_PER_WEB_ACL`].
    pub references: usize,
    /// Capacity units, of [`quotas::WCU_PER_WEB_ACL`]: an estimate.
    pub wcu: u32,
    /// US cents a month for the web ACL and its rules.
    pub fixed_cents: u32,
    /// US cents for a million requests to the distribution.
    pub cents_per_million: u32,
}

impl Budget {
    pub(super) fn new(rules: &[Rule]) -> Result<Self, Error> {
        let rate_rules =
            rules.iter().filter(|rule| matches!(rule.statement, Statement::RateBased(_))).count();
        if rate_rules > quotas::RATE_RULES_PER_WEB_ACL {
            return Err(Error::TooManyRateRules(rate_rules));
        }
        let references = rules.iter().map(|rule| references(&rule.statement)).sum();
        if references > quotas::REFERENCE_STATEMENTS_PER_WEB_ACL {
            return Err(Error::TooManyReferences(references));
        }
        let wcu = rule_capacity(rules);
        if wcu > quotas::WCU_PER_WEB_ACL {
            return Err(Error::Capacity(wcu));
        }
        Ok(Self {
            rate_rules,
            references,
            wcu,
            fixed_cents: PRICES.fixed(u32::try_from(rules.len()).unwrap_or(u32::MAX)),
            cents_per_million: PRICES.per_million(wcu),
        })
    }
}

fn references(statement: &Statement) -> usize {
    match statement {
        Statement::RateBased(rate) => rate.scope_down_statement.as_deref().map_or(0, references),
        Statement::And(inner) => inner.statements.iter().map(references).sum(),
        Statement::Or(inner) => inner.statements.iter().map(references).sum(),
        Statement::Not(inner) => references(&inner.statement),
        Statement::IpSetReference(_) => 1,
        Statement::ByteMatch(_) | Statement::RegexMatch(_) => 0,
    }
}
