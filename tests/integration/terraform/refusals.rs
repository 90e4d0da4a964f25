//! What passes `terraform plan` and is refused by AWS when it is applied, or does harm there: a plan of
//! our output must hold none of it.

use std::collections::BTreeSet;

use ipnet::IpNet;
use ratewaf::quotas;
use ratewaf::wafv2::terraform::Resource;
use serde_json::Value;

/// Everything that AWS would refuse.
pub fn refusals(resources: &[Resource]) -> Vec<String> {
    let mut found = Vec::new();
    for resource in resources {
        let mut refuse = |what: String| found.push(format!("{}: {what}", resource.address()));
        let values = &resource.values;
        match resource.kind.as_str() {
            "aws_wafv2_web_acl" => {
                one_of(&values["default_action"][0], "default_action", &mut refuse);
                rules(values, &mut refuse);
            }
            "aws_wafv2_rule_group" => rules(values, &mut refuse),
            "aws_wafv2_web_acl_rule" => rule(values, &mut refuse),
            "aws_wafv2_ip_set" => addresses(values, &mut refuse),
            "aws_wafv2_web_acl_logging_configuration" => destination(values, &mut refuse),
            "aws_cloudwatch_metric_alarm" => alarm(values, &mut refuse),
            "aws_ssm_parameter"
                if values["type"] == "SecureString" && !values["insecure_value"].is_null() =>
            {
                refuse("the value of a SecureString stands in clear in the state".to_owned());
            }
            _ => {}
        }
    }
    found
}

fn items<'a>(block: &'a Value, name: &str) -> &'a [Value] {
    block[name].as_array().map_or(&[], Vec::as_slice)
}

/// The blocks of a block that are there.
fn kinds(block: &Value) -> Vec<&str> {
    let members = block.as_object().into_iter().flatten();
    let there = members.filter(|(_, value)| value.as_array().is_some_and(|list| !list.is_empty()));
    there.map(|(name, _)| name.as_str()).collect()
}

fn one_of(block: &Value, what: &str, refuse: &mut impl FnMut(String)) {
    let kinds = kinds(block);
    if kinds.len() != 1 {
        refuse(format!("{what} is {kinds:?}, not one thing"));
    }
}

fn distinct(what: &str, all: impl Iterator<Item = String>, refuse: &mut impl FnMut(String)) {
    let mut seen = BTreeSet::new();
    for one in all {
        if !seen.insert(one.clone()) {
            refuse(format!("two {what} {one}"));
        }
    }
}

fn rules(values: &Value, refuse: &mut impl FnMut(String)) {
    let rules = items(values, "rule");
    distinct("rules with the priority", rules.iter().map(|it| it["priority"].to_string()), refuse);
    distinct("rules named", rules.iter().map(|it| it["name"].to_string()), refuse);
    let bodies = items(values, "custom_response_body");
    distinct("bodies named", bodies.iter().map(|it| it["key"].to_string()), refuse);
    let mut used = BTreeSet::new();
    for one in rules {
        rule(one, refuse);
        let key = &one["action"][0]["block"][0]["custom_response"][0]["custom_response_body_key"];
        if !key.is_null() {
            used.insert(key.to_string());
        }
    }
    let known: BTreeSet<String> = bodies.iter().map(|body| body["key"].to_string()).collect();
    if used != known {
        refuse(format!("bodies {known:?}, used {used:?}"));
    }
    for body in bodies {
        if body["content"].as_str().is_some_and(|text| text.len() > quotas::RESPONSE_BODY_BYTES) {
            refuse("a body that is too long".to_owned());
        }
    }
}

fn rule(rule: &Value, refuse: &mut impl FnMut(String)) {
    let name = rule["name"].as_str().unwrap_or_default();
    let mut refuse = |what: String| refuse(format!("rule {name}: {what}"));
    if rule["priority"].as_i64().is_none_or(|priority| priority < 0) {
        refuse("a negative priority".to_owned());
    }
    match (items(rule, "action"), items(rule, "override_action")) {
        ([action], []) | ([], [action]) => one_of(action, "the action", &mut refuse),
        _ => refuse("not one of action and override_action".to_owned()),
    }
    let answer = &rule["action"][0]["block"][0]["custom_response"][0];
    if let Some(code) = answer["response_code"].as_u64()
        && !quotas::RESPONSE_CODES.iter().any(|known| u64::from(*known) == code)
    {
        refuse(format!("the response code {code}"));
    }
    let headers = items(answer, "response_header");
    distinct(
        "headers named",
        headers.iter().map(|it| it["name"].to_string().to_lowercase()),
        &mut refuse,
    );
    if headers.len() > 10 || headers.iter().any(|it| it["name"] == "content-type") {
        refuse("headers that AWS does not take".to_owned());
    }
    statement(&rule["statement"][0], &mut refuse);
}

