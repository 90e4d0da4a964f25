//! Usage plans and keys of API Gateway.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value, json};

use super::{Asset, assets, json};
use crate::policy::{
    Ceiling, GatewayLayer, MethodLimit, Period, Plan, Policy, Throttle, logical_name,
};

const GATEWAY: &[Asset] = assets!("gateway": "README.md", "terraform/gateway.tf");

/// The limits at API Gateway. Empty if the policy has none.
#[must_use]
pub fn gateway(policy: &Policy) -> Vec<(String, String)> {
    let Some(layer) = &policy.layers.gateway else { return Vec::new() };
    let one = |key: &str, value: &str| json!({ "ParameterKey": key, "ParameterValue": value });
    let parameters = json!([one("RestApiId", &layer.rest_api), one("StageName", &layer.stage)]);
    let mut generated = vec![
        ("cloudformation/gateway.template.json", json(&template(layer))),
        ("cloudformation/parameters.json", json(&parameters)),
        ("terraform/gateway.auto.tfvars.json", json(&variables(layer))),
    ];
    if let Some(total) = &layer.total {
        generated.push(("cloudformation/stage.yaml.snippet", stage(total)));
    }
    let constant = GATEWAY.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let files = constant.chain(generated);
    let mut files: Vec<_> = files.map(|(name, text)| (name.to_owned(), text)).collect();
    files.sort();
    files
}

/// Requests a second.
fn rate(throttle: Throttle) -> Value {
    let Throttle { limit, window, .. } = throttle;
    if limit.is_multiple_of(window) {
        return (limit / window).into();
    }
    // Six digits behind the point, rounded down: never more than the policy says.
    let millionths = u64::from(limit) * 1_000_000 / u64::from(window);
    Number::from_f64(millionths as f64 / 1e6).map_or(Value::Null, Value::Number)
}

fn terms(throttle: Throttle) -> Map<String, Value> {
    let mut terms = Map::new();
    terms.insert("rate".to_owned(), rate(throttle));
    terms.insert("burst".to_owned(), throttle.burst.into());
    terms
}

/// Limits of methods; `slash` is what their paths begin with.
fn methods(routes: &[MethodLimit], slash: &str) -> Value {
    let named = |one: &MethodLimit| {
        let path = one.path.trim_start_matches('/');
        (format!("{slash}{path}/{}", one.method), terms(one.throttle).into())
    };
    Value::Object(routes.iter().map(named).collect())
}

const fn period(period: Period) -> &'static str {
    match period {
        Period::Day => "DAY",
        Period::Week => "WEEK",
        Period::Month => "MONTH",
    }
}

/// The values of `gateway.tf`.
fn variables(layer: &GatewayLayer) -> Value {
    let plan = |plan: &Plan| {
        let mut terms = terms(plan.throttle);
        if let Some((limit, within)) = plan.quota {
            terms.insert("quota".to_owned(), json!({ "limit": limit, "period": period(within) }));
        }
        terms.insert("routes".to_owned(), methods(&plan.routes, "/"));
        (plan.name.clone(), terms.into())
    };
    let plans: Map<String, Value> = layer.plans.iter().map(plan).collect();
    let keys: Map<String, Value> =
        layer.keys.iter().map(|(client, plan)| (client.clone(), json!({ "plan": plan }))).collect();
    let stage = layer.total.as_ref().map(|total| {
        let mut terms = terms(total.throttle);
        terms.insert("routes".to_owned(), methods(&total.routes, ""));
        terms
    });
    json!({
        "region": layer.region,
        "name": layer.name,
        "rest_api_id": layer.rest_api,
        "stage_name": layer.stage,
        "stage": stage,
        "plans": plans,
        "keys": keys,
    })
}

