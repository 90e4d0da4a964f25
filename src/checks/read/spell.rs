//! Arguments of the AWS provider in CloudFormation's spelling, for what is not WAF's.

use serde_json::{Map, Value, json};

use crate::checks::marker;
use crate::wafv2::terraform::{api_name, block_members, members};

/// Kinds of resources that are called otherwise than by their words.
const KINDS: [(&str, &str); 27] = [
    ("aws_wafv2_web_acl", "AWS::WAFv2::WebACL"),
    ("aws_wafv2_rule_group", "AWS::WAFv2::RuleGroup"),
    ("aws_wafv2_ip_set", "AWS::WAFv2::IPSet"),
    ("aws_wafv2_web_acl_rule", "Ratewaf::WebACLRule"),
    ("aws_wafv2_web_acl_rule_group_association", "Ratewaf::WebACLRule"),
    ("aws_wafv2_web_acl_logging_configuration", "AWS::WAFv2::LoggingConfiguration"),
    ("aws_wafv2_web_acl_association", "AWS::WAFv2::WebACLAssociation"),
    ("aws_wafv2_regex_pattern_set", "AWS::WAFv2::RegexPatternSet"),
    ("aws_cloudwatch_metric_alarm", "AWS::CloudWatch::Alarm"),
    ("aws_cloudwatch_log_group", "AWS::Logs::LogGroup"),
    ("aws_sns_topic", "AWS::SNS::Topic"),
    ("aws_sns_topic_policy", "AWS::SNS::TopicPolicy"),
    ("aws_cloudfront_distribution", "AWS::CloudFront::Distribution"),
    ("aws_ssm_parameter", "AWS::SSM::Parameter"),
    ("aws_api_gateway_rest_api", "AWS::ApiGateway::RestApi"),
    ("aws_api_gateway_rest_api_policy", "AWS::ApiGateway::RestApiPolicy"),
    ("aws_api_gateway_stage", "AWS::ApiGateway::Stage"),
    ("aws_api_gateway_domain_name", "AWS::ApiGateway::DomainName"),
    ("aws_apigatewayv2_api", "AWS::ApiGatewayV2::Api"),
    ("aws_apigatewayv2_stage", "AWS::ApiGatewayV2::Stage"),
    ("aws_apigatewayv2_domain_name", "AWS::ApiGatewayV2::DomainName"),
    ("aws_lb", "AWS::ElasticLoadBalancingV2::LoadBalancer"),
    ("aws_alb", "AWS::ElasticLoadBalancingV2::LoadBalancer"),
    ("aws_lb_listener", "AWS::ElasticLoadBalancingV2::Listener"),
    ("aws_security_group", "AWS::EC2::SecurityGroup"),
    ("aws_lambda_function", "AWS::Lambda::Function"),
    ("aws_dynamodb_table", "AWS::DynamoDB::Table"),
];

/// Blocks that are lists in CloudFormation.
const LISTS: [(&str, &str); 12] = [
    ("origin", "Origins"),
    ("custom_header", "OriginCustomHeaders"),
    ("ordered_cache_behavior", "CacheBehaviors"),
    ("filter", "Filters"),
    ("condition", "Conditions"),
    ("redacted_fields", "RedactedFields"),
    ("metric_query", "Metrics"),
    ("log_destination_configs", "LogDestinationConfigs"),
    ("origin_group", "OriginGroups"),
    ("lambda_function_association", "LambdaFunctionAssociations"),
    ("replica", "Replicas"),
    ("ingress", "SecurityGroupIngress"),
];

/// CloudFormation's name of a kind of Terraform's.
pub(super) fn kind(terraform: &str) -> String {
    match KINDS.iter().find(|(name, _)| *name == terraform) {
        Some((_, kind)) => (*kind).to_owned(),
        None => terraform.to_owned(),
    }
}

/// Whether this kind is one that checks look at.
pub(super) fn is_known(terraform: &str) -> bool {
    KINDS.iter().any(|(name, _)| *name == terraform)
}

