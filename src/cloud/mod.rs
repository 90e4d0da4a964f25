//! Logs straight from S3: what lies there, and copies of it on this machine, fetched while those that
//! are here already are counted; and the live web ACL, in [`live`]. The only async code.
//!
//! A [`Session`] lists; then it becomes a store of inputs of which each is fetched when its turn comes,
//! or before. What is counted, and in which order, is not known here.

mod bounded;
mod cache;
mod connection;
mod download;
mod error;
mod failure;
mod fetcher;
mod layout;
mod listing;
pub mod live;
mod location;
mod session;
mod walk;

pub use cache::Store;
pub use connection::Options;
pub use error::Error;
pub use listing::{Listing, Object};
pub use location::{Location, is_location};
pub use session::{Fetched, Session};

/// Is told how far the work is, from any thread, and says when to stop.
pub trait Observer: Send + Sync {
    /// So many more objects were looked at in a listing.
    fn listed(&self, objects: u64);

    /// So many more bytes arrived.
    fn fetched(&self, bytes: u64);

    /// So many of the bytes that arrived are of no use: they are fetched again.
    fn lost(&self, bytes: u64);

    /// One more object is here.
    fn object_done(&self);

    /// Something that happened and did not stop the work.
    fn note(&self, text: &str);

    /// Whether to give up.
    fn stop(&self) -> bool;
}
