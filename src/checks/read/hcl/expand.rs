//! Resources as Terraform would repeat them.

use std::collections::{BTreeMap, BTreeSet};

use hcl::{Block, Body, Expression, Structure};
use serde_json::{Map, Value, json};

use super::files::Files;
use super::names::{Budget, Names, Place};
use super::scope::Scope;
use super::{EXPANDED, Raw};
use crate::checks::marker;

/// Arguments that Terraform keeps for itself.
const META: [&str; 7] =
    ["provider", "providers", "depends_on", "count", "for_each", "lifecycle", "provisioner"];

/// Instances of modules.
const INSTANCES: usize = 1_000;

pub(super) struct Reader<'a> {
    bodies: &'a BTreeMap<String, Vec<(String, Body)>>,
    pub(super) scopes: Vec<Scope>,
    pub(super) raws: Vec<Raw>,
    /// Address, file, and what is not seen.
    pub(super) blind: Vec<(String, String, String)>,
    /// Folders that were read as modules.
    pub(super) read: BTreeSet<String>,
    expanded: usize,
    pub(super) budget: Budget,
    root: String,
    files: Files,
}

/// One repetition: its index in the address, and what `each` or `count` is in it.
type Instance = (Option<Value>, Option<(&'static str, hcl::Value)>);

impl<'a> Reader<'a> {
    pub(super) fn new(
        bodies: &'a BTreeMap<String, Vec<(String, Body)>>,
        root: String,
        files: Files,
    ) -> Self {
        Self {
            bodies,
            scopes: Vec::new(),
            raws: Vec::new(),
            blind: Vec::new(),
            read: BTreeSet::new(),
            expanded: 0,
            budget: Budget::default(),
            root,
            files,
        }
    }

    /// Reads the module in a folder; `None` if there is none there.
    pub(super) fn module(
        &mut self,
        directory: String,
        path: String,
        arguments: BTreeMap<String, Value>,
        depth: usize,
    ) -> Option<usize> {
        let bodies: &'a [(String, Body)] = self.bodies.get(&directory)?;
        self.read.insert(directory.clone());
        if self.scopes.len() >= INSTANCES {
            self.blind.push((
                path,
                directory,
                format!("more than {INSTANCES} modules; the rest is not read"),
            ));
            return None;
        }
        let place = Place { module: below(&self.root, &directory), files: self.files.clone() };
        let mut scope = Scope::new(path, bodies, arguments, &self.budget, &place);
        if let Some(parent) = self.scopes.first()
            && scope.regions.is_empty()
        {
            // Modules inherit the default provider.
            scope
                .regions
                .extend(parent.regions.get("").map(|region| (String::new(), region.clone())));
        }
        let place = self.scopes.len();
        self.scopes.push(scope);
        for (file, body) in bodies {
            for block in body.blocks() {
                match block.identifier() {
                    "resource" => self.resource(place, file, block, false),
                    "data" => self.resource(place, file, block, true),
                    "module" => self.call(place, file, block, &directory, depth),
                    _ => {}
                }
            }
        }
        Some(place)
    }

    fn call(&mut self, scope: usize, file: &str, block: &Block, directory: &str, depth: usize) {
        let name = label(block, 0);
        let source =
            argument(&block.body, "source").and_then(|it| self.scopes[scope].names.evaluate(it));
        let source = source.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
        let path = &self.scopes[scope].path;
        let path = if path.is_empty() {
            format!("module.{name}")
        } else {
            format!("{path}.module.{name}")
        };
        let local = source.starts_with("./") || source.starts_with("../");
        // A leading slash would make the folder that the program runs in the root of the disk.
        let inside = match directory {
            "" => super::clean(&source),
            directory => super::clean(&format!("{directory}/{source}")),
        };
        let Some(depth) =
            depth.checked_sub(1).filter(|_| local && self.bodies.contains_key(&inside))
        else {
            let what = format!("the module `{source}` is not read here; its plan shows it");
            self.blind.push((path, file.to_owned(), what));
            return;
        };
        for (index, each) in self.instances(scope, file, &path, &block.body) {
            let names = with(&self.scopes[scope].names, each);
            let mut arguments = BTreeMap::new();
            for attribute in block.body.attributes() {
                let key = attribute.key();
                if !META.contains(&key) && key != "source" && key != "version" {
                    let value = self.scopes[scope].value(attribute.expr(), &names);
                    arguments.insert(key.to_owned(), value);
                }
            }
            let path = indexed(&path, index.as_ref());
            let Some(child) = self.module(inside.clone(), path, arguments, depth) else { continue };
            self.providers(scope, child, &block.body);
            self.scopes[scope].children.insert(indexed(&name, index.as_ref()), child);
        }
    }

    /// `providers = { aws = aws.us }`: regions of the child.
    fn providers(&mut self, scope: usize, child: usize, body: &Body) {
        let Some(Expression::Object(given)) = argument(body, "providers") else { return };
        for (inner, outer) in given {
            let alias = |text: String| {
                text.split_once('.').map(|(_, it)| it.to_owned()).unwrap_or_default()
            };
            let region = self.scopes[scope].regions.get(&alias(outer.to_string())).cloned();
            let inner = alias(inner.to_string());
            let Some(region) = region else { continue };
            if inner.is_empty() {
                for raw in self.raws.iter_mut().filter(|raw| raw.scope == child) {
                    raw.region = Some(region.clone());
                }
            }
            self.scopes[child].regions.insert(inner, region);
        }
    }

    fn resource(&mut self, scope: usize, file: &str, block: &Block, is_data: bool) {
        let kind = label(block, 0);
        if !kind.starts_with("aws_") {
            return;
        }
        let name = label(block, 1);
        let address = format!("{kind}.{name}");
        let region = match argument(&block.body, "provider") {
            Some(provider) => {
                let text = provider.to_string();
                let alias = text.trim().split_once('.').map_or("", |(_, alias)| alias);
                self.scopes[scope].regions.get(alias).cloned()
            }
            None => self.scopes[scope].regions.get("").cloned(),
        };
        for (index, each) in self.instances(scope, file, &address, &block.body) {
            if self.raws.len() >= EXPANDED {
                let what = format!("more than {EXPANDED} resources; the rest is not read");
                self.blind.push((address, file.to_owned(), what));
                return;
            }
            let names = with(&self.scopes[scope].names, each);
            let mut walk = Walk {
                scope: &self.scopes[scope],
                blind: Vec::new(),
                left: EXPANDED.saturating_sub(self.expanded),
            };
            let mut arguments = walk.body(&block.body, &names, true);
            let (blind, left) = (walk.blind, walk.left);
            self.expanded = EXPANDED - left.min(EXPANDED);
            // Nor is a resource whole that comes after the last block that was read.
            if !blind.is_empty() || left == 0 || self.budget.is_spent() {
                arguments["$incomplete"] = true.into();
            }
            let label = indexed(&name, index.as_ref());
            let raw = Raw {
                scope,
                file: file.to_owned(),
                kind: kind.clone(),
                label,
                is_data,
                region: region.clone(),
                arguments,
            };
            let address = raw.address(&self.scopes);
            self.blind
                .extend(blind.into_iter().map(|what| (address.clone(), file.to_owned(), what)));
            self.raws.push(raw);
        }
    }

    /// The repetitions of a resource or module: one without an index if it is not repeated, or if nobody
    /// can tell how often.
    fn instances(&mut self, scope: usize, file: &str, address: &str, body: &Body) -> Vec<Instance> {
        let known = |expression: &Expression| self.scopes[scope].names.evaluate(expression);
        if let Some(count) = argument(body, "count") {
            if let Some(count) = known(count).and_then(|count| count.as_u64()) {
                let count = usize::try_from(count).unwrap_or(EXPANDED).min(EXPANDED);
                return (0..count)
                    .map(|index| {
                        (Some(index.into()), Some(("count", object([("index", index.into())]))))
                    })
                    .collect();
            }
        } else if let Some(each) = argument(body, "for_each") {
            if let Some(pairs) = known(each).and_then(pairs) {
                return pairs
                    .into_iter()
                    .take(EXPANDED)
                    .map(|(key, value)| {
                        let each = object([("key", key.as_str().into()), ("value", value)]);
                        (Some(Value::String(key)), Some(("each", each)))
                    })
                    .collect();
            }
        } else {
            return vec![(None, None)];
        }
        let what =
            "how often it is repeated is not known before the plan; it is read once".to_owned();
        let address = match &self.scopes[scope].path {
            path if path.is_empty() || address.starts_with("module.") => address.to_owned(),
            path => format!("{path}.{address}"),
        };
        self.blind.push((address, file.to_owned(), what));
        vec![(None, None)]
    }
}

struct Walk<'a> {
    scope: &'a Scope,
    blind: Vec<String>,
    left: usize,
}

impl Walk<'_> {
    fn body(&mut self, body: &Body, names: &Names, top: bool) -> Value {
        let mut members = Map::new();
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => {
                    let name = attribute.key();
                    if !(top && META.contains(&name)) {
                        let value = self.scope.value(attribute.expr(), names);
                        members.insert(name.to_owned(), value);
                    }
                }
                Structure::Block(block) if top && block.identifier() == "lifecycle" => {
                    let ignored = argument(&block.body, "ignore_changes").map(ToString::to_string);
                    members.insert("$ignored".to_owned(), ignored.into());
                }
                Structure::Block(block) if top && META.contains(&block.identifier()) => {}
                Structure::Block(block) if block.identifier() == "dynamic" => {
                    self.dynamic(block, names, &mut members);
                }
                Structure::Block(block) => {
                    self.add(&mut members, block.identifier(), &block.body, names);
                }
            }
        }
        Value::Object(members)
    }

    fn add(&mut self, members: &mut Map<String, Value>, name: &str, body: &Body, names: &Names) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        if self.left == 0 {
            self.blind.push(format!(
                "repetitions make more than {EXPANDED} blocks; the rest is not read"
            ));
        }
        let value = self.body(body, names, false);
        if let Value::Array(list) = members.entry(name).or_insert_with(|| Value::Array(Vec::new()))
        {
            list.push(value);
        }
    }

    fn dynamic(&mut self, block: &Block, names: &Names, members: &mut Map<String, Value>) {
        let name = label(block, 0);
        let content = block.body.blocks().find(|block| block.identifier() == "content");
        let iterator = argument(&block.body, "iterator").map(|it| it.to_string().trim().to_owned());
        let iterator = iterator.unwrap_or_else(|| name.clone());
        let each = argument(&block.body, "for_each").and_then(|it| names.evaluate(it));
        let (Some(content), Some(pairs)) = (content, each.and_then(pairs)) else {
            self.blind
                .push(format!("its `dynamic \"{name}\"` blocks are not known before the plan"));
            if !members.contains_key(&name) && name != "rule" {
                members.insert(name, marker::unknown("dynamic"));
            }
            return;
        };
        let Ok(identifier) = hcl::Identifier::new(iterator) else { return };
        for (key, value) in pairs {
            if self.left == 0 {
                break;
            }
            let each = object([("key", key.as_str().into()), ("value", value)]);
            let inner = names.with(identifier.clone(), each);
            self.add(members, &name, &content.body, &inner);
        }
    }
}

