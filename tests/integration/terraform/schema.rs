//! Our own check of emitted HCL against a provider's schema, in a millisecond: arguments and blocks
//! that exist, how often, which are required, kinds of values, what the provider refuses, and
//! references to things that are there.

use std::collections::{BTreeMap, BTreeSet};

use hcl::expr::TraversalOperator;
use hcl::{Body, Expression, ObjectKey, Structure};
use ratewaf::wafv2::terraform::read_hcl;
use serde_json::Value;

use super::stub::{Behaviour, Block, Mode, Providers, StubValue};

/// Arguments and blocks of every resource.
const META: [&str; 4] = ["provider", "depends_on", "lifecycle", "count"];

/// Everything that is wrong with a configuration of one folder.
pub fn faults(providers: &Providers, text: &str) -> Vec<String> {
    let body = match hcl::parse(text) {
        Ok(body) => body,
        Err(error) => return vec![error.to_string()],
    };
    let mut check = Check { providers, names: names(&body), faults: Vec::new() };
    check.file(&body);
    match read_hcl(text) {
        Err(error) => check.faults.push(error.to_string()),
        Ok(resources) => {
            let blocks = body.blocks().filter(|block| block.identifier() == "resource");
            for (resource, block) in resources.iter().zip(blocks) {
                check.resource(&resource.address(), &resource.kind, &block.body, &resource.values);
            }
        }
    }
    check.faults
}

/// What a reference may name.
fn names(body: &Body) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for block in body.blocks() {
        let labels: Vec<&str> = block.labels().iter().map(hcl::BlockLabel::as_str).collect();
        match (block.identifier(), labels.as_slice()) {
            ("resource", [kind, label]) => drop(names.insert(format!("{kind}.{label}"))),
            ("data", [kind, label]) => drop(names.insert(format!("data.{kind}.{label}"))),
            ("variable", [name]) => drop(names.insert(format!("var.{name}"))),
            ("locals", []) => names.extend(
                block.body.attributes().map(|attribute| format!("local.{}", attribute.key())),
            ),
            ("provider", [name]) => {
                for attribute in block.body.attributes().filter(|it| it.key() == "alias") {
                    if let Expression::String(alias) = attribute.expr() {
                        names.insert(format!("{name}.{alias}"));
                    }
                }
            }
            _ => {}
        }
    }
    names
}

struct Check<'a> {
    providers: &'a Providers,
    names: BTreeSet<String>,
    faults: Vec<String>,
}

