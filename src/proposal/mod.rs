//! Columns to a limit and the reason for it. Pure: no I/O, no clock.
//!
//! The method is described in `docs/how-limits-are-chosen.md`. [`decide`] is the method on bare
//! columns; [`propose`] and [`propose_route`] put names, lists and warnings around it; the words for
//! people are in [`headline`], [`sentence`] and their neighbours.

mod caps;
mod decide;
mod gap;
mod locked;
mod observation;
mod propose;
mod questions;
mod result;
mod round;
mod signs;
mod standing;
mod statistics;
mod tail;
mod warnings;
mod weakness;
mod words;

pub use caps::{Cap, caps};
pub use decide::{Decision, decide, decide_together};
pub use locked::{METHOD, lock_inputs, lock_route};
pub use observation::{Behaviour, Observation};
pub use propose::{propose, propose_route};
pub use result::{Grade, Proposal, Question, QuestionKind, Reason, RouteProposal, Warning};
pub use round::{ceiling, ladder, limit_in_gap, range_in_gap, round_limit, twin_floor};
pub use signs::{RUNAWAY, Sign, SignSet};
pub use weakness::Weakness;
pub use words::{
    details, evidence_in_words, head, headline, other_window_in_words, question_in_words, sentence,
};

pub use crate::units::rate_in_words;

#[cfg(test)]
mod tests;
