//! The routes of a policy: their meaning, and what is wrong between them.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{ActionWord, Document, Path, PricingPlan, RouteDocument};
use super::model::{PolicyRoute, Twin};
use super::overlap::{Relation, relation};
use super::problem::{Problem, Span};
use super::reader::{Located, short};
use super::suggest::closest;
use super::validate::{action, spelling, value};
use super::value::{LimitChoice, TwinLimit};
use crate::quotas;
use crate::rules::{
    Exemption, Network, NetworkKind, PathMatcher, Route, Spelling, WebAclTarget, is_name,
};
use crate::units::Window;

/// Routes that are compared with each other.
const MOST_COMPARED: usize = 100;

/// The name of a route's rule, or of its twin's for a network.
#[must_use]
pub fn rule_name(policy: &str, route: &str, network: Option<&str>) -> String {
    match network {
        Some(network) => format!("{policy}-{route}-{network}"),
        None => format!("{policy}-{route}"),
    }
}

/// Reads the routes. Those that cannot be read as a whole are left out; their faults are noted.
pub fn routes(
    document: &Document,
    plan: PricingPlan,
    networks: &[Network],
    problems: &mut Vec<Problem>,
) -> Vec<PolicyRoute> {
    let Some(written) = &document.routes else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut named = BTreeMap::new();
    for route in &written.value {
        if let Some(name) = &route.value.name {
            unique(&name.value.0, name.span, "two routes have", &mut named, problems);
        }
        let twins = twins(&route.value, networks, problems);
        out.extend(one(&route.value, document, twins, problems));
    }
    overlaps(&written.value, &out, problems);
    rule_names(document, &written.value, problems);
    number_of_rules(written, plan, problems);
    out
}

/// Reads the paths that no rule counts.
pub fn never_limited(document: &Document, problems: &mut Vec<Problem>) -> Vec<Exemption> {
    let mut out = Vec::new();
    let mut named = BTreeMap::new();
    for entry in document.never_limited.iter().flat_map(|entries| &entries.value) {
        let entry = &entry.value;
        if let Some(name) = &entry.name {
            unique(
                &name.value.0,
                name.span,
                "two `never_limited` entries have",
                &mut named,
                problems,
            );
        }
        let spelling = value(&entry.spelling).map_or_else(|| default_spelling(document), spelling);
        check_path(entry.path.as_ref(), spelling, problems);
        if let (Some(name), Some(path)) = (&entry.name, &entry.path) {
            let (name, path) = (name.value.0.clone(), path.value.meant.clone());
            out.push(Exemption { name, path, spelling });
        }
    }
    out
}

fn default_spelling(document: &Document) -> Spelling {
    let defaults = document.defaults.as_ref();
    defaults.and_then(|defaults| value(&defaults.value.spelling)).map_or(Spelling::Loose, spelling)
}

fn unique<'d>(
    name: &'d str,
    span: Span,
    what: &str,
    named: &mut BTreeMap<&'d str, Span>,
    problems: &mut Vec<Problem>,
) {
    if let Some(first) = named.insert(name, span) {
        problems.push(
            Problem::new(format!("{what} the name `{name}`"))
                .at(span)
                .found("the second one")
                .help("give it another name, or remove it")
                .related(first, "the first one"),
        );
    }
}

fn check_path(path: Option<&Located<Path>>, spelling: Spelling, problems: &mut Vec<Problem>) {
    let Some(Located { value: Path { meant, text_span }, .. }) = path else { return };
    if let Err(error) = PathMatcher::new(meant, spelling) {
        problems.push(
            Problem::new("no WAF statement can express this path")
                .at(*text_span)
                .found(error.to_string())
                .help("see `path` in docs/policy-file.md"),
        );
    }
}

fn one(
    written: &RouteDocument,
    document: &Document,
    twins: Vec<Twin>,
    problems: &mut Vec<Problem>,
) -> Option<PolicyRoute> {
    let defaults = document.defaults.as_ref().map(|defaults| &defaults.value);
    let spelling = value(&written.spelling).map_or_else(|| default_spelling(document), spelling);
    check_path(written.path.as_ref(), spelling, problems);
    let mut methods: Vec<String> = Vec::new();
    for method in written.methods.iter().flat_map(|methods| &methods.value.0) {
        if methods.contains(&method.value.0) {
            problems.push(
                Problem::new(format!("the method `{}` comes twice", method.value.0))
                    .at(method.span)
                    .found("the second one")
                    .help("remove it"),
            );
        } else {
            methods.push(method.value.0.clone());
        }
    }
    let window = value(&written.window).or(defaults.and_then(|defaults| value(&defaults.window)));
    let word = value(&written.action).or(defaults.and_then(|defaults| value(&defaults.action)));
    let name = written.name.as_ref()?;
    Some(PolicyRoute {
        route: Route {
            name: name.value.0.clone(),
            methods,
            host: written.host.as_ref().map(|host| host.value.0.clone()),
            path: written.path.as_ref()?.value.meant.clone(),
            spelling,
        },
        window: window.map_or(Window::default(), |window| window.0),
        action: action(word.unwrap_or(ActionWord::Block)),
        limit: value(&written.limit).unwrap_or(LimitChoice::Auto),
        twins,
        span: name.span,
    })
}

