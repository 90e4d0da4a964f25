//! Limits at CloudFront's edge.

use serde_json::{Map, Value, json};

use super::app::fail_word;
use super::{Asset, assets, config, json, source, windows};
use crate::policy::{EdgeAlgorithm, EdgeLayer, EdgeLimit, EdgePattern, EdgeRoute, Policy};

const EDGE: &[Asset] = assets!("edge":
    ".gitignore",
    "README.md",
    "cloudformation/association.yaml.snippet",
    "cloudformation/edge.yaml",
    "conformance/README.md",
    "conformance/windows.json",
    "package.json",
    "src/answers.ts",
    "src/captcha-page.ts",
    "src/client.ts",
    "src/cloudfront.ts",
    "src/config-type.ts",
    "src/limiter.ts",
    "src/memory.ts",
    "src/metrics.ts",
    "src/pass.ts",
    "src/regions.ts",
    "src/routes.ts",
    "src/settings.ts",
    "src/store.ts",
    "src/viewer-request.ts",
    "src/viewer-response.ts",
    "src/windows.ts",
    "terraform/association.tf.snippet",
    "terraform/edge.tf",
    "test/config.test.ts",
    "test/conformance.test.ts",
    "test/events.ts",
    "test/handler.test.ts",
    "test/limits.test.ts",
    "test/parts.test.ts",
    "test/pass.test.ts",
    "test/sample.ts",
    "test/table.ts",
    "test/windows.test.ts",
    "tools/check-limits.ts",
    "tools/overhead.ts",
    "tools/package.ts",
    "tools/zip.ts",
    "tsconfig.json",
);

/// Seconds that an instance keeps allowlist and secret.
const SETTINGS: u32 = 300;

/// The limits at the edge. Empty if the policy has none.
#[must_use]
pub fn edge(policy: &Policy) -> Vec<(String, String)> {
    let Some(layer) = &policy.layers.edge else { return Vec::new() };
    let generated = [
        ("cloudformation/parameters.json", json(&parameters(layer))),
        ("conformance/policy.json", windows::of_edge(layer)),
        ("src/config.ts", config(&source(policy), "config-type", &values(layer))),
        (
            "terraform/edge.auto.tfvars.json",
            json(&json!({
                "name": layer.name,
                "table_name": layer.table,
                "replicas": layer.replicas,
            })),
        ),
    ];
    let generated = generated.map(|(name, text)| (name.to_owned(), text));
    let constant = EDGE.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let mut files: Vec<_> = constant.chain(generated).collect();
    files.sort();
    files
}

/// For the CloudFormation stack, without the archive, which is not there yet.
fn parameters(layer: &EdgeLayer) -> Value {
    let one = |key: &str, value: &str| json!({ "ParameterKey": key, "ParameterValue": value });
    let mut values = vec![one("Name", &layer.name), one("TableName", &layer.table)];
    for (place, region) in layer.replicas.iter().enumerate() {
        values.push(one(&format!("Replica{}", place + 1), region));
    }
    values.into()
}

/// As `config-type.ts` describes it.
fn values(layer: &EdgeLayer) -> Value {
    let (trusted, untrusted) = match &layer.headers {
        None => (Value::Null, json!([])),
        Some(headers) if headers.trusted => {
            (json!({ "client": headers.client, "tier": headers.tier }), json!([]))
        }
        Some(headers) => (Value::Null, json!([headers.client, headers.tier])),
    };
    let captcha = layer.captcha.as_ref().map(|captcha| {
        json!({
            "page": captcha.page, "passSeconds": captcha.pass, "ticketSeconds": captcha.ticket,
        })
    });
    json!({
        "table": {
            "name": layer.table,
            "home": "us-east-1",
            "replicas": layer.replicas,
            "timeoutMilliseconds": layer.timeout,
        },
        "windowSeconds": layer.window,
        "ipv6Prefix": layer.ipv6_prefix,
        "tiers": layer.tiers,
        "defaultTier": layer.default_tier,
        "trustedHeaders": trusted,
        "untrustedHeaders": untrusted,
        "neverLimited": layer.never.iter().map(|path| path_match(path).into()).collect::<Vec<Value>>(),
        "allowlist": layer.allow,
        "settingsSeconds": SETTINGS,
        "global": limits(&layer.global),
        "routes": layer.routes.iter().map(route).collect::<Vec<_>>(),
        "captcha": captcha,
        "metrics": { "namespace": layer.namespace, "flushSeconds": layer.flush },
    })
}

fn path_match(path: &EdgePattern) -> Map<String, Value> {
    let mut value = Map::new();
    value.insert("path".to_owned(), path.text().into());
    value.insert("exact".to_owned(), path.is_exact().into());
    value
}

fn limits(limit: &EdgeLimit) -> Value {
    let tiers: Map<String, Value> =
        limit.limits.iter().map(|(tier, limit)| (tier.clone(), (*limit).into())).collect();
    json!({
        "name": limit.name,
        "algorithm": algorithm(limit.algorithm),
        "limits": tiers,
        "failure": fail_word(limit.fail),
    })
}

fn route(route: &EdgeRoute) -> Value {
    let mut value = limits(&route.limit);
    if let Some(members) = value.as_object_mut() {
        members.append(&mut path_match(&route.path));
        members.insert("methods".to_owned(), json!(route.methods));
    }
    value
}

/// As `config-type.ts` and the vectors spell it.
pub(super) const fn algorithm(algorithm: EdgeAlgorithm) -> &'static str {
    match algorithm {
        EdgeAlgorithm::FixedWindow => "fixed-window",
        EdgeAlgorithm::SlidingWindow => "sliding-window",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_of_the_edge_is_emitted() {
        super::super::assert_all_listed("edge", EDGE);
    }
}
