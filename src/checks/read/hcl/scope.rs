//! What can be worked out in one module.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hcl::expr::{FuncCall, TemplateExpr};
use hcl::{Body, Expression, ObjectKey};
use serde_json::Value;

use super::arithmetic;
use super::names::{Budget, Named, Names, Place};
use crate::checks::marker;

/// Locals may name each other; longer chains are not worked out.
const ROUNDS: usize = 8;
/// Bytes of a local that is worked out; a larger one stays unknown, as ten locals can make it grow
/// without end.
const LOCAL_BYTES: usize = 65_536;
/// Expressions inside expressions.
const DEPTH: usize = 64;

/// One instance of a module.
pub(super) struct Scope {
    /// `module.edge.module.waf`; empty for the root.
    pub(super) path: String,
    /// Literals, defaults, arguments and locals that are known.
    pub(super) names: Names,
    /// Variables that it declares.
    pub(super) variables: BTreeSet<String>,
    /// Locals as they are written.
    pub(super) locals: BTreeMap<String, Expression>,
    /// Arguments that are not known, as markers.
    pub(super) arguments: BTreeMap<String, Value>,
    /// Outputs as they are written.
    pub(super) outputs: BTreeMap<String, Expression>,
    /// Modules that it calls, by name.
    pub(super) children: BTreeMap<String, usize>,
    /// Regions of its providers; the default one has an empty alias.
    pub(super) regions: BTreeMap<String, String>,
}

