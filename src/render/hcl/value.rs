//! Values, in few words.

use ::hcl::expr::{FuncCall, Traversal, TraversalOperator, Variable};
use ::hcl::{Expression, Identifier, ObjectKey};

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
