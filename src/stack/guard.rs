//! The way around CloudFront, closed: CloudFront adds a secret header, and a web ACL of its own, on the
//! API behind, demands it for the protected routes.
//!
//! The web ACL is its own because a secret in a rule hides all rules of its web ACL in a plan.

use super::associations::{self, Association};
use super::{Error, Given};
use crate::quotas;
use crate::rules::{OriginGuard, PathPattern, RateRule, Role, Route, Scope as RuleScope};
use crate::units::count;
use crate::wafv2::{
    self, BlockAction, ByteMatchStatement, DefaultAction, Empty, FieldToMatch, PRICES,
    PositionalConstraint, Rule, RuleAction, Scope, SearchString, Statement, TextTransformation,
    VisibilityConfig, WebAcl, dollars,
};

/// The guard of the origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The Region of the API, and of everything here.
    pub region: String,
    /// The header that CloudFront adds to what it sends to the origin, in lower case.
    pub header: String,
    /// The secret that CloudFront sends first; while it is exchanged, the one before second. The web
    /// ACL takes any of them.
    pub secrets: Vec<Secret>,
    /// The web ACL, of the scope REGIONAL. Its statements name a secret by
    /// [`crate::wafv2::SearchString::Secret`].
    pub web_acl: WebAcl,
    /// What it stands before.
    pub associations: Vec<Association>,
    /// How the secret is exchanged, step by step.
    pub rotation: Vec<String>,
    /// What a reader should know.
    pub about: Vec<String>,
}

/// A secret that is made once and kept in SSM as a SecureString. From then on the parameter has it: its
/// value is not compared with what was made (`ignore_changes`), and whoever needs it reads it from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its name in a dialect, and in [`super::Resource::Secret`].
    pub name: String,
    /// The name of the parameter, with its slashes.
    pub parameter: String,
    /// What the parameter is, for people in the console.
    pub description: String,
    /// Characters: letters and digits only, as it stands in a header.
    pub length: u32,
}

/// Characters of a secret: 62^44 is more than 2^256.
const SECRET_LENGTH: u32 = 44;
/// Space between two priorities.
const PRIORITY_STEP: u32 = 10;
/// Headers that CloudFront does not add (CloudFront guide, "add-origin-custom-headers"), and `host` and
/// the like, which have a meaning of their own.
const TAKEN: [&str; 24] = [
    "accept-encoding",
    "authorization",
    "cache-control",
    "connection",
    "content-length",
    "cookie",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "max-forwards",
    "origin",
    "pragma",
    "proxy-connection",
    "range",
    "request-range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-real-ip",
];
/// Beginnings of such headers.
const TAKEN_STARTS: [&str; 4] = ["proxy-auth", "x-amz-", "x-edge-", "cloudfront-"];

pub(super) fn build(given: &Given<'_>) -> Result<Option<Guard>, Error> {
    let Some(wanted) = &given.set.around.guard else { return Ok(None) };
    check(given, wanted)?;
    let name = format!("{}-origin", given.set.name);
    let mut secrets = vec![Secret {
        name: name.clone(),
        parameter: wanted.parameter.clone(),
        description: format!("What CloudFront sends in {} to the origin", wanted.header),
        length: SECRET_LENGTH,
    }];
    if wanted.rotating {
        secrets.push(Secret {
            name: format!("{name}-previous"),
            parameter: previous(wanted),
            description: format!("What CloudFront sent in {} before", wanted.header),
            length: SECRET_LENGTH,
        });
    }
    let associations = associations::of(&wanted.associations, &wanted.region)?;
    let web_acl = web_acl(given, wanted, &name, &secrets)?;
    let about = about(wanted, &web_acl, &associations);
    Ok(Some(Guard {
        region: wanted.region.clone(),
        header: wanted.header.clone(),
        rotation: rotation(wanted),
        secrets,
        web_acl,
        associations,
        about,
    }))
}

