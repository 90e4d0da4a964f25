//! The sentences that belong to the proposal, as a report asks for them.

use crate::profile::{ClientProfile, RouteProfile};
use crate::proposal::{Grade, Proposal, Question, QuestionKind, Reason};

/// What a sentence is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The route.
    pub profile: &'a RouteProfile,
    /// The list that the places in `proposal` are places of: the profile's clients, or those by /64.
    pub clients: &'a [ClientProfile],
    /// The proposal for the route's window or for another one.
    pub proposal: &'a Proposal,
    /// Distinct UTC days that were read; 0 means unknown.
    pub days: u32,
}

/// Where a report takes the proposal's words from. They may hold text from a log: a report escapes
/// them like anything foreign.
pub trait Words {
    /// `clear`, `weak`, `none`.
    fn grade(&self, grade: Grade) -> &'static str;
    /// `no gap`, `undecided` …
    fn reason(&self, reason: Reason) -> &'static str;
    /// `exempt`, `regular`, `unwanted`.
    fn question_kind(&self, kind: QuestionKind) -> &'static str;
    /// The sentence that stands first.
    fn headline(&self, subject: Subject<'_>) -> String;
    /// What the evidence is worth: `a tail like this one shows such a gap by chance less than once
    /// in 10,000 weeks`. Only asked if there is evidence.
    fn evidence(&self, subject: Subject<'_>) -> String;
    /// A question with the limit that would follow.
    fn question(&self, subject: Subject<'_>, question: &Question) -> String;
    /// Who the client at a place seems to be, in a few words.
    fn client_head(&self, subject: Subject<'_>, place: usize) -> String;
    /// Why it seems so, from its own columns.
    fn client_sentence(&self, subject: Subject<'_>, place: usize) -> String;
}
