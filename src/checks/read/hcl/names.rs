//! What names stand for in a module, and what working out an expression with them may cost: a configuration
//! may be a stranger's, and ten lines of it can ask for more bytes than there are atoms.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hcl::eval::{Context, Evaluate as _, FuncArgs, FuncDef, ParamType};
use hcl::expr::{ForExpr, Operation, Traversal, TraversalOperator, UnaryOperator};
use hcl::template::{Directive, Element, Template};
use hcl::{Expression, Identifier, Map, ObjectKey};

use super::arithmetic;
use super::files::{Files, Text};
use crate::wafv2::terraform::declare_functions;

/// Bytes that are moved to work out a whole configuration.
const ALL: usize = if cfg!(test) { 4 << 20 } else { 256 << 20 };
/// Bytes that are moved for one expression.
const ONE: usize = 8 << 20;
/// Expressions inside expressions.
const DEPTH: usize = 128;
/// What the smallest value takes.
const LEAST: usize = 8;
/// What any step costs, in bytes.
const STEP: usize = 256;

/// A value, and about how many bytes it takes.
#[derive(Clone)]
pub(super) struct Named {
    value: Rc<hcl::Value>,
    bytes: usize,
}

impl Named {
    pub(super) fn new(value: hcl::Value) -> Self {
        Self { bytes: size(&value), value: Rc::new(value) }
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}

/// What is left for the whole configuration.
#[derive(Clone)]
pub(super) struct Budget(Rc<Cell<usize>>);

impl Default for Budget {
    fn default() -> Self {
        Self(Rc::new(Cell::new(ALL)))
    }
}

impl Budget {
    fn spend(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }

    /// Whether nothing can be worked out any more.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// Where a module stands, and the files beside it.
#[derive(Clone, Default)]
pub(super) struct Place {
    /// Its folder, from that of the root module: `path.module`.
    pub(super) module: String,
    /// Texts that it may read.
    pub(super) files: Files,
}

/// Variables, locals, and what a repetition calls its present element.
#[derive(Clone)]
pub(super) struct Names {
    variables: Rc<BTreeMap<String, Named>>,
    locals: Rc<BTreeMap<String, Named>>,
    own: Vec<(Identifier, Named)>,
    budget: Budget,
    place: Place,
}

impl Names {
    pub(super) fn new(
        variables: Rc<BTreeMap<String, Named>>,
        locals: Rc<BTreeMap<String, Named>>,
        budget: Budget,
        place: Place,
    ) -> Self {
        Self { variables, locals, own: Vec::new(), budget, place }
    }

    /// The text of the file at a path, or why there is none; `None` if the path is not known.
    pub(super) fn file(&self, path: &Expression) -> Option<Text> {
        let path = self.evaluate(path)?;
        Some(self.place.files.text(path.as_str()?))
    }

    /// With one name more.
    pub(super) fn with(&self, name: Identifier, value: hcl::Value) -> Self {
        let mut names = self.clone();
        names.own.push((name, Named::new(value)));
        names
    }

    /// Pays for a look at an expression; `false` if there is nothing left to pay with.
    pub(super) fn step(&self) -> bool {
        self.budget.spend(STEP)
    }

    /// What an expression is, if that can be told at a bearable cost.
    pub(super) fn evaluate(&self, expression: &Expression) -> Option<hcl::Value> {
        match expression {
            Expression::Null => return Some(hcl::Value::Null),
            Expression::Bool(value) => return Some((*value).into()),
            Expression::Number(value) => return Some((*value).into()),
            Expression::String(text) => return Some(text.as_str().into()),
            _ => {}
        }
        let mut cost = Cost::new(self);
        let bytes = cost.of(expression, DEPTH);
        let bytes = bytes.saturating_add(cost.reads.saturating_mul(cost.wanted_bytes()));
        if bytes > ONE || !self.budget.spend(bytes.saturating_add(STEP)) {
            return None;
        }
        if cost.is_rewritten {
            return arithmetic::rewritten(expression, self).evaluate(&cost.context()).ok();
        }
        expression.evaluate(&cost.context()).ok()
    }
}

/// An estimate from above, and what has to be known for the expression.
struct Cost<'a> {
    names: &'a Names,
    variables: BTreeSet<&'a str>,
    locals: BTreeSet<&'a str>,
    /// Names of loops, and the bytes of their largest element.
    loops: Vec<(String, usize)>,
    /// How often the present part is worked out.
    times: usize,
    /// How often `var` and `local` are copied.
    reads: usize,
    /// Whether something in it is not left to the library.
    is_rewritten: bool,
}

impl<'a> Cost<'a> {
    fn new(names: &'a Names) -> Self {
        Self {
            names,
            variables: BTreeSet::new(),
            locals: BTreeSet::new(),
            loops: Vec::new(),
            times: 1,
            reads: 0,
            is_rewritten: false,
        }
    }