fn statement(block: &Value, refuse: &mut impl FnMut(String)) {
    one_of(block, "a statement", refuse);
    for kind in kinds(block) {
        let inner = &block[kind][0];
        match kind {
            "and_statement" | "or_statement" if items(inner, "statement").len() < 2 => {
                refuse(format!("{kind} of fewer than two parts"));
            }
            "not_statement" if items(inner, "statement").len() != 1 => {
                refuse("not_statement without one part".to_owned());
            }
            "rate_based_statement" => rate(inner, refuse),
            "byte_match_statement" | "regex_match_statement" => {
                one_of(&inner["field_to_match"][0], "field_to_match", refuse);
                transformations(inner, refuse);
                let header = &inner["field_to_match"][0]["single_header"][0]["name"];
                lower_case(header, refuse);
            }
            _ => {}
        }
        items(inner, "statement").iter().for_each(|part| statement(part, refuse));
        items(inner, "scope_down_statement").iter().for_each(|part| statement(part, refuse));
    }
}

fn transformations(block: &Value, refuse: &mut impl FnMut(String)) {
    let all = items(block, "text_transformation");
    let priorities = all.iter().map(|one| one["priority"].to_string());
    distinct("transformations with the priority", priorities, refuse);
}

fn lower_case(name: &Value, refuse: &mut impl FnMut(String)) {
    if name.as_str().is_some_and(|name| name.bytes().any(|byte| byte.is_ascii_uppercase())) {
        refuse(format!("the name {name} comes back in lower case"));
    }
}

fn rate(rate: &Value, refuse: &mut impl FnMut(String)) {
    let keys: Vec<&Value> =
        items(rate, "custom_key").iter().chain(items(rate, "custom_keys")).collect();
    let kind = rate["aggregate_key_type"].as_str().unwrap_or("IP");
    let forwarded = keys.iter().any(|key| kinds(key).contains(&"forwarded_ip"));
    match (kind, keys.as_slice()) {
        ("CUSTOM_KEYS", []) => refuse("CUSTOM_KEYS without a key".to_owned()),
        ("CUSTOM_KEYS", [key]) if matches!(kinds(key)[..], ["ip" | "forwarded_ip"]) => {
            refuse("CUSTOM_KEYS of the address alone".to_owned());
        }
        ("CUSTOM_KEYS", keys) if keys.len() > 5 => refuse("more than five keys".to_owned()),
        ("CUSTOM_KEYS", _) | (_, []) => {}
        (kind, _) => refuse(format!("keys with the type {kind}")),
    }
    for key in keys {
        one_of(key, "a key", refuse);
        for kind in ["header", "query_argument"] {
            lower_case(&key[kind][0]["name"], refuse);
        }
        for kind in kinds(key) {
            transformations(&key[kind][0], refuse);
        }
    }
    let configured = !items(rate, "forwarded_ip_config").is_empty();
    if configured != (kind == "FORWARDED_IP" || forwarded) {
        refuse("forwarded_ip_config without a forwarded address, or the other way".to_owned());
    }
    if kind == "CONSTANT" && items(rate, "scope_down_statement").is_empty() {
        refuse("CONSTANT without a scope-down".to_owned());
    }
}

fn addresses(values: &Value, refuse: &mut impl FnMut(String)) {
    let six = values["ip_address_version"] == "IPV6";
    let all = items(values, "addresses");
    distinct("addresses", all.iter().map(ToString::to_string), refuse);
    for address in all.iter().filter_map(Value::as_str) {
        let fine = address.parse::<IpNet>().is_ok_and(|net| {
            net.prefix_len() > 0
                && net == net.trunc()
                && net.to_string() == address
                && matches!(net, IpNet::V6(_)) == six
        });
        if !fine {
            refuse(format!("the address {address}"));
        }
    }
}

