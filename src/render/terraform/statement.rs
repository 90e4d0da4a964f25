//! Statements as blocks.

use super::super::hcl::{Content, number, text};
use super::Terraform;
use crate::stack::{Attribute, Resource, Value};
use crate::wafv2::{
    CustomKey, FieldToMatch, NamedKey, RateBasedStatement, SearchString, Statement,
    TextTransformation,
};

/// In what a statement stands; the names of some blocks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In a web ACL or a rule group.
    Inline,
    /// In a rule that is a resource of its own.
    Alone,
}

/// Writes the one block of a statement. `rule` is the rule whose numbers it has.
pub(super) fn write(
    terraform: &Terraform<'_>,
    rule: &str,
    statement: &Statement,
    form: Form,
    block: &mut Content,
) {
    let nested = |block: &mut Content, name: &str, part: &Statement| {
        block.block(name, &[], |block| write(terraform, rule, part, form, block));
    };
    match statement {
        Statement::RateBased(rate) => block.block("rate_based_statement", &[], |block| {
            block.attribute("limit", terraform.number(rule, "limit"));
            block.attribute("evaluation_window_sec", terraform.number(rule, "window"));
            block.attribute("aggregate_key_type", text(rate.aggregate_key_type.api_name()));
            keys(rate, form, block);
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
            block.attribute("search_string", search_string(terraform, &inner.search_string));
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
                    Some(name) => Value::arn(Resource::IpSet(name.to_owned())),
                    None => Value::plain(&inner.arn.0),
                };
                block.attribute("arn", terraform.value(&arn));
                if let Some(config) = &inner.forwarded_ip_config {
                    block.block("ip_set_forwarded_ip_config", &[], |block| {
                        let fallback = config.fallback_behavior.api_name();
                        block.attribute("fallback_behavior", text(fallback));
                        block.attribute("header_name", text(&config.header_name));
                        block.attribute("position", text(config.position.api_name()));
                    });
                }
            });
        }
    }
}

/// Terraform wants it plain; the provider encodes it. That it is text was checked before.
fn search_string(terraform: &Terraform<'_>, wanted: &SearchString) -> ::hcl::Expression {
    match wanted {
        SearchString::Bytes(bytes) => text(String::from_utf8_lossy(bytes)),
        SearchString::Secret(name) => {
            terraform.value(&Value::Of(Resource::Secret(name.clone()), Attribute::Value))
        }
    }
}

fn keys(rate: &RateBasedStatement, form: Form, block: &mut Content) {
    let name = match form {
        Form::Inline => "custom_key",
        Form::Alone => "custom_keys",
    };
    for key in &rate.custom_keys {
        block.block(name, &[], |block| custom_key(key, block));
    }
    if let Some(config) = &rate.forwarded_ip_config {
        block.block("forwarded_ip_config", &[], |block| {
            block.attribute("fallback_behavior", text(config.fallback_behavior.api_name()));
            block.attribute("header_name", text(&config.header_name));
        });
    }
}

fn custom_key(key: &CustomKey, block: &mut Content) {
    let named = |key: &NamedKey, block: &mut Content| {
        block.attribute("name", text(&key.name));
        transformations(&key.text_transformations, block);
    };
    match key {
        CustomKey::Ip {} => block.block("ip", &[], |_| {}),
        CustomKey::ForwardedIp {} => block.block("forwarded_ip", &[], |_| {}),
        CustomKey::HttpMethod {} => block.block("http_method", &[], |_| {}),
        CustomKey::Header(key) => block.block("header", &[], |block| named(key, block)),
        CustomKey::Cookie(key) => block.block("cookie", &[], |block| named(key, block)),
        CustomKey::QueryArgument(key) => {
            block.block("query_argument", &[], |block| named(key, block));
        }
        CustomKey::QueryString { text_transformations } => {
            block.block("query_string", &[], |block| transformations(text_transformations, block));
        }
        CustomKey::UriPath { text_transformations } => {
            block.block("uri_path", &[], |block| transformations(text_transformations, block));
        }
        CustomKey::Ja3Fingerprint { fallback_behavior } => {
            block.block("ja3_fingerprint", &[], |block| {
                block.attribute("fallback_behavior", text(fallback_behavior.api_name()));
            });
        }
        CustomKey::Ja4Fingerprint { fallback_behavior } => {
            block.block("ja4_fingerprint", &[], |block| {
                block.attribute("fallback_behavior", text(fallback_behavior.api_name()));
            });
        }
        CustomKey::Asn {} => block.block("asn", &[], |_| {}),
        CustomKey::LabelNamespace { namespace } => {
            block.block("label_namespace", &[], |block| {
                block.attribute("namespace", text(namespace));
            });
        }
    }
}

/// The block of a part of the request.
pub(super) const fn field_kind(field: &FieldToMatch) -> &'static str {
    match field {
        FieldToMatch::UriPath {} => "uri_path",
        FieldToMatch::Method {} => "method",
        FieldToMatch::QueryString {} => "query_string",
        FieldToMatch::SingleHeader { .. } => "single_header",
    }
}

fn field(field: &FieldToMatch, block: &mut Content) {
    block.block("field_to_match", &[], |block| {
        block.block(field_kind(field), &[], |block| {
            if let FieldToMatch::SingleHeader { name } = field {
                block.attribute("name", text(name));
            }
        });
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
