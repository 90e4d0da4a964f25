//! References between resources: the value that is written at the other end, or a marker for what it will be.

use serde_json::Value;

use super::super::spell;
use super::Raw;
use super::scope::Scope;
use crate::checks::marker;

/// References to references.
const DEPTH: usize = 16;

/// The arguments of all resources, references worked out.
pub(super) fn all(scopes: &[Scope], raws: &[Raw]) -> Vec<Value> {
    let resolver = Resolver { scopes, raws };
    raws.iter().map(|raw| resolver.value(&raw.arguments, DEPTH)).collect()
}

struct Resolver<'a> {
    scopes: &'a [Scope],
    raws: &'a [Raw],
}

impl Resolver<'_> {
    fn value(&self, value: &Value, depth: usize) -> Value {
        match value {
            Value::Array(values) => values.iter().map(|one| self.value(one, depth)).collect(),
            Value::Object(members) => {
                match (marker::expression(value), value["$module"].as_str()) {
                    (Some(expression), Some(module)) => {
                        let resolved = depth
                            .checked_sub(1)
                            .and_then(|depth| self.reference(expression, module, depth));
                        resolved.unwrap_or_else(|| match marker::undeclared_name(value) {
                            Some(name) => marker::of_nothing(expression, name),
                            None => marker::unknown(expression),
                        })
                    }
                    _ => members
                        .iter()
                        .map(|(name, one)| (name.clone(), self.value(one, depth)))
                        .collect(),
                }
            }
            other => other.clone(),
        }
    }

    fn reference(&self, expression: &str, module: &str, depth: usize) -> Option<Value> {
        let scope = self.scopes.iter().position(|scope| scope.path == module)?;
        let parts: Vec<&str> = expression.split('.').collect();
        match parts.as_slice() {
            ["module", call, output] => {
                let children = &self.scopes[scope].children;
                let child = children.get(*call).or_else(|| {
                    let mut all = children.iter().filter(|(name, _)| bare(name) == bare(call));
                    all.next().map(|(_, child)| child)
                })?;
                let child = &self.scopes[*child];
                let written = child.outputs.get(*output)?;
                Some(self.value(&child.value(written, &child.context), depth))
            }
            ["data", "aws_iam_policy_document", label, "json"] => {
                let raw = self.find(scope, true, "aws_iam_policy_document", label)?;
                Some(spell::policy_document(&self.value(&raw.arguments, depth)))
            }
            [kind, label, attribute] if kind.starts_with("aws_") => {
                let raw = self.find(scope, false, kind, label)?;
                match self.value(&raw.arguments[*attribute], depth) {
                    value @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => Some(value),
                    _ => Some(marker::of_resource(
                        expression,
                        &raw.address(self.scopes),
                        &spell::attribute(attribute),
                    )),
                }
            }
            _ => None,
        }
    }

    /// A resource by its label; one of several if the index cannot be told.
    fn find(&self, scope: usize, is_data: bool, kind: &str, label: &str) -> Option<&Raw> {
        let of_kind = || {
            self.raws
                .iter()
                .filter(move |raw| raw.scope == scope && raw.is_data == is_data && raw.kind == kind)
        };
        of_kind()
            .find(|raw| raw.label == label)
            .or_else(|| of_kind().find(|raw| bare(&raw.label) == bare(label)))
    }
}

fn bare(label: &str) -> &str {
    label.split('[').next().unwrap_or(label)
}
