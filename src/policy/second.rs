//! Second rules: before a main rule, with a higher limit, so that an alarm can tell an attack from a keen
//! client.

use super::evidence::number;
use super::resolve::times_limit;
use super::routes::second_name;
use super::value::SecondLimit;
use crate::rules::{RateRule, Role};

/// The second rule of a main rule. `None`, with a note, where its limit would not be higher.
pub fn rule(
    policy: &str,
    route: &str,
    main: &RateRule,
    second: SecondLimit,
    notes: &mut Vec<String>,
) -> Option<RateRule> {
    let (limit, why) = match second {
        SecondLimit::Times(times) => {
            let limit = times_limit(main.limit, times);
            (limit, format!("{times} times the main limit {}", number(main.limit)))
        }
        SecondLimit::Pinned(limit) => (limit, "Pinned in the policy".to_owned()),
    };
    if limit <= main.limit {
        notes.push(format!(
            "Route `{route}`: no second rule, as the second limit {} is not above the main one, {}. So it has no alarm.",
            number(limit),
            number(main.limit)
        ));
        return None;
    }
    Some(RateRule {
        name: second_name(policy, route),
        role: Role::Second { main: main.name.clone() },
        limit,
        evidence: vec![format!(
            "{why}: its alarm is about clients that are far above the limit, not just keen."
        )],
        ..main.clone()
    })
}
