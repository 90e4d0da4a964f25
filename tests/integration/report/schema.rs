//! The JSON against its schema, and the schema against its page.

use ratewaf::report;
use serde_json::Value;

use super::{golden, root, samples, words::PlainWords};

#[test]
fn the_schema_is_committed() {
    golden("schema/analysis.schema.json", &report::schema());
}

#[test]
fn what_is_written_is_valid() {
    let schema: Value = serde_json::from_str(&report::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for analysis in [
        samples::article_week(),
        samples::weak_week(),
        samples::questions(),
        samples::few_clients(),
        samples::ipv6_slash64(),
        samples::hostile(),
        samples::survey(),
        report::Analysis::default(),
    ] {
        let written: Value = serde_json::from_str(&report::json(&analysis, &PlainWords)).unwrap();
        let faults: Vec<_> =
            validator.iter_errors(&written).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
fn an_invalid_grade_is_seen() {
    let schema: Value = serde_json::from_str(&report::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let written = report::json(&samples::questions(), &PlainWords);
    let mut value: Value = serde_json::from_str(&written).unwrap();
    value["routes"][0]["proposal"]["grade"] = "sure".into();
    assert!(!validator.is_valid(&value));
}

/// The tables of the page are written from the schema, so that they cannot be incomplete.
#[test]
fn the_page_names_every_member() {
    const START: &str = "<!-- from the schema: UPDATE=1 cargo test -->\n";
    const END: &str = "<!-- end -->\n";
    let schema: Value = serde_json::from_str(&report::schema()).unwrap();
    let mut tables = String::new();
    table(&mut tables, "report", &schema);
    for (name, object) in schema["$defs"].as_object().unwrap() {
        table(&mut tables, name, object);
    }
    let page = std::fs::read_to_string(root().join("docs/json-output.md")).unwrap();
    let (front, rest) = page.split_once(START).unwrap();
    let (_, back) = rest.split_once(END).unwrap();
    golden("docs/json-output.md", &format!("{front}{START}\n{tables}{END}{back}"));
}

fn table(out: &mut String, name: &str, object: &Value) {
    out.push_str(&format!("### {name}\n\n"));
    out.push_str(&format!(
        "{}\n\n| member | type | meaning |\n| --- | --- | --- |\n",
        words(object)
    ));
    for (member, value) in object["properties"].as_object().unwrap() {
        let meaning = words(value).replace('|', "\\|");
        out.push_str(&format!("| `{member}` | {} | {meaning} |\n", kind(value)));
    }
    out.push('\n');
}

fn words(value: &Value) -> String {
    let words = value["description"].as_str();
    words.unwrap_or_else(|| panic!("no description: {value}")).replace('\n', " ")
}

fn kind(value: &Value) -> String {
    let link = |target: &str| {
        let name = target.trim_start_matches("#/$defs/");
        format!("[{name}](#{name})")
    };
    if let Some(target) = value["$ref"].as_str() {
        return link(target);
    }
    if let Some(choices) = value["anyOf"].as_array() {
        return choices.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &value["type"] {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        Value::String(kind) if kind == "array" => {
            format!("list of {}", self::kind(&value["items"]))
        }
        Value::String(kind) if kind == "object" => {
            format!("object of {}", self::kind(&value["additionalProperties"]))
        }
        Value::String(kind) => kind.clone(),
        other => panic!("a type that the page cannot name: {other}"),
    }
}