impl Scope {
    /// A module of these files, with these arguments.
    pub(super) fn new(
        path: String,
        bodies: &[(String, Body)],
        given: BTreeMap<String, Value>,
        budget: &Budget,
        place: &Place,
    ) -> Self {
        let blocks = |name: &'static str| {
            bodies
                .iter()
                .flat_map(|(_, body)| body.blocks())
                .filter(move |it| it.identifier() == name)
        };
        let label = |block: &hcl::Block| {
            block.labels().first().map(|label| label.as_str().to_owned()).unwrap_or_default()
        };
        let nothing = Names::new(Rc::default(), Rc::default(), budget.clone(), Place::default());
        let mut variables: BTreeMap<String, Named> = BTreeMap::new();
        for block in blocks("variable") {
            let of = |name: &str| block.body.attributes().find(|attribute| attribute.key() == name);
            // A secret's default is there for all to see, but it is not ours to print.
            let is_secret = of("sensitive").is_some_and(|it| *it.expr() != Expression::Bool(false));
            let default = of("default").filter(|_| !is_secret);
            if let Some(value) = default.and_then(|it| nothing.evaluate(it.expr()))
                && !value.is_null()
            {
                variables.insert(label(block), Named::new(value));
            }
        }
        let mut arguments = BTreeMap::new();
        for (name, value) in given {
            if marker::any(&value) {
                variables.remove(&name);
                arguments.insert(name, value);
            } else if let Ok(value) = serde_json::from_value::<hcl::Value>(value) {
                variables.insert(name, Named::new(value));
            }
        }
        let written = |block: &'static str| -> BTreeMap<String, Expression> {
            let attributes = blocks(block).flat_map(|block| block.body.attributes());
            attributes.map(|one| (one.key().to_owned(), one.expr().clone())).collect()
        };
        let outputs = blocks("output").filter_map(|block| {
            let value = block.body.attributes().find(|attribute| attribute.key() == "value")?;
            Some((label(block), value.expr().clone()))
        });
        let locals = written("locals");
        let mut scope = Self {
            path,
            names: nothing,
            variables: blocks("variable").map(label).collect(),
            locals,
            arguments,
            outputs: outputs.collect(),
            children: BTreeMap::new(),
            regions: BTreeMap::new(),
        };
        let variables = Rc::new(variables);
        let mut known: BTreeMap<String, Named> = BTreeMap::new();
        for _ in 0..ROUNDS {
            let (budget, place) = (budget.clone(), place.clone());
            let locals = Rc::new(known.clone());
            scope.names = Names::new(Rc::clone(&variables), locals, budget, place);
            let before = known.len();
            for (name, expression) in &scope.locals {
                if known.contains_key(name) {
                    continue;
                }
                let value = scope.names.evaluate(expression).map(Named::new);
                if let Some(value) = value.filter(|value| value.bytes() <= LOCAL_BYTES) {
                    known.insert(name.clone(), value);
                }
            }
            if known.len() == before {
                break;
            }
        }
        scope.names = Names::new(variables, Rc::new(known), budget.clone(), place.clone());
        for block in blocks("provider").filter(|block| label(block) == "aws") {
            let text = |name: &str| {
                let found = block.body.attributes().find(|attribute| attribute.key() == name)?;
                let value = scope.names.evaluate(found.expr())?;
                value.as_str().map(str::to_owned)
            };
            if let Some(region) = text("region") {
                scope.regions.insert(text("alias").unwrap_or_default(), region);
            }
        }
        scope
    }

    /// A value, with markers for what is not known here.
    pub(super) fn value(&self, expression: &Expression, names: &Names) -> Value {
        self.value_within(expression, names, DEPTH)
    }

    fn value_within(&self, expression: &Expression, names: &Names, depth: usize) -> Value {
        // Through text, as both sides have their own idea of a number.
        let known = names.evaluate(expression);
        if let Some(json) = known.and_then(|value| serde_json::to_value(value).ok()) {
            return json;
        }
        // Locals may name each other in a circle, and each of them twice.
        let depth = depth.checked_sub(1).filter(|_| names.step());
        let Some(depth) = depth else { return self.unknown(expression) };
        match expression {
            Expression::Array(items) => {
                items.iter().map(|item| self.value_within(item, names, depth)).collect()
            }
            Expression::Object(object) => {
                let mut members = serde_json::Map::new();
                for (key, value) in object {
                    let key = match key {
                        ObjectKey::Identifier(name) => name.to_string(),
                        ObjectKey::Expression(key) => match names.evaluate(key) {
                            Some(hcl::Value::String(text)) => text,
                            _ => key.to_string(),
                        },
                        other => other.to_string(),
                    };
                    members.insert(key, self.value_within(value, names, depth));
                }
                Value::Object(members)
            }
            Expression::Parenthesis(inner) => self.value_within(inner, names, depth),
            Expression::FuncCall(call) if arithmetic::is_file(call) => {
                let unknown = self.unknown(expression);
                match names.file(&call.args[0]).and_then(Result::err) {
                    Some(why) => marker::because(unknown, &why),
                    None => unknown,
                }
            }
            // What is encoded can still be looked into.
            Expression::FuncCall(call) if is_encoding(call) => {
                self.value_within(&call.args[0], names, depth)
            }
            Expression::TemplateExpr(template) => match alone(template) {
                Some(inner) => self.value_within(&inner, names, depth),
                None => self.unknown(expression),
            },
            Expression::Traversal(_) => {
                let text = expression.to_string();
                let mut parts = text.splitn(3, '.');
                match (parts.next(), parts.next(), parts.next()) {
                    (Some("local"), Some(name), None) => match self.locals.get(name) {
                        Some(written) => self.value_within(written, &self.names, depth),
                        None => self.unknown(expression),
                    },
                    (Some("var"), Some(name), None) => self
                        .arguments
                        .get(name)
                        .cloned()
                        .unwrap_or_else(|| self.unknown(expression)),
                    _ => self.unknown(expression),
                }
            }
            _ => self.unknown(expression),
        }
    }

    /// The first name of an expression that this module does not declare.
    fn undeclared(&self, expression: &Expression) -> Option<String> {
        let mut found = Vec::new();
        names(expression, &mut found, DEPTH);
        let (root, name) = found.into_iter().find(|(root, name)| match root.as_str() {
            "var" => !self.variables.contains(name),
            "local" => !self.locals.contains_key(name),
            _ => false,
        })?;
        Some(format!("{root}.{name}"))
    }

    fn unknown(&self, expression: &Expression) -> Value {
        let mut value = marker::unknown(expression.to_string().trim());
        value["$module"] = self.path.as_str().into();
        if let Some(name) = self.undeclared(expression) {
            value["$undeclared"] = name.into();
        }
        value
    }
}

/// `var.x` and `local.x` of an expression that is one, or of its parts.
fn names(expression: &Expression, into: &mut Vec<(String, String)>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match expression {
        Expression::Traversal(traversal) => {
            let root = traversal.expr.to_string();
            if let Some(hcl::TraversalOperator::GetAttr(name)) = traversal.operators.first() {
                into.push((root.trim().to_owned(), name.to_string()));
            }
        }
        Expression::Parenthesis(inner) => names(inner, into, depth),
        Expression::FuncCall(call) => call.args.iter().for_each(|one| names(one, into, depth)),
        _ => {}
    }
}

fn is_encoding(call: &FuncCall) -> bool {
    call.name.namespace.is_empty()
        && call.name.name.as_str() == "jsonencode"
        && call.args.len() == 1
}

/// The expression of `"${x}"`.
fn alone(template: &TemplateExpr) -> Option<Expression> {
    let TemplateExpr::QuotedString(text) = template else { return None };
    let inner = text.strip_prefix("${")?.strip_suffix('}')?;
    if inner.contains('{') { None } else { inner.parse().ok() }
}
