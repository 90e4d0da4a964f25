//! The meaning of `layers.edge`, and what is wrong with it.

mod document;
mod model;
mod places;
mod routes;

pub use document::EdgeDocument;
pub use model::{
    Captcha, EdgeAlgorithm, EdgeLayer, EdgeLimit, EdgePattern, EdgeRoute, TierHeaders,
};

use document::CaptchaDocument;

use super::app::TIMEOUT;
use crate::policy::model::PolicyRoute;
use crate::policy::problem::{Problem, Span};
use crate::policy::reader::{Field, Located, list, short};
use crate::policy::validate::value;
use crate::rules::{Exemption, PathPattern};

/// Where functions at the edge are made, and the table that the replicas are copies of.
const HOME: &str = "us-east-1";
/// Milliseconds that a call to the table may take: a request can wait for four of them, and Lambda@Edge gives a
/// viewer event five seconds.
const MOST_TIMEOUT: u32 = 1_000;
/// Parameters for replicas that the CloudFormation template has.
const MOST_REPLICAS: usize = 5;
/// Characters of the policy's name: with `-viewer-response` behind it, it has to name a function (64).
const MOST_NAME: usize = 40;
const WINDOW: u32 = 60;
const PREFIX: u32 = 64;
const PASS: u32 = 1_800;
const TICKET: u32 = 600;
const FLUSH: u32 = 10;

/// What the rest of the policy says.
pub(super) struct Around<'p> {
    pub(super) name: &'p str,
    pub(super) routes: &'p [PolicyRoute],
    pub(super) never: &'p [Exemption],
}

/// The layer at the edge, as far as it can be read.
pub(super) fn edge(
    around: &Around<'_>,
    written: &Located<EdgeDocument>,
    problems: &mut Vec<Problem>,
) -> Option<EdgeLayer> {
    let Located { value: written, span } = written;
    if around.name.len() > MOST_NAME {
        problems.push(
            Problem::new("the name of the policy is too long for an edge layer")
                .at(*span)
                .found(format!("`{}` has {} characters", short(around.name), around.name.len()))
                .help(format!("allowed: {MOST_NAME}, because `-viewer-response` is added and a function's name has 64")),
        );
    }
    let tiers = tiers(written, problems);
    let never = never(around, written, *span, problems);
    let captcha =
        written.captcha.as_ref().and_then(|captcha| self::captcha(&captcha.value, problems));
    let window = value(&written.window).map_or(WINDOW, |window| window.0);
    let page = captcha.as_ref().map(|captcha| captcha.page.as_str());
    let routes =
        routes::routes(around, written, &tiers, &routes::Exempt { never: &never, page }, problems);
    let global = written.global.as_ref();
    let global = global.and_then(|global| routes::global(&global.value, &tiers, problems));
    let metrics = written.metrics.as_ref().map(|metrics| &metrics.value);
    Some(EdgeLayer {
        name: around.name.to_owned(),
        table: written
            .table
            .as_ref()
            .map_or_else(|| format!("{}-edge-limits", around.name), |table| table.value.0.clone()),
        replicas: replicas(written, problems),
        timeout: timeout(written, problems),
        window,
        ipv6_prefix: value(&written.ipv6_prefix).map_or(PREFIX, |prefix| prefix.0),
        tiers: tiers.names,
        default_tier: tiers.default,
        headers: headers(written, problems),
        never,
        allow: written
            .allow
            .iter()
            .flat_map(|allow| &allow.value.0)
            .map(|network| network.value.0.to_string())
            .collect(),
        global: global?,
        routes,
        captcha,
        namespace: metrics
            .and_then(|metrics| metrics.namespace.as_ref())
            .map_or_else(|| "RateLimit/Edge".to_owned(), |namespace| namespace.value.0.clone()),
        flush: metrics.and_then(|metrics| value(&metrics.every)).map_or(FLUSH, |every| every.0),
    })
}

fn captcha(written: &CaptchaDocument, problems: &mut Vec<Problem>) -> Option<Captcha> {
    let page = written.page.as_ref()?;
    is_path(&EdgePattern::Exactly(page.value.0.clone()), page.span, problems).then_some(())?;
    Some(Captcha {
        page: page.value.0.clone(),
        pass: value(&written.pass).map_or(PASS, |pass| pass.0),
        ticket: value(&written.ticket).map_or(TICKET, |ticket| ticket.0),
    })
}

fn timeout(written: &EdgeDocument, problems: &mut Vec<Problem>) -> u32 {
    let Some(Located { value, span }) = written.timeout else { return TIMEOUT };
    if value.0 > MOST_TIMEOUT {
        problems.push(
            Problem::new("a timeout of the edge is too large")
                .at(span)
                .found(format!("a request can wait for four calls of {} ms", value.0))
                .help(
                    "allowed: up to 1,000; Lambda@Edge stops a viewer's function after 5 seconds",
                ),
        );
    }
    value.0
}

fn replicas(written: &EdgeDocument, problems: &mut Vec<Problem>) -> Vec<String> {
    let Some(replicas) = &written.replicas else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for Located { value, span } in &replicas.value.0 {
        let problem = |found: &str, help: &str| {
            let problem = Problem::new(format!("`{}` can be no replica here", value.0)).at(*span);
            problem.found(found.to_owned()).help(help.to_owned())
        };
        if value.0 == HOME {
            problems.push(problem("the home of the table", "remove it; the table is there"));
        } else if names.contains(&value.0) {
            problems.push(problem("the second one", "remove it"));
        } else if !places::REGIONS.contains(&value.0.as_str()) {
            let known = list(&places::REGIONS);
            let help = format!("functions choose the nearest copy, by where it is; known: {known}");
            problems.push(problem("nothing is known of where it is", &help));
        }
        names.push(value.0.clone());
    }
    if names.len() > MOST_REPLICAS {
        problems.push(
            Problem::new("too many replicas")
                .at(replicas.span)
                .found(format!("there are {}", names.len()))
                .help(format!("allowed: {MOST_REPLICAS}; each write is paid for in each of them")),
        );
    }
    names
}

