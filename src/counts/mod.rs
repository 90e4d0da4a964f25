//! Which requests a rule looks at, and how many each client sent.
//!
//! One pass over all files in parallel: each worker keeps a table of clients, a counter of their
//! lines, and one small record for each request of a route. Clients are divided into [`Parts`], which are
//! put together and looked at one by one; what does not fit into memory waits for that in a temporary
//! file. Nothing assumes any order of lines or files, and nothing in the result depends on one.

mod agents;
mod chunks;
mod clients;
mod coverage;
mod event;
mod grouped;
mod groups;
mod methods;
mod overflow;
mod parts;
mod recent;
mod remembered;
mod rule_hits;
mod run;
mod selection;
mod spill;
mod study;
mod table;
mod texts;
mod threads;
mod told_twice;
mod visits;
mod windows;
mod worker;

pub use crate::logs::{Completeness, LimitKey, RuleAction};
pub use agents::AgentTexts;
pub use clients::{Clients, address_number};
pub use coverage::{Coverage, RouteTraffic, Skipped};
pub use event::{Event, flags};
pub use grouped::{GroupOfPart, GroupedEvents, GroupsOfPart};
pub use groups::{GroupKey, Groups, fold};
pub use methods::OTHER_METHOD;
pub use parts::{Part, Parts};
pub use rule_hits::{ClientHits, RuleHits};
pub use run::{Counts, Error, Settings, Watch, run};
pub use selection::{Days, Selection};
pub use study::{Seen, Study, Whom, study};
pub use told_twice::ToldTwice;
pub use windows::{Sliding, clock_counts, sliding};

#[cfg(test)]
mod naive_tests;
