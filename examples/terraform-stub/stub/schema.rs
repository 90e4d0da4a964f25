//! A provider's schema, as `terraform providers schema -json` prints it and
//! `tests/fixtures/provider-schemas/cut.py` cuts it down.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;

use super::wire;

/// A provider.
#[derive(Debug, Deserialize)]
pub struct Provider {
    pub provider: Schema,
    pub resource_schemas: BTreeMap<String, Schema>,
    pub data_source_schemas: BTreeMap<String, Schema>,
}

/// A resource, a data source or the provider's own settings.
#[derive(Debug, Default, Deserialize)]
pub struct Schema {
    #[serde(default)]
    pub version: i64,
    pub block: Block,
}

/// What stands between braces.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Block {
    pub attributes: BTreeMap<String, Attribute>,
    #[serde(rename = "block_types")]
    pub blocks: BTreeMap<String, Nested>,
}

/// `name = value`.
#[derive(Debug, Deserialize)]
pub struct Attribute {
    #[serde(rename = "type")]
    pub kind: serde_json::Value,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub optional: bool,
    #[serde(default)]
    pub computed: bool,
    #[serde(default)]
    pub sensitive: bool,
    #[serde(default)]
    pub write_only: bool,
}

/// A block in a block.
#[derive(Debug, Deserialize)]
pub struct Nested {
    #[serde(rename = "nesting_mode")]
    pub mode: Mode,
    pub block: Block,
    #[serde(default)]
    pub min_items: usize,
    /// No bound if 0.
    #[serde(default)]
    pub max_items: usize,
}

/// How often a block may stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Single,
    List,
    Set,
}

impl Provider {
    /// Reads a compressed schema.
    pub fn from_gzip(bytes: &[u8]) -> Result<Self, String> {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes)
            .read_to_string(&mut text)
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    pub fn to_wire(&self) -> wire::SchemaResponse {
        let all = |schemas: &BTreeMap<String, Schema>| {
            schemas.iter().map(|(name, schema)| (name.clone(), schema.to_wire())).collect()
        };
        wire::SchemaResponse {
            provider: Some(self.provider.to_wire()),
            resource_schemas: all(&self.resource_schemas),
            data_source_schemas: all(&self.data_source_schemas),
            server_capabilities: Some(wire::ServerCapabilities {
                get_provider_schema_optional: true,
            }),
        }
    }
}

impl Schema {
    fn to_wire(&self) -> wire::Schema {
        wire::Schema { version: self.version, block: Some(self.block.to_wire()) }
    }
}

impl Block {
    fn to_wire(&self) -> wire::Block {
        let attributes = self.attributes.iter().map(|(name, attribute)| wire::Attribute {
            name: name.clone(),
            kind: attribute.kind.to_string().into_bytes(),
            required: attribute.required,
            optional: attribute.optional,
            computed: attribute.computed,
            sensitive: attribute.sensitive,
            write_only: attribute.write_only,
        });
        let blocks = self.blocks.iter().map(|(name, nested)| wire::NestedBlock {
            type_name: name.clone(),
            block: Some(nested.block.to_wire()),
            nesting: match nested.mode {
                Mode::Single => wire::Nesting::Single,
                Mode::List => wire::Nesting::List,
                Mode::Set => wire::Nesting::Set,
            } as i32,
            min_items: i64::try_from(nested.min_items).unwrap_or(i64::MAX),
            max_items: i64::try_from(nested.max_items).unwrap_or(i64::MAX),
        });
        wire::Block { attributes: attributes.collect(), block_types: blocks.collect() }
    }
}