/// The same as a stack.
fn template(layer: &GatewayLayer) -> Value {
    let mut resources = Map::new();
    let mut outputs = Map::new();
    for plan in &layer.plans {
        let name = format!("Plan{}", logical_name(&plan.name));
        resources.insert(name.clone(), usage_plan(layer, plan));
        outputs.insert(format!("{name}Id"), json!({ "Value": { "Ref": name } }));
    }
    for (client, plan) in &layer.keys {
        let (own, plan) = (logical_name(client), logical_name(plan));
        let (key, plan) = (format!("Key{own}"), format!("Plan{plan}"));
        resources.insert(
            key.clone(),
            json!({
                "Type": "AWS::ApiGateway::ApiKey",
                "Properties": { "Name": format!("{}-{client}", layer.name), "Enabled": true },
            }),
        );
        resources.insert(
            format!("Member{own}"),
            json!({
                "Type": "AWS::ApiGateway::UsagePlanKey",
                "Properties": {
                    "KeyId": { "Ref": key }, "KeyType": "API_KEY", "UsagePlanId": { "Ref": plan },
                },
            }),
        );
        outputs.insert(format!("{key}Id"), json!({ "Value": { "Ref": key } }));
    }
    json!({
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Usage plans and API keys of one stage of a REST API. Targets and no walls, and a key is no login: see README.md.",
        "Parameters": {
            "RestApiId": { "Type": "String", "Description": "The REST API, which lives elsewhere." },
            "StageName": {
                "Type": "String", "Description": "The deployed stage that the plans apply to.",
            },
        },
        "Resources": resources,
        "Outputs": outputs,
    })
}

fn usage_plan(layer: &GatewayLayer, plan: &Plan) -> Value {
    let throttle = |one: Throttle| json!({ "RateLimit": rate(one), "BurstLimit": one.burst });
    let mut stage = json!({ "ApiId": { "Ref": "RestApiId" }, "Stage": { "Ref": "StageName" } });
    if !plan.routes.is_empty() {
        let named =
            |one: &MethodLimit| (format!("{}/{}", one.path, one.method), throttle(one.throttle));
        stage["Throttle"] = Value::Object(plan.routes.iter().map(named).collect());
    }
    let Throttle { burst, .. } = plan.throttle;
    let mut properties = json!({
        "UsagePlanName": format!("{}-{}", layer.name, plan.name),
        "Description":
            format!("{} requests a second, burst {burst}, for each key", rate(plan.throttle)),
        "ApiStages": [stage],
        "Throttle": throttle(plan.throttle),
    });
    if let Some((limit, within)) = plan.quota {
        properties["Quota"] = json!({ "Limit": limit, "Period": period(within) });
    }
    json!({ "Type": "AWS::ApiGateway::UsagePlan", "Properties": properties })
}

/// What CloudFormation keeps in the stage.
fn stage(total: &Ceiling) -> String {
    let mut out = String::from(
        "# CloudFormation sets throttles of a stage in the stage itself: into the properties of your AWS::ApiGateway::Stage.\n\
         # Slashes of a path are written ~1.\n\
         MethodSettings:\n",
    );
    let mut add = |path: &str, method: &str, throttle: Throttle| {
        let (rate, burst) = (rate(throttle), throttle.burst);
        let _ = write!(
            out,
            "  - ResourcePath: \"{path}\"\n    HttpMethod: \"{method}\"\n    ThrottlingRateLimit: {rate}\n    \
             ThrottlingBurstLimit: {burst}\n    MetricsEnabled: true\n"
        );
    };
    add("/*", "*", total.throttle);
    for one in &total.routes {
        // `~` is none of a path's characters.
        add(&format!("/{}", one.path.replace('/', "~1")), one.method, one.throttle);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_of_the_gateway_is_emitted() {
        super::super::assert_all_listed("gateway", GATEWAY);
    }

    #[test]
    fn a_rate_is_never_more_than_the_policy_says() {
        let of = |limit, window| rate(Throttle { limit, window, burst: 1 }).to_string();
        assert_eq!(of(300, 300), "1");
        assert_eq!(of(5, 1), "5");
        assert_eq!(of(100, 60), "1.666666");
        assert_eq!(of(1, 3_600), "0.000277");
    }
}
