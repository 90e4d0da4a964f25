//! What is wrong between the routes of a policy: overlaps, names of rules, too many rules.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{Document, PricingPlan, RouteDocument};
use super::model::PolicyRoute;
use super::overlap::{Relation, covers, relation};
use super::problem::{Problem, Span};
use super::reader::{Located, short};
use super::routes::{rule_name, second_name, shared_name};
use super::suggest::closest;
use super::value::AlarmChoice;
use crate::quotas;
use crate::rules::{Exemption, Route, is_name};

/// Routes that are compared with each other: more than a web ACL can have rules.
const MOST_COMPARED: usize = 20;

/// A request that two rules count is limited by the lower one, whatever the other says; so an overlap
/// is a fault unless the policy says that it is meant.
pub fn overlaps(
    written: &[Located<RouteDocument>],
    routes: &[PolicyRoute],
    problems: &mut Vec<Problem>,
) {
    let meant = |route: &str, other: &str| {
        let of = written.iter().find(|w| w.value.name.as_ref().is_some_and(|n| n.value.0 == route));
        let names = of.into_iter().flat_map(|of| &of.value.overlaps).flat_map(|names| &names.value);
        names.into_iter().any(|name| name.value.0 == other)
    };
    // More routes than rules are a fault already; comparing each with each would only take time.
    let compared = &routes[..routes.len().min(MOST_COMPARED)];
    for (place, second) in compared.iter().enumerate() {
        for first in &compared[..place] {
            let (a, b) = (&first.route, &second.route);
            let what = match relation(a, b) {
                Relation::Apart => continue,
                Relation::Same => {
                    problems.push(
                        Problem::new(format!("the routes `{}` and `{}` match the same requests", a.name, b.name))
                            .at(second.span)
                            .found(format!("`{b}`"))
                            .help("two rules would count each of these requests, and the lower limit would always win; keep one of them")
                            .related(first.span, format!("`{a}`")),
                    );
                    continue;
                }
                Relation::FirstCovers => (a, b),
                Relation::SecondCovers => (b, a),
            };
            if meant(&a.name, &b.name) || meant(&b.name, &a.name) {
                continue;
            }
            let (outer, inner) = what;
            problems.push(
                Problem::new(format!("the routes `{}` and `{}` overlap", a.name, b.name))
                    .at(second.span)
                    .found(format!("`{b}`"))
                    .help(format!(
                        "a request of `{}` would be counted by both rules; narrow `{}`, or write `overlaps: [{}]` there if that is meant",
                        inner.name, outer.name, inner.name
                    ))
                    .related(first.span, format!("`{a}`")),
            );
        }
    }
    let names: BTreeSet<&str> = written
        .iter()
        .filter_map(|route| route.value.name.as_ref().map(|name| name.value.0.as_str()))
        .collect();
    let close: Vec<&str> = names.iter().copied().take(MOST_COMPARED).collect();
    for route in written {
        for name in route.value.overlaps.iter().flat_map(|names| &names.value) {
            if !names.contains(name.value.0.as_str()) {
                problems.push(
                    Problem::new(format!("there is no route `{}`", name.value.0))
                        .at(name.span)
                        .found(match closest(&name.value.0, &close) {
                            Some(close) => format!("did you mean `{close}`?"),
                            None => "unknown".to_owned(),
                        })
                        .help("`overlaps` holds names of other routes of this policy"),
                );
            }
        }
    }
}

/// A route whose every request is one that no rule counts would get a rule that never acts.
pub fn exempted(routes: &[PolicyRoute], exemptions: &[Exemption], problems: &mut Vec<Problem>) {
    for exemption in exemptions.iter().take(MOST_COMPARED) {
        let outer = Route {
            name: exemption.name.clone(),
            methods: Vec::new(),
            host: None,
            path: exemption.path.clone(),
            spelling: exemption.spelling,
        };
        for route in routes.iter().take(MOST_COMPARED) {
            if covers(&outer, &route.route) {
                problems.push(
                    Problem::new(format!(
                        "nothing of the route `{}` would be counted",
                        route.route.name
                    ))
                    .at(route.span)
                    .found(format!("`{}` of `never_limited` takes all of it out", exemption.name))
                    .help("remove the route, or narrow the `never_limited` entry"),
                );
            }
        }
    }
}

