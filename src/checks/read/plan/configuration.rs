//! The configuration that a plan was made of: what unknown values refer to, and which provider makes what.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::super::spell;
use crate::checks::marker;

/// Modules inside modules, and references to references.
const DEPTH: usize = 32;
/// Values that are visited on the way; afterwards references stay references.
pub(super) const VISITS: usize = 10_000_000;
/// Values in one document of IAM; AWS takes none of more than 20,480 characters.
const DOCUMENT: usize = 100_000;

/// A resource of a plan.
pub(super) struct Planned<'a> {
    pub(super) address: &'a str,
    /// `module.a[0].module.b`; empty for the root.
    pub(super) module: &'a str,
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) index: &'a Value,
    pub(super) is_data: bool,
    pub(super) change: &'a Value,
    pub(super) configured: Option<&'a Value>,
}

pub(super) struct Configuration<'a> {
    plan: &'a Value,
    /// Modules by their path without indices.
    modules: HashMap<String, &'a Value>,
    /// Resources by module, kind, name, and whether they are data.
    resources: HashMap<(String, &'a str, &'a str, bool), &'a Value>,
}

impl<'a> Configuration<'a> {
    pub(super) fn of(plan: &'a Value) -> Self {
        let mut configuration = Self { plan, modules: HashMap::new(), resources: HashMap::new() };
        configuration.walk(&plan["configuration"]["root_module"], String::new(), DEPTH);
        configuration
    }

    fn walk(&mut self, module: &'a Value, path: String, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for resource in module["resources"].as_array().into_iter().flatten() {
            if let (Some(kind), Some(name)) = (resource["type"].as_str(), resource["name"].as_str())
            {
                let key = (path.clone(), kind, name, resource["mode"] == "data");
                self.resources.insert(key, resource);
            }
        }
        for (name, call) in module["module_calls"].as_object().into_iter().flatten() {
            let inner = joined(&path, name);
            self.walk(&call["module"], inner, depth);
        }
        self.modules.insert(path, module);
    }

    pub(super) fn resource(
        &self,
        module: &str,
        kind: &'a str,
        name: &'a str,
        is_data: bool,
    ) -> Option<&'a Value> {
        self.resources.get(&(without_indices(module), kind, name, is_data)).copied()
    }

    /// The region of the provider that makes a resource.
    pub(super) fn region(&self, configured: &Value) -> Option<String> {
        let key = configured["provider_config_key"].as_str()?;
        let providers = &self.plan["configuration"]["provider_config"];
        // A module's own name for a provider ends like the root's: `module.edge:aws.us` is passed down.
        let own = &providers[key];
        let own = if own.is_null() { &providers[key.rsplit(':').next()?] } else { own };
        let region = &own["expressions"]["region"];
        if let Some(region) = region["constant_value"].as_str() {
            return Some(region.to_owned());
        }
        let variable = region["references"].get(0)?.as_str()?.strip_prefix("var.")?;
        self.plan["variables"][variable]["value"].as_str().map(str::to_owned)
    }
}

/// Works out references.
pub(super) struct Resolver<'a> {
    pub(super) configuration: &'a Configuration<'a>,
    pub(super) planned: &'a [Planned<'a>],
    pub(super) arguments: &'a [Value],
    pub(super) by_name: BTreeMap<(&'a str, &'a str), Vec<usize>>,
    /// Values that may still be visited.
    pub(super) left: Cell<usize>,
    /// Documents of IAM by their place; `None` while one is worked out, and for good if it is too large.
    pub(super) documents: RefCell<HashMap<usize, Option<Value>>>,
}

