//! Readers: texts to [`Found`] resources.

mod api;
mod compare;
mod hcl;
mod json;
mod live;
mod plan;
mod spell;
mod template;
mod text;
pub mod yaml;

use super::model::{Change, Found, Item, Tool};

pub use api::read_api;
pub use compare::compare;
pub use hcl::{Folder, ReadText, read_folder, read_folder_with};
pub(super) use hcl::{clean as clean_path, nests_too_deep};
pub use live::read_live;
pub use plan::read_plan;
pub use template::read_template;

pub use text::{Kind, kind, read_text};

/// One file or stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// As the user named it.
    pub name: String,
    /// The environment that it is of, if the user said so.
    pub environment: Option<String>,
    /// All of it.
    pub text: String,
}

/// What was read, and what could not be.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The resources.
    pub found: Vec<Found>,
    /// Where it is blind: an address, and one sentence.
    pub blind: Vec<(Item, String)>,
}

impl Reading {
    fn of(found: Vec<Found>) -> Self {
        Self { found, blind: Vec::new() }
    }
}

/// Why an input cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` {reason}", name = crate::units::plain(.name), reason = crate::units::plain(.reason))]
pub struct Error {
    /// The input.
    pub name: String,
    /// Why, with the place.
    pub reason: String,
}

impl Input {
    fn error(&self, reason: impl Into<String>) -> Error {
        Error { name: self.name.clone(), reason: reason.into() }
    }

    /// An item of this input at an address; nobody says yet what happens to it.
    fn item(&self, tool: Tool, address: impl Into<String>) -> Item {
        Item {
            input: self.name.clone(),
            environment: self.environment.clone(),
            file: None,
            address: address.into(),
            tool,
            change: Change::NotTold,
            region: None,
        }
    }
}
