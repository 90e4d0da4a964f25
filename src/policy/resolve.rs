//! Policy and lock to a rule set: which rule gets which limit, and why.

use super::evidence;
use super::lock::{Grade, Lock, LockRoute, route_text};
use super::model::{Policy, PolicyRoute, Twin};
use super::problem::{Problem, Problems};
use super::routes::rule_name;
use super::standing::{Standing, Then};
use super::value::{LimitChoice, TwinLimit};
use super::{second, shared};
use crate::quotas;
use crate::rules::{
    Action, AggregationKey, Alarms, KeyPart, Network, NetworkKind, RateRule, Role, RuleSet, Scope,
};
use crate::units::{Limit, Timestamp, count};

/// A twin's limit is at least this many times the main one's, unless the policy says otherwise.
pub const TWIN_TIMES: u32 = 10;
/// Space between two priorities, so that a rule of somebody else fits in between.
const PRIORITY_STEP: u32 = 10;

/// How to resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResolveOptions {
    /// Every rule counts, whatever the policy says.
    pub count_mode: bool,
    /// A weak proposal is put to use like a clear one.
    pub accept_weak: bool,
    /// Today, to see which networks have expired; none has if `None`.
    pub today: Option<Timestamp>,
}

/// Makes the rule set of a policy. Whatever is left out, or is not as the policy says at first sight,
/// stands in [`RuleSet::notes`], and what will change soon in [`RuleSet::reminders`].
///
/// Each rule has a place of its own in the order of the policy, and keeps its priority while a rule
/// before it comes or goes with its proposal.
///
/// # Errors
/// Where a limit is `auto` and the lock does not have the route as the policy describes it, and where
/// the policy asks for what cannot be emitted yet.
pub fn resolve(
    policy: &Policy,
    lock: Option<&Lock>,
    options: &ResolveOptions,
) -> Result<RuleSet, Problems> {
    let mut notes = Vec::new();
    let standing = Standing::of(policy, options.today);
    let testers = standing.testers();
    let given = Given { policy, lock, options, standing: &standing, testers: &testers };
    let mut problems = Vec::new();
    let mut rules: Vec<RateRule> = Vec::new();
    let mut route_names = Vec::new();
    let mut place = 0;
    for route in &policy.routes {
        let first = place;
        place += 1 + route.twins.len() as u32;
        let locked = lock.and_then(|lock| lock.route(&route.route.name));
        let locked = match checked(route, lock.is_some(), locked) {
            Ok(locked) => locked,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let is_pinned = route.limit != LimitChoice::Auto;
        let changes = locked.and_then(|_| standing.changes(lock, is_pinned));
        if let Some(changes) = changes {
            notes.push(format!(
                "Route `{}`: the networks changed since the logs were read ({changes}): run `ratewaf analyze` again.",
                route.route.name
            ));
        }
        let Some(main) = main_rule(&given, route, locked, &mut notes) else {
            continue;
        };
        let mut made = vec![main];
        for twin in &route.twins {
            made.extend(twin_rule(&given, route, twin, &made[0], locked, &mut notes));
        }
        for tester in &testers {
            made[0].except_networks.push(tester.name.clone());
            let has_twin = |twins: &[Twin]| twins.iter().any(|twin| twin.network == tester.name);
            if !has_twin(&route.twins) && !has_twin(&policy.shared.twins) {
                notes.push(format!(
                    "Route `{}`: no rule counts the tester network `{}`, because it has no twin here.",
                    route.route.name, tester.name
                ));
            }
        }
        let networks: Vec<&str> = route.twins.iter().map(|twin| twin.network.as_str()).collect();
        if let Some(second) = policy.second_limit {
            made.extend(second::rule(
                &policy.name,
                &route.route.name,
                &made[0],
                second,
                &mut notes,
            ));
        }
        for mut rule in made {
            let offset = match &rule.role {
                Role::Main | Role::Second { .. } | Role::SharedTwin { .. } => 0,
                Role::Twin { network } => {
                    1 + networks.iter().position(|name| name == network).unwrap_or_default() as u32
                }
            };
            rule.priority = PRIORITY_STEP * (1 + first + offset);
            // Just before its main rule, whose priority it must not move.
            if let Role::Second { .. } = rule.role {
                rule.priority -= PRIORITY_STEP / 2;
            }
            rules.push(rule);
            route_names.push(route.route.name.as_str());
        }
    }
    if !problems.is_empty() {
        return Err(policy.problems(problems));
    }
    let mains: Vec<&RateRule> = rules.iter().filter(|rule| rule.role == Role::Main).collect();
    let shared: Vec<RateRule> = (place..)
        .zip(&policy.shared.twins)
        .filter_map(|(place, twin)| {
            let rule = shared::rule(policy, lock, twin, &testers, &mains)?;
            Some(RateRule { priority: PRIORITY_STEP * (1 + place), ..rule })
        })
        .collect();
    let ruled: Vec<(&str, &RateRule)> = route_names.into_iter().zip(&rules).collect();
    let reminders = standing.reminders(lock, &ruled);
    notes.splice(0..0, standing.expired_notes(lock, &ruled));
    notes.extend(key_notes(policy, &rules));
    rules.extend(shared);
    // Rules name testers only, and the IP sets of one outlive the last rule that names it.
    let testers = policy.networks.iter().filter(|network| network.kind == NetworkKind::Tester);
    let networks = testers.cloned().collect();
    Ok(RuleSet {
        name: policy.name.clone(),
        scope: policy.scope.clone(),
        web_acl: policy.web_acl.clone(),
        networks,
        exemptions: policy.never_limited.clone(),
        response: policy.response.clone(),
        alarms: alarms(policy, options.today),
        around: policy.around.clone(),
        rules,
        flat_rate_plan: policy.pricing_plan.flat_rate(),
        notes,
        reminders,
    })
}

/// The alarms on a day: those that tell nobody until then do so again from the next on.
fn alarms(policy: &Policy, today: Option<Timestamp>) -> Option<Alarms> {
    let mut alarms = policy.alarms.clone()?;
    let day = today.map(Timestamp::date_text);
    // Dates as YYYY-MM-DD are ordered like their texts.
    alarms.off = alarms.off.filter(|off| day.is_none_or(|day| day <= off.until));
    Some(alarms)
}

/// What all rules are made from.
#[derive(Clone, Copy)]
struct Given<'a> {
    policy: &'a Policy,
    lock: Option<&'a Lock>,
    options: &'a ResolveOptions,
    standing: &'a Standing<'a>,
    /// The testers that have not expired.
    testers: &'a [&'a Network],
}

