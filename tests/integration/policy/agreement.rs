//! The JSON Schema, the documentation and the reader say the same.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use ratewaf::policy::{Policy, SCHEMA, generate_schema};
use serde_json::Value;

use super::{assert_golden, files};

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn as_json(yaml: &str) -> Option<Value> {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(yaml, options).ok()
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/policy.schema.json");
    assert_golden(&path, &generate_schema());
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let validator = validator();
    for file in files("tests/fixtures/policies/good") {
        let text = fs::read_to_string(&file).unwrap();
        let json = as_json(&text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", file.display());
    }
}

/// Faults of meaning, which a schema cannot see.
const ONLY_THE_READER: [&str; 17] = [
    "edge-captcha",
    "edge-exempt",
    "edge-meaning",
    "edge-plans",
    "eleven-rules",
    "free-plan",
    "gateway-empty",
    "gateway-meaning",
    "layers-empty",
    "long-rule-name",
    "never-counted",
    "no-layer",
    "overlapping-routes",
    "overlaps-unknown",
    "region-of-cloudfront",
    "regions",
    "rule-names",
];

#[test]
fn the_schema_refuses_faults_of_form() {
    let validator = validator();
    let mut taken = Vec::new();
    for file in files("tests/fixtures/policies/bad") {
        let text = fs::read_to_string(&file).unwrap();
        if as_json(&text).is_some_and(|json| validator.is_valid(&json)) {
            taken.push(file.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    assert_eq!(taken, ONLY_THE_READER);
}

#[test]
fn every_example_of_the_documentation_loads() {
    let page = include_str!("../../../docs/policy-file.md");
    let validator = validator();
    let blocks: Vec<&str> =
        page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 3, "the page has lost its examples");
    for block in blocks {
        // A block without a version shows a part: the rest is the smallest policy.
        let text = if block.starts_with("version:") || block.contains("\nversion:") {
            block.to_owned()
        } else {
            let mut text = "version: 1\n".to_owned();
            for (key, rest) in [
                ("name:", "name: acl\n"),
                ("web_acl:", "web_acl: { create: prod }\n"),
                ("routes:", "routes: []\n"),
            ] {
                if !block.lines().any(|line| line.starts_with(key)) {
                    text.push_str(rest);
                }
            }
            text + block
        };
        if let Err(problems) = Policy::parse(&text, "docs/policy-file.md") {
            panic!("{text}\n{problems}");
        }
        assert!(validator.is_valid(&as_json(&text).unwrap()), "{text}");
    }
}

#[test]
fn every_key_is_documented() {
    let page = include_str!("../../../docs/policy-file.md");
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut keys = Vec::new();
    collect(&schema, &mut keys);
    assert!(keys.len() > 30, "{keys:?}");
    for key in keys {
        assert!(page.contains(&format!("`{key}`")), "docs/policy-file.md does not explain `{key}`");
    }
}

fn collect(schema: &Value, keys: &mut Vec<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        keys.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|value| collect(value, keys)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, keys)),
        _ => {}
    }
}
