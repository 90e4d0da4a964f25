//! The meaning of `layers.gateway`, and what is wrong with it.

mod document;
mod model;

pub use document::GatewayDocument;
pub use model::{Ceiling, GatewayLayer, MethodLimit, Period, Plan, Throttle};

use document::{MethodDocument, MethodWord, PeriodWord, PlanDocument};

use crate::policy::collection::{ByName, NonEmpty};
use crate::policy::problem::{Problem, Span};
use crate::policy::reader::{Field, Located, list, short};
use crate::policy::suggest::closest;
use crate::policy::validate::value;
use crate::policy::value::{RequestCount, Seconds};

/// The name of something in a template: letters and digits only.
#[must_use]
pub fn logical_name(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .filter_map(|word| {
            let first = word.chars().next()?;
            Some(format!("{}{}", first.to_ascii_uppercase(), &word[first.len_utf8()..]))
        })
        .collect()
}

/// The layer at the gateway, as far as it can be read; `name` is the policy's.
pub(super) fn gateway(
    name: &str,
    written: &GatewayDocument,
    problems: &mut Vec<Problem>,
) -> Option<GatewayLayer> {
    let ByName(plans) = written.plans.as_ref().map(|plans| &plans.value)?;
    if plans.is_empty() {
        let span = written.plans.as_ref().map(|plans| plans.span).unwrap_or_default();
        let problem = Problem::new("the gateway has no plan").at(span).found("nothing in it");
        problems.push(problem.help("such as `plans: { free: { limit: 5, burst: 10 } }`"));
    }
    apart(plans.iter().map(|(name, _)| name), "plans", problems);
    let known: Vec<&str> = plans.iter().map(|(name, _)| name.value.as_str()).collect();
    let plans = plans.iter().filter_map(|(name, written)| plan(&name.value, written, problems));
    let plans: Vec<Plan> = plans.collect();
    let keys = written.keys.as_ref().map(|keys| keys.value.0.as_slice()).unwrap_or_default();
    apart(keys.iter().map(|(name, _)| name), "keys", problems);
    let mut clients = Vec::new();
    for (client, key) in keys {
        let Some(Located { value: plan, span }) = &key.plan else { continue };
        if !known.contains(&plan.0.as_str()) {
            let found = match closest(&plan.0, &known) {
                Some(word) => format!("did you mean `{word}`?"),
                None => "not among `plans`".to_owned(),
            };
            problems.push(
                Problem::new(format!("there is no plan `{}`", short(&plan.0)))
                    .at(*span)
                    .found(found)
                    .help(format!("known: {}", list(&known))),
            );
        }
        clients.push((client.value.clone(), plan.0.clone()));
    }
    let total = written.total.as_ref().and_then(|total| {
        let total = &total.value;
        let routes = routes(total.routes.as_ref(), problems);
        Some(Ceiling {
            throttle: throttle(&total.limit, &total.window, &total.burst, problems)?,
            routes,
        })
    });
    Some(GatewayLayer {
        name: name.to_owned(),
        region: written.region.as_ref()?.value.0.clone(),
        rest_api: written.rest_api.as_ref()?.value.0.clone(),
        stage: written.stage.as_ref()?.value.0.clone(),
        total,
        plans,
        keys: clients,
    })
}

/// Names whose resources would have one name in a template.
fn apart<'n>(
    names: impl Iterator<Item = &'n Located<String>>,
    what: &str,
    problems: &mut Vec<Problem>,
) {
    let mut seen: Vec<(String, Span)> = Vec::new();
    for Located { value, span } in names {
        let logical = logical_name(value);
        if let Some((_, first)) = seen.iter().find(|(known, _)| *known == logical) {
            problems.push(
                Problem::new(format!("two {what} would have one name in CloudFormation"))
                    .at(*span)
                    .found(format!("`{logical}`: only letters and digits remain"))
                    .help("give it another name")
                    .related(*first, "the first one"),
            );
        }
        seen.push((logical, *span));
    }
}

/// Seconds in which at least one request has to come back: what is slower is a quota.
const SLOWEST: u32 = 3_600;

fn throttle(
    limit: &Field<RequestCount>,
    window: &Field<Seconds>,
    burst: &Field<RequestCount>,
    problems: &mut Vec<Problem>,
) -> Option<Throttle> {
    let requests = value(limit)?.0;
    if let Some(Located { value, span }) =
        window.as_ref().filter(|it| it.value.0 / requests > SLOWEST)
    {
        problems.push(
            Problem::new("a rate of the gateway is too small")
                .at(*span)
                .found(format!("one request in {} seconds", value.0 / requests))
                .help("a rate is one request an hour or more: write a `quota` of the plan, or count in the application"),
        );
    }
    Some(Throttle {
        limit: requests,
        window: value(window).map_or(1, |window| window.0),
        burst: value(burst).map_or(requests, |burst| burst.0),
    })
}

fn plan(name: &str, written: &PlanDocument, problems: &mut Vec<Problem>) -> Option<Plan> {
    let routes = routes(written.routes.as_ref(), problems);
    let quota = written.quota.as_ref().and_then(|quota| {
        let period = match value(&quota.value.period)? {
            PeriodWord::Day => Period::Day,
            PeriodWord::Week => Period::Week,
            PeriodWord::Month => Period::Month,
        };
        Some((value(&quota.value.limit)?.0, period))
    });
    let throttle = throttle(&written.limit, &written.window, &written.burst, problems)?;
    Some(Plan { name: name.to_owned(), throttle, quota, routes })
}

fn routes(
    written: Option<&Located<NonEmpty<MethodDocument>>>,
    problems: &mut Vec<Problem>,
) -> Vec<MethodLimit> {
    let mut out: Vec<MethodLimit> = Vec::new();
    for Located { value: one, span } in written.iter().flat_map(|routes| &routes.value.0) {
        let Some(limit) = throttle(&one.limit, &one.window, &one.burst, problems) else { continue };
        let (Some(path), Some(method)) = (&one.path, value(&one.method)) else { continue };
        let place = MethodWord::ALL.iter().position(|word| *word == method).unwrap_or_default();
        let method = MethodWord::WORDS[place];
        if out.iter().any(|other| other.method == method && other.path == path.value.0) {
            problems.push(
                Problem::new(format!("`{method} {}` comes twice", path.value.0))
                    .at(*span)
                    .found("the second one")
                    .help("API Gateway has one limit for a method: remove one of the two"),
            );
        }
        out.push(MethodLimit { method, path: path.value.0.clone(), throttle: limit });
    }
    out
}
