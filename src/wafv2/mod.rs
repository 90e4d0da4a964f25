//! The one translation of rules into AWS shapes: a typed mirror of the `WAFv2` JSON that we write,
//! its capacity and price, and a reading of its statements that tests can run.
//!
//! [`translate()`] turns a [`crate::rules::RuleSet`] into [`Translated`]; every dialect is printed from
//! that, and the API gets it as it is. Shapes and spelling are those of the `WAFv2` API reference
//! (service model of 2019-07-29).

mod budget;
mod capacity;
mod error;
mod evaluate;
mod ip_set;
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

pub use budget::Budget;
pub use capacity::{capacity, rule_capacity};
pub use error::Error;
pub use evaluate::{Request, matches};
pub use ip_set::{Arn, IpAddressVersion, IpSet, NetworkSet};
pub use logic::levels;
pub use names::check_name;
pub use price::{PRICES, Prices, dollars};
pub use statement::{
    AggregateKeyType, AndStatement, ByteMatchStatement, FieldToMatch, IpSetReferenceStatement,
    NotStatement, OrStatement, PositionalConstraint, RateBasedStatement, RegexMatchStatement,
    SearchString, Statement, TextTransformation,
};
pub use translate::{Exempted, Translated, translate};
pub use web_acl::{
    BlockAction, CustomHttpHeader, CustomResponse, CustomResponseBody, DefaultAction, Empty, Rule,
    RuleAction, Scope, VisibilityConfig, WebAcl,
};
