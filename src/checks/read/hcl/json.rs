//! Terraform's JSON syntax (`.tf.json`) as the body that the same words in HCL have (Terraform language, "JSON
//! Configuration Syntax"). Blocks are members under their labels; a text is a template.

use hcl::expr::TemplateExpr;
use hcl::{Attribute, Block, Body, Expression, ObjectKey, Structure};
use serde_json::{Map, Value};

/// Blocks at the top, with the number of their labels.
const BLOCKS: [(&str, usize); 7] = [
    ("resource", 2),
    ("data", 2),
    ("module", 1),
    ("variable", 1),
    ("output", 1),
    ("provider", 1),
    ("locals", 0),
];

/// Arguments of resources that are maps; every other object there is a block.
const MAPS: [&str; 9] = [
    "tags",
    "tags_all",
    "dimensions",
    "variables",
    "for_each",
    "triggers",
    "parameters",
    "metadata",
    "providers",
];

/// Blocks whose members are values alone.
const OF_VALUES: [&str; 4] = ["locals", "variable", "output", "module"];

/// Members that are references without `${}` around them.
const NAMES: [&str; 3] = ["provider", "providers", "ignore_changes"];

/// Reads a file.
pub(super) fn parse(text: &str) -> Result<Body, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut body: Vec<Structure> = Vec::new();
    let tops = objects(&json).ok_or("it has to be an object")?;
    for (name, value) in tops.into_iter().flatten() {
        let Some((_, labels)) = BLOCKS.iter().find(|(block, _)| block == name) else { continue };
        for (labels, members) in labelled(value, *labels) {
            let of_values = OF_VALUES.contains(&name.as_str());
            let mut block = Block::builder(identifier(name)?).add_labels(labels);
            for structure in inside(members, of_values)? {
                block = block.add_structure(structure);
            }
            body.push(block.build().into());
        }
    }
    Ok(Body::from(body))
}

/// An object, or a list of objects that mean the same as one.
fn objects(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    match value {
        Value::Object(members) => Some(vec![members]),
        Value::Array(values) => values.iter().map(Value::as_object).collect(),
        _ => None,
    }
}

fn labelled(value: &Value, levels: usize) -> Vec<(Vec<String>, &Map<String, Value>)> {
    let objects = objects(value).unwrap_or_default();
    let Some(levels) = levels.checked_sub(1) else {
        return objects.into_iter().map(|members| (Vec::new(), members)).collect();
    };
    let mut found = Vec::new();
    for (label, below) in objects.into_iter().flatten().filter(|(name, _)| *name != "//") {
        for (mut labels, members) in labelled(below, levels) {
            labels.insert(0, label.clone());
            found.push((labels, members));
        }
    }
    found
}

fn inside(members: &Map<String, Value>, of_values: bool) -> Result<Vec<Structure>, String> {
    let mut found: Vec<Structure> = Vec::new();
    for (name, value) in members.iter().filter(|(name, _)| *name != "//") {
        if name == "dynamic" && !of_values {
            for (labels, members) in labelled(value, 1) {
                found.push(block(name, labels, members)?);
            }
            continue;
        }
        let blocks = objects(value)
            .filter(|blocks| !of_values && !blocks.is_empty() && !MAPS.contains(&name.as_str()));
        match blocks {
            Some(blocks) => {
                for members in blocks {
                    found.push(block(name, Vec::new(), members)?);
                }
            }
            None => {
                let value = expression(value, NAMES.contains(&name.as_str()))?;
                found.push(Attribute::new(identifier(name)?, value).into());
            }
        }
    }
    Ok(found)
}

fn block(
    name: &str,
    labels: Vec<String>,
    members: &Map<String, Value>,
) -> Result<Structure, String> {
    let mut block = Block::builder(identifier(name)?).add_labels(labels);
    for structure in inside(members, false)? {
        block = block.add_structure(structure);
    }
    Ok(block.build().into())
}

