//! Numbers of a configuration, worked out as Terraform does or not at all. The library panics at `5 % 0` and wraps
//! around beyond 64 bits, so its operators never see a number: they become calls of the functions below, which
//! fail for what cannot be told exactly. A failed call is a value that is not known, as any other one is.

use hcl::eval::{Context, FuncArgs, FuncDef, ParamType};
use hcl::expr::{
    BinaryOperator, Conditional, ForExpr, FuncCall, FuncName, Operation, Traversal,
    TraversalOperator, UnaryOperator,
};
use hcl::template::{Element, Strip, Template};
use hcl::{Expression, Number, ObjectKey};

use super::names::Names;

/// Where our own functions live: no function of Terraform's or of a provider has this namespace.
const NAMESPACE: &str = "ratewaf";
/// Whole numbers beyond this are not exact as floating-point numbers.
const EXACT: i128 = 1 << 53;

/// Whether an operator works out a number.
pub(super) const fn computes(operator: BinaryOperator) -> bool {
    function(operator).is_some()
}

const fn function(operator: BinaryOperator) -> Option<&'static str> {
    match operator {
        BinaryOperator::Plus => Some("add"),
        BinaryOperator::Minus => Some("subtract"),
        BinaryOperator::Mul => Some("multiply"),
        BinaryOperator::Div => Some("divide"),
        BinaryOperator::Mod => Some("remainder"),
        _ => None,
    }
}

/// The functions that an expression calls once it is [`rewritten`].
pub(super) fn declare(context: &mut Context<'_>) {
    type Function = fn(FuncArgs) -> Result<hcl::Value, String>;
    let functions: [(&str, Function); 5] = [
        ("add", |numbers| of_two(&numbers, add)),
        ("subtract", |numbers| of_two(&numbers, subtract)),
        ("multiply", |numbers| of_two(&numbers, multiply)),
        ("divide", |numbers| of_two(&numbers, divide)),
        ("remainder", |numbers| of_two(&numbers, remainder)),
    ];
    for (name, body) in functions {
        let definition = FuncDef::builder().params([ParamType::Number, ParamType::Number]);
        context.declare_func(named(name), definition.build(body));
    }
    let text = FuncDef::builder().variadic_param(ParamType::Any).build(text);
    context.declare_func(named("text"), text);
}

fn named(name: &str) -> FuncName {
    FuncName::new(name).with_namespace([NAMESPACE])
}

fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    let mut call = FuncCall::new(named(name));
    call.args = arguments;
    Expression::from(call)
}

/// The same expression without operators that work out numbers, and with the texts of files that are known. It has to
/// be one whose cost was found bearable: how deep it goes is not looked at again.
pub(super) fn rewritten(expression: &Expression, names: &Names) -> Expression {
    Writer { names, is_in_loop: false }.expression(expression)
}

#[derive(Clone, Copy)]
struct Writer<'a> {
    names: &'a Names,
    /// A loop's names may hide those that are known here.
    is_in_loop: bool,
}

impl Writer<'_> {
    fn expression(self, expression: &Expression) -> Expression {
        let of = |one: &Expression| self.expression(one);
        match expression {
            Expression::Array(items) => Expression::Array(items.iter().map(of).collect()),
            Expression::Object(members) => Expression::Object(
                members
                    .iter()
                    .map(|(key, value)| {
                        let key = match key {
                            ObjectKey::Expression(key) => ObjectKey::Expression(of(key)),
                            other => other.clone(),
                        };
                        (key, of(value))
                    })
                    .collect(),
            ),
            Expression::TemplateExpr(text) => match Template::from_expr(text) {
                Ok(template) => self.template(&template).unwrap_or_else(|| expression.clone()),
                Err(_) => expression.clone(),
            },
            Expression::Traversal(traversal) => {
                let operators = traversal.operators.iter().map(|operator| match operator {
                    TraversalOperator::Index(index) => TraversalOperator::Index(of(index)),
                    other => other.clone(),
                });
                Traversal::new(of(&traversal.expr), operators).into()
            }
            Expression::FuncCall(written) => {
                if let Some(text) = self.file(written) {
                    return Expression::String(text);
                }
                let mut written = (**written).clone();
                written.args = written.args.iter().map(of).collect();
                Expression::from(written)
            }
            Expression::Parenthesis(inner) => Expression::Parenthesis(Box::new(of(inner))),
            Expression::Conditional(choice) => Conditional::new(
                of(&choice.cond_expr),
                of(&choice.true_expr),
                of(&choice.false_expr),
            )
            .into(),
            Expression::Operation(operation) => self.operation(operation),
            Expression::ForExpr(repeated) => self.repeated(repeated).into(),
            other => other.clone(),
        }
    }

    fn operation(self, operation: &Operation) -> Expression {
        match operation {
            Operation::Unary(one) => {
                let inner = self.expression(&one.expr);
                match one.operator {
                    UnaryOperator::Neg => call("subtract", vec![0.into(), inner]),
                    UnaryOperator::Not => {
                        let not = hcl::expr::UnaryOp::new(one.operator, inner);
                        Expression::from(Operation::from(not))
                    }
                }
            }
            Operation::Binary(two) => {
                let (left, right) =
                    (self.expression(&two.lhs_expr), self.expression(&two.rhs_expr));
                match function(two.operator) {
                    Some(name) => call(name, vec![left, right]),
                    None => {
                        let same = hcl::expr::BinaryOp::new(left, two.operator, right);
                        Expression::from(Operation::from(same))
                    }
                }
            }
        }
    }

    fn repeated(self, repeated: &ForExpr) -> ForExpr {
        let inside = Self { is_in_loop: true, ..self };
        let mut repeated = repeated.clone();
        repeated.collection_expr = self.expression(&repeated.collection_expr);
        repeated.value_expr = inside.expression(&repeated.value_expr);
        repeated.key_expr = repeated.key_expr.map(|key| inside.expression(&key));
        repeated.cond_expr = repeated.cond_expr.map(|condition| inside.expression(&condition));
        repeated
    }

    /// A text with numbers in it that are worked out; `None` if there are none. What has directives (`%{if}`) or strips
    /// white space as well is not known: nobody computes a limit there.
    fn template(self, template: &Template) -> Option<Expression> {
        let mut parts = Vec::new();
        let mut is_other = false;
        let mut is_plain = true;
        for element in template.elements() {
            match element {
                Element::Literal(text) => parts.push(Expression::String(text.clone())),
                Element::Interpolation(inner) => {
                    let part = self.expression(&inner.expr);
                    is_other |= part != inner.expr;
                    is_plain &= inner.strip == Strip::None;
                    parts.push(part);
                }
                Element::Directive(directive) => {
                    is_other |= self.changes(directive);
                    is_plain = false;
                }
            }
        }
        match parts.as_slice() {
            _ if !is_other => None,
            _ if !is_plain => Some(call("unknown", Vec::new())),
            // `"${5 + 5}"` is a number.
            [one] => Some(one.clone()),
            _ => Some(call("text", parts)),
        }
    }

    /// Whether something in a directive would have to be written otherwise.
    fn changes(self, directive: &hcl::template::Directive) -> bool {
        use hcl::template::Directive;
        let other = |expression: &Expression| self.expression(expression) != *expression;
        match directive {
            Directive::If(choice) => {
                other(&choice.cond_expr)
                    || self.template(&choice.true_template).is_some()
                    || choice.false_template.as_ref().is_some_and(|it| self.template(it).is_some())
            }
            Directive::For(repeated) => {
                let inside = Self { is_in_loop: true, ..self };
                other(&repeated.collection_expr) || inside.template(&repeated.template).is_some()
            }
        }
    }

    /// What `file("…")` reads.
    fn file(self, call: &FuncCall) -> Option<String> {
        let [path] = call.args.as_slice() else { return None };
        if !is_file(call) || self.is_in_loop {
            return None;
        }
        self.names.file(path).and_then(Result::ok)
    }
}

