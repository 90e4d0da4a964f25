//! The scope-down of a rule: exactly the requests that the analysis counted for it.

use super::aggregate::{self, FallbackBehavior};
use super::error::Error;
use super::ip_set::{Arn, NetworkSet};
use super::logic::{all, any, levels, not};
use super::statement::{
    ByteMatchStatement, FieldToMatch, ForwardedIpPosition, IpSetForwardedIpConfig,
    IpSetReferenceStatement, PositionalConstraint, RegexMatchStatement, SearchString, Statement,
    TextTransformation,
};
use crate::quotas;
use crate::rules::{
    Exemption, ForwardedIp, PathMatcher, PathPattern, PatternError, RateRule, Role, Route,
    Spelling, Transformation,
};

/// The scope-down of a rule. Route first, then whom it counts, then which paths it leaves out.
pub(super) fn scope_down(
    rule: &RateRule,
    sets: &[NetworkSet],
    exemptions: &[&Exemption],
) -> Result<Statement, Error> {
    let (own_path, mut parts) = requests(rule)?;
    let references = |network: &str| references(network, sets, rule.key.forwarded());
    if let Some(network) = rule.role.network() {
        let own = any(references(network)).ok_or_else(|| Error::EmptyNetwork {
            rule: rule.name.clone(),
            network: network.to_owned(),
        })?;
        parts.push(own);
    }
    for network in &rule.except_networks {
        parts.extend(references(network).into_iter().map(not));
    }
    for exemption in exemptions {
        let left_out = path(&exemption.path, exemption.spelling).map_err(|source| {
            Error::Pattern { of: "exemption", name: exemption.name.clone(), source }
        })?;
        parts.push(not(left_out));
    }
    let statement = all(own_path, parts);
    let levels = levels(&statement);
    if levels > quotas::TERRAFORM_SCOPE_DOWN_LEVELS {
        return Err(Error::Levels { rule: rule.name.clone(), levels });
    }
    Ok(statement)
}