/// The attribute that an ARN, an id or a name is in CloudFormation.
pub(super) fn attribute(terraform: &str) -> String {
    api_name(terraform).replace("ARN", "Arn")
}

/// The arguments of a resource.
pub(super) fn values(terraform: &str, arguments: &Value) -> Value {
    if arguments.is_null() {
        return Value::Null;
    }
    let arn = arguments["arn"].clone();
    let mut spelled = match terraform {
        "aws_wafv2_web_acl" => acl(arguments, "rule_json"),
        "aws_wafv2_rule_group" => {
            let mut group = acl(arguments, "rules_json");
            group["Capacity"] = arguments["capacity"].clone();
            group
        }
        "aws_wafv2_ip_set" => flat(arguments),
        "aws_wafv2_web_acl_rule" => {
            let mut rule = members(arguments);
            let owner = arguments["web_acl_arn"].clone();
            if let Some(rule) = rule.as_object_mut() {
                rule.remove("WebAclArn");
                rule.remove("Rules");
            }
            json!({ "WebACLArn": owner, "Rule": rule })
        }
        "aws_wafv2_web_acl_rule_group_association" => association(arguments),
        _ => flat(arguments),
    };
    fix(terraform, arguments, &mut spelled);
    if let Some(spelled) = spelled.as_object_mut() {
        spelled.remove("Arn");
        if !arn.is_null() {
            spelled.insert("ARN".to_owned(), arn);
        }
    }
    spelled
}

/// Rules in JSON that are none: what is wrong with them, as the end of a sentence. Terraform would not take them either.
pub(super) fn fault(terraform: &str, arguments: &Value) -> Option<String> {
    let argument = match terraform {
        "aws_wafv2_web_acl" => "rule_json",
        "aws_wafv2_rule_group" => "rules_json",
        _ => return None,
    };
    let text = arguments[argument].as_str()?;
    let why = match super::json::parse(text) {
        Ok(Value::Array(_)) => return None,
        Ok(_) => "it is no list of rules".to_owned(),
        Err(error) => error.to_string(),
    };
    Some(format!("has a `{argument}` that cannot be read: {why}"))
}

fn fix(terraform: &str, arguments: &Value, spelled: &mut Value) {
    match terraform {
        "aws_cloudwatch_metric_alarm" => {
            let dimensions = arguments["dimensions"].as_object().into_iter().flatten();
            if marker::is_known(&arguments["dimensions"]) {
                spelled["Dimensions"] = dimensions
                    .map(|(name, value)| json!({ "Name": name, "Value": value }))
                    .collect();
            }
        }
        "aws_sns_topic_policy" => {
            *spelled = json!({
                "Topics": [arguments["arn"]], "PolicyDocument": document(&arguments["policy"]),
            });
        }
        "aws_sns_topic" if arguments["policy"].is_string() => {
            spelled["Policy"] = document(&arguments["policy"]);
        }
        "aws_wafv2_web_acl_association" => {
            *spelled = json!({
                "WebACLArn": arguments["web_acl_arn"], "ResourceArn": arguments["resource_arn"],
            });
        }
        "aws_wafv2_web_acl_logging_configuration" => {
            spelled["ResourceArn"] = arguments["resource_arn"].clone();
            spelled["LogDestinationConfigs"] = arguments["log_destination_configs"].clone();
        }
        "aws_cloudfront_distribution" => {
            let mut config = spelled.take();
            config["WebACLId"] = arguments["web_acl_id"].clone();
            config["Aliases"] = arguments["aliases"].clone();
            if marker::is_hidden(&arguments["origin"]) {
                config["Origins"] = marker::hidden();
            }
            if let Some(Value::Array(origins)) = config.get_mut("Origins") {
                for origin in origins {
                    headers(origin);
                }
            }
            *spelled = json!({ "DistributionConfig": config });
        }
        _ => {}
    }
}

/// A header of an origin is `name` and `value` in Terraform; the value is nobody's business.
fn headers(origin: &mut Value) {
    if let Some(Value::Array(headers)) = origin.get_mut("OriginCustomHeaders") {
        for header in headers {
            *header = json!({ "HeaderName": header["Name"], "HeaderValue": marker::hidden() });
        }
    }
}