fn check(given: &Given<'_>, wanted: &OriginGuard) -> Result<(), Error> {
    let refuse = |reason: String| Err(Error::Guard(reason));
    if let RuleScope::Regional { .. } = given.set.scope {
        return refuse(
            "the web ACL of this policy is regional and stands on the API already, so there is no way around it; remove `origin_guard`".to_owned(),
        );
    }
    let header = wanted.header.as_str();
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    // The provider's own bound until late in version 6; the API takes 64.
    if header.is_empty() || header.len() > 40 || !header.bytes().all(plain) {
        return refuse(format!(
            "`{header}` cannot be the header: 1 to 40 lower-case letters, digits, `-` and `_`"
        ));
    }
    if TAKEN.contains(&header) || TAKEN_STARTS.iter().any(|start| header.starts_with(start)) {
        return refuse(format!(
            "CloudFront adds no header `{header}` to what it sends to an origin, or it means something else there; call it `x-origin-secret`"
        ));
    }
    let parameter = wanted.parameter.as_str();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte);
    let lower = parameter.trim_start_matches('/').to_ascii_lowercase();
    // SSM guide, "sysman-parameter-name-constraints"; there has to be room for `-previous`.
    let fits = (1..=500).contains(&parameter.len()) && parameter.bytes().all(plain);
    let deep = parameter.matches('/').count() > 15;
    let rooted = parameter.starts_with('/') || !parameter.contains('/');
    let whole = !parameter.contains("//") && !parameter.ends_with('/');
    if !fits || deep || !rooted || !whole || lower.starts_with("aws") || lower.starts_with("ssm") {
        return refuse(format!(
            "`{parameter}` is no name of an SSM parameter that can be made; write one like `/{}/origin-secret`",
            given.set.name
        ));
    }
    Ok(())
}

fn previous(wanted: &OriginGuard) -> String {
    format!("{}-previous", wanted.parameter)
}

/// One rule for each route that has a limit: what does not carry a secret is stopped.
fn web_acl(
    given: &Given<'_>,
    wanted: &OriginGuard,
    name: &str,
    secrets: &[Secret],
) -> Result<WebAcl, Error> {
    wafv2::check_name("a web ACL", name)?;
    let mut protected: Vec<&RateRule> = Vec::new();
    for rule in given.rules.iter().filter(|rule| rule.role == Role::Main) {
        let same = |other: &&RateRule| {
            let (one, other) = (&rule.route, &other.route);
            one.path == other.path && one.spelling == other.spelling && one.methods == other.methods
        };
        if !protected.iter().any(same) {
            protected.push(rule);
        }
    }
    let stages = stages(&wanted.associations);
    let mut rules = Vec::with_capacity(protected.len());
    for (priority, rule) in (PRIORITY_STEP..).step_by(PRIORITY_STEP as usize).zip(protected) {
        let name = format!("{}-guard", rule.name);
        wafv2::check_name("a rule", &name)?;
        rules.push(Rule {
            statement: outside(rule, wanted, &stages, secrets)?,
            action: if wanted.counts_only {
                RuleAction::Count(Empty {})
            } else {
                RuleAction::Block(BlockAction::default())
            },
            visibility_config: VisibilityConfig::new(&name),
            priority,
            name,
        });
    }
    let capacity = wafv2::rule_capacity(&rules);
    if capacity > quotas::WCU_PER_WEB_ACL {
        return Err(Error::Guard(format!(
            "its rules use about {capacity} WCU, and one web ACL has {}; use fewer routes or `spelling: strict`",
            quotas::WCU_PER_WEB_ACL
        )));
    }
    Ok(WebAcl {
        name: name.to_owned(),
        scope: Scope::Regional,
        default_action: DefaultAction::Allow(Empty {}),
        description: Some("Demands the secret of CloudFront, written by ratewaf emit".to_owned()),
        rules,
        visibility_config: VisibilityConfig::new(name),
        custom_response_bodies: std::collections::BTreeMap::new(),
    })
}

/// A request for a route that carries none of the secrets. The Host header is left out: who goes around
/// CloudFront writes what they like into it, and CloudFront itself may send the origin's.
fn outside(
    rule: &RateRule,
    wanted: &OriginGuard,
    stages: &[String],
    secrets: &[Secret],
) -> Result<Statement, Error> {
    let refused = |source| wafv2::Error::Pattern { of: "rule", name: rule.name.clone(), source };
    let Route { methods, path, spelling, .. } = &rule.route;
    let mut paths = vec![wafv2::path_statement(path, *spelling).map_err(refused)?];
    for stage in stages {
        if let Some(path) = under(stage, path) {
            paths.push(wafv2::path_statement(&path, *spelling).map_err(refused)?);
        }
    }
    let paths =
        wafv2::any_of(paths).ok_or_else(|| Error::Guard("a rule without a path".to_owned()))?;
    let methods = wafv2::any_of(methods.iter().map(|name| wafv2::method_statement(name)).collect());
    let without = secrets.iter().map(|secret| {
        wafv2::not(Statement::ByteMatch(ByteMatchStatement {
            search_string: SearchString::Secret(secret.name.clone()),
            field_to_match: FieldToMatch::SingleHeader { name: wanted.header.clone() },
            text_transformations: TextTransformation::list(&[crate::rules::Transformation::None]),
            positional_constraint: PositionalConstraint::Exactly,
        }))
    });
    Ok(wafv2::all_of(paths, methods.into_iter().chain(without).collect()))
}