fn twins(written: &RouteDocument, networks: &[Network], problems: &mut Vec<Problem>) -> Vec<Twin> {
    let mut out = Vec::new();
    let mut named = BTreeMap::new();
    for twin in written.twins.iter().flat_map(|twins| &twins.value) {
        let Some(name) = &twin.value.network else { continue };
        unique(&name.value.0, name.span, "two twins of a route have", &mut named, problems);
        match networks.iter().find(|network| network.name == name.value.0) {
            Some(network) if network.kind == NetworkKind::Tester => {}
            Some(network) => problems.push(
                Problem::new(format!("the network `{}` is no tester", network.name))
                    .at(name.span)
                    .found(format!("it is `{}`", network.kind.as_str()))
                    .help("only a network of kind `tester` is left out of the main rule and gets a twin; the others are counted by it"),
            ),
            None => problems.push(unknown_network(name.value.0.as_str(), name.span, networks)),
        }
        let limit = value(&twin.value.limit).unwrap_or(TwinLimit::Auto);
        out.push(Twin { network: name.value.0.clone(), limit });
    }
    out
}

fn unknown_network(name: &str, span: Span, networks: &[Network]) -> Problem {
    let names = networks.iter().map(|network| network.name.as_str());
    let names: Vec<&str> = names.take(MOST_COMPARED).collect();
    let found = match closest(name, &names) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "not among `networks`".to_owned(),
    };
    let shown: Vec<&str> = names.iter().copied().take(20).collect();
    let help = if names.is_empty() {
        "there are no `networks` in this policy; add one of kind `tester`".to_owned()
    } else {
        format!("known: {}", super::reader::list(&shown))
    };
    Problem::new(format!("there is no network `{}`", short(name))).at(span).found(found).help(help)
}

/// A request that two rules count is limited by the lower one, whatever the other says; so an overlap
/// is a fault unless the policy says that it is meant.
fn overlaps(
    written: &[Located<RouteDocument>],
    routes: &[PolicyRoute],
    problems: &mut Vec<Problem>,
) {
    let meant = |route: &str, other: &str| {
        let of = written.iter().find(|w| w.value.name.as_ref().is_some_and(|n| n.value.0 == route));
        let names = of.into_iter().flat_map(|of| &of.value.overlaps).flat_map(|names| &names.value);
        names.into_iter().any(|name| name.value.0 == other)
    };
    // Far more routes than rules are a fault already; comparing each with each would only take time.
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

/// Rule names have to be unique, short enough, and unlike the web ACL's: a rule whose metric has the
/// name of the ACL's metric cannot be told from it.
fn rule_names(document: &Document, routes: &[Located<RouteDocument>], problems: &mut Vec<Problem>) {
    let Some(policy) = &document.name else { return };
    let policy = policy.value.0.as_str();
    let acl = document.web_acl.as_ref().map(|web_acl| match &web_acl.value.meant {
        WebAclTarget::Create(name) | WebAclTarget::Attach(name) => name.as_str(),
    });
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for route in routes {
        let Some(name) = &route.value.name else { continue };
        let twins = route.value.twins.iter().flat_map(|twins| &twins.value);
        let networks = twins.filter_map(|twin| twin.value.network.as_ref());
        let twins = networks.map(|network| {
            (rule_name(policy, &name.value.0, Some(&network.value.0)), network.span)
        });
        let main = (rule_name(policy, &name.value.0, None), name.span);
        for (rule, span) in std::iter::once(main).chain(twins) {
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
            if acl == Some(rule.as_str()) {
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

fn number_of_rules(
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
    for route in &routes.value {
        rules += 1 + route.value.twins.as_ref().map_or(0, |twins| twins.value.len());
        if rules > most && first_too_many.is_none() {
            first_too_many = Some(route.value.name.as_ref().map_or(route.span, |name| name.span));
        }
    }
    if let Some(span) = first_too_many {
        problems.push(
            Problem::new(format!("{rules} rate rules are more than the {most} allowed"))
                .at(span)
                .found("from here on there is no room")
                .help(format!("{why}; each route takes one and each twin another")),
        );
    }
}