/// A module's folder as `path.module` has it: from that of the root module.
fn below(root: &str, directory: &str) -> String {
    if directory == root {
        return ".".to_owned();
    }
    let inside = match root {
        "" => Some(directory),
        root => directory.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')),
    };
    if let Some(inside) = inside {
        return inside.to_owned();
    }
    // Beside the root, or above it.
    let up = root.split('/').filter(|part| !part.is_empty()).map(|_| "..");
    up.chain([directory]).collect::<Vec<_>>().join("/")
}

fn with(names: &Names, each: Option<(&'static str, hcl::Value)>) -> Names {
    match each {
        Some((name, value)) => names.with(hcl::Identifier::unchecked(name), value),
        None => names.clone(),
    }
}

fn object<const N: usize>(members: [(&str, hcl::Value); N]) -> hcl::Value {
    hcl::Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// What `for_each` goes over: a map by key, or a set or list of values.
fn pairs(value: hcl::Value) -> Option<Vec<(String, hcl::Value)>> {
    match value {
        hcl::Value::Object(members) => {
            let mut pairs: Vec<_> = members.into_iter().collect();
            pairs.sort_by(|one, other| one.0.cmp(&other.0));
            Some(pairs)
        }
        hcl::Value::Array(items) => Some(
            items
                .into_iter()
                .enumerate()
                .map(|(place, item)| {
                    let key = item.as_str().map_or_else(|| place.to_string(), str::to_owned);
                    (key, item)
                })
                .collect(),
        ),
        _ => None,
    }
}

fn argument<'b>(body: &'b Body, name: &str) -> Option<&'b Expression> {
    body.attributes().find(|attribute| attribute.key() == name).map(hcl::Attribute::expr)
}

fn label(block: &Block, place: usize) -> String {
    block.labels().get(place).map(|label| label.as_str().to_owned()).unwrap_or_default()
}

fn indexed(name: &str, index: Option<&Value>) -> String {
    match index {
        Some(index) => format!("{name}[{}]", json!(index)),
        None => name.to_owned(),
    }
}
