//! Planning and applying: what a provider does with a change when there is no AWS behind it.

use std::collections::BTreeMap;

use super::behaviour::Behaviour;
use super::schema::{Attribute, Block, Mode, Nested};
use super::value::Value;

/// What is going to be, from what is proposed: nobody's attributes get their default, or are unknown
/// where AWS makes them up.
pub fn plan(behaviour: &Behaviour, kind: &str, block: &Block, prior: &Value, new: &Value) -> Value {
    if *new == Value::Null {
        return Value::Null;
    }
    Planner { behaviour }.block(kind, block, prior, new)
}

struct Planner<'a> {
    behaviour: &'a Behaviour,
}

impl Planner<'_> {
    fn block(&self, path: &str, block: &Block, prior: &Value, new: &Value) -> Value {
        let Value::Map(members) = new else { return new.clone() };
        let mut out = members.clone();
        for (name, attribute) in &block.attributes {
            let path = format!("{path}.{name}");
            let value = self.attribute(&path, attribute, prior.member(name), new.member(name));
            out.insert(name.clone(), value);
        }
        for (name, nested) in &block.blocks {
            let path = format!("{path}.{name}");
            let value = self.blocks(&path, nested, prior.member(name), new.member(name));
            out.insert(name.clone(), value);
        }
        Value::Map(out)
    }

    fn attribute(&self, path: &str, attribute: &Attribute, prior: &Value, new: &Value) -> Value {
        if attribute.write_only {
            return Value::Null;
        }
        match new {
            Value::Null => match self.behaviour.default_of(path) {
                Some(value) => value,
                None if !attribute.computed => Value::Null,
                None if *prior == Value::Null => Value::Unknown,
                None => prior.clone(),
            },
            other => other.clone(),
        }
    }

    fn blocks(&self, path: &str, nested: &Nested, prior: &Value, new: &Value) -> Value {
        match (nested.mode, new) {
            (Mode::Single, _) => self.block(path, &nested.block, prior, new),
            (Mode::List, Value::List(items)) => {
                let prior = |place: usize| prior.items().get(place).unwrap_or(&Value::Null);
                let items = items.iter().enumerate();
                Value::List(
                    items
                        .map(|(place, item)| self.block(path, &nested.block, prior(place), item))
                        .collect(),
                )
            }
            // The element that differs in nothing but what AWS makes up is the one that was there.
            (Mode::Set, Value::List(items)) => Value::List(
                items
                    .iter()
                    .map(|item| {
                        let before = prior.items().iter().find(|before| {
                            same(&self.block(path, &nested.block, before, item), before)
                        });
                        let before = before.unwrap_or(&Value::Null);
                        self.block(path, &nested.block, before, item)
                    })
                    .collect(),
            ),
            (_, other) => other.clone(),
        }
    }
}

/// Equal; sets in whatever order.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len()
                && (one.iter().zip(other).all(|(one, other)| same(one, other))
                    || one.iter().all(|item| other.iter().any(|other| same(item, other))))
        }
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.0 == other.0 && same(one.1, other.1))
        }
        (one, other) => one == other,
    }
}

/// The names of changed attributes that cannot be changed in place.
pub fn replaced(
    behaviour: &Behaviour,
    kind: &str,
    block: &Block,
    prior: &Value,
    new: &Value,
) -> Vec<String> {
    if *prior == Value::Null || *new == Value::Null {
        return Vec::new();
    }
    block
        .attributes
        .keys()
        .chain(block.blocks.keys())
        .filter(|name| behaviour.replaces(&format!("{kind}.{name}")))
        .filter(|name| !same(prior.member(name), new.member(name)))
        .cloned()
        .collect()
}

/// What is there afterwards: unknown values are made up, always the same ones.
pub fn apply(behaviour: &Behaviour, kind: &str, block: &Block, planned: &Value) -> Value {
    let Value::Map(root) = planned else { return planned.clone() };
    Maker { behaviour, root }.block(kind, block, planned)
}

/// What a data source says: whatever it was not asked is made up.
pub fn read(behaviour: &Behaviour, kind: &str, block: &Block, config: &Value) -> Value {
    let planned = plan(behaviour, kind, block, &Value::Null, config);
    apply(behaviour, kind, block, &planned)
}

struct Maker<'a> {
    behaviour: &'a Behaviour,
    root: &'a BTreeMap<String, Value>,
}

impl Maker<'_> {
    fn block(&self, path: &str, block: &Block, value: &Value) -> Value {
        let Value::Map(members) = value else { return value.clone() };
        let mut out = members.clone();
        for (name, value) in &mut out {
            let path = format!("{path}.{name}");
            if let Some(attribute) = block.attributes.get(name) {
                *value = self.attribute(&path, &attribute.kind, value);
            } else if let Some(nested) = block.blocks.get(name) {
                *value = match &*value {
                    Value::List(items) => Value::List(
                        items.iter().map(|item| self.block(&path, &nested.block, item)).collect(),
                    ),
                    Value::Unknown if nested.mode != Mode::Single => Value::List(Vec::new()),
                    other => self.block(&path, &nested.block, other),
                };
            }
        }
        Value::Map(out)
    }

    fn attribute(&self, path: &str, kind: &serde_json::Value, value: &Value) -> Value {
        match value {
            Value::Unknown => self.make_up(path, kind),
            Value::List(items) => {
                let element = kind.get(1).unwrap_or(&serde_json::Value::Null);
                Value::List(items.iter().map(|item| self.attribute(path, element, item)).collect())
            }
            other => other.clone(),
        }
    }

    fn make_up(&self, path: &str, kind: &serde_json::Value) -> Value {
        if let Some(value) = self.behaviour.made_up(path) {
            return match value {
                serde_json::Value::String(pattern) => Value::Text(self.fill_in(pattern)),
                other => Value::from_json(other),
            };
        }
        match kind.as_str().or_else(|| kind.get(0)?.as_str()).unwrap_or_default() {
            "string" => Value::Text(format!("stub-{}", path.rsplit('.').next().unwrap_or(path))),
            "number" => Value::Number(0.into()),
            "bool" => Value::Bool(false),
            "map" => Value::Map(BTreeMap::new()),
            "list" | "set" => Value::List(Vec::new()),
            _ => Value::Null,
        }
    }

    fn fill_in(&self, pattern: &str) -> String {
        let mut out = String::new();
        for (place, piece) in pattern.split(['{', '}']).enumerate() {
            if place % 2 == 0 {
                out.push_str(piece);
                continue;
            }
            match self.root.get(piece) {
                Some(Value::Text(text)) if piece == "scope" => {
                    out.push_str(if text == "CLOUDFRONT" { "global" } else { "regional" });
                }
                Some(Value::Text(text)) => out.push_str(text),
                _ => out.push_str(piece),
            }
        }
        out
    }
}