impl Check<'_> {
    fn fault(&mut self, at: &str, what: impl std::fmt::Display) {
        self.faults.push(format!("{at}: {what}"));
    }

    fn file(&mut self, body: &Body) {
        let mut seen = BTreeSet::new();
        for structure in body {
            let Structure::Block(block) = structure else {
                self.fault("the file", "an argument outside of blocks");
                continue;
            };
            let labels: Vec<&str> = block.labels().iter().map(hcl::BlockLabel::as_str).collect();
            let at = format!("{} {}", block.identifier(), labels.join("."));
            let wanted = match block.identifier() {
                "terraform" | "locals" => 0,
                "provider" | "output" | "variable" => 1,
                "resource" | "data" => 2,
                other => {
                    self.fault(&at, format!("`{other}` is no block of Terraform"));
                    continue;
                }
            };
            if labels.len() != wanted {
                self.fault(&at, format!("{} labels, not {wanted}", labels.len()));
            }
            let several = matches!(block.identifier(), "provider" | "locals");
            if !several && !seen.insert(at.clone()) {
                self.fault(&at, "stands there twice");
            }
            self.references(&at, &block.body);
            if let ("data", [kind, _]) = (block.identifier(), labels.as_slice()) {
                self.data(&at, kind, &block.body);
            }
        }
    }

    /// Data sources are asked by attributes only.
    fn data(&mut self, at: &str, kind: &str, body: &Body) {
        let Some(schema) = self.providers.aws.provider.data_source_schemas.get(kind) else {
            return self.fault(at, "no such data source");
        };
        let block = &schema.block;
        for attribute in body.attributes().filter(|it| !META.contains(&it.key())) {
            let settable = block.attributes.get(attribute.key());
            if !settable.is_some_and(|found| found.required || found.optional) {
                self.fault(at, format!("no argument `{}`", attribute.key()));
            }
        }
        for (name, _) in block.attributes.iter().filter(|(_, attribute)| attribute.required) {
            if !body.attributes().any(|attribute| attribute.key() == name) {
                self.fault(at, format!("`{name}` is missing"));
            }
        }
    }

    fn resource(&mut self, at: &str, kind: &str, body: &Body, values: &Value) {
        let stub = match kind.split('_').next() {
            Some("random") => &self.providers.random,
            _ => &self.providers.aws,
        };
        match stub.provider.resource_schemas.get(kind) {
            None => self.fault(at, "no such resource"),
            Some(schema) => {
                self.block(&stub.behaviour, &schema.block, body, values, (kind, at), true);
            }
        }
    }

    /// `path` is the place for the behaviour, `at` the place for people.
    fn block(
        &mut self,
        behaviour: &Behaviour,
        schema: &Block,
        body: &Body,
        values: &Value,
        (path, at): (&str, &str),
        top: bool,
    ) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => {
                    let name = attribute.key();
                    if top && META.contains(&name) {
                        continue;
                    }
                    let known = schema.attributes.get(name);
                    let Some(known) = known.filter(|it| it.required || it.optional) else {
                        self.fault(at, format!("no argument `{name}`"));
                        continue;
                    };
                    *counts.entry(name).or_default() += 1;
                    let (path, value) = (format!("{path}.{name}"), &values[name]);
                    if !is_a(value, &known.kind, attribute.expr()) {
                        self.fault(at, format!("`{name}` is {value}, not {}", known.kind));
                    }
                    let mut found = behaviour.faults(&path, &StubValue::from_json(value));
                    for item in value.as_array().into_iter().flatten() {
                        found.extend(behaviour.faults(&path, &StubValue::from_json(item)));
                    }
                    found
                        .into_iter()
                        .for_each(|fault| self.fault(at, format!("`{name}`: {fault}")));
                }
                Structure::Block(block) => {
                    let name = block.identifier();
                    if top && META.contains(&name) {
                        continue;
                    }
                    let Some(nested) = schema.blocks.get(name) else {
                        self.fault(at, format!("no block `{name}`"));
                        continue;
                    };
                    let count = counts.entry(name).or_default();
                    let values = &values[name][*count];
                    let (path, at) = (format!("{path}.{name}"), format!("{at}.{name}.{count}"));
                    *count += 1;
                    self.block(behaviour, &nested.block, &block.body, values, (&path, &at), false);
                }
            }
        }
        for (name, _) in schema.attributes.iter().filter(|(_, attribute)| attribute.required) {
            if !counts.contains_key(name.as_str()) {
                self.fault(at, format!("`{name}` is missing"));
            }
        }
        for (name, nested) in &schema.blocks {
            let count = counts.get(name.as_str()).copied().unwrap_or_default();
            let most = match (nested.mode, nested.max_items) {
                (Mode::Single, _) => 1,
                (_, 0) => usize::MAX,
                (_, most) => most,
            };
            if !(nested.min_items..=most).contains(&count) {
                self.fault(
                    at,
                    format!("{count} blocks `{name}`, not {} to {most}", nested.min_items),
                );
            }
            let several = StubValue::List(vec![StubValue::Null; count]);
            let faults = behaviour.faults(&format!("{path}.{name}"), &several);
            if count > 0 {
                faults.into_iter().for_each(|fault| self.fault(at, format!("`{name}`: {fault}")));
            }
        }
    }

    /// Everything that the expressions of a block name has to be there.
    fn references(&mut self, at: &str, body: &Body) {
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => self.expression(at, attribute.expr()),
                Structure::Block(block) if block.identifier() == "lifecycle" => {}
                Structure::Block(block) => self.references(at, &block.body),
            }
        }
    }

    fn expression(&mut self, at: &str, expression: &Expression) {
        match expression {
            Expression::Array(items) => items.iter().for_each(|item| self.expression(at, item)),
            Expression::Object(members) => {
                for (key, value) in members {
                    if let ObjectKey::Expression(key) = key {
                        self.expression(at, key);
                    }
                    self.expression(at, value);
                }
            }
            Expression::FuncCall(call) => {
                call.args.iter().for_each(|value| self.expression(at, value));
            }
            Expression::TemplateExpr(template) => self.template(at, template),
            Expression::Traversal(traversal) => {
                let mut steps = vec![traversal.expr.to_string()];
                for operator in &traversal.operators {
                    match operator {
                        TraversalOperator::GetAttr(name) => steps.push(name.to_string()),
                        _ => break,
                    }
                }
                self.reference(at, &steps);
            }
            _ => {}
        }
    }

    fn template(&mut self, at: &str, template: &hcl::expr::TemplateExpr) {
        let Ok(template) = hcl::Template::from_expr(template) else {
            return self.fault(at, "a template that cannot be read");
        };
        for element in template.elements() {
            match element {
                hcl::template::Element::Literal(_) => {}
                hcl::template::Element::Interpolation(inner) => self.expression(at, &inner.expr),
                hcl::template::Element::Directive(_) => self.fault(at, "a template directive"),
            }
        }
    }

    fn reference(&mut self, at: &str, steps: &[String]) {
        let (name, rest) = match steps.first().map(String::as_str) {
            Some("data") => (3, steps.get(3)),
            Some("path" | "each" | "count" | "module" | "self" | "terraform") | None => {
                return self.fault(at, format!("refers to {}", steps.join(".")));
            }
            // A type of `variable`, `string`, and the like.
            Some(_) if steps.len() == 1 => return,
            Some(_) => (2, steps.get(2)),
        };
        let named = steps.iter().take(name).map(String::as_str).collect::<Vec<_>>().join(".");
        if !self.names.contains(&named) {
            return self.fault(at, format!("refers to {named}, which is not there"));
        }
        let (Some(member), kind) = (rest, steps[name - 2].as_str()) else { return };
        let (aws, random) = (&self.providers.aws.provider, &self.providers.random.provider);
        let schema = if steps[0] == "data" {
            aws.data_source_schemas.get(kind)
        } else {
            aws.resource_schemas.get(kind).or_else(|| random.resource_schemas.get(kind))
        };
        if schema.is_some_and(|schema| {
            !schema.block.attributes.contains_key(member)
                && !schema.block.blocks.contains_key(member)
        }) {
            self.fault(at, format!("refers to {named}.{member}, which it does not have"));
        }
    }
}

/// Whether a value is of a type. What Terraform would convert is refused: we know the types.
fn is_a(value: &Value, kind: &Value, expression: &Expression) -> bool {
    let element = || kind.get(1).cloned().unwrap_or_default();
    match (kind.as_str().or_else(|| kind.get(0)?.as_str()), value) {
        // Not known before Terraform runs: whatever it is, no literal.
        (_, Value::Null) => !matches!(expression, Expression::Null),
        (Some("string"), Value::String(_))
        | (Some("number"), Value::Number(_))
        | (Some("bool"), Value::Bool(_)) => true,
        (Some("list" | "set"), Value::Array(items)) => {
            items.iter().all(|item| is_a(item, &element(), expression))
        }
        (Some("map"), Value::Object(members)) => {
            members.values().all(|value| is_a(value, &element(), expression))
        }
        (Some("object"), Value::Object(_)) => true,
        _ => false,
    }
}
