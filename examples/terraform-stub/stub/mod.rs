//! A Terraform provider that knows only a schema: enough for `validate`, `plan` and a pretended
//! `apply`, without AWS, without a network and for any version of a provider.

#![allow(unused_imports, reason = "the tests and the example use different parts")]

mod behaviour;
mod change;
mod schema;
mod server;
mod validate;
mod value;
mod wire;

pub use behaviour::Behaviour;
pub use schema::{Block, Mode, Provider};
pub use server::{Stub, serve};
pub use value::Value;

/// The member of `TF_REATTACH_PROVIDERS` for a stub that this process serves.
pub fn reattach(address: std::net::SocketAddr) -> serde_json::Value {
    serde_json::json!({
        "Protocol": "grpc",
        "ProtocolVersion": 6,
        "Pid": std::process::id(),
        "Test": true,
        "Addr": {"Network": "tcp", "String": address.to_string()},
    })
}
