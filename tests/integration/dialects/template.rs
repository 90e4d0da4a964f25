//! Templates as they are deployed: whoever wrote them (we, or the CDK), references, joined texts and
//! settings are brought into one form, so that templates can be compared as wholes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Resources under their logical ids: type, properties, what they depend on and whether they are retained.
pub type Deployed = BTreeMap<String, Value>;

/// What a template of ours deploys.
pub fn deployed(template: &Value) -> Deployed {
    let same = |id: &str| id.to_owned();
    deployed_as(template, &same)
}

/// What a template of the CDK deploys: ids are the names of constructs, which stand in the metadata.
pub fn deployed_by_cdk(template: &Value) -> Deployed {
    let resources = template["Resources"].as_object().unwrap();
    let names: BTreeMap<&str, &str> = resources
        .iter()
        .map(|(id, resource)| {
            let path = resource["Metadata"]["aws:cdk:path"].as_str().unwrap();
            (id.as_str(), path.rsplit('/').next().unwrap())
        })
        .collect();
    let name = |id: &str| names.get(id).map_or(id, |name| name).to_owned();
    deployed_as(template, &name)
}

/// Says which resource differs, not all of them.
pub fn assert_same(what: &str, found: &Deployed, wanted: &Deployed) {
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>(), "{what}");
    for (id, wanted) in wanted {
        let mut differing = Vec::new();
        differences("", &found[id], wanted, &mut differing);
        assert!(differing.is_empty(), "{what}: {id}: {differing:#?}");
    }
}

/// The places where two values differ, with both.
fn differences(at: &str, found: &Value, wanted: &Value, out: &mut Vec<String>) {
    match (found, wanted) {
        (Value::Object(one), Value::Object(other))
            if one.keys().all(|key| other.contains_key(key)) =>
        {
            for (key, wanted) in other {
                differences(&format!("{at}/{key}"), &found[key], wanted, out);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (place, (found, wanted)) in one.iter().zip(other).enumerate() {
                differences(&format!("{at}/{place}"), found, wanted, out);
            }
        }
        _ if found == wanted => {}
        _ => out.push(format!("{at}: {found}, not {wanted}")),
    }
}

fn deployed_as(template: &Value, name: &dyn Fn(&str) -> String) -> Deployed {
    let reader = Reader { mappings: &template["Mappings"], name };
    let resources = template["Resources"].as_object().unwrap();
    resources
        .iter()
        .map(|(id, resource)| {
            let mut depends_on: Vec<String> = resource["DependsOn"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|other| name(other.as_str().unwrap()))
                .collect();
            depends_on.sort();
            let body = json!({
                "Type": resource["Type"],
                "Properties": reader.value(&resource["Properties"]),
                "DependsOn": depends_on,
                "DeletionPolicy": resource["DeletionPolicy"],
                "UpdateReplacePolicy": resource["UpdateReplacePolicy"],
            });
            (name(id), body)
        })
        .collect()
}

/// The template with its functions worked out: references are texts in brackets.
pub fn worked_out(template: &Value) -> Value {
    let same = |id: &str| id.to_owned();
    Reader { mappings: &template["Mappings"], name: &same }.value(&template["Resources"])
}

struct Reader<'a> {
    mappings: &'a Value,
    name: &'a dyn Fn(&str) -> String,
}

impl Reader<'_> {
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Array(values) => values.iter().map(|value| self.value(value)).collect(),
            Value::Object(members) => match members.iter().next() {
                Some((function, argument)) if members.len() == 1 => {
                    self.function(function, argument).unwrap_or_else(|| self.members(members))
                }
                _ => self.members(members),
            },
            other => other.clone(),
        }
    }

    fn members(&self, members: &Map<String, Value>) -> Value {
        let values = members.iter().map(|(key, value)| (key.clone(), self.value(value)));
        Value::Object(values.collect())
    }

    fn function(&self, function: &str, argument: &Value) -> Option<Value> {
        Some(match function {
            "Ref" => json!(format!("⟦{}⟧", (self.name)(argument.as_str().unwrap()))),
            "Fn::GetAtt" => {
                let (id, attribute) =
                    (argument[0].as_str().unwrap(), argument[1].as_str().unwrap());
                json!(format!("⟦{}.{attribute}⟧", (self.name)(id)))
            }
            "Fn::FindInMap" => {
                let found = argument.as_array().unwrap().iter();
                let found = found.fold(self.mappings, |at, key| &at[key.as_str().unwrap()]);
                let text = found.as_str().unwrap();
                // CloudFormation takes a text for a number where a number is wanted.
                text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
            }
            "Fn::Join" => {
                assert_eq!(argument[0], "");
                let parts = argument[1].as_array().unwrap().iter();
                json!(parts.map(|part| text(&self.value(part))).collect::<String>())
            }
            "Fn::Sub" => match argument {
                Value::String(text) => json!(self.substituted(text, &Map::new())),
                _ => {
                    let values = argument[1].as_object().unwrap();
                    json!(self.substituted(argument[0].as_str().unwrap(), values))
                }
            },
            _ => return None,
        })
    }

    fn substituted(&self, text_of: &str, values: &Map<String, Value>) -> String {
        let mut out = String::new();
        let mut rest = text_of;
        while let Some((before, after)) = rest.split_once("${") {
            out.push_str(before);
            if let Some(literal) = after.strip_prefix('!') {
                out.push_str("${");
                rest = literal;
                continue;
            }
            let (inside, after) = after.split_once('}').unwrap();
            match values.get(inside) {
                Some(value) => out.push_str(&text(&self.value(value))),
                None => {
                    let (id, attribute) = match inside.split_once('.') {
                        Some((id, attribute)) => (id, format!(".{attribute}")),
                        None => (inside, String::new()),
                    };
                    out.push_str(&format!("⟦{}{attribute}⟧", (self.name)(id)));
                }
            }
            rest = after;
        }
        out + rest
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