impl Resolver<'_> {
    /// Values of a resource with references worked out.
    pub(super) fn value(&self, value: &Value, from: &Planned<'_>) -> Value {
        self.value_within(value, from, DEPTH)
    }

    fn value_within(&self, value: &Value, from: &Planned<'_>, depth: usize) -> Value {
        self.left.set(self.left.get().saturating_sub(1));
        match value {
            Value::Array(values) => {
                values.iter().map(|one| self.value_within(one, from, depth)).collect()
            }
            Value::Object(members) => match marker::expression(value) {
                Some(expression) => self
                    .reference(expression, from.module, from.index, depth)
                    .unwrap_or_else(|| value.clone()),
                None => members
                    .iter()
                    .map(|(name, one)| (name.clone(), self.value_within(one, from, depth)))
                    .collect(),
            },
            other => other.clone(),
        }
    }

    fn reference(
        &self,
        expression: &str,
        module: &str,
        index: &Value,
        depth: usize,
    ) -> Option<Value> {
        let depth = depth.checked_sub(1).filter(|_| self.left.get() > 0)?;
        let parts: Vec<&str> = expression.split('.').collect();
        match parts.as_slice() {
            ["var", name, ..] => {
                let (parent, call) = parent(module)?;
                let calls =
                    &self.configuration.modules.get(&without_indices(parent))?["module_calls"];
                let written = &calls[call.split('[').next()?]["expressions"][*name];
                self.reference(written["references"].get(0)?.as_str()?, parent, index, depth)
            }
            ["module", call, output, ..] => {
                let name = call.split('[').next()?;
                let config =
                    self.configuration.modules.get(&joined(&without_indices(module), name))?;
                let written = &config["outputs"][*output]["expression"]["references"];
                self.reference(written.get(0)?.as_str()?, &joined(module, call), index, depth)
            }
            ["data", "aws_iam_policy_document", name, ..] => {
                self.document(self.find("aws_iam_policy_document", name, module, index)?, depth)
            }
            [kind, name, rest @ ..] if kind.starts_with("aws_") => {
                let place = self.find(kind, name, module, index)?;
                let attribute = rest.first().copied().unwrap_or("arn");
                match &self.arguments[place][attribute] {
                    known @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                        Some(known.clone())
                    }
                    _ => Some(marker::of_resource(
                        expression,
                        self.planned[place].address,
                        &spell::attribute(attribute),
                    )),
                }
            }
            _ => None,
        }
    }

    /// A document of IAM. It may name others, each of them often, and in the end itself: each is worked out once.
    fn document(&self, place: usize, depth: usize) -> Option<Value> {
        if let Some(known) = self.documents.borrow().get(&place) {
            self.left.set(self.left.get().saturating_sub(known.as_ref().map_or(0, size)));
            return known.clone();
        }
        self.documents.borrow_mut().insert(place, None);
        let arguments = self.value_within(&self.arguments[place], &self.planned[place], depth);
        let document = spell::policy_document(&arguments);
        let document = (size(&document) <= DOCUMENT).then_some(document);
        self.documents.borrow_mut().insert(place, document.clone());
        document
    }

    /// A resource by its name: with the index that is written, else with that of the resource that refers to
    /// it, else the first.
    fn find(&self, kind: &str, name: &str, module: &str, index: &Value) -> Option<usize> {
        let (bare, written) = match name.split_once('[') {
            Some((bare, rest)) => (bare, Some(rest.trim_end_matches(']'))),
            None => (name, None),
        };
        let places = self.by_name.get(&(kind, bare))?;
        let inside = || {
            places.iter().copied().filter(|place| same_module(self.planned[*place].module, module))
        };
        inside()
            .find(|place| {
                let own = self.planned[*place].index;
                // As Terraform writes it in an address: a number bare, a text in quotes.
                let spelled = |text: &str| own.to_string().as_str() == text;
                written.map_or_else(|| own == index, spelled)
            })
            .or_else(|| inside().next())
    }
}

/// Values in a value.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// Whether a resource's module is the one that a reference is about; it may leave the index out.
fn same_module(module: &str, wanted: &str) -> bool {
    module == wanted || (!wanted.contains('[') && without_indices(module) == wanted)
}

fn joined(path: &str, call: &str) -> String {
    if path.is_empty() { format!("module.{call}") } else { format!("{path}.module.{call}") }
}

/// `module.a.module.b[0]` to `module.a` and `b[0]`.
fn parent(module: &str) -> Option<(&str, &str)> {
    if let Some((parent, call)) = module.rsplit_once(".module.") {
        return Some((parent, call));
    }
    Some(("", module.strip_prefix("module.")?))
}

/// A module's path without the indices; keys of `for_each` may hold anything in their quotes.
fn without_indices(module: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut quoted, mut escaped) = (false, false, false);
    for character in module.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if inside => quoted = !quoted,
            '[' if !inside => inside = true,
            ']' if inside && !quoted => inside = false,
            _ if inside => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_indices() {
        assert_eq!(without_indices("module.a[0].module.b[\"x].y\\\"\"]"), "module.a.module.b");
        assert_eq!(parent("module.a.module.b[0]"), Some(("module.a", "b[0]")));
        assert_eq!(parent("module.a"), Some(("", "a")));
        assert_eq!(parent(""), None);
    }
}
