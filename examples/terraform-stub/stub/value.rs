//! Values as Terraform sends them: `MessagePack` of cty, where an extension is an unknown value.

use std::collections::BTreeMap;

use super::schema::{Block, Mode};

/// A value of a configuration or a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    /// Known after apply.
    Unknown,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    /// A list or a set.
    List(Vec<Self>),
    /// An object or a map.
    Map(BTreeMap<String, Self>),
}

impl Value {
    /// Reads what Terraform sent; nothing sent is null.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        if bytes.is_empty() {
            return Ok(Self::Null);
        }
        let mut bytes = bytes;
        let value = rmpv::decode::read_value(&mut bytes).map_err(|error| error.to_string())?;
        Self::from_msgpack(value)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing into memory does not fail.
        let _ = rmpv::encode::write_value(&mut bytes, &self.to_msgpack());
        bytes
    }

    fn from_msgpack(value: rmpv::Value) -> Result<Self, String> {
        Ok(match value {
            rmpv::Value::Nil => Self::Null,
            rmpv::Value::Ext(..) => Self::Unknown,
            rmpv::Value::Boolean(value) => Self::Bool(value),
            rmpv::Value::Integer(value) => {
                let number = value.as_i64().map(serde_json::Number::from);
                Self::Number(number.or_else(|| value.as_u64().map(Into::into)).ok_or("integer")?)
            }
            rmpv::Value::F32(value) => Self::float(f64::from(value))?,
            rmpv::Value::F64(value) => Self::float(value)?,
            rmpv::Value::String(text) => Self::Text(text.into_str().ok_or("a string is no text")?),
            rmpv::Value::Binary(bytes) => {
                Self::Text(String::from_utf8(bytes).map_err(|error| error.to_string())?)
            }
            rmpv::Value::Array(items) => {
                Self::List(items.into_iter().map(Self::from_msgpack).collect::<Result<_, _>>()?)
            }
            rmpv::Value::Map(members) => Self::Map(
                members
                    .into_iter()
                    .map(|(key, value)| {
                        let key = key.as_str().ok_or("a key is no text")?.to_owned();
                        Ok((key, Self::from_msgpack(value)?))
                    })
                    .collect::<Result<_, String>>()?,
            ),
        })
    }

    fn float(value: f64) -> Result<Self, String> {
        serde_json::Number::from_f64(value).map(Self::Number).ok_or_else(|| "no number".to_owned())
    }

    fn to_msgpack(&self) -> rmpv::Value {
        match self {
            Self::Null => rmpv::Value::Nil,
            Self::Unknown => rmpv::Value::Ext(0, vec![0]),
            Self::Bool(value) => (*value).into(),
            Self::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => value.into(),
                (None, Some(value)) => value.into(),
                (None, None) => number.as_f64().unwrap_or_default().into(),
            },
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => rmpv::Value::Array(items.iter().map(Self::to_msgpack).collect()),
            Self::Map(members) => rmpv::Value::Map(
                members
                    .iter()
                    .map(|(key, value)| (key.as_str().into(), value.to_msgpack()))
                    .collect(),
            ),
        }
    }

    pub fn from_json(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(*value),
            serde_json::Value::Number(number) => Self::Number(number.clone()),
            serde_json::Value::String(text) => Self::Text(text.clone()),
            serde_json::Value::Array(items) => {
                Self::List(items.iter().map(Self::from_json).collect())
            }
            serde_json::Value::Object(members) => Self::Map(
                members.iter().map(|(key, value)| (key.clone(), Self::from_json(value))).collect(),
            ),
        }
    }

    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub fn member(&self, name: &str) -> &Self {
        match self {
            Self::Map(members) => members.get(name).unwrap_or(&Self::Null),
            _ => &Self::Null,
        }
    }

    /// The same with every member that the schema has: a state may be older than the schema.
    pub fn complete(&self, block: &Block) -> Self {
        let Self::Map(_) = self else { return self.clone() };
        let attributes =
            block.attributes.keys().map(|name| (name.clone(), self.member(name).clone()));
        let blocks = block.blocks.iter().map(|(name, nested)| {
            let value = match (nested.mode, self.member(name)) {
                (Mode::Single, value) => value.complete(&nested.block),
                (_, value) => Self::List(
                    value.items().iter().map(|item| item.complete(&nested.block)).collect(),
                ),
            };
            (name.clone(), value)
        });
        Self::Map(attributes.chain(blocks).collect())
    }
}