fn identifier(name: &str) -> Result<hcl::Identifier, String> {
    let plain = crate::units::plain(name);
    hcl::Identifier::new(name)
        .map_err(|_| format!("`{plain}` is no name of an argument or a block"))
}

fn expression(value: &Value, is_name: bool) -> Result<Expression, String> {
    Ok(match value {
        Value::Null => Expression::Null,
        Value::Bool(value) => Expression::Bool(*value),
        Value::Number(_) => Expression::from(
            serde_json::from_value::<hcl::Value>(value.clone()).unwrap_or_default(),
        ),
        Value::String(text) if is_name => {
            parsed(text).unwrap_or_else(|| Expression::String(text.clone()))
        }
        Value::String(text) => template(text),
        Value::Array(values) => Expression::Array(
            values.iter().map(|one| expression(one, is_name)).collect::<Result<_, _>>()?,
        ),
        Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| *name != "//");
            let members = members.map(|(name, value)| {
                Ok((ObjectKey::Expression(template(name)), expression(value, is_name)?))
            });
            Expression::Object(members.collect::<Result<_, String>>()?)
        }
    })
}

/// A text as it is, one expression alone, or a template.
fn template(text: &str) -> Expression {
    if !text.contains("${") && !text.contains("%{") {
        return Expression::String(text.to_owned());
    }
    let alone = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).and_then(parsed);
    // Texts that are no template are no reason to read nothing.
    alone.unwrap_or_else(|| TemplateExpr::QuotedString(text.to_owned()).into())
}

/// One expression, if it is one. It stands in one line: what comes after a line break would be another argument.
fn parsed(text: &str) -> Option<Expression> {
    let body = hcl::parse(&format!("x = {}\n", text.replace('\n', " "))).ok()?;
    let mut structures = body.into_iter();
    match (structures.next(), structures.next()) {
        (Some(Structure::Attribute(one)), None) => Some(one.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_means_what_the_same_words_in_hcl_mean() {
        let json = r#"{
          "//": "a comment",
          "terraform": { "required_version": ">= 1.5" },
          "locals": [{ "limits": { "a": 300 }, "name": "x-${var.env}" }],
          "variable": { "env": { "default": "prod" } },
          "provider": { "aws": [{ "region": "eu-west-1" }, { "alias": "us", "region": "us-east-1" }] },
          "resource": { "aws_wafv2_web_acl": { "this": {
            "provider": "aws.us",
            "count": 2,
            "name": "${local.name}",
            "tags": { "team": "edge" },
            "default_action": { "allow": {} },
            "rule": [{ "name": "${upper(\"a\")}" }, { "name": "b" }],
            "dynamic": { "rule": { "for_each": { "c": 1 }, "content": { "priority": "${rule.value}" } } }
          } } }
        }"#;
        let hcl = r#"
          locals {
            limits = { "a" = 300 }
            name   = "x-${var.env}"
          }
          provider "aws" { region = "eu-west-1" }
          provider "aws" {
            alias  = "us"
            region = "us-east-1"
          }
          resource "aws_wafv2_web_acl" "this" {
            count = 2
            default_action {
              allow {}
            }
            dynamic "rule" {
              content { priority = rule.value }
              for_each = { "c" = 1 }
            }
            name     = local.name
            provider = aws.us
            rule { name = upper("a") }
            rule { name = "b" }
            tags = { "team" = "edge" }
          }
          variable "env" { default = "prod" }
        "#;
        let printed = |body: &Body| {
            let text = hcl::to_string(body).unwrap();
            let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
            lines.retain(|line| !line.is_empty());
            lines.sort();
            lines
        };
        let (read, wanted) = (parse(json).unwrap(), hcl::parse(hcl).unwrap());
        assert_eq!(printed(&read), printed(&wanted));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for (text, reason) in [
            ("{\"resource\": {", "EOF"),
            ("7", "has to be an object"),
            ("{\"resource\":{\"a\":{\"b\":{\"no name\":1}}}}", "`no name`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
