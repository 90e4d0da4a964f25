//! The messages of Terraform's plugin protocol 6 that a provider without functions and ephemeral
//! resources exchanges: `tfplugin6.proto`, package `tfplugin6`. Members that nobody here looks at are
//! left out; protobuf skips them.

use std::collections::HashMap;

use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, skip_field};
use prost::{DecodeError, Enumeration, Message, Oneof};

/// A value in `MessagePack`, as cty writes it.
#[derive(Clone, PartialEq, Message)]
pub struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub msgpack: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub json: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub enum Severity {
    Invalid = 0,
    Error = 1,
}

#[derive(Clone, PartialEq, Message)]
pub struct Diagnostic {
    #[prost(enumeration = "Severity", tag = "1")]
    pub severity: i32,
    #[prost(string, tag = "2")]
    pub summary: String,
    #[prost(string, tag = "3")]
    pub detail: String,
    #[prost(message, optional, tag = "4")]
    pub attribute: Option<AttributePath>,
}

#[derive(Clone, PartialEq, Message)]
pub struct AttributePath {
    #[prost(message, repeated, tag = "1")]
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Step {
    #[prost(oneof = "Selector", tags = "1, 2, 3")]
    pub selector: Option<Selector>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Selector {
    #[prost(string, tag = "1")]
    Attribute(String),
    #[prost(string, tag = "2")]
    Key(String),
    #[prost(int64, tag = "3")]
    Index(i64),
}

#[derive(Clone, PartialEq, Message)]
pub struct Schema {
    #[prost(int64, tag = "1")]
    pub version: i64,
    #[prost(message, optional, tag = "2")]
    pub block: Option<Block>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Block {
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<Attribute>,
    #[prost(message, repeated, tag = "3")]
    pub block_types: Vec<NestedBlock>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type as JSON.
    #[prost(bytes = "vec", tag = "2")]
    pub kind: Vec<u8>,
    #[prost(bool, tag = "4")]
    pub required: bool,
    #[prost(bool, tag = "5")]
    pub optional: bool,
    #[prost(bool, tag = "6")]
    pub computed: bool,
    #[prost(bool, tag = "7")]
    pub sensitive: bool,
    #[prost(bool, tag = "11")]
    pub write_only: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct NestedBlock {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub block: Option<Block>,
    #[prost(enumeration = "Nesting", tag = "3")]
    pub nesting: i32,
    #[prost(int64, tag = "4")]
    pub min_items: i64,
    #[prost(int64, tag = "5")]
    pub max_items: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub enum Nesting {
    Invalid = 0,
    Single = 1,
    List = 2,
    Set = 3,
}

/// A request without members that matter here.
#[derive(Clone, PartialEq, Message)]
pub struct Nothing {}

#[derive(Clone, PartialEq, Message)]
pub struct SchemaResponse {
    #[prost(message, optional, tag = "1")]
    pub provider: Option<Schema>,
    #[prost(map = "string, message", tag = "2")]
    pub resource_schemas: HashMap<String, Schema>,
    #[prost(map = "string, message", tag = "3")]
    pub data_source_schemas: HashMap<String, Schema>,
    #[prost(message, optional, tag = "6")]
    pub server_capabilities: Option<ServerCapabilities>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ServerCapabilities {
    /// Whether Terraform may ask for the schema once a command, not once a provider configuration.
    #[prost(bool, tag = "2")]
    pub get_provider_schema_optional: bool,
}

/// `ValidateProviderConfig.Response`; the others have their diagnostics under another number.
#[derive(Clone, PartialEq, Message)]
pub struct ProviderDiagnostics {
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The response of `ValidateResourceConfig`, `ValidateDataResourceConfig` and `ConfigureProvider`.
#[derive(Clone, PartialEq, Message)]
pub struct Diagnostics {
    #[prost(message, repeated, tag = "1")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The request of `ValidateResourceConfig`, `ValidateDataResourceConfig` and `ReadDataSource`.
#[derive(Clone, PartialEq, Message)]
pub struct Configuration {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub config: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct RawState {
    #[prost(bytes = "vec", tag = "1")]
    pub json: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct UpgradeRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "3")]
    pub raw_state: Option<RawState>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub current_state: Option<DynamicValue>,
}

/// The response of `UpgradeResourceState`, `ReadResource` and `ReadDataSource`.
#[derive(Clone, PartialEq, Message)]
pub struct State {
    #[prost(message, optional, tag = "1")]
    pub state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The request of `PlanResourceChange` and, with what was planned in the place of what is proposed, of
/// `ApplyResourceChange`.
#[derive(Clone, PartialEq, Message)]
pub struct ChangeRequest {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(message, optional, tag = "2")]
    pub prior_state: Option<DynamicValue>,
    #[prost(message, optional, tag = "3")]
    pub new_state: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PlanResponse {
    #[prost(message, optional, tag = "1")]
    pub planned_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "2")]
    pub requires_replace: Vec<AttributePath>,
    #[prost(message, repeated, tag = "4")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(bool, tag = "5")]
    pub legacy_type_system: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct ApplyResponse {
    #[prost(message, optional, tag = "1")]
    pub new_state: Option<DynamicValue>,
    #[prost(message, repeated, tag = "3")]
    pub diagnostics: Vec<Diagnostic>,
    #[prost(bool, tag = "4")]
    pub legacy_type_system: bool,
}

/// `StopProvider.Response`.
#[derive(Clone, PartialEq, Message)]
pub struct Stopped {
    #[prost(string, tag = "1")]
    pub error: String,
}

/// A message that is encoded already: the schema is the same at every command, and large.
#[derive(Clone, Debug, Default)]
pub struct Encoded(pub Vec<u8>);

impl Message for Encoded {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        buffer.put_slice(&self.0);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        kind: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        skip_field(kind, tag, buffer, context)
    }

    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