/// Stages of REST APIs. Called by its own name an API gets `/STAGE/path`, by a custom domain `/path`.
fn stages(associations: &[String]) -> Vec<String> {
    let mut stages: Vec<String> = associations
        .iter()
        .filter_map(|arn| Some(format!("/{}", arn.rsplit_once("/stages/")?.1)))
        .collect();
    stages.sort();
    stages.dedup();
    stages
}

fn under(stage: &str, path: &PathPattern) -> Option<PathPattern> {
    match path {
        PathPattern::Exactly(path) => Some(PathPattern::Exactly(format!("{stage}{path}"))),
        PathPattern::StartsWith(path) => Some(PathPattern::StartsWith(format!("{stage}{path}"))),
        // They match under a stage as they are; an anchored expression is for its writer to change.
        PathPattern::EndsWith(_) | PathPattern::Contains(_) | PathPattern::Regex(_) => None,
    }
}

fn about(wanted: &OriginGuard, web_acl: &WebAcl, associations: &[Association]) -> Vec<String> {
    let header = &wanted.header;
    let rules = u32::try_from(web_acl.rules.len()).unwrap_or(u32::MAX);
    let mut about = vec![
        format!(
            "The way around CloudFront, closed: CloudFront adds {header} to what it sends to the origin, and this web ACL {} requests for the limited routes that come without it.",
            if wanted.counts_only { "counts" } else { "blocks" }
        ),
        "It is a web ACL of its own because a secret in one rule hides all rules of its web ACL in a plan. The \
         secret stands in clear in the state and in saved plans: keep both like the secret."
            .to_owned(),
        "The paths are those that clients send. If the distribution has an origin path, or a function that \
         rewrites paths, the API gets others, and these rules do not match."
            .to_owned(),
        format!(
            "Costs {} a month for the web ACL with {}, and {} for a million requests to the API.",
            dollars(PRICES.fixed(rules)),
            count(u64::from(rules), "rule", "rules"),
            dollars(PRICES.per_million(wafv2::rule_capacity(&web_acl.rules))),
        ),
    ];
    if associations.is_empty() {
        about.push(
            "It stands before nothing yet: name the load balancer or the API stage under `associations` of \
             `origin_guard` in the policy."
                .to_owned(),
        );
    }
    if wanted.counts_only {
        about.push(
            "It only counts. Let the distribution send the header first, and block when CountedRequests of its \
             rules stays at zero."
                .to_owned(),
        );
    }
    about
}

/// How to exchange the secret without turning anybody away: the web ACL takes both until CloudFront has
/// the new one everywhere.
fn rotation(wanted: &OriginGuard) -> Vec<String> {
    let OriginGuard { parameter, region, .. } = wanted;
    let previous = previous(wanted);
    let put = |name: &str, value: &str| {
        format!(
            "aws ssm put-parameter --region {region} --type SecureString --overwrite --name {name} --value \"{value}\""
        )
    };
    let get = format!(
        "$(aws ssm get-parameter --region {region} --with-decryption --name {parameter} --query Parameter.Value --output text)"
    );
    vec![
        format!(
            "To exchange the secret, write `rotating: true` under `origin_guard` in the policy, emit and apply: the parameter {previous} is made, and the web ACL takes either secret."
        ),
        format!("Copy the present secret: {}; apply.", put(&previous, &get)),
        format!(
            "Put a new one in its place: {}; apply the web ACL first, then the distribution.",
            put(parameter, "$(openssl rand -hex 22)")
        ),
        "Wait until every edge sends it: aws cloudfront wait distribution-deployed --id DISTRIBUTION. Until \
         then some send the old one, which the web ACL still takes."
            .to_owned(),
        "Write `rotating: false`, emit and apply: the old secret is forgotten.".to_owned(),
    ]
}

#[cfg(test)]
mod tests;
