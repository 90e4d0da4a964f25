//! What a policy means, and all that is wrong with that meaning. Faults of form have been noted by then;
//! the parts that could be read are checked all the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::collection::ByName;
use super::document::{
    ActionWord, AlarmWord, AttachedWord, Document, NetworkDocument, PricingPlan, ScopeWord,
    SpellingWord, WebAclDocument,
};
use super::model::{Environment, Policy};
use super::problem::{Problem, Source};
use super::reader::{Field, Located, Read, Reader};
use super::surroundings::surroundings;
use super::value::{AlarmChoice, RetryAfter, SecondLimit, WebAcl};
use super::yaml::Value;
use super::{between, environment, plan, routes, yaml};
use crate::quotas;
use crate::rules::{
    Action, AlarmedRules, Alarms, AlarmsOff, AttachedAs, Attachment, Network, NetworkKind,
    Response, Scope, Spelling, WebAclTarget, merge,
};
use crate::units::Window;

/// The body of a blocked request's answer unless the policy says otherwise.
pub const DEFAULT_BODY: &str =
    r#"{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}"#;
/// The Region of everything that belongs to a CloudFront web ACL.
const CLOUDFRONT_REGION: &str = "us-east-1";

/// Reads and checks a policy.
pub fn policy(source: &Arc<Source>) -> Result<Policy, Vec<Problem>> {
    let root = yaml::parse(&source.text).map_err(|problem| vec![problem])?;
    if matches!(root.value, Value::Null) {
        return Err(vec![
            Problem::new("the policy is empty")
                .at(root.span)
                .found("nothing is written here")
                .help("a policy starts with `version: 1` and has a `name`, a `web_acl` and `routes`; `ratewaf analyze LOGS` writes one, see docs/policy-file.md"),
        ]);
    }
    let mut reader = Reader::new(&source.text);
    let document = Document::read(&root, &mut reader);
    let mut problems = std::mem::take(&mut reader.problems);
    let Some(document) = document else {
        return Err(problems);
    };
    let has_region = matches!(&root.value, Value::Map(entries) if entries.iter().any(|(key, _)| key.text == "region"));
    let policy = whole(&document, has_region, source, &mut problems);
    match policy {
        Some(policy) if problems.is_empty() => Ok(policy),
        _ => Err(problems),
    }
}

/// The policy as it stands, and as it is in each environment.
fn whole(
    document: &Document,
    has_region: bool,
    source: &Arc<Source>,
    problems: &mut Vec<Problem>,
) -> Option<Policy> {
    let spelled_out = |mut document: Document| {
        environment::spell_out_site_wide(&mut document);
        document
    };
    let base = meaning(&spelled_out(document.clone()), has_region, source, problems);
    let mut environments = BTreeMap::new();
    if let Some(Located { value: ByName(all), span }) = &document.environments {
        if all.len() > environment::MOST {
            problems.push(
                Problem::new("too many environments")
                    .at(*span)
                    .found(format!("there are {}", all.len()))
                    .help(format!("allowed: {}", environment::MOST)),
            );
            return None;
        }
        for (name, own) in all {
            let document = spelled_out(environment::document(document, own, problems));
            if let Some(mut policy) = meaning(&document, has_region, source, problems) {
                policy.around.environment = Some(name.value.clone());
                let name = name.value.clone();
                environments.insert(name.clone(), Environment { name, policy });
            }
        }
    }
    Some(Policy { environments: environments.into_values().collect(), ..base? })
}

fn meaning(
    document: &Document,
    has_region: bool,
    source: &Arc<Source>,
    problems: &mut Vec<Problem>,
) -> Option<Policy> {
    let pricing_plan = value(&document.pricing_plan).unwrap_or(PricingPlan::Payg);
    let place = document.pricing_plan.as_ref().map(|plan| plan.span).unwrap_or_default();
    plan::check(document, pricing_plan, place, problems);
    let scope = scope(document, has_region, problems);
    let networks = networks(document.networks.as_ref(), problems);
    let (alarms, second_limit) = alarms(&document.alarms, scope.as_ref(), problems);
    let routes = routes::routes(document, pricing_plan, &networks, problems);
    let shared = routes::shared_twins(document, &routes, &networks, problems);
    let never_limited = routes::never_limited(document, problems);
    between::exempted(&routes, &never_limited, problems);
    let around = surroundings(document, scope.as_ref(), problems);
    let name = document.name.as_ref().map(|name| name.value.0.as_str()).unwrap_or_default();
    let layers = super::layers::layers(name, &routes, &never_limited, &document.layers, problems);
    document.version.as_ref()?;
    // The plans are of distributions.
    let has_groups = pricing_plan.flat_rate().is_none() || scope != Some(Scope::CloudFront);
    Some(Policy {
        source: Arc::clone(source),
        name: document.name.as_ref()?.value.0.clone(),
        scope: scope?,
        pricing_plan,
        web_acl: web_acl(&document.web_acl.as_ref()?.value, has_groups)?,
        networks,
        response: response(document, pricing_plan),
        routes,
        shared,
        never_limited,
        alarms,
        second_limit,
        around,
        layers,
        environments: Vec::new(),
    })
}

