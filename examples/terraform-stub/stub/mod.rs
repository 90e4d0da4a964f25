//! A Terraform provider that knows only a schema: enough for `validate`, `plan` and a pretended
//! `apply`, without AWS, without a network and for any version of a provider.

pub mod behaviour;
mod change;
pub mod schema;
mod server;
mod validate;
mod value;
mod wire;

pub use behaviour::Behaviour;
pub use schema::Provider;
pub use server::{Stub, serve};

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
