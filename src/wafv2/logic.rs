//! Building logic that is as flat as it can be: AWS refuses `and` and `or` with one part, and
//! Terraform's blocks end after two levels in a scope-down.

use super::statement::{AndStatement, NotStatement, OrStatement, Statement};

/// The first and all of `more`, with nested `and`s opened up; alone, the first stands for itself.
#[must_use]
pub fn all(first: Statement, more: Vec<Statement>) -> Statement {
    let mut flat = Vec::with_capacity(1 + more.len());
    let mut add = |part| match part {
        Statement::And(inner) => flat.extend(inner.statements),
        // Not (a or b) is (not a) and (not b): one level less here.
        Statement::Not(inner) => match *inner.statement {
            Statement::Or(either) => flat.extend(either.statements.into_iter().map(not)),
            other => flat.push(not(other)),
        },
        other => flat.push(other),
    };
    if more.is_empty() {
        return first;
    }
    add(first);
    more.into_iter().for_each(add);
    Statement::And(AndStatement { statements: flat })
}

/// Any of `parts`, with nested `or`s opened up. One part stands for itself; `None` if there is none,
/// which means no request.
#[must_use]
pub fn any(parts: Vec<Statement>) -> Option<Statement> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Statement::Or(inner) => flat.extend(inner.statements),
            // Not (a and b) is (not a) or (not b).
            Statement::Not(inner) => match *inner.statement {
                Statement::And(both) => flat.extend(both.statements.into_iter().map(not)),
                other => flat.push(not(other)),
            },
            other => flat.push(other),
        }
    }
    if flat.len() < 2 { flat.pop() } else { Some(Statement::Or(OrStatement { statements: flat })) }
}

/// The opposite; twice is nothing.
#[must_use]
pub fn not(statement: Statement) -> Statement {
    match statement {
        Statement::Not(inner) => *inner.statement,
        other => Statement::Not(NotStatement { statement: Box::new(other) }),
    }
}

/// How many `and`, `or` and `not` lie inside each other at the deepest place. A rate-based statement
/// starts anew: its scope-down is counted by itself.
#[must_use]
pub fn levels(statement: &Statement) -> usize {
    match statement {
        Statement::And(inner) => 1 + inner.statements.iter().map(levels).max().unwrap_or(0),
        Statement::Or(inner) => 1 + inner.statements.iter().map(levels).max().unwrap_or(0),
        Statement::Not(inner) => 1 + levels(&inner.statement),
        Statement::RateBased(_)
        | Statement::ByteMatch(_)
        | Statement::RegexMatch(_)
        | Statement::IpSetReference(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ip_set::Arn;
    use super::super::statement::IpSetReferenceStatement;
    use super::*;

    fn leaf(name: &str) -> Statement {
        Statement::IpSetReference(IpSetReferenceStatement {
            arn: Arn::of_ip_set(name),
            forwarded_ip_config: None,
        })
    }

    #[test]
    fn logic_is_flat() {
        assert_eq!(all(leaf("a"), vec![]), leaf("a"));
        assert_eq!(any(vec![leaf("a")]), Some(leaf("a")));
        assert_eq!(any(vec![]), None);
        assert_eq!(not(not(leaf("a"))), leaf("a"));
        let either = any(vec![leaf("b"), leaf("c")]).unwrap();
        let nested = all(leaf("a"), vec![not(either.clone())]);
        assert_eq!(nested, all(leaf("a"), vec![not(leaf("b")), not(leaf("c"))]));
        assert_eq!(levels(&nested), 2);
        assert_eq!(levels(&leaf("a")), 0);
        assert_eq!(levels(&all(leaf("a"), vec![either.clone()])), 2);
        let both = all(leaf("a"), vec![leaf("b")]);
        assert_eq!(levels(&all(leaf("x"), vec![both.clone()])), 1);
        assert_eq!(any(vec![either, leaf("d")]).map(|either| levels(&either)), Some(1));
        let neither = any(vec![leaf("x"), not(both)]);
        assert_eq!(neither, any(vec![leaf("x"), not(leaf("a")), not(leaf("b"))]));
    }
}