/// What a key lets through, a note for each kind.
fn key_notes(policy: &Policy, rules: &[RateRule]) -> Vec<String> {
    let mut notes = Vec::new();
    for rule in rules.iter().filter(|rule| rule.role == Role::Main) {
        let (name, key) = (&rule.route.name, &rule.key);
        if *key == AggregationKey::Ip {
            continue;
        }
        let parts = key.parts();
        let made: Vec<String> =
            parts.iter().filter(|part| part.is_client_made()).map(ToString::to_string).collect();
        if !made.is_empty() {
            notes.push(format!(
                "Route `{name}`: it counts by {key}. A request without {} is not counted at all, and a client that makes up a new one each time is never limited: a missing key is a bypass. Let something behind demand it, or add a route that counts by address.",
                made.join(" or without ")
            ));
        }
        if parts.contains(&KeyPart::ForwardedIp) && policy.scope == Scope::CloudFront {
            notes.push(format!(
                "Route `{name}`: it counts by the address in a header, which in front of CloudFront every client can write itself; count by `ip` unless a proxy of yours stands before CloudFront."
            ));
        } else if parts.contains(&KeyPart::ForwardedIp) {
            notes.push(format!(
                "Route `{name}`: a request without the header {} is not counted at all; let nothing but your proxy reach it.",
                key.forwarded().map(|forwarded| forwarded.header.as_str()).unwrap_or_default()
            ));
        }
        let labels = parts.iter().any(|part| matches!(part, KeyPart::LabelNamespace(_)));
        if labels {
            notes.push(format!(
                "Route `{name}`: only requests that an earlier rule of the web ACL has labelled are counted."
            ));
        }
    }
    notes
}

/// What the lock says about a route, if it is still about the same requests and window.
fn checked<'l>(
    route: &PolicyRoute,
    has_lock: bool,
    locked: Option<&'l LockRoute>,
) -> Result<Option<&'l LockRoute>, Problem> {
    let name = &route.route.name;
    let text = route_text(&route.route);
    if let (LimitChoice::Auto, false) = (route.limit, route.key == AggregationKey::Ip) {
        return Err(Problem::new(format!("there is no limit for the route `{name}`"))
            .at(route.span)
            .found(format!("it counts by {}, and the logs were counted by address", route.key))
            .help("pin the limit with a number"));
    }
    let difference = match locked {
        None if has_lock => format!("the lock does not know the route `{name}`"),
        None => "there is no lock yet".to_owned(),
        Some(locked) if locked.route != text => {
            format!("the lock is about `{}`, the policy about `{text}`", locked.route)
        }
        Some(locked) if locked.spelling != route.route.spelling => {
            "the lock was made with another `spelling`".to_owned()
        }
        Some(locked) if locked.window != route.window => {
            format!("the lock was made for {}, the policy says {}", locked.window, route.window)
        }
        Some(locked) => return Ok(Some(locked)),
    };
    match route.limit {
        // A person's number needs no logs; without them there is no evidence to show.
        LimitChoice::Pinned(_) => Ok(None),
        LimitChoice::Auto => {
            Err(Problem::new(format!("there is no limit for the route `{name}`"))
                .at(route.span)
                .found(difference)
                .help("run `ratewaf analyze LOGS` over a week of logs to write the lock, or pin the limit with a number"))
        }
    }
}

