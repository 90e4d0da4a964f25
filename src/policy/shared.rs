//! Twins of all routes at once.

use super::evidence::number;
use super::lock::Lock;
use super::model::{Policy, Twin};
use super::resolve::{TWIN_TIMES, times_limit};
use super::routes::shared_name;
use super::value::TwinLimit;
use crate::quotas;
use crate::rules::{Action, Network, RateRule, Role, Route};
use crate::units::{Limit, count};

/// The twin of one network for the routes that have a rule; `None` if none has.
pub fn rule(
    policy: &Policy,
    lock: Option<&Lock>,
    twin: &Twin,
    testers: &[&Network],
    mains: &[&RateRule],
) -> Option<RateRule> {
    // An expired network has been noted, and is counted by the main rules again.
    testers.iter().find(|tester| tester.name == twin.network)?;
    let highest = mains.iter().max_by_key(|main| main.limit)?;
    // Requests of all routes are counted together, so the peaks may add up.
    let peaks: Vec<u32> = mains
        .iter()
        .filter_map(|main| lock?.route(&main.route.name)?.exempt_peaks.get(&twin.network).copied())
        .collect();
    let sum: u64 = peaks.iter().map(|peak| u64::from(*peak)).sum();
    let (limit, why) = match twin.limit {
        TwinLimit::Pinned(limit) => (limit, "Pinned in the policy.".to_owned()),
        TwinLimit::Times(times) => (
            times_limit(highest.limit, times),
            format!("{times} times the highest main limit {}.", number(highest.limit)),
        ),
        TwinLimit::Auto => {
            let times = times_limit(highest.limit, TWIN_TIMES);
            let twice = Limit::new((sum * 2).min(quotas::MAXIMUM_LIMIT.into()));
            let limit = twice.map_or(times, |twice| twice.max(times));
            let why = format!(
                "The larger of {TWIN_TIMES} times the highest main limit {} and twice the sum of the network's busiest peaks on the routes, {}.",
                number(highest.limit),
                count(sum, "request", "requests")
            );
            (limit, why)
        }
    };
    let action = mains.iter().map(|main| &main.action).find(|action| **action != Action::Count);
    let routes: Vec<Route> = mains.iter().map(|main| main.route.clone()).collect();
    Some(RateRule {
        name: shared_name(&policy.name, &twin.network),
        priority: 0,
        role: Role::SharedTwin { network: twin.network.clone(), routes },
        route: highest.route.clone(),
        limit,
        window: policy.shared.window,
        key: policy.shared.key.clone(),
        action: action.cloned().unwrap_or(Action::Count),
        except_networks: Vec::new(),
        evidence: vec![
            why,
            "One rule for all routes: it counts their requests together, whatever the method where the routes differ in it."
                .to_owned(),
        ],
    })
}
