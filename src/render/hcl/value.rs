//! Values, in few words.

use ::hcl::expr::{FuncCall, TemplateExpr, Traversal, TraversalOperator, Variable};
use ::hcl::{Expression, Identifier, ObjectKey};

use super::print::atom;
use super::text::quoted;

/// A string without any template in it, whatever it holds.
#[must_use]
pub fn text(text: impl Into<String>) -> Expression {
    Expression::String(text.into())
}

/// A whole number.
#[must_use]
pub fn number(number: impl Into<u64>) -> Expression {
    Expression::Number(number.into().into())
}

/// `a.b.c`, from its parts.
#[must_use]
pub fn reference(parts: &[&str]) -> Expression {
    let Some((first, rest)) = parts.split_first() else {
        return Expression::Null;
    };
    let variable = Variable::sanitized(first);
    if rest.is_empty() {
        return Expression::Variable(variable);
    }
    let operators: Vec<TraversalOperator> =
        rest.iter().map(|part| TraversalOperator::GetAttr(Identifier::sanitized(part))).collect();
    Expression::Traversal(Box::new(Traversal { expr: Expression::Variable(variable), operators }))
}

/// `[…]`.
#[must_use]
pub fn list(items: impl IntoIterator<Item = Expression>) -> Expression {
    Expression::Array(items.into_iter().collect())
}

/// `{ key = value … }`. Keys that are no identifiers are quoted.
#[must_use]
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Expression)>) -> Expression {
    let key = |name: &str| match Identifier::new(name) {
        Ok(identifier) => ObjectKey::Identifier(identifier),
        Err(_) => ObjectKey::Expression(text(name)),
    };
    Expression::Object(members.into_iter().map(|(name, value)| (key(name), value)).collect())
}

/// `function(argument)`.
#[must_use]
pub fn call(function: &str, argument: Expression) -> Expression {
    Expression::FuncCall(Box::new(FuncCall {
        name: Identifier::sanitized(function).into(),
        args: vec![argument],
        expand_final: false,
    }))
}

/// `{}`.
#[must_use]
pub fn map() -> Expression {
    Expression::Object(::hcl::Object::new())
}

/// `format("…", arguments)`. The specification holds `%d` and the like, and no text from outside.
#[must_use]
pub fn format(specification: &str, arguments: impl IntoIterator<Item = Expression>) -> Expression {
    let arguments = std::iter::once(text(specification)).chain(arguments);
    Expression::FuncCall(Box::new(FuncCall {
        name: Identifier::sanitized("format").into(),
        args: arguments.collect(),
        expand_final: false,
    }))
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text: nothing in it is a template, whatever it holds.
    Text(String),
    /// What is put in: a reference.
    Of(Expression),
}

/// `"text${reference}text"`.
#[must_use]
pub fn template(parts: &[Part]) -> Expression {
    let mut source = String::new();
    for part in parts {
        match part {
            Part::Text(text) => {
                let literal = quoted(text);
                source.push_str(&literal[1..literal.len() - 1]);
                // Before what is put in, a `$` would make the text `${…}` of it.
                if source.ends_with('$') {
                    source.pop();
                    source.push_str("\\u0024");
                }
            }
            Part::Of(expression) => {
                source.push_str("${");
                source.push_str(&atom(expression));
                source.push('}');
            }
        }
    }
    Expression::TemplateExpr(Box::new(TemplateExpr::QuotedString(source)))
}