fn main_rule(
    given: &Given<'_>,
    route: &PolicyRoute,
    locked: Option<&LockRoute>,
    notes: &mut Vec<String>,
) -> Option<RateRule> {
    let Given { policy, lock, options, standing, .. } = *given;
    let name = &route.route.name;
    let proposed = locked.and_then(|locked| locked.limit);
    let mut action = route.action.clone();
    let limit = match (route.limit, proposed, locked) {
        (LimitChoice::Pinned(limit), _, _) => {
            notes.extend(evidence::pinned_note(route, limit, locked, standing));
            limit
        }
        (LimitChoice::Auto, Some(limit), Some(locked)) => {
            if locked.grade == Grade::Weak
                && !options.accept_weak
                && !route.accept_weak
                && action != Action::Count
            {
                action = Action::Count;
                notes.push(format!(
                    "Route `{name}`: the limit {} is a weak proposal, so its rules only count. Watch them for a week, or accept it with `accept: weak` in the policy, or with --accept weak.",
                    evidence::number(limit)
                ));
            }
            limit
        }
        (LimitChoice::Auto, _, locked) => {
            notes.extend(locked.map(evidence::no_limit_note));
            return None;
        }
    };
    if options.count_mode {
        action = Action::Count;
    }
    Some(RateRule {
        name: rule_name(&policy.name, name, None),
        priority: 0,
        role: Role::Main,
        route: route.route.clone(),
        limit,
        window: route.window,
        key: route.key.clone(),
        action,
        except_networks: Vec::new(),
        evidence: evidence::main(route, limit, locked, lock),
    })
}

fn twin_rule(
    given: &Given<'_>,
    route: &PolicyRoute,
    twin: &Twin,
    main: &RateRule,
    locked: Option<&LockRoute>,
    notes: &mut Vec<String>,
) -> Option<RateRule> {
    let name = &route.route.name;
    let network = &twin.network;
    // An expired network has been noted, and is counted by the main rule again.
    let tester = given.testers.iter().find(|tester| tester.name == *network)?;
    let peak = locked.and_then(|locked| locked.exempt_peaks.get(network)).copied();
    let limit = match twin.limit {
        TwinLimit::Pinned(limit) => limit,
        TwinLimit::Times(times) => times_limit(main.limit, times),
        TwinLimit::Auto => auto_twin(network, main.limit, peak, locked),
    };
    let then = Then::of(given.lock, tester);
    if limit <= main.limit {
        notes.push(format!(
            "Route `{name}`: the twin of `{network}` has the limit {}, no more than the main rule's {}.",
            evidence::number(limit),
            evidence::number(main.limit)
        ));
    }
    if let Some(peak) = peak.filter(|peak| *peak > limit.requests()) {
        notes.push(format!(
            "Route `{name}`: the network `{network}` peaked at {}{}, above the limit {} of its twin.",
            count(peak.into(), "request", "requests"),
            if then == Then::Changed { " before it changed" } else { "" },
            evidence::number(limit)
        ));
    }
    Some(RateRule {
        name: rule_name(&given.policy.name, name, Some(network)),
        priority: 0,
        role: Role::Twin { network: network.clone() },
        route: route.route.clone(),
        limit,
        window: main.window,
        key: main.key.clone(),
        action: main.action.clone(),
        except_networks: Vec::new(),
        evidence: evidence::twin(twin, limit, main, peak, then),
    })
}

/// A multiple of a limit, at most what AWS accepts.
pub fn times_limit(limit: Limit, times: u32) -> Limit {
    let requests = u64::from(limit.requests()) * u64::from(times);
    Limit::new(requests.min(quotas::MAXIMUM_LIMIT.into())).unwrap_or(limit)
}

/// The larger of ten times the main limit in force and the lock's round number of at least twice the
/// network's busiest peak.
fn auto_twin(network: &str, main: Limit, peak: Option<u32>, locked: Option<&LockRoute>) -> Limit {
    let times = times_limit(main, TWIN_TIMES);
    // A lock of an older version has the peak only.
    let twice = (u64::from(peak.unwrap_or_default()) * 2).min(quotas::MAXIMUM_LIMIT.into());
    let floor = locked.and_then(|locked| locked.twin_floors.get(network)).copied();
    floor.or_else(|| Limit::new(twice).ok()).map_or(times, |floor| floor.max(times))
}