/// The value of a key, if it is there.
pub fn value<T: Copy>(field: &Field<T>) -> Option<T> {
    field.as_ref().map(|located| located.value)
}

/// An action of the rules.
#[must_use]
pub const fn action(word: ActionWord) -> Action {
    match word {
        ActionWord::Count => Action::Count,
        ActionWord::Block => Action::Block,
        ActionWord::Challenge => Action::Challenge,
        ActionWord::Captcha => Action::Captcha,
    }
}

/// A spelling of the rules.
#[must_use]
pub const fn spelling(word: SpellingWord) -> Spelling {
    match word {
        SpellingWord::Loose => Spelling::Loose,
        SpellingWord::Strict => Spelling::Strict,
    }
}

fn scope(document: &Document, has_region: bool, problems: &mut Vec<Problem>) -> Option<Scope> {
    let cloudfront = document.scope.as_ref();
    match (value(&document.scope).unwrap_or(ScopeWord::CloudFront), &document.region) {
        (ScopeWord::CloudFront, Some(region)) if region.value.0 != CLOUDFRONT_REGION => {
            problems.push(
                Problem::new("a web ACL for CloudFront lives in us-east-1")
                    .at(region.span)
                    .found("another Region")
                    .help("remove `region`, or write `scope: regional`"),
            );
            None
        }
        (ScopeWord::CloudFront, _) => Some(Scope::CloudFront),
        (ScopeWord::Regional, Some(region)) => {
            Some(Scope::Regional { region: region.value.0.clone() })
        }
        // A faulty Region is noted already.
        (ScopeWord::Regional, None) if has_region => None,
        (ScopeWord::Regional, None) => {
            problems.push(
                Problem::new("a regional web ACL needs its Region")
                    .at(cloudfront.map(|scope| scope.span).unwrap_or_default())
                    .found("`region` is missing")
                    .help("add `region: eu-central-1` or the Region it lives in"),
            );
            None
        }
    }
}