/// The path of a rule, and its other conditions on the request itself. A twin of several routes looks
/// at any of their paths, and at methods and hosts only where all of them have the same: so it counts
/// at least what their rules leave out for it.
fn requests(rule: &RateRule) -> Result<(Statement, Vec<Statement>), Error> {
    let refused = |source| Error::Pattern { of: "rule", name: rule.name.clone(), source };
    let routes: &[Route] = match &rule.role {
        Role::SharedTwin { routes, .. } => routes,
        Role::Main | Role::Second { .. } | Role::Twin { .. } => std::slice::from_ref(&rule.route),
    };
    let paths: Result<Vec<Statement>, PatternError> =
        routes.iter().map(|route| path(&route.path, route.spelling)).collect();
    let mut paths = paths.map_err(refused)?;
    let mut kept: Vec<Statement> = Vec::with_capacity(paths.len());
    for path in paths.drain(..) {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    let own_path = any(kept).ok_or_else(|| refused(PatternError::Empty))?;
    let mut parts = Vec::new();
    let methods = shared(routes, |route| {
        let mut methods = route.methods.clone();
        methods.sort();
        methods
    });
    if let (Some(_), Some(first)) = (methods, routes.first()) {
        for method in &first.methods {
            check_length(rule, "method", method)?;
        }
        parts.extend(any(first.methods.iter().map(|method| self::method(method)).collect()));
    }
    if let Some(Some(name)) = shared(routes, |route| route.host.clone()) {
        check_length(rule, "host", &name)?;
        parts.push(host(&name));
    }
    Ok((own_path, parts))
}

/// What all routes have in common, if they do.
fn shared<T: PartialEq>(routes: &[Route], part: impl Fn(&Route) -> T) -> Option<T> {
    let mut parts = routes.iter().map(part);
    let first = parts.next()?;
    parts.all(|other| other == first).then_some(first)
}

/// Whether a request can match both the rule's path and the exemption's. Errs on the side of yes.
pub(super) fn meets(rule: &RateRule, exemption: &Exemption) -> bool {
    match &rule.role {
        Role::SharedTwin { routes, .. } => routes.iter().any(|route| route_meets(route, exemption)),
        Role::Main | Role::Second { .. } | Role::Twin { .. } => route_meets(&rule.route, exemption),
    }
}

fn route_meets(route: &Route, exemption: &Exemption) -> bool {
    if route.spelling != exemption.spelling {
        return true;
    }
    let theirs = exemption.path.search_strings(exemption.spelling);
    let ours = route.path.search_strings(route.spelling);
    match (&route.path, &exemption.path) {
        (PathPattern::Regex(_), _) | (_, PathPattern::Regex(_)) => true,
        // Both see the same transformed path, and the whole of it is known.
        (PathPattern::Exactly(_), kind) => {
            ours.iter().any(|path| theirs.iter().any(|text| holds(kind, path, text)))
        }
        (kind, PathPattern::Exactly(_)) => {
            theirs.iter().any(|path| ours.iter().any(|text| holds(kind, path, text)))
        }
        (PathPattern::StartsWith(_), PathPattern::StartsWith(_)) => ours.iter().any(|ours| {
            theirs.iter().any(|theirs| ours.starts_with(theirs) || theirs.starts_with(ours))
        }),
        (PathPattern::EndsWith(_), PathPattern::EndsWith(_)) => ours.iter().any(|ours| {
            theirs.iter().any(|theirs| ours.ends_with(theirs) || theirs.ends_with(ours))
        }),
        _ => true,
    }
}

fn holds(kind: &PathPattern, path: &[u8], text: &[u8]) -> bool {
    match kind {
        PathPattern::Exactly(_) => path == text,
        PathPattern::StartsWith(_) => path.starts_with(text),
        PathPattern::EndsWith(_) => path.ends_with(text),
        PathPattern::Contains(_) => memchr::memmem::find(path, text).is_some(),
        PathPattern::Regex(_) => true,
    }
}

/// A path, in every spelling that counts.
///
/// # Errors
/// When no statement can express it.
pub fn path(pattern: &PathPattern, spelling: Spelling) -> Result<Statement, PatternError> {
    PathMatcher::new(pattern, spelling)?;
    let text_transformations = TextTransformation::list(spelling.transformations());
    let positional_constraint = match pattern {
        PathPattern::Regex(text) => {
            return Ok(Statement::RegexMatch(RegexMatchStatement {
                regex_string: text.clone(),
                field_to_match: FieldToMatch::UriPath {},
                text_transformations,
            }));
        }
        PathPattern::Exactly(_) => PositionalConstraint::Exactly,
        PathPattern::StartsWith(_) => PositionalConstraint::StartsWith,
        PathPattern::EndsWith(_) => PositionalConstraint::EndsWith,
        PathPattern::Contains(_) => PositionalConstraint::Contains,
    };
    let spellings = pattern.search_strings(spelling).into_iter().map(|text| {
        Statement::ByteMatch(ByteMatchStatement {
            search_string: SearchString::Bytes(text),
            field_to_match: FieldToMatch::UriPath {},
            text_transformations: text_transformations.clone(),
            positional_constraint,
        })
    });
    any(spellings.collect()).ok_or(PatternError::Empty)
}

/// A method, compared with case as HTTP does.
#[must_use]
pub fn method(name: &str) -> Statement {
    Statement::ByteMatch(ByteMatchStatement {
        search_string: SearchString::Bytes(name.as_bytes().to_vec()),
        field_to_match: FieldToMatch::Method {},
        text_transformations: TextTransformation::list(&[Transformation::None]),
        positional_constraint: PositionalConstraint::Exactly,
    })
}

/// A Host header, compared without case.
fn host(name: &str) -> Statement {
    Statement::ByteMatch(ByteMatchStatement {
        search_string: SearchString::Bytes(name.to_ascii_lowercase().into_bytes()),
        field_to_match: FieldToMatch::SingleHeader { name: "host".to_owned() },
        text_transformations: TextTransformation::list(&[Transformation::Lowercase]),
        positional_constraint: PositionalConstraint::Exactly,
    })
}

/// The sets of a network; where the client's address stands in a header, looked for there: a
/// reference does not know where the rate-based statement around it looks (API, `IPSetForwardedIPConfig`).
fn references(
    network: &str,
    sets: &[NetworkSet],
    forwarded: Option<&ForwardedIp>,
) -> Vec<Statement> {
    let config = forwarded.map(aggregate::forwarded).map(|config| IpSetForwardedIpConfig {
        header_name: config.header_name,
        // Nobody whose address cannot be read belongs to a network.
        fallback_behavior: FallbackBehavior::NoMatch,
        position: ForwardedIpPosition::First,
    });
    sets.iter()
        .filter(|set| set.network == network)
        .map(|set| {
            let arn = Arn::of_ip_set(&set.set.name);
            let forwarded_ip_config = config.clone();
            Statement::IpSetReference(IpSetReferenceStatement { arn, forwarded_ip_config })
        })
        .collect()
}

fn check_length(rule: &RateRule, part: &'static str, text: &str) -> Result<(), Error> {
    if (1..=quotas::SEARCH_STRING_BYTES).contains(&text.len()) {
        return Ok(());
    }
    Err(Error::SearchString { rule: rule.name.clone(), part, length: text.len() })
}
