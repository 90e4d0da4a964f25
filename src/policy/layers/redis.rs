//! The meaning of `layers.app.redis`, and what is wrong with it.

use super::app::{Names, TIMEOUT, fail};
use super::document::{
    AnswerWord, DimensionDocument, PartWord, RedisDocument, ScenarioDocument, TotalDocument,
};
use super::model::{Answer, Dimension, Part, RedisLayer, Scenario, Total};
use crate::policy::problem::Problem;
use crate::policy::reader::{Field, Located};
use crate::policy::validate::value;

/// A sliding window keeps an entry of about 100 bytes for each request that passed: more are a megabyte a
/// client.
const MOST_KEPT: u32 = 10_000;

pub fn redis(
    name: &str,
    written: &RedisDocument,
    names: &mut Names,
    problems: &mut Vec<Problem>,
) -> Option<RedisLayer> {
    let written_scenarios = &written.scenarios.as_ref()?.value.0;
    let scenarios: Vec<Scenario> = written_scenarios
        .iter()
        .filter_map(|written| scenario(&written.value, names, problems))
        .collect();
    Some(RedisLayer {
        prefix: written.prefix.as_ref().map_or_else(|| name.to_owned(), |p| p.value.0.clone()),
        timeout: value(&written.timeout).map_or(TIMEOUT, |timeout| timeout.0),
        scenarios,
        total: total(&written.total),
    })
}

fn total(written: &Field<TotalDocument>) -> Option<Total> {
    let written = &written.as_ref()?.value;
    let limit = value(&written.limit)?.0;
    Some(Total {
        limit,
        window: value(&written.window)?.0,
        burst: value(&written.burst).map_or(limit, |burst| burst.0),
        fail: fail(&written.fail),
    })
}

fn scenario(
    written: &ScenarioDocument,
    names: &mut Names,
    problems: &mut Vec<Problem>,
) -> Option<Scenario> {
    if let Some(name) = &written.name {
        names.add(&name.value.0, name.span, problems);
    }
    let limits = &written.limits.as_ref()?.value.0;
    let mut dimensions: Vec<Dimension> = Vec::with_capacity(limits.len());
    for limit in limits {
        let Some(read) = dimension(limit, problems) else { continue };
        if dimensions.iter().any(|one| one.by == read.by && one.window == read.window) {
            let problem = Problem::new("two limits of a scenario count the same").at(limit.span);
            problems.push(
                problem
                    .found("the second one by the same parts and window")
                    .help("keep the lower one"),
            );
        }
        dimensions.push(read);
    }
    let accounts = written.accounts_per_device.as_ref().and_then(|accounts| {
        let (limit, window) = (&accounts.value.limit, &accounts.value.window);
        few(limit, problems);
        Some((value(limit)?.0, value(window)?.0))
    });
    Some(Scenario {
        name: written.name.as_ref()?.value.0.clone(),
        dimensions,
        accounts_per_device: accounts,
        fail: fail(&written.fail),
        answer: match value(&written.answer) {
            Some(AnswerWord::Silent) => Answer::Silent,
            Some(AnswerWord::Refuse) | None => Answer::Refuse,
        },
    })
}

fn few(limit: &Field<crate::policy::value::RequestCount>, problems: &mut Vec<Problem>) {
    let Some(limit) = limit.as_ref().filter(|limit| limit.value.0 > MOST_KEPT) else { return };
    problems.push(
        Problem::new("a sliding window remembers each of its requests")
            .at(limit.span)
            .found(format!("this is {}", limit.value.0))
            .help("allowed: up to 10,000; a token bucket in DynamoDB takes more"),
    );
}

fn dimension(
    written: &Located<DimensionDocument>,
    problems: &mut Vec<Problem>,
) -> Option<Dimension> {
    let written = &written.value;
    few(&written.limit, problems);
    let mut by: Vec<Part> = Vec::new();
    for word in &written.by.as_ref()?.value.0 {
        let part = match word.value {
            PartWord::User => Part::User,
            PartWord::Device => Part::Device,
            PartWord::Ip => Part::Ip,
            PartWord::Activity => Part::Activity,
        };
        if by.contains(&part) {
            let problem = Problem::new("a part of the limit comes twice").at(word.span);
            problems.push(problem.found("the second one").help("remove it"));
        } else {
            by.push(part);
        }
    }
    // In one order, so that the same parts are the same keys.
    by.sort();
    Some(Dimension { by, limit: value(&written.limit)?.0, window: value(&written.window)?.0 })
}
