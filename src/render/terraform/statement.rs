//! Statements as blocks.

use super::super::hcl::{Content, number, reference, text};
use super::Stack;
use crate::wafv2::{FieldToMatch, Statement, TextTransformation};

/// Writes the one block of a statement. `rule` names the locals that hold the limit and the window.
pub(super) fn write(stack: &Stack<'_>, rule: &str, statement: &Statement, block: &mut Content) {
    let nested = |block: &mut Content, name: &str, part: &Statement| {
        block.block(name, &[], |block| write(stack, rule, part, block));
    };
    match statement {
        Statement::RateBased(rate) => block.block("rate_based_statement", &[], |block| {
            let label = stack.labels.of(rule);
            block.attribute("limit", reference(&["local", &format!("{label}_limit")]));
            let window = format!("{label}_window");
            block.attribute("evaluation_window_sec", reference(&["local", &window]));
            block.attribute("aggregate_key_type", text(rate.aggregate_key_type.api_name()));
            if let Some(scope_down) = &rate.scope_down_statement {
                nested(block, "scope_down_statement", scope_down);
            }
        }),
        Statement::And(inner) => block.block("and_statement", &[], |block| {
            inner.statements.iter().for_each(|part| nested(block, "statement", part));
        }),
        Statement::Or(inner) => block.block("or_statement", &[], |block| {
            inner.statements.iter().for_each(|part| nested(block, "statement", part));
        }),
        Statement::Not(inner) => block.block("not_statement", &[], |block| {
            nested(block, "statement", &inner.statement);
        }),
        Statement::ByteMatch(inner) => block.block("byte_match_statement", &[], |block| {
            block.attribute("positional_constraint", text(inner.positional_constraint.api_name()));
            // Checked before: it is text. Terraform wants it plain; the provider encodes it.
            block.attribute(
                "search_string",
                text(String::from_utf8_lossy(inner.search_string.bytes())),
            );
            field(&inner.field_to_match, block);
            transformations(&inner.text_transformations, block);
        }),
        Statement::RegexMatch(inner) => block.block("regex_match_statement", &[], |block| {
            block.attribute("regex_string", text(&inner.regex_string));
            field(&inner.field_to_match, block);
            transformations(&inner.text_transformations, block);
        }),
        Statement::IpSetReference(inner) => {
            block.block("ip_set_reference_statement", &[], |block| {
                // A set of ours by reference: its ARN is never put together by hand.
                let arn = match inner.arn.ip_set_name() {
                    Some(name) => reference(&["aws_wafv2_ip_set", stack.labels.of(name), "arn"]),
                    None => text(&inner.arn.0),
                };
                block.attribute("arn", arn);
            });
        }
    }
}

fn field(field: &FieldToMatch, block: &mut Content) {
    block.block("field_to_match", &[], |block| match field {
        FieldToMatch::UriPath {} => block.block("uri_path", &[], |_| {}),
        FieldToMatch::Method {} => block.block("method", &[], |_| {}),
        FieldToMatch::QueryString {} => block.block("query_string", &[], |_| {}),
        FieldToMatch::SingleHeader { name } => {
            block.block("single_header", &[], |block| block.attribute("name", text(name)));
        }
    });
}

fn transformations(list: &[TextTransformation], block: &mut Content) {
    for one in list {
        block.block("text_transformation", &[], |block| {
            block.attribute("priority", number(one.priority));
            block.attribute("type", text(one.kind.api_name()));
        });
    }
}
