//! The one translation of rules into AWS shapes: a typed mirror of the `WAFv2` JSON that we write,
//! its capacity and price, and a reading of its statements that tests can run.
//!
//! [`translate()`] turns a [`crate::rules::RuleSet`] into [`Translated`]; every dialect is printed from
//! that, and the API gets it as it is. Shapes and spelling are those of the `WAFv2` API reference
//! (service model of 2019-07-29).

mod aggregate;
mod budget;
mod capacity;
mod error;
mod evaluate;
mod ip_set;
mod logging;
mod logic;
mod names;
mod price;
mod response;
mod scope_down;
mod statement;
pub mod terraform;
mod translate;
mod web_acl;

#[cfg(test)]
mod tests;

pub use aggregate::{AggregateKeyType, CustomKey, FallbackBehavior, ForwardedIpConfig, NamedKey};
pub use budget::Budget;
pub use capacity::{CAPACITIES, capacity, rule_capacity};
pub use error::Error;
pub use evaluate::{Request, matches};
pub use ip_set::{Arn, IpAddressVersion, IpSet, NetworkSet};
pub use logging::{
    ActionCondition, Condition, Filter, FilterBehavior, FilterRequirement, LoggedAction,
    LoggingFilter, redacted_field,
};
pub use logic::{all as all_of, any as any_of, levels, not};
pub use names::check_name;
pub use price::{PRICES, Prices, dollars};
pub use response::{POLICY_HEADER, policy_header};
pub use scope_down::{method as method_statement, path as path_statement};
pub use statement::{
    AndStatement, ByteMatchStatement, FieldToMatch, ForwardedIpPosition, IpSetForwardedIpConfig,
    IpSetReferenceStatement, NotStatement, OrStatement, PositionalConstraint, RateBasedStatement,
    RegexMatchStatement, SearchString, Statement, TextTransformation,
};
pub use translate::{Exempted, Translated, translate};
pub use web_acl::{
    BlockAction, CustomHttpHeader, CustomResponse, CustomResponseBody, DefaultAction, Empty, Rule,
    RuleAction, RuleGroup, Scope, VisibilityConfig, WebAcl,
};
