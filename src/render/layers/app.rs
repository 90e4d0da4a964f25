//! Limits inside the application.

use serde_json::{Value, json};

use super::{Asset, assets, below, config, json, source, vectors};
use crate::policy::{
    Answer, AppLayer, Dimension, FailMode, Identity, Part, Policy, RedisLayer, Scenario,
    TableAlgorithm, TableLayer, TableLimit, Total,
};

/// What every store has in common.
const SHARED: &[Asset] = assets!("app/shared":
    "tsconfig.json",
    "src/client.ts",
    "src/clock.ts",
    "src/deadline.ts",
    "src/decision.ts",
    "src/gateway.ts",
    "src/middleware.ts",
    "test/client.test.ts",
    "test/forms.test.ts",
    "test/proxy.ts",
    "tools/rounds.ts",
);

const DYNAMODB: &[Asset] = assets!("app/dynamodb":
    "README.md",
    "package.json",
    "infrastructure/table.tf",
    "infrastructure/table.yaml",
    "src/bucket.ts",
    "src/index.ts",
    "src/limiter.ts",
    "src/table.ts",
    "src/turns.ts",
    "src/types.ts",
    "test/bucket.test.ts",
    "test/dynalite.d.ts",
    "test/limiter.test.ts",
    "test/store.ts",
    "test/vectors.test.ts",
    "tools/overhead.ts",
);

const REDIS: &[Asset] = assets!("app/redis":
    "README.md",
    "package.json",
    "src/connection.ts",
    "src/index.ts",
    "src/keys.ts",
    "src/limiter.ts",
    "src/scripts.ts",
    "src/types.ts",
    "test/limiter.test.ts",
    "test/store.ts",
    "test/vectors.test.ts",
    "tools/overhead.ts",
);

/// The limits inside the application: a folder a store. Empty if the policy has none.
#[must_use]
pub fn app(policy: &Policy) -> Vec<(String, String)> {
    let AppLayer { dynamodb, redis } = &policy.layers.app;
    let source = source(policy);
    let tables = dynamodb.iter().flat_map(|layer| table(layer, &source));
    tables.chain(redis.iter().flat_map(|layer| scripts(layer, &source))).collect()
}

fn table(layer: &TableLayer, source: &str) -> Vec<(String, String)> {
    const FOLDER: &str = "dynamodb";
    let TableLayer { region, table, timeout, limits } = layer;
    let values = json!({
        "region": region,
        "table": table,
        "timeoutMs": timeout,
        "limits": limits.iter().map(table_limit).collect::<Vec<_>>(),
    });
    let generated = [
        (
            "infrastructure/parameters.json",
            json(&json!([
                { "ParameterKey": "Table", "ParameterValue": table },
            ])),
        ),
        (
            "infrastructure/ratewaf.auto.tfvars.json",
            json(&json!({ "region": region, "table": table })),
        ),
        ("src/config.ts", config(source, "types", &values)),
        ("test/vectors.json", vectors::of_table(limits)),
    ];
    let generated = generated.map(|(name, text)| (format!("{FOLDER}/{name}"), text));
    let mut files: Vec<_> =
        below(FOLDER, SHARED).chain(below(FOLDER, DYNAMODB)).chain(generated).collect();
    if let Some(first) = limits.first() {
        name_in_readme(&mut files, &[("orders", &first.name)]);
    }
    files.sort();
    files
}

fn scripts(layer: &RedisLayer, source: &str) -> Vec<(String, String)> {
    const FOLDER: &str = "redis";
    let RedisLayer { prefix, timeout, scenarios, total } = layer;
    let mut values = json!({
        "prefix": prefix,
        "timeoutMs": timeout,
        "scenarios": scenarios.iter().map(scenario).collect::<Vec<_>>(),
    });
    if let Some(one) = total {
        values["total"] = self::total(one);
    }
    let generated = [
        ("src/config.ts", config(source, "types", &values)),
        ("test/vectors.json", super::scenarios::of_redis(layer)),
    ];
    let generated = generated.map(|(name, text)| (format!("{FOLDER}/{name}"), text));
    let mut files: Vec<_> =
        below(FOLDER, SHARED).chain(below(FOLDER, REDIS)).chain(generated).collect();
    if let (Some(first), Some(last)) = (scenarios.first(), scenarios.last()) {
        name_in_readme(&mut files, &[("orders", &last.name), ("login", &first.name)]);
    }
    files.sort();
    files
}

/// Puts the policy's own names into the examples of a README: what is copied out of it has to work.
fn name_in_readme(files: &mut [(String, String)], names: &[(&str, &str)]) {
    for (_, text) in files.iter_mut().filter(|(name, _)| name.ends_with("README.md")) {
        for (shown, own) in names {
            *text = text.replace(&format!("('{shown}'"), &format!("('{own}'"));
        }
    }
}

/// A scenario as `types.ts` describes it.
pub(super) fn scenario(one: &Scenario) -> Value {
    let Scenario { name, dimensions, accounts_per_device, fail, answer } = one;
    let part = |part: &Part| match part {
        Part::User => "user",
        Part::Device => "device",
        Part::Ip => "ip",
        Part::Activity => "activity",
    };
    let dimension = |one: &Dimension| {
        let by: Vec<&str> = one.by.iter().map(part).collect();
        json!({ "by": by, "limit": one.limit, "windowSeconds": one.window })
    };
    let mut value = json!({
        "name": name,
        "dimensions": dimensions.iter().map(dimension).collect::<Vec<_>>(),
    });
    if let Some((limit, window)) = accounts_per_device {
        value["accountsPerDevice"] = json!({ "limit": limit, "windowSeconds": window });
    }
    value["fail"] = fail_word(*fail).into();
    value["answer"] = match answer {
        Answer::Refuse => "refuse".into(),
        Answer::Silent => "silent".into(),
    };
    value
}

/// The bucket for all requests as `types.ts` describes it.
pub(super) fn total(one: &Total) -> Value {
    let Total { limit, window, burst, fail } = one;
    json!({ "limit": limit, "windowSeconds": window, "burst": burst, "fail": fail_word(*fail) })
}

/// A limit as `types.ts` describes it.
pub(super) fn table_limit(limit: &TableLimit) -> Value {
    let TableLimit { name, algorithm, limit, window, client, fail } = limit;
    let client = match client {
        Identity::Subject => "subject",
        Identity::Address => "address",
    };
    let fail = fail_word(*fail);
    match algorithm {
        TableAlgorithm::TokenBucket { burst } => json!({
            "name": name, "algorithm": "token_bucket", "limit": limit, "windowSeconds": window,
            "burst": burst, "client": client, "fail": fail,
        }),
        TableAlgorithm::FixedWindow => json!({
            "name": name, "algorithm": "fixed_window", "limit": limit, "windowSeconds": window,
            "client": client, "fail": fail,
        }),
    }
}

pub(super) fn fail_word(fail: FailMode) -> &'static str {
    match fail {
        FailMode::Open => "open",
        FailMode::Closed => "closed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_of_the_application_is_emitted() {
        for (folder, assets) in [("shared", SHARED), ("dynamodb", DYNAMODB), ("redis", REDIS)] {
            super::super::assert_all_listed(&format!("app/{folder}"), assets);
        }
    }
}