    fn wanted_bytes(&self) -> usize {
        let of = |all: &BTreeMap<String, Named>, wanted: &BTreeSet<&str>| {
            wanted.iter().map(|name| all[*name].bytes).sum::<usize>()
        };
        of(&self.names.variables, &self.variables) + of(&self.names.locals, &self.locals)
    }

    fn context(&self) -> Context<'static> {
        let of = |all: &BTreeMap<String, Named>, wanted: &BTreeSet<&str>| {
            let named = |name: &&str| ((*name).to_owned(), (*all[*name].value).clone());
            hcl::Value::Object(wanted.iter().map(named).collect())
        };
        let mut context = Context::new();
        context.declare_var("var", of(&self.names.variables, &self.variables));
        context.declare_var("local", of(&self.names.locals, &self.locals));
        let place = [("module", self.names.place.module.as_str()), ("root", ".")];
        let place = place.map(|(name, path)| (name.to_owned(), hcl::Value::from(path)));
        context.declare_var("path", hcl::Value::Object(place.into_iter().collect()));
        for (name, value) in &self.names.own {
            context.declare_var(name.clone(), (*value.value).clone());
        }
        declare(&mut context);
        context
    }

    fn of(&mut self, expression: &Expression, depth: usize) -> usize {
        let Some(depth) = depth.checked_sub(1) else { return usize::MAX };
        let bytes = match expression {
            Expression::String(text) => text.len(),
            Expression::Array(items) => self.sum(items.iter(), depth),
            Expression::Object(members) => {
                let mut bytes = 0usize;
                for (key, value) in members {
                    bytes = bytes.saturating_add(match key {
                        ObjectKey::Expression(key) => self.of(key, depth),
                        other => other.to_string().len() + LEAST,
                    });
                    bytes = bytes.saturating_add(self.of(value, depth));
                }
                bytes
            }
            Expression::TemplateExpr(text) => match Template::from_expr(text) {
                Ok(template) => self.template(&template, depth),
                Err(_) => 0,
            },
            Expression::Variable(name) => self.root(name.as_str(), None),
            Expression::Traversal(traversal) => self.traversal(traversal, depth),
            Expression::FuncCall(call) if arithmetic::is_file(call) => {
                self.is_rewritten = true;
                let text = self.loops.is_empty().then(|| self.names.file(&call.args[0])).flatten();
                let text = text.and_then(Result::ok).map_or(0, |text| text.len());
                self.sum(call.args.iter(), depth).saturating_add(text)
            }
            // Text in JSON can take six times the room.
            Expression::FuncCall(call) => self.sum(call.args.iter(), depth).saturating_mul(8),
            Expression::Parenthesis(inner) => self.of(inner, depth),
            Expression::Conditional(choice) => {
                let parts = [&choice.cond_expr, &choice.true_expr, &choice.false_expr];
                self.sum(parts.into_iter(), depth)
            }
            Expression::Operation(operation) => match operation.as_ref() {
                Operation::Unary(one) => {
                    self.is_rewritten |= one.operator == UnaryOperator::Neg;
                    self.of(&one.expr, depth)
                }
                Operation::Binary(two) => {
                    self.is_rewritten |= arithmetic::computes(two.operator);
                    self.sum([&two.lhs_expr, &two.rhs_expr].into_iter(), depth)
                }
            },
            Expression::ForExpr(repeated) => self.repeated(repeated, depth),
            _ => 0,
        };
        bytes.saturating_add(LEAST)
    }