fn destination(values: &Value, refuse: &mut impl FnMut(String)) {
    let all = items(values, "log_destination_configs");
    if all.len() != 1 {
        refuse(format!("{} destinations", all.len()));
    }
    for arn in all.iter().filter_map(Value::as_str) {
        let name = arn.rsplit([':', '/']).next().unwrap_or_default();
        if !name.starts_with("aws-waf-logs-") || arn.ends_with(":*") {
            refuse(format!("the destination {arn}"));
        }
    }
    for field in items(values, "redacted_fields") {
        one_of(field, "redacted_fields", refuse);
    }
}

fn alarm(values: &Value, refuse: &mut impl FnMut(String)) {
    if values["metric_name"].is_null() && items(values, "metric_query").is_empty() {
        refuse("no metric".to_owned());
    }
    let number = |name: &str| values[name].as_u64();
    if number("datapoints_to_alarm") > number("evaluation_periods") {
        refuse("more datapoints than periods".to_owned());
    }
    if number("period").is_some_and(|seconds| seconds >= 60 && seconds % 60 != 0) {
        refuse("a period that is no whole minute".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use ratewaf::wafv2::terraform::read_hcl;

    use super::*;

    fn refused(text: &str) -> String {
        refusals(&read_hcl(text).unwrap()).join("\n")
    }

    /// A reader that sees nothing would find nothing.
    #[test]
    fn every_refusal_is_seen() {
        let rule = |inside: &str| {
            refused(&format!(
                "resource \"aws_wafv2_rule_group\" \"a\" {{\n rule {{\n name = \"a\"\n priority = 1\n {inside}\n }}\n}}\n"
            ))
        };
        let field = "field_to_match {\n uri_path {}\n }";
        let statement = |inside: &str| {
            rule(&format!("action {{\n count {{}}\n }}\n statement {{\n {inside}\n }}"))
        };
        let rate = |inside: &str| statement(&format!("rate_based_statement {{\n {inside}\n }}"));
        for (said, wanted) in [
            (rule("action {}\n statement {}"), "the action is [], not one thing"),
            (rule("statement {}"), "not one of action and override_action"),
            (statement("and_statement {\n statement {}\n }"), "and_statement of fewer than two"),
            (statement("byte_match_statement {}"), "field_to_match is []"),
            (
                statement(&format!(
                    "byte_match_statement {{\n {field}\n text_transformation {{\n priority = 0\n }}\n text_transformation {{\n priority = 0\n }}\n }}"
                )),
                "two transformations with the priority 0",
            ),
            (rate("aggregate_key_type = \"CUSTOM_KEYS\""), "CUSTOM_KEYS without a key"),
            (rate("aggregate_key_type = \"CONSTANT\""), "CONSTANT without a scope-down"),
            (rate("aggregate_key_type = \"FORWARDED_IP\""), "forwarded_ip_config"),
            (
                rate("aggregate_key_type = \"CUSTOM_KEYS\"\n custom_key {\n ip {}\n }"),
                "of the address alone",
            ),
            (
                rate("custom_key {\n header {\n name = \"X-Key\"\n }\n }"),
                "comes back in lower case",
            ),
            (
                rule("action {\n block {\n custom_response {\n response_code = 600\n }\n }\n }"),
                "the response code 600",
            ),
            (
                refused(
                    "resource \"aws_wafv2_ip_set\" \"a\" {\n ip_address_version = \"IPV4\"\n addresses = [\"192.0.2.1\"]\n}\n",
                ),
                "the address 192.0.2.1",
            ),
            (
                refused(
                    "resource \"aws_wafv2_web_acl_logging_configuration\" \"a\" {\n log_destination_configs = [\"arn:aws:logs:us-east-1:123456789012:log-group:waf\"]\n}\n",
                ),
                "the destination",
            ),
            (refused("resource \"aws_cloudwatch_metric_alarm\" \"a\" {}\n"), "no metric"),
            (
                refused(
                    "resource \"aws_ssm_parameter\" \"a\" {\n type = \"SecureString\"\n insecure_value = \"x\"\n}\n",
                ),
                "in clear",
            ),
        ] {
            assert!(said.contains(wanted), "{wanted}: {said}");
        }
    }
}