/// Who clients can be.
struct Tiers {
    names: Vec<String>,
    default: String,
}

fn tiers(written: &EdgeDocument, problems: &mut Vec<Problem>) -> Tiers {
    let mut names = vec!["anonymous".to_owned()];
    if written.headers.is_some() {
        names.push("authenticated".to_owned());
    }
    for Located { value, span } in written.plans.iter().flat_map(|plans| &plans.value.0) {
        if ["anonymous", "authenticated"].contains(&value.0.as_str()) || names.contains(&value.0) {
            let problem = Problem::new(format!("`{}` is a tier already", value.0)).at(*span);
            problems.push(problem.found("not a further plan").help("remove it"));
        } else {
            names.push(value.0.clone());
        }
    }
    if let (Some(plans), None) = (&written.plans, &written.headers) {
        problems.push(
            Problem::new("nothing says which plan a client has")
                .at(plans.span)
                .found("there are no `headers`")
                .help("add `headers: { client: x-client-id, tier: x-client-tier }`, or remove `plans`"),
        );
    }
    // A default has to be the tier of somebody known.
    let known = names.get(1..).unwrap_or_default();
    let default = match &written.default_plan {
        Some(Located { value, span }) => {
            if !known.contains(&value.0) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                problems.push(
                    Problem::new(format!("there is no plan `{}`", value.0))
                        .at(*span)
                        .found("not among `plans`")
                        .help(if known.is_empty() {
                            "add `headers` and `plans`, or remove `default_plan`".to_owned()
                        } else {
                            format!("known: {}", list(&known))
                        }),
                );
            }
            value.0.clone()
        }
        None => {
            let free = known.iter().find(|name| *name == "free");
            free.or(names.get(1)).unwrap_or(&names[0]).clone()
        }
    };
    Tiers { names, default }
}

fn headers(written: &EdgeDocument, problems: &mut Vec<Problem>) -> Option<TierHeaders> {
    let headers = &written.headers.as_ref()?.value;
    let (client, tier) = (headers.client.as_ref()?, headers.tier.as_ref()?);
    for Located { value, span } in [client, tier] {
        if places::is_untouchable(&value.0) {
            problems.push(
                Problem::new(format!("functions at the edge may not touch `{}`", value.0))
                    .at(*span)
                    .found("CloudFront answers 502 if one does")
                    .help("name a header of your own, such as `x-client-id`"),
            );
        } else if places::is_taken(&value.0) {
            problems.push(
                Problem::new(format!("`{}` cannot say who a client is", value.0))
                    .at(*span)
                    .found("viewers and servers use it for something else, and the limiter may remove it")
                    .help("name a header of your own, such as `x-client-id`"),
            );
        }
    }
    if client.value == tier.value {
        let problem = Problem::new("client and tier cannot be one header").at(tier.span);
        problems.push(problem.found("the second one").help("name another one"));
    }
    Some(TierHeaders {
        client: client.value.0.clone(),
        tier: tier.value.0.clone(),
        trusted: value(&headers.trusted).is_some_and(|trusted| trusted.0),
    })
}

/// What is never limited: the policy's own, and that of the edge.
fn never(
    around: &Around<'_>,
    written: &EdgeDocument,
    span: Span,
    problems: &mut Vec<Problem>,
) -> Vec<EdgePattern> {
    let mut out: Vec<EdgePattern> = Vec::new();
    for entry in around.never {
        match pattern(&entry.path) {
            Some(path) if places::is_seen(path.text()) => out.push(path),
            _ => problems.push(
                Problem::new(format!("the edge cannot tell `{}` of `never_limited`", entry.name))
                    .at(span)
                    .found("it knows `exactly` and `starts_with`, of decoded paths")
                    .help("write that path in one of these ways"),
            ),
        }
    }
    let own: Field<_> = written.never.as_ref().map(|never| Located { value: &never.value.0, span });
    for entry in own.iter().flat_map(|own| own.value) {
        if is_path(&entry.value.meant, entry.value.text_span, problems)
            && !out.contains(&entry.value.meant)
        {
            out.push(entry.value.meant.clone());
        }
    }
    let everything = EdgePattern::StartsWith("/".to_owned());
    if out.contains(&everything) {
        problems.push(
            Problem::new("nothing would be limited at the edge")
                .at(written.never.as_ref().map_or(span, |never| never.span))
                .found("`starts_with: /` is every path, and all of them are never limited")
                .help("name the paths that are never limited, or remove `layers.edge`"),
        );
    }
    out
}

/// A path of the rules, if the edge can say it.
fn pattern(path: &PathPattern) -> Option<EdgePattern> {
    match path {
        PathPattern::Exactly(text) => Some(EdgePattern::Exactly(text.clone())),
        PathPattern::StartsWith(text) => Some(EdgePattern::StartsWith(text.clone())),
        _ => None,
    }
}

fn is_path(path: &EdgePattern, span: Span, problems: &mut Vec<Problem>) -> bool {
    let is_seen = places::is_seen(path.text()) && path.text().len() <= 255;
    if !is_seen {
        problems.push(
            Problem::new(format!("no request has the path `{}` at the edge", short(path.text())))
                .at(span)
                .found("it will never be seen")
                .help("paths begin with `/` and are compared percent-decoded, without query, `;` parameters, empty segments and dot segments; at most 255 bytes"),
        );
    }
    is_seen
}