    fn sum<'e>(&mut self, all: impl Iterator<Item = &'e Expression>, depth: usize) -> usize {
        all.fold(0, |bytes: usize, one| bytes.saturating_add(self.of(one, depth)))
    }

    /// `var.NAME`, `local.NAME`, or something that a loop or repetition names.
    fn root(&mut self, root: &str, member: Option<&str>) -> usize {
        if let Some((_, bytes)) = self.loops.iter().rev().find(|(name, _)| name == root) {
            return *bytes;
        }
        let names = self.names;
        if let Some((_, own)) = names.own.iter().rev().find(|(name, _)| name.as_str() == root) {
            return own.bytes;
        }
        let (all, wanted) = match root {
            "var" => (&names.variables, &mut self.variables),
            "local" => (&names.locals, &mut self.locals),
            _ => return 0,
        };
        self.reads = self.reads.saturating_add(self.times);
        match member {
            Some(member) => all.get_key_value(member).map_or(0, |(name, one)| {
                wanted.insert(name);
                one.bytes
            }),
            None => all.iter().fold(0, |bytes, (name, one)| {
                wanted.insert(name);
                bytes.saturating_add(one.bytes)
            }),
        }
    }

    fn traversal(&mut self, traversal: &Traversal, depth: usize) -> usize {
        let mut bytes = match (&traversal.expr, traversal.operators.first()) {
            (Expression::Variable(name), Some(TraversalOperator::GetAttr(member))) => {
                self.root(name.as_str(), Some(member.as_str()))
            }
            (Expression::Variable(name), _) => self.root(name.as_str(), None),
            (other, _) => self.of(other, depth),
        };
        for operator in &traversal.operators {
            if let TraversalOperator::Index(index) = operator {
                bytes = bytes.saturating_add(self.of(index, depth));
            }
        }
        bytes
    }

    fn template(&mut self, template: &Template, depth: usize) -> usize {
        let Some(depth) = depth.checked_sub(1) else { return usize::MAX };
        let mut bytes = 0usize;
        for element in template.elements() {
            bytes = bytes.saturating_add(match element {
                Element::Literal(text) => text.len(),
                // Numbers and texts are as long as they are; escapes are worked out once more.
                Element::Interpolation(inner) => self.of(&inner.expr, depth),
                Element::Directive(directive) => match directive.as_ref() {
                    Directive::If(choice) => {
                        let mut bytes = self.of(&choice.cond_expr, depth);
                        bytes = bytes.saturating_add(self.template(&choice.true_template, depth));
                        let other = choice.false_template.as_ref();
                        bytes.saturating_add(other.map_or(0, |it| self.template(it, depth)))
                    }
                    Directive::For(repeated) => {
                        let names = [repeated.key_var.as_ref(), Some(&repeated.value_var)];
                        self.each(&repeated.collection_expr, names, depth, |cost| {
                            cost.template(&repeated.template, depth)
                        })
                    }
                },
            });
        }
        bytes
    }

    fn repeated(&mut self, repeated: &ForExpr, depth: usize) -> usize {
        let names = [repeated.key_var.as_ref(), Some(&repeated.value_var)];
        self.each(&repeated.collection_expr, names, depth, |cost| {
            let parts = [
                Some(&repeated.value_expr),
                repeated.key_expr.as_ref(),
                repeated.cond_expr.as_ref(),
            ];
            cost.sum(parts.into_iter().flatten(), depth)
        })
    }

    /// Something for each element of a collection: as often as it has elements, if that can be told, and else
    /// as often as there could be some in its bytes.
    fn each(
        &mut self,
        collection: &Expression,
        names: [Option<&Identifier>; 2],
        depth: usize,
        body: impl FnOnce(&mut Self) -> usize,
    ) -> usize {
        let bytes = self.of(collection, depth);
        let (count, largest) = if self.loops.is_empty() {
            match self.names.evaluate(collection) {
                Some(hcl::Value::Array(items)) => (items.len(), items.iter().map(size).max()),
                Some(hcl::Value::Object(members)) => {
                    let largest = members.iter().map(|(key, value)| key.len() + size(value)).max();
                    (members.len(), largest)
                }
                // It fails before the first element.
                _ => return bytes,
            }
        } else {
            (bytes / LEAST, Some(bytes))
        };
        let (loops, times) = (self.loops.len(), self.times);
        for name in names.into_iter().flatten() {
            self.loops.push((name.as_str().to_owned(), largest.unwrap_or_default()));
        }
        self.times = self.times.saturating_mul(count);
        let one = body(self).saturating_add(largest.unwrap_or_default());
        self.times = times;
        self.loops.truncate(loops);
        bytes.saturating_add(one.saturating_mul(count))
    }
}

