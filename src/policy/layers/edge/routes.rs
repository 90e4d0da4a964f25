//! The limits of the edge.

use super::document::{EdgeAlgorithmWord, EdgeDocument, EdgeLimitDocument, EdgeRouteDocument};
use super::model::{EdgeAlgorithm, EdgeLimit, EdgePattern, EdgeRoute};
use super::{Around, Tiers, is_path, pattern};
use crate::policy::collection::ByName;
use crate::policy::layers::app::{Names, fail};
use crate::policy::layers::document::FailWord;
use crate::policy::problem::{Problem, Span};
use crate::policy::reader::{Field, Located, list};
use crate::policy::validate::value;
use crate::policy::value::RequestCount;

/// The name of the limit where no route matches.
const GLOBAL: &str = "global";

pub(super) fn global(
    written: &EdgeLimitDocument,
    tiers: &Tiers,
    problems: &mut Vec<Problem>,
) -> Option<EdgeLimit> {
    let EdgeLimitDocument { limits, algorithm, fail } = written;
    limit(GLOBAL, limits, algorithm, fail, tiers, problems)
}

fn limit(
    name: &str,
    limits: &Field<ByName<RequestCount>>,
    algorithm: &Field<EdgeAlgorithmWord>,
    fail: &Field<FailWord>,
    tiers: &Tiers,
    problems: &mut Vec<Problem>,
) -> Option<EdgeLimit> {
    let Located { value: ByName(written), span } = limits.as_ref()?;
    let known: Vec<&str> = tiers.names.iter().map(String::as_str).collect();
    for (tier, _) in written.iter().filter(|(tier, _)| !tiers.names.contains(&tier.value)) {
        problems.push(
            Problem::new(format!("there is no tier `{}`", tier.value))
                .at(tier.span)
                .found("unknown")
                .help(format!("known: {}; others need `headers` and `plans`", list(&known))),
        );
    }
    let of = |tier: &&str| written.iter().find(|(name, _)| name.value == **tier);
    let missing: Vec<&str> = known.iter().filter(|tier| of(tier).is_none()).copied().collect();
    if !missing.is_empty() {
        problems.push(
            Problem::new("a tier has no limit")
                .at(*span)
                .found(format!("missing: {}", list(&missing)))
                .help("give each tier its number; who has none could not be told what holds"),
        );
        return None;
    }
    Some(EdgeLimit {
        name: name.to_owned(),
        algorithm: match value(algorithm) {
            Some(EdgeAlgorithmWord::FixedWindow) => EdgeAlgorithm::FixedWindow,
            Some(EdgeAlgorithmWord::SlidingWindow) | None => EdgeAlgorithm::SlidingWindow,
        },
        limits: known
            .iter()
            .filter_map(of)
            .map(|(tier, one)| (tier.value.clone(), one.0))
            .collect(),
        fail: self::fail(fail),
    })
}

/// What is never limited.
pub(super) struct Exempt<'e> {
    pub(super) never: &'e [EdgePattern],
    /// The page with the CAPTCHA.
    pub(super) page: Option<&'e str>,
}

pub(super) fn routes(
    around: &Around<'_>,
    written: &EdgeDocument,
    tiers: &Tiers,
    exempt: &Exempt<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<EdgeRoute> {
    let mut out: Vec<EdgeRoute> = Vec::new();
    let mut names = Names::default();
    for route in written.routes.iter().flat_map(|routes| &routes.value.0) {
        let route = &route.value;
        if let Some(name) = &route.name {
            names.add(&name.value.0, name.span, problems);
            if name.value.0 == GLOBAL {
                let problem = Problem::new("a route cannot be called `global`").at(name.span);
                problems
                    .push(problem.found("the name of the limit for the rest").help("rename it"));
            }
        }
        let Some(one) = self::route(around, route, tiers, problems) else { continue };
        let span = route.path.as_ref().map(|path| path.span);
        let span = span.or(route.name.as_ref().map(|name| name.span)).unwrap_or_default();
        if one.path.is_exact() && exempt.page == Some(one.path.text()) {
            problems.push(
                Problem::new(format!("the route `{}` would never count", one.limit.name))
                    .at(span)
                    .found("it is the page with the CAPTCHA, which is never limited")
                    .help("remove the route, or give `captcha.page` a path of its own"),
            );
        }
        if exempt.never.iter().any(|never| never.covers(&one.path)) {
            problems.push(
                Problem::new(format!("the route `{}` would never count", one.limit.name))
                    .at(span)
                    .found("all of it is never limited")
                    .help("remove the route, or narrow `never` and `never_limited`"),
            );
        }
        let is_same = |other: &&EdgeRoute| {
            other.path == one.path
                && other.methods.iter().all(|own| one.methods.contains(own))
                && other.methods.len() == one.methods.len()
        };
        if let Some(other) = out.iter().find(is_same) {
            problems.push(
                Problem::new(format!("the route `{}` would never count", one.limit.name))
                    .at(span)
                    .found(format!("`{}` has the same path and methods", other.limit.name))
                    .help("a request has one limit at the edge: remove one of the two"),
            );
        }
        out.push(one);
    }
    out
}

fn route(
    around: &Around<'_>,
    written: &EdgeRouteDocument,
    tiers: &Tiers,
    problems: &mut Vec<Problem>,
) -> Option<EdgeRoute> {
    let EdgeRouteDocument { name, path, methods, limits, algorithm, fail } = written;
    let name = name.as_ref()?;
    let limit = limit(&name.value.0, limits, algorithm, fail, tiers, problems);
    let (path, theirs) = match path {
        Some(path) => (
            is_path(&path.value.meant, path.value.text_span, problems)
                .then(|| path.value.meant.clone()),
            Vec::new(),
        ),
        None => of_policy(around, &name.value.0, name.span, problems)?,
    };
    let mut own: Vec<String> = Vec::new();
    for method in methods.iter().flat_map(|methods| &methods.value.0) {
        if own.contains(&method.value.0) {
            let problem = Problem::new(format!("the method `{}` comes twice", method.value.0));
            problems.push(problem.at(method.span).found("the second one").help("remove it"));
        } else {
            own.push(method.value.0.clone());
        }
    }
    let methods = if methods.is_some() { own } else { theirs };
    Some(EdgeRoute { limit: limit?, path: path?, methods })
}

/// Path and methods of the policy's route of a name.
fn of_policy(
    around: &Around<'_>,
    name: &str,
    span: Span,
    problems: &mut Vec<Problem>,
) -> Option<(Option<EdgePattern>, Vec<String>)> {
    let problem = |found: String, help: &str| {
        Problem::new(format!("the route `{name}` of the edge has no `path`"))
            .at(span)
            .found(found)
            .help(help.to_owned())
    };
    let Some(route) = around.routes.iter().find(|route| route.route.name == name) else {
        problems.push(problem(
            "and the policy has no route of this name".to_owned(),
            "add `path`, such as `{ starts_with: /api/ }`",
        ));
        return None;
    };
    let found = pattern(&route.route.path);
    if found.is_none() || route.route.host.is_some() {
        problems.push(problem(
            "and the edge cannot say that of the policy's route".to_owned(),
            "it knows `exactly` and `starts_with` and no host: add `path`",
        ));
        return None;
    }
    let path = found.filter(|path| is_path(path, span, problems));
    Some((path, route.route.methods.clone()))
}
