//! `statement-shape`: a statement has a shape that AWS refuses.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::Statement;
use crate::checks::shapes::{self, Misfit};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct StatementShape;

const ABOUT: About = About {
    id: "statement-shape",
    title: "A statement has a shape that AWS refuses",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/statement-shape.md"),
};

impl Check for StatementShape {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for rule in context.deployment.acls.iter().flat_map(|acl| &acl.rules) {
            for misfit in shapes::misfits(&rule.raw) {
                // What a rate rule counts by is rate-key-shape's.
                let Some(word) = misfit.word.filter(|_| misfit.member != "AggregateKeyType") else {
                    continue;
                };
                let Misfit { within, member, .. } = misfit;
                let message = format!(
                    "{} has the {member} `{word}` in its {within}, which AWS does not know",
                    rule.title()
                );
                let help = match misfit.meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "write one of the words that the API takes".to_owned(),
                };
                findings.add(rule.place().member(member), message).help(help);
            }
            let mut told: Vec<String> = Vec::new();
            for statement in rule.statement().walk() {
                for fault in faults(statement) {
                    if !told.contains(&fault) {
                        findings
                            .add(
                                rule.place().member("Statement"),
                                format!("{} has {fault}", rule.title()),
                            )
                            .help("AWS refuses it when it is applied");
                        told.push(fault);
                    }
                }
            }
        }
    }
}

/// What AWS refuses of one statement, its parts left aside.
fn faults(statement: Statement<'_>) -> Vec<String> {
    let value = statement.0;
    if marker::is_unknown(value) || marker::is_hidden(value) {
        return Vec::new();
    }
    let kinds = statement.kinds();
    let [kind] = kinds.as_slice() else {
        return vec![match kinds.as_slice() {
            [] => "a statement without a kind".to_owned(),
            several => format!("one statement of several kinds: {}", several.join(", ")),
        }];
    };
    let raw = &value[*kind];
    let parts = statement.parts().len();
    let is_known = |value: &Value| !marker::is_unknown(value) && !marker::is_hidden(value);
    let mut faults = Vec::new();
    match *kind {
        "AndStatement" | "OrStatement" if is_known(&raw["Statements"]) && parts < 2 => {
            let word = if *kind == "AndStatement" { "and" } else { "or" };
            let has = if parts == 1 { "one part" } else { "no part" };
            faults.push(format!("an `{word}` with {has}, and it takes two or more"));
        }
        "NotStatement" if is_known(&raw["Statement"]) && parts != 1 => {
            faults.push(format!("a `not` with {parts} parts, and it takes one"));
        }
        _ => {}
    }
    if !MATCHES.contains(kind) {
        return faults;
    }
    let field = &raw["FieldToMatch"];
    match field.as_object().map(serde_json::Map::len) {
        Some(1) => {}
        Some(0) | None if is_known(field) => {
            faults.push(format!("a {kind} without a field to match"))
        }
        Some(_) if is_known(field) => faults.push(format!("a {kind} with several fields to match")),
        _ => {}
    }
    if raw["PositionalConstraint"] == "CONTAINS_WORD"
        && let Some(text) = Statement::search_text(raw)
        && !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        let what = "takes letters, digits and `_` there only";
        faults.push(format!("CONTAINS_WORD with the text `{text}`, and AWS {what}"));
    }
    let transformations = &raw["TextTransformations"];
    match transformations.as_array() {
        Some(list) if list.is_empty() => {
            faults.push(format!("a {kind} without a transformation (NONE is one)"))
        }
        None if transformations.is_null() => {
            faults.push(format!("a {kind} without a transformation (NONE is one)"))
        }
        Some(list) => {
            let mut priorities: Vec<i64> =
                list.iter().filter_map(|one| one["Priority"].as_i64()).collect();
            priorities.sort_unstable();
            if priorities.windows(2).any(|pair| pair[0] == pair[1]) {
                faults.push(format!("a {kind} with two transformations of one priority"));
            }
        }
        None => {}
    }
    faults
}

/// Statements that look at a field.
const MATCHES: [&str; 6] = [
    "ByteMatchStatement",
    "RegexMatchStatement",
    "RegexPatternSetReferenceStatement",
    "SizeConstraintStatement",
    "SqliMatchStatement",
    "XssMatchStatement",
];
