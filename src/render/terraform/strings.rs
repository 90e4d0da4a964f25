//! Terraform strings are Unicode text in normal form C; search strings are bytes.

use unicode_normalization::is_nfc;

use super::super::Error;
use crate::stack::Stack;
use crate::wafv2::{Rule, Statement};

/// Refuses search strings that Terraform would change on the way: the rule would never match.
pub(super) fn check(stack: &Stack) -> Result<(), Error> {
    let guard = stack.guard.iter().flat_map(|guard| &guard.web_acl.rules);
    let mut rules = stack.rules().chain(guard);
    rules.try_for_each(|rule| check_statement(rule, &rule.statement))
}

fn check_statement(rule: &Rule, statement: &Statement) -> Result<(), Error> {
    let all = |parts: &[Statement]| parts.iter().try_for_each(|part| check_statement(rule, part));
    match statement {
        Statement::RateBased(rate) => match rate.scope_down_statement.as_deref() {
            Some(scope_down) => check_statement(rule, scope_down),
            None => Ok(()),
        },
        Statement::And(inner) => all(&inner.statements),
        Statement::Or(inner) => all(&inner.statements),
        Statement::Not(inner) => check_statement(rule, &inner.statement),
        Statement::IpSetReference(_) => Ok(()),
        Statement::RegexMatch(inner) => check_text(rule, &inner.regex_string),
        Statement::ByteMatch(inner) => match std::str::from_utf8(inner.search_string.bytes()) {
            Ok(text) => check_text(rule, text),
            Err(_) => Err(Error::NotText {
                rule: rule.name.clone(),
                text: inner.search_string.bytes().escape_ascii().to_string(),
            }),
        },
    }
}

fn check_text(rule: &Rule, text: &str) -> Result<(), Error> {
    if is_nfc(text) {
        return Ok(());
    }
    Err(Error::NotNormal { rule: rule.name.clone(), text: text.escape_unicode().to_string() })
}
