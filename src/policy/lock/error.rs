//! Why a text is no lock.

use crate::units::plain;

/// Why a text is no lock that this program can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// Not JSON, or not the JSON of a lock.
    #[error(
        "{file}:{line}:{column}: this is no lock of ratewaf: {what}\n  help: do not edit it by hand; run `ratewaf analyze` to write it anew",
        file = plain(file), what = plain(what)
    )]
    Json {
        /// The file.
        file: String,
        /// Line from 1.
        line: usize,
        /// Column from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// A version that this program does not know.
    #[error(
        "{file}: this lock has version {found}, and this ratewaf knows version {known} only\n  help: update ratewaf, or run `ratewaf analyze` to write the lock anew",
        file = plain(file), known = super::LOCK_VERSION
    )]
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u64,
    },
    /// Parts of it contradict each other.
    #[error(
        "{file}: this lock contradicts itself: {what}\n  help: do not edit it by hand; run `ratewaf analyze` to write it anew",
        file = plain(file), what = plain(what)
    )]
    Meaning {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// Its checksum is not that of its content.
    #[error(
        "{file}: this lock was changed after ratewaf wrote it: its checksum does not fit what it says\n  help: run `ratewaf analyze` to write it anew; to use another limit than that of the logs, pin it in the policy, as in `limit: 300`",
        file = plain(file)
    )]
    Changed {
        /// The file.
        file: String,
    },
    /// Git's marks of a conflict.
    #[error(
        "{file}:{line}: git could not merge two locks, and its marks are still in the file\n  help: no mix of two locks is right: merge the policy, then run `ratewaf analyze` to write the lock anew (`git checkout --ours FILE` or `--theirs` takes one side until then)",
        file = plain(file)
    )]
    Unmerged {
        /// The file.
        file: String,
        /// Line from 1.
        line: usize,
    },
}

impl LockError {
    pub(super) fn json(error: &serde_json::Error, file: &str) -> Self {
        let text = error.to_string();
        // The library ends its messages with the place.
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Self::Json {
            file: file.to_owned(),
            line: error.line(),
            column: error.column(),
            what: what.to_owned(),
        }
    }
}
