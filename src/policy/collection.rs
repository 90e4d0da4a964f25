//! Lists, and mappings whose keys are names that people choose.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::names;
use super::problem::Problem;
use super::reader::{Located, Read, Reader};
use super::yaml::{Node, Value};

impl<T: Read> Read for Vec<Located<T>> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let Value::List(items) = &node.value else {
            return reader.wrong_kind(node, "a list");
        };
        let read = |item: &Node| Some(Located { value: T::read(item, reader)?, span: item.span });
        Some(items.iter().filter_map(read).collect())
    }
}

/// A list that has to hold something.
#[derive(Clone, Debug)]
pub struct NonEmpty<T>(pub Vec<Located<T>>);

impl<T: Read> Read for NonEmpty<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        if matches!(&node.value, Value::List(items) if items.is_empty()) {
            let problem = Problem::new("this list is empty").at(node.span).found("nothing in it");
            return reader.refuse(problem.help("add something, or remove the key"));
        }
        Vec::read(node, reader).map(Self)
    }
}

impl<T: JsonSchema> JsonSchema for NonEmpty<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("NonEmpty{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<T>();
        json_schema!({ "type": "array", "items": item, "minItems": 1 })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Values by names that people choose, in the order of the file.
#[derive(Clone, Debug)]
pub struct ByName<T>(pub Vec<(Located<String>, T)>);

impl<T: Read> Read for ByName<T> {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let entries = reader.entries(node, "a mapping from names to values")?;
        let mut out = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let name = names::check(&key.text, key.span, reader);
            let value = T::read(value, reader);
            if let (Some(name), Some(value)) = (name, value) {
                out.push((Located { value: name, span: key.span }, value));
            }
        }
        Some(Self(out))
    }
}

impl<T: JsonSchema> JsonSchema for ByName<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}ByName", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({
            "type": "object",
            "propertyNames": { "pattern": names::PATTERN },
            "additionalProperties": value,
        })
    }
}