/// Whether it is Terraform's `file`.
pub(super) fn is_file(call: &FuncCall) -> bool {
    call.name.namespace.is_empty() && call.name.name.as_str() == "file" && call.args.len() == 1
}

fn text(parts: FuncArgs) -> Result<hcl::Value, String> {
    let parts = parts.iter().map(|part| match part {
        hcl::Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    Ok(parts.collect::<String>().into())
}

/// A number as it is worked with.
#[derive(Clone, Copy)]
enum Exact {
    Whole(i128),
    Broken(f64),
}

fn of_two(
    numbers: &[hcl::Value],
    work: fn(Exact, Exact) -> Option<Exact>,
) -> Result<hcl::Value, String> {
    let number = |place: usize| numbers.get(place).and_then(|one| one.as_number()).map(exact);
    let result = number(0).zip(number(1)).and_then(|(left, right)| work(left, right));
    let number = match result {
        Some(Exact::Whole(whole)) => u64::try_from(whole)
            .map(Number::from)
            .or_else(|_| i64::try_from(whole).map(Number::from))
            .ok(),
        Some(Exact::Broken(broken)) => Number::from_f64(broken),
        None => None,
    };
    number.map(hcl::Value::from).ok_or_else(|| "cannot be told exactly".to_owned())
}

fn exact(number: &Number) -> Exact {
    let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    whole.map_or_else(|| Exact::Broken(number.as_f64().unwrap_or(f64::NAN)), Exact::Whole)
}

/// As floating-point numbers, if both are exact ones.
fn broken(left: Exact, right: Exact) -> Option<(f64, f64)> {
    #[expect(clippy::cast_precision_loss, reason = "not below EXACT")]
    let broken = |number| match number {
        Exact::Whole(whole) => (whole.abs() <= EXACT).then_some(whole as f64),
        Exact::Broken(broken) => Some(broken),
    };
    Some((broken(left)?, broken(right)?))
}

fn add(left: Exact, right: Exact) -> Option<Exact> {
    if let (Exact::Whole(left), Exact::Whole(right)) = (left, right) {
        return left.checked_add(right).map(Exact::Whole);
    }
    broken(left, right).map(|(left, right)| Exact::Broken(left + right))
}

fn subtract(left: Exact, right: Exact) -> Option<Exact> {
    if let (Exact::Whole(left), Exact::Whole(right)) = (left, right) {
        return left.checked_sub(right).map(Exact::Whole);
    }
    broken(left, right).map(|(left, right)| Exact::Broken(left - right))
}

fn multiply(left: Exact, right: Exact) -> Option<Exact> {
    if let (Exact::Whole(left), Exact::Whole(right)) = (left, right) {
        return left.checked_mul(right).map(Exact::Whole);
    }
    broken(left, right).map(|(left, right)| Exact::Broken(left * right))
}

fn divide(left: Exact, right: Exact) -> Option<Exact> {
    if let (Exact::Whole(left), Exact::Whole(right)) = (left, right)
        && left.checked_rem(right)? == 0
    {
        return left.checked_div(right).map(Exact::Whole);
    }
    broken(left, right).map(|(left, right)| Exact::Broken(left / right))
}

/// The sign is that of what is divided, as in Terraform.
fn remainder(left: Exact, right: Exact) -> Option<Exact> {
    if let (Exact::Whole(left), Exact::Whole(right)) = (left, right) {
        return left.checked_rem(right).map(Exact::Whole);
    }
    broken(left, right).map(|(left, right)| Exact::Broken(left % right))
}