fn document(policy: &Value) -> Value {
    match policy {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    }
}

fn acl(arguments: &Value, json_argument: &str) -> Value {
    let mut acl = members(arguments);
    if !marker::is_known(&arguments["rule"]) && !arguments["rule"].is_null() {
        acl["Rules"] = arguments["rule"].clone();
    }
    match &arguments[json_argument] {
        Value::String(text) => {
            let mut rules =
                serde_json::from_str(text).unwrap_or_else(|_| marker::unknown(json_argument));
            // The provider takes plain text there, where the API has base64.
            crate::render::api_of_template(&mut rules);
            acl["Rules"] = rules;
            acl["$json"] = true.into();
        }
        Value::Null => {}
        marker => acl["Rules"] = marker.clone(),
    }
    if arguments["$incomplete"] == true {
        acl["$incomplete"] = true.into();
    }
    acl
}

/// `aws_wafv2_web_acl_rule_group_association` as the rule that it makes.
fn association(arguments: &Value) -> Value {
    let first = |name: &str| match &arguments[name] {
        Value::Array(blocks) => blocks.first().cloned(),
        _ => None,
    };
    let statement = if let Some(managed) = first("managed_rule_group") {
        json!({ "ManagedRuleGroupStatement": block_members(&managed) })
    } else {
        let arn = first("rule_group_reference")
            .map_or_else(|| arguments["rule_group_arn"].clone(), |group| group["arn"].clone());
        json!({ "RuleGroupReferenceStatement": { "ARN": arn } })
    };
    let action = match arguments["override_action"].as_str() {
        Some("count") => json!({ "Count": {} }),
        _ => json!({ "None": {} }),
    };
    let mut rule = json!({
        "Name": arguments["rule_name"], "Priority": arguments["priority"],
        "Statement": statement, "OverrideAction": action,
    });
    if let Some(visibility) = first("visibility_config") {
        rule["VisibilityConfig"] = block_members(&visibility);
    }
    json!({ "WebACLArn": arguments["web_acl_arn"], "Rule": rule })
}

/// Arguments spelled by their words; blocks that may stand there once are objects, others lists.
fn flat(arguments: &Value) -> Value {
    let mut out = Map::new();
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let list = LISTS.iter().find(|(block, _)| block == name).map(|(_, plural)| *plural);
        let value = match value {
            Value::Null => continue,
            Value::Array(items) if items.is_empty() => continue,
            Value::Array(items)
                if items.iter().all(Value::is_object) && items.iter().all(marker::is_known) =>
            {
                let items: Vec<Value> = items.iter().map(flat).collect();
                match (list, items.as_slice()) {
                    (None, [one]) => one.clone(),
                    _ => Value::Array(items),
                }
            }
            other => other.clone(),
        };
        out.insert(list.map_or_else(|| api_name(name), str::to_owned), value);
    }
    Value::Object(out)
}

/// `aws_iam_policy_document` as the document that it makes.
pub(super) fn policy_document(arguments: &Value) -> Value {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let statements = list(&arguments["statement"]);
    let statements = statements.iter().map(|statement| {
        let mut principals = Map::new();
        for one in list(&statement["principals"]) {
            if let Some(kind) = one["type"].as_str() {
                principals.insert(kind.to_owned(), one["identifiers"].clone());
            }
        }
        let mut conditions = Map::new();
        for one in list(&statement["condition"]) {
            let (Some(test), Some(variable)) = (one["test"].as_str(), one["variable"].as_str())
            else {
                continue;
            };
            conditions.entry(test).or_insert_with(|| json!({}))[variable] = one["values"].clone();
        }
        json!({
            "Effect": statement["effect"].as_str().unwrap_or("Allow"),
            "Action": statement["actions"], "Resource": statement["resources"],
            "Principal": principals, "Condition": conditions,
        })
    });
    json!({ "Version": "2012-10-17", "Statement": statements.collect::<Vec<Value>>() })
}