/// About how many bytes a value takes.
pub(super) fn size(value: &hcl::Value) -> usize {
    LEAST
        + match value {
            hcl::Value::String(text) => text.len(),
            hcl::Value::Array(items) => items.iter().map(size).sum(),
            hcl::Value::Object(members) => {
                members.iter().map(|(key, value)| key.len() + LEAST + size(value)).sum()
            }
            _ => 0,
        }
}

fn declare(context: &mut Context<'_>) {
    declare_functions(context);
    arithmetic::declare(context);
    for (name, body) in [
        ("toset", same as fn(FuncArgs) -> Result<hcl::Value, String>),
        ("tolist", same),
        ("tomap", same),
        ("tonumber", same),
        ("lower", |arguments| cased(&arguments, str::to_lowercase)),
        ("upper", |arguments| cased(&arguments, str::to_uppercase)),
        ("length", length),
        ("keys", keys),
        ("values", values),
    ] {
        context.declare_func(name, FuncDef::builder().param(ParamType::Any).build(body));
    }
    for (name, body) in
        [("concat", concat as fn(FuncArgs) -> Result<hcl::Value, String>), ("merge", merge)]
    {
        context.declare_func(name, FuncDef::builder().variadic_param(ParamType::Any).build(body));
    }
}

fn same(arguments: FuncArgs) -> Result<hcl::Value, String> {
    Ok(arguments[0].clone())
}

fn cased(arguments: &FuncArgs, case: fn(&str) -> String) -> Result<hcl::Value, String> {
    let text = arguments[0].as_str().ok_or("no text")?;
    Ok(case(text).into())
}

fn length(arguments: FuncArgs) -> Result<hcl::Value, String> {
    match &arguments[0] {
        hcl::Value::Array(items) => Ok(items.len().into()),
        hcl::Value::Object(members) => Ok(members.len().into()),
        hcl::Value::String(text) => Ok(text.chars().count().into()),
        _ => Err("no length".to_owned()),
    }
}

fn keys(arguments: FuncArgs) -> Result<hcl::Value, String> {
    let members = arguments[0].as_object().ok_or("no map")?;
    let mut keys: Vec<&String> = members.keys().collect();
    keys.sort();
    Ok(hcl::Value::Array(keys.into_iter().map(|key| key.as_str().into()).collect()))
}

fn values(arguments: FuncArgs) -> Result<hcl::Value, String> {
    let members = arguments[0].as_object().ok_or("no map")?;
    let mut members: Vec<(&String, &hcl::Value)> = members.iter().collect();
    members.sort_by_key(|(key, _)| *key);
    Ok(hcl::Value::Array(members.into_iter().map(|(_, value)| value.clone()).collect()))
}

fn concat(arguments: FuncArgs) -> Result<hcl::Value, String> {
    let mut all = Vec::new();
    for argument in arguments.iter() {
        all.extend(argument.as_array().ok_or("no list")?.iter().cloned());
    }
    Ok(hcl::Value::Array(all))
}

fn merge(arguments: FuncArgs) -> Result<hcl::Value, String> {
    let mut all = Map::new();
    for argument in arguments.iter() {
        let members = argument.as_object().ok_or("no map")?;
        all.extend(members.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Ok(hcl::Value::Object(all))
}
