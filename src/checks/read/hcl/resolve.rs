//! References between resources: the value that is written at the other end, or a marker for what it will be.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::super::spell;
use super::Raw;
use super::scope::Scope;
use crate::checks::marker;

/// References to references.
const DEPTH: usize = 16;
/// Values that are visited on the way; afterwards references stay references.
const VISITS: usize = 1_000_000;

/// The arguments of all resources, references worked out.
pub(super) fn all(scopes: &[Scope], raws: &[Raw]) -> Vec<Value> {
    let mut places: BTreeMap<Place<'_>, Vec<usize>> = BTreeMap::new();
    for (number, raw) in raws.iter().enumerate() {
        let place = (raw.scope, raw.is_data, raw.kind.as_str(), bare(&raw.label));
        places.entry(place).or_default().push(number);
    }
    let resolver = Resolver { scopes, raws, places, left: Cell::new(VISITS) };
    raws.iter().map(|raw| resolver.value(&raw.arguments, DEPTH)).collect()
}

/// Scope, whether it is data, kind, and label without an index.
type Place<'a> = (usize, bool, &'a str, &'a str);

struct Resolver<'a> {
    scopes: &'a [Scope],
    raws: &'a [Raw],
    places: BTreeMap<Place<'a>, Vec<usize>>,
    left: Cell<usize>,
}

impl Resolver<'_> {
    fn value(&self, value: &Value, depth: usize) -> Value {
        self.left.set(self.left.get().saturating_sub(1));
        match value {
            Value::Array(values) => values.iter().map(|one| self.value(one, depth)).collect(),
            Value::Object(members) => {
                match (marker::expression(value), value["$module"].as_str()) {
                    (Some(expression), Some(module)) => {
                        let depth = depth.checked_sub(1).filter(|_| self.left.get() > 0);
                        let resolved =
                            depth.and_then(|depth| self.reference(expression, module, depth));
                        resolved.unwrap_or_else(|| match marker::undeclared_name(value) {
                            Some(name) => marker::of_nothing(expression, name),
                            None => match marker::why(value) {
                                Some(why) => marker::because(marker::unknown(expression), why),
                                None => marker::unknown(expression),
                            },
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
                Some(self.value(&child.value(written, &child.names), depth))
            }
            ["data", "aws_iam_policy_document", label, "json"] => {
                let raw = self.find(scope, true, "aws_iam_policy_document", label)?;
                Some(spell::policy_document(&self.value(&raw.arguments, depth)))
            }
            [kind, label, attribute] if kind.starts_with("aws_") => {
                let raw = self.find(scope, false, kind, label)?;
                let written = &raw.arguments[*attribute];
                // Lists and blocks are looked up where they stand.
                let is_whole = written.is_array()
                    || marker::expression(written).is_none() && written.is_object();
                match (!is_whole).then(|| self.value(written, depth)) {
                    Some(value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
                        Some(value)
                    }
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
        let of_kind = self.places.get(&(scope, is_data, kind, bare(label)))?;
        let of_kind = || of_kind.iter().map(|number| &self.raws[*number]);
        of_kind().find(|raw| raw.label == label).or_else(|| of_kind().next())
    }
}

fn bare(label: &str) -> &str {
    label.split('[').next().unwrap_or(label)
}