/// Rule names have to be unique, short enough, and unlike the web ACL's: a rule whose metric has the
/// name of the ACL's metric cannot be told from it.
pub fn rule_names(
    document: &Document,
    routes: &[Located<RouteDocument>],
    problems: &mut Vec<Problem>,
) {
    let Some(policy) = &document.name else { return };
    let policy = policy.value.0.as_str();
    let environments = document.environments.iter().flat_map(|environments| &environments.value.0);
    let elsewhere = environments.filter_map(|(_, environment)| environment.web_acl.as_ref());
    let acls: BTreeSet<&str> = document
        .web_acl
        .iter()
        .chain(elsewhere)
        .flat_map(|web_acl| [&web_acl.value.0.create, &web_acl.value.0.attach])
        .filter_map(|name| Some(name.as_ref()?.value.0.as_str()))
        .collect();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let shared = document.shared_twins.iter().flat_map(|twins| &twins.value);
    let shared = shared.filter_map(|twin| twin.value.network.as_ref());
    for network in shared {
        seen.insert(shared_name(policy, &network.value.0), network.span);
    }
    let has_second = second_limit(document).is_some();
    for route in routes {
        let Some(name) = &route.value.name else { continue };
        let second =
            has_second.then(|| (second_name(policy, &name.value.0), name.span)).into_iter();
        let twins = route.value.twins.iter().flat_map(|twins| &twins.value);
        let networks = twins.filter_map(|twin| twin.value.network.as_ref());
        let twins = networks.map(|network| {
            (rule_name(policy, &name.value.0, Some(&network.value.0)), network.span)
        });
        let main = (rule_name(policy, &name.value.0, None), name.span);
        for (rule, span) in std::iter::once(main).chain(twins).chain(second) {
            if !is_name(&rule) {
                problems.push(
                    Problem::new("the name of a rule becomes too long")
                        .at(span)
                        .found(format!("`{}` has {} characters", short(&rule), rule.len()))
                        .help(format!(
                            "AWS takes {}; shorten one of the names in it",
                            quotas::NAME_CHARACTERS
                        )),
                );
            }
            if acls.contains(rule.as_str()) {
                problems.push(
                    Problem::new(format!("a rule gets the name of the web ACL, `{rule}`"))
                        .at(span)
                        .found("its metric could not be told from the web ACL's")
                        .help("give the route, the policy or the web ACL another name"),
                );
            }
            match seen.get(&rule) {
                // The same route or twin name twice is noted as such.
                Some(first) if *first != span && !same_name(routes, *first, span) => problems.push(
                    Problem::new(format!("two rules get the name `{rule}`"))
                        .at(span)
                        .found("the second one")
                        .help("rules are named after the policy, the route and the twin's network; change one of them")
                        .related(*first, "the first one"),
                ),
                Some(_) => {}
                None => {
                    seen.insert(rule, span);
                }
            }
        }
    }
}

/// The second limit of the alarms.
fn second_limit(document: &Document) -> Option<Span> {
    match &document.alarms.as_ref()?.value {
        AlarmChoice::On(settings) => settings.second_limit.as_ref().map(|limit| limit.span),
        AlarmChoice::Off => None,
    }
}

/// Whether two places hold names of the same kind and text, whose equality is noted elsewhere.
fn same_name(routes: &[Located<RouteDocument>], first: Span, second: Span) -> bool {
    let route_at = |span: Span| {
        routes.iter().filter_map(|route| route.value.name.as_ref()).find(|name| name.span == span)
    };
    match (route_at(first), route_at(second)) {
        (Some(first), Some(second)) => first.value == second.value,
        (None, None) => true,
        _ => false,
    }
}

/// Ten rate rules in a web ACL, or what the pricing plan allows.
pub fn number_of_rules(
    document: &Document,
    routes: &Located<Vec<Located<RouteDocument>>>,
    plan: PricingPlan,
    problems: &mut Vec<Problem>,
) {
    let (most, why) = match plan.most_rules() {
        Some(most) if most < quotas::RATE_RULES_PER_WEB_ACL => {
            (most, format!("the pricing plan `{}` allows {most} rules in a web ACL", plan.as_str()))
        }
        _ => {
            let most = quotas::RATE_RULES_PER_WEB_ACL;
            (
                most,
                format!(
                    "AWS WAF allows {most} rate-based rules in a web ACL; this cannot be raised"
                ),
            )
        }
    };
    let mut rules = 0;
    let mut first_too_many = None;
    let each = 1 + usize::from(second_limit(document).is_some());
    for route in &routes.value {
        rules += each + route.value.twins.as_ref().map_or(0, |twins| twins.value.len());
        if rules > most && first_too_many.is_none() {
            first_too_many = Some(route.value.name.as_ref().map_or(route.span, |name| name.span));
        }
    }
    for twin in document.shared_twins.iter().flat_map(|twins| &twins.value) {
        rules += 1;
        if rules > most && first_too_many.is_none() {
            first_too_many = Some(twin.span);
        }
    }
    let takes = if each > 1 {
        "each route takes two because of `second_limit`, and each twin another"
    } else {
        "each route takes one and each twin another"
    };
    if let Some(span) = first_too_many {
        problems.push(
            Problem::new(format!("{rules} rate rules are more than the {most} allowed"))
                .at(span)
                .found("from here on there is no room")
                .help(format!("{why}; {takes}")),
        );
    }
}
