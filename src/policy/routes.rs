//! The routes of a policy, and what no rule counts: what they mean.

use std::collections::BTreeMap;

use super::between;
use super::document::{
    AcceptWord, ActionWord, Document, FallbackWord, Path, PricingPlan, RouteDocument,
};
use super::model::{PolicyRoute, SharedTwins, Twin};
use super::problem::{Problem, Span};
use super::reader::{Located, short};
use super::suggest::closest;
use super::validate::{action, spelling, value};
use super::value::{KeyChoice, LimitChoice, TwinLimit};
use crate::rules::{
    AggregationKey, Exemption, Fallback, ForwardedIp, KeyPart, Network, NetworkKind, PathMatcher,
    Route, Spelling,
};
use crate::units::Window;

/// Names that are compared with a misspelt one.
const MOST_COMPARED: usize = 100;

/// The name of the second rule before a route's.
#[must_use]
pub fn second_name(policy: &str, route: &str) -> String {
    format!("{policy}-{route}-second")
}

/// The name of the twin of all routes for a network.
#[must_use]
pub fn shared_name(policy: &str, network: &str) -> String {
    format!("{policy}-all-{network}")
}

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
    between::overlaps(&written.value, &out, problems);
    between::rule_names(document, &written.value, problems);
    between::number_of_rules(document, written, plan, problems);
    out
}

/// Reads the twins of all routes.
pub fn shared_twins(
    document: &Document,
    routes: &[PolicyRoute],
    networks: &[Network],
    problems: &mut Vec<Problem>,
) -> SharedTwins {
    let Some(written) = &document.shared_twins else { return SharedTwins::default() };
    let defaults = document.defaults.as_ref().map(|defaults| &defaults.value);
    let window = defaults.and_then(|defaults| value(&defaults.window));
    let window = window.map_or(Window::default(), |window| window.0);
    let mut fields = RouteDocument::default();
    fields.twins.clone_from(&document.shared_twins);
    let twins = twins(&fields, networks, problems);
    for twin in &written.value {
        let Some(name) = &twin.value.network else { continue };
        let twice = routes
            .iter()
            .find(|route| route.twins.iter().any(|other| other.network == name.value.0));
        if let Some(route) = twice {
            problems.push(
                Problem::new(format!("two rules would count the network `{}`", name.value.0))
                    .at(name.span)
                    .found(format!("the route `{}` has a twin of it", route.route.name))
                    .help("keep the shared twin, or those of the routes")
                    .related(route.span, "this route"),
            );
        }
        let other = routes.iter().find(|route| route.window != window);
        let is_pinned = matches!(value(&twin.value.limit), Some(TwinLimit::Pinned(_)));
        if let (Some(route), false) = (other, is_pinned) {
            problems.push(
                Problem::new("a shared twin has one window, and its limit cannot be taken from routes with others")
                    .at(name.span)
                    .found(format!("the route `{}` has {}, `defaults` {window}", route.route.name, route.window))
                    .help("pin the twin's limit with a number, or give the routes twins of their own"),
            );
        }
    }
    let key = key(defaults.and_then(|defaults| defaults.key.as_ref()), document);
    if let Some(route) = routes.iter().find(|route| route.key.forwarded() != key.forwarded()) {
        problems.push(
            Problem::new("a shared twin and the routes have to look for addresses at one place")
                .at(written.span)
                .found(format!(
                    "it counts by {key}, the route `{}` by {}",
                    route.route.name, route.key
                ))
                .help("give all routes the `key` of `defaults`, or twins of their own")
                .related(route.span, "this route"),
        );
    }
    SharedTwins { twins, window, key }
}

/// An aggregation key, an address alone being none of parts.
fn key(choice: Option<&Located<KeyChoice>>, document: &Document) -> AggregationKey {
    let written = document.forwarded_ip.as_ref().map(|written| &written.value);
    let forwarded = || ForwardedIp {
        header: written
            .and_then(|written| written.header.as_ref())
            .map_or_else(|| FORWARDED.to_owned(), |header| header.value.0.clone()),
        fallback: match written.and_then(|written| value(&written.fallback)) {
            Some(FallbackWord::NoMatch) => Fallback::NoMatch,
            Some(FallbackWord::Match) | None => Fallback::Match,
        },
    };
    match choice.map(|choice| choice.value.0.as_slice()) {
        None | Some([] | [KeyPart::Ip]) => AggregationKey::Ip,
        Some([KeyPart::ForwardedIp]) => AggregationKey::ForwardedIp(forwarded()),
        Some(parts) => AggregationKey::Custom {
            parts: parts.to_vec(),
            forwarded: parts.contains(&KeyPart::ForwardedIp).then(forwarded),
        },
    }
}

/// The header that load balancers and proxies write.
const FORWARDED: &str = "x-forwarded-for";

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
        key: key(
            written.key.as_ref().or(defaults.and_then(|defaults| defaults.key.as_ref())),
            document,
        ),
        accept_weak: value(&written.accept) == Some(AcceptWord::Weak),
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
