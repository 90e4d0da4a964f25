//! What has to be done to the live web ACL, worked out and told, and the bytes that do it: no I/O here.
//!
//! What is [`Wanted`] meets what is [`Live`]; the outcome is a [`ChangeSet`], which `plan` prints and `apply`
//! executes. Meaning is compared, not spelling. Rules that are not ours are never taken apart: the text that
//! AWS sent goes back as it came, see [`update_body`].

mod capacity;
mod changeset;
mod compare;
mod demote;
mod error;
mod fields;
mod file;
mod json;
mod live;
mod meaning;
mod promote;
mod record;
mod splice;
mod step;
mod undo;
mod wanted;
mod words;

pub use capacity::{Capacity, rules_to_check};
pub use changeset::{ChangeSet, Drift, Options, Target};
pub use compare::{compare, set_digest};
pub use demote::demoted;
pub use error::Refusal;
pub use fields::Field;
pub use json::{Members, elements};
pub use live::{Distribution, Live, LiveAcl, LiveIpSet, LiveRule};
pub use meaning::{digest, mode_of};
pub use promote::{Evidence, Prediction, Reason, reasons};
pub use record::{Mode, Record, key_of as tag_of, set_tag};
pub use splice::{create_body, update_body};
pub use step::{Change, Counters, RuleChange, Step};
pub use undo::Undo;
pub use wanted::{Wanted, WantedIpSet, WantedRule, through_the_api};

#[cfg(test)]
mod tests;
