//! An analysis to the two files: the starter policy and the lock.

use crate::policy::{
    Lock, LockRoute, Policy, Starter, StarterRoute, additions as starter_additions, starter,
};
use crate::profile::{Label, RouteProfile};
use crate::proposal::{
    Grade, METHOD, RouteProposal, headline, lock_inputs, lock_route, rate_in_words,
};
use crate::report::Analysis;
use crate::rules::{Network, NetworkKind, Route};
use crate::survey::Advice;
use crate::units::{count, plain, thousands};

/// Prefix of rules, metrics, IP sets and alarms in a starter policy.
const NAME: &str = "ratewaf";
/// The web ACL of a starter policy.
const WEB_ACL: &str = "ratewaf-acl";

/// Everything with a proposal, routes or survey groups.
fn proposed(analysis: &Analysis) -> Vec<(&RouteProfile, &RouteProposal)> {
    let routes = analysis.routes.iter().map(|route| (&route.profile, &route.proposal));
    let groups = analysis.survey.iter().flat_map(|survey| &survey.groups);
    let surveyed = groups
        .filter_map(|group| group.analysis.as_ref().map(|(profile, proposal)| (profile, proposal)));
    routes.chain(surveyed).collect()
}

/// The lock of the routes of a policy.
pub(super) fn lock(analysis: &Analysis, networks: &[Network]) -> Lock {
    let routes = proposed(analysis)
        .into_iter()
        .map(|(profile, proposal)| lock_route(profile, proposal, networks))
        .collect();
    Lock::new(METHOD, lock_inputs(&analysis.coverage, networks), routes)
}

/// A starter policy with the lock that belongs to it: both use the same names.
pub(super) fn starter_and_lock(analysis: &Analysis, networks: &[Network]) -> (String, Lock) {
    let mut input = Starter {
        name: NAME.to_owned(),
        web_acl: WEB_ACL.to_owned(),
        networks: networks.to_vec(),
        routes: Vec::new(),
        left_out: Vec::new(),
    };
    // Every route stands in the starter for a moment, so that each gets a name of its own.
    let proposed = proposed(analysis);
    input.routes = proposed.iter().map(|(profile, found)| starter_route(profile, found)).collect();
    input.settle_names();
    let routes: Vec<LockRoute> = proposed
        .iter()
        .zip(&input.routes)
        .map(|((profile, found), named)| {
            let mut locked = lock_route(profile, found, &input.networks);
            locked.name.clone_from(&named.route.name);
            locked
        })
        .collect();
    let mut place = 0;
    input.routes.retain(|_| {
        let (profile, found) = proposed[place];
        place += 1;
        let listed = found.proposal.grade != Grade::None;
        if !listed {
            input.left_out.push(headline(&found.proposal, &profile.route));
        }
        listed
    });
    input.left_out.extend(not_worth_a_rule(analysis));
    let lock = Lock::new(METHOD, lock_inputs(&analysis.coverage, &input.networks), routes);
    (starter(&input), lock)
}

/// What a run that only looked would add to the policy, to be pasted; nothing if it has it all.
pub(super) fn additions(analysis: &Analysis, networks: &[Network], policy: &Policy) -> String {
    let is_new = |route: &Route| {
        let named = |own: &Route| Route { name: route.name.clone(), ..own.clone() };
        policy.routes.iter().all(|own| named(&own.route) != *route)
    };
    // Of a survey, what it found a limit for: the others are questions.
    let asked_for = analysis.routes.len();
    let found: Vec<StarterRoute> = proposed(analysis)
        .into_iter()
        .enumerate()
        .filter(|(place, (_, found))| *place < asked_for || found.proposal.limit.is_some())
        .filter(|(_, (profile, _))| is_new(&profile.route))
        .map(|(_, (profile, found))| starter_route(profile, found))
        .collect();
    let mut input = Starter {
        name: policy.name.clone(),
        web_acl: WEB_ACL.to_owned(),
        networks: networks.to_vec(),
        routes: found,
        left_out: Vec::new(),
    };
    input.settle_names();
    let mut text = starter_additions(&input, &policy.networks);
    // A twin belongs to its route.
    let testers = networks.iter().filter(|network| network.kind == NetworkKind::Tester);
    let testers: Vec<&Network> =
        testers.filter(|tester| !policy.networks.contains(tester)).collect();
    for own in &policy.routes {
        let has = |name: &str| own.twins.iter().any(|twin| twin.network == name);
        let twins: Vec<String> = testers
            .iter()
            .filter(|tester| !has(&tester.name))
            .map(|tester| format!("{{ network: {}, limit: auto }}", tester.name))
            .collect();
        if !twins.is_empty() {
            let (route, twins) = (&own.route.name, twins.join(", "));
            text.push_str(&format!("# and at the route {route}: twins: [{twins}]\n"));
        }
    }
    text
}

fn starter_route(profile: &RouteProfile, found: &RouteProposal) -> StarterRoute {
    let proposal = &found.proposal;
    // Whom the rule will count: exempt clients get a rule of their own.
    let counted = profile.everybody().filter(|(client, _)| !client.is_labelled(Label::Exempt));
    let (clients, requests) = counted.fold((0, 0), |(clients, requests), (client, number)| {
        let number = u64::from(number);
        (clients + number, requests + number * u64::from(client.requests))
    });
    let mut evidence = vec![
        format!(
            "{}: {}, {}",
            proposal.grade.as_str(),
            count(clients, "client", "clients"),
            count(requests, "request", "requests")
        ),
        headline(proposal, &profile.route),
    ];
    if let Some(careful) = proposal.cautious_limit {
        evidence.push(format!(
            "more careful: {} ({})",
            thousands(careful.requests().into()),
            rate_in_words(careful, proposal.window)
        ));
    }
    StarterRoute { route: profile.route.clone(), window: profile.window, evidence }
}

/// Groups of a survey that a limit would harm, or not help.
fn not_worth_a_rule(analysis: &Analysis) -> Vec<String> {
    let groups = analysis.survey.iter().flat_map(|survey| &survey.groups);
    groups
        .filter_map(|group| {
            let why = match group.advice {
                Advice::Look => return None,
                Advice::StaticAsset => return None,
                Advice::Webhook => "a webhook: its sender is one machine that has to pass",
                Advice::HealthCheck => "a health check: a monitor or a load balancer asks for it",
            };
            Some(format!("{}: {why}", plain(&group.title)))
        })
        .collect()
}
