//! Reading statements the way AWS WAF does, so that what was emitted can be compared with what was
//! counted.

use std::net::IpAddr;

use super::aggregate::FallbackBehavior;
use super::ip_set::NetworkSet;
use super::statement::{
    FieldToMatch, PositionalConstraint, SearchString, Statement, TextTransformation,
};
use crate::rules::{Transformation, transform};

/// The parts of a request that our statements look at.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The method, as sent.
    pub method: &'a [u8],
    /// The path as sent, without the query.
    pub path: &'a [u8],
    /// The Host header, as sent.
    pub host: Option<&'a [u8]>,
    /// The client.
    pub address: IpAddr,
    /// The first address in the header that rules with a forwarded address look at; `None`: there is
    /// no header, or no address in it.
    pub forwarded: Option<IpAddr>,
}

/// Whether a statement matches a request. A rate-based statement matches what it counts. A reference
/// to a set that is not among `sets` and an expression that does not compile match nothing.
#[must_use]
pub fn matches(statement: &Statement, request: &Request<'_>, sets: &[NetworkSet]) -> bool {
    match statement {
        Statement::RateBased(rate) => rate
            .scope_down_statement
            .as_deref()
            .is_none_or(|scope_down| matches(scope_down, request, sets)),
        Statement::And(inner) => inner.statements.iter().all(|part| matches(part, request, sets)),
        Statement::Or(inner) => inner.statements.iter().any(|part| matches(part, request, sets)),
        Statement::Not(inner) => !matches(&inner.statement, request, sets),
        Statement::ByteMatch(inner) => {
            // Nobody sends the stand-in of a secret.
            let SearchString::Bytes(wanted) = &inner.search_string else { return false };
            let wanted = wanted.as_slice();
            found(&inner.field_to_match, &inner.text_transformations, request, |part| {
                match inner.positional_constraint {
                    PositionalConstraint::Exactly => part == wanted,
                    PositionalConstraint::StartsWith => part.starts_with(wanted),
                    PositionalConstraint::EndsWith => part.ends_with(wanted),
                    PositionalConstraint::Contains => memchr::memmem::find(part, wanted).is_some(),
                }
            })
        }
        Statement::RegexMatch(inner) => {
            let Ok(regex) =
                regex::bytes::RegexBuilder::new(&inner.regex_string).unicode(false).build()
            else {
                return false;
            };
            found(&inner.field_to_match, &inner.text_transformations, request, |part| {
                regex.is_match(part)
            })
        }
        Statement::IpSetReference(inner) => {
            let address = match &inner.forwarded_ip_config {
                None => request.address,
                Some(config) => match request.forwarded {
                    Some(address) => address,
                    None => return config.fallback_behavior == FallbackBehavior::Match,
                },
            };
            let address = address.to_canonical();
            sets.iter()
                .filter(|set| inner.arn.ip_set_name() == Some(&set.set.name))
                .flat_map(|set| &set.set.addresses)
                .any(|cidr| cidr.contains(&address))
        }
    }
}

fn found(
    field: &FieldToMatch,
    transformations: &[TextTransformation],
    request: &Request<'_>,
    test: impl Fn(&[u8]) -> bool,
) -> bool {
    let part = match field {
        FieldToMatch::UriPath {} => request.path,
        FieldToMatch::Method {} => request.method,
        FieldToMatch::SingleHeader { name } if name == "host" => match request.host {
            Some(host) => host,
            None => return false,
        },
        FieldToMatch::SingleHeader { .. } | FieldToMatch::QueryString {} => return false,
    };
    let mut ordered = transformations.to_vec();
    ordered.sort_by_key(|one| one.priority);
    let kinds: Vec<Transformation> = ordered.into_iter().map(|one| one.kind).collect();
    test(&transform(part, &kinds))
}