fn networks(
    networks: Option<&Located<ByName<NetworkDocument>>>,
    problems: &mut Vec<Problem>,
) -> Vec<Network> {
    let mut out = Vec::new();
    for (name, network) in networks.iter().flat_map(|networks| &networks.value.0) {
        let cidrs = network.cidrs.as_ref();
        let nets: Vec<_> =
            cidrs.into_iter().flat_map(|cidrs| &cidrs.value.0).map(|c| c.value.0).collect();
        let merged = merge(&nets);
        // AWS holds IPv4 and IPv6 in sets of their own.
        for (family, is_v4) in [("IPv4", true), ("IPv6", false)] {
            let number = merged.iter().filter(|net| net.addr().is_ipv4() == is_v4).count();
            if number > quotas::CIDRS_PER_IP_SET {
                problems.push(
                    Problem::new(format!("the network `{}` is too large", name.value))
                        .at(name.span)
                        .found(format!("it has {number} {family} CIDRs, merged"))
                        .help(format!("an IP set holds {}", quotas::CIDRS_PER_IP_SET)),
                );
            }
        }
        if merged.len() < nets.len() && merged.iter().any(|net| net.prefix_len() == 0) {
            problems.push(
                Problem::new(format!("the network `{}` is everybody", name.value))
                    .at(name.span)
                    .found("its CIDRs together are all addresses of a family")
                    .help("AWS WAF refuses `/0` in an IP set; name the addresses that are meant"),
            );
        }
        let kind = match value(&network.kind) {
            Some(super::document::KindWord::KnownGood) => NetworkKind::KnownGood,
            Some(super::document::KindWord::KnownBad) => NetworkKind::KnownBad,
            // Absent or faulty is noted already; as a tester it causes no further problems.
            Some(super::document::KindWord::Tester) | None => NetworkKind::Tester,
        };
        let until = value(&network.until).map(|date| date.0.date_text());
        out.push(Network { name: name.value.clone(), cidrs: merged, kind, until });
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

fn response(document: &Document, plan: PricingPlan) -> Response {
    if !plan.has_custom_response() {
        return Response::plain_block();
    }
    let defaults = document.defaults.as_ref().map(|defaults| &defaults.value);
    let window = defaults.and_then(|defaults| value(&defaults.window));
    let window = window.map_or(Window::default(), |window| window.0);
    let response = defaults.and_then(|defaults| defaults.response.as_ref());
    let response = response.map(|response| &response.value);
    Response {
        status: response.and_then(|response| value(&response.status)).map_or(429, |code| code.0),
        retry_after: match response.and_then(|response| value(&response.retry_after)) {
            Some(RetryAfter::Off) => None,
            Some(RetryAfter::Seconds(seconds)) => Some(seconds),
            None => Some(window.seconds()),
        },
        body: response
            .and_then(|response| response.body.as_ref())
            .map_or_else(|| DEFAULT_BODY.to_owned(), |body| body.value.0.clone()),
        tells_policy: response
            .and_then(|response| value(&response.rate_limit_policy))
            .is_some_and(|flag| flag.0),
        headers: response
            .and_then(|response| response.headers.as_ref())
            .map_or_else(Vec::new, |headers| headers.value.0.clone()),
    }
}

fn alarms(
    choice: &Field<AlarmChoice>,
    scope: Option<&Scope>,
    problems: &mut Vec<Problem>,
) -> (Option<Alarms>, Option<SecondLimit>) {
    let Some(AlarmChoice::On(settings)) = choice.as_ref().map(|choice| &choice.value) else {
        return (None, None);
    };
    let region = match scope {
        Some(Scope::CloudFront) => Some(CLOUDFRONT_REGION),
        Some(Scope::Regional { region }) => Some(region.as_str()),
        None => None,
    };
    if let (Some(arn), Some(region)) = (&settings.topic_arn, region)
        && arn.value.region != region
    {
        problems.push(
            Problem::new("the SNS topic is in another Region than the alarms")
                .at(arn.span)
                .found(format!("the alarms live in {region}"))
                .help(format!("name a topic in {region}, or remove `topic_arn` to have one made")),
        );
    }
    let off = match (&settings.off_until, &settings.reason) {
        (Some(until), Some(reason)) => {
            Some(AlarmsOff { until: until.value.0.date_text(), reason: reason.value.0.clone() })
        }
        (Some(alone), None) => {
            let problem = Problem::new("alarms that tell nobody need a reason").at(alone.span);
            problems.push(
                problem.found("`reason` is missing").help("such as `reason: login loop, bug 4711`"),
            );
            None
        }
        (None, Some(alone)) => {
            let problem = Problem::new("a reason without an end").at(alone.span);
            problems.push(
                problem
                    .found("`off_until` is missing")
                    .help("add the last day, or remove `reason`"),
            );
            None
        }
        (None, None) => None,
    };
    let alarms = Alarms {
        topic_arn: settings.topic_arn.as_ref().map(|arn| arn.value.text.clone()),
        threshold: value(&settings.threshold).map_or(0, |threshold| threshold.0),
        on: match value(&settings.on) {
            Some(AlarmWord::Counted) => AlarmedRules::Counting,
            Some(AlarmWord::Blocked) | None => AlarmedRules::All,
        },
        on_second: settings.second_limit.is_some(),
        off,
    };
    (Some(alarms), value(&settings.second_limit))
}

/// Priority of the first of our rules in somebody else's web ACL.
const ATTACHED_PRIORITY: u32 = 10;

/// Whose web ACL it is; `None` if that has been refused.
fn web_acl(written: &WebAcl, has_groups: bool) -> Option<WebAclTarget> {
    let WebAclDocument { create, attach, form, priority } = &written.0;
    match (create, attach) {
        (Some(create), None) => Some(WebAclTarget::Create(create.value.0.clone())),
        (None, Some(attach)) => Some(WebAclTarget::Attach(Attachment {
            web_acl: attach.value.0.clone(),
            form: match value(form) {
                Some(AttachedWord::Rules) => AttachedAs::Rules,
                None if !has_groups => AttachedAs::Rules,
                Some(AttachedWord::RuleGroup) | None => AttachedAs::RuleGroup,
            },
            priority: value(priority).map_or(ATTACHED_PRIORITY, |priority| priority.0),
        })),
        (Some(_), Some(_)) | (None, None) => None,
    }
}
