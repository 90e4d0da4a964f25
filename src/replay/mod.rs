//! Rules over counted requests, as AWS WAF would evaluate them, or as a limiter of another kind would: who
//! would have been limited, when, and what it would have cost them. Pure: no I/O, no clock.
//!
//! Times of standard logs are whole seconds, and arrival order within a second is not known; AWS WAF looks
//! at its rates every 10 s only, so that does not matter to it. To the other algorithms it does not matter
//! either: all requests of a second get the same time.

mod days;
mod gather;
mod grid;
mod one_client;
mod outcome;
mod rule;

pub use days::DayOut;
pub use gather::{Settings, replay, replay_client, replay_each};
pub use grid::{Grid, GridCell, ladder};
pub use outcome::{Limited, Near, Outcome, Replayed};
pub use rule::{NotReplayed, Rule, Who, own_routes};

#[cfg(test)]
mod tests;
