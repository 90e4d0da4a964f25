//! The sentences that belong to the proposal, as a report asks for them.

use crate::profile::{ClientProfile, RouteProfile};
use crate::proposal::{self, Grade, Proposal, Question, QuestionKind, Reason};

/// What a sentence is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The route.
    pub profile: &'a RouteProfile,
    /// The list that the places in `proposal` are places of: the profile's clients, or those by /64.
    pub clients: &'a [ClientProfile],
    /// The proposal for the route's window or for another one.
    pub proposal: &'a Proposal,
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
    /// The sentence that stands first: the limit with its room, or why there is none and the ceiling.
    fn headline(&self, subject: Subject<'_>) -> String;
    /// What the evidence is worth: `a tail like this one shows such a gap by chance less than once
    /// in 10,000 weeks`.
    fn evidence(&self, subject: Subject<'_>) -> String;
    /// A question with the limit that would follow.
    fn question(&self, subject: Subject<'_>, question: &Question) -> String;
    /// Who the client at a place seems to be, in a few words.
    fn client_head(&self, subject: Subject<'_>, place: usize) -> String;
    /// What the head rests on; may be empty.
    fn client_details(&self, subject: Subject<'_>, place: usize) -> String;
    /// Peak, head and details as one sentence.
    fn client_sentence(&self, subject: Subject<'_>, place: usize) -> String;
}

/// The words of [`crate::proposal`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ProposalWords;

impl Words for ProposalWords {
    fn grade(&self, grade: Grade) -> &'static str {
        grade.as_str()
    }

    fn reason(&self, reason: Reason) -> &'static str {
        reason.as_str()
    }

    fn question_kind(&self, kind: QuestionKind) -> &'static str {
        kind.as_str()
    }

    fn headline(&self, subject: Subject<'_>) -> String {
        proposal::headline(subject.proposal, &subject.profile.route)
    }

    fn evidence(&self, subject: Subject<'_>) -> String {
        proposal::evidence_in_words(subject.proposal)
    }

    fn question(&self, subject: Subject<'_>, question: &Question) -> String {
        proposal::question_in_words(question, subject.proposal, subject.clients)
    }

    fn client_head(&self, subject: Subject<'_>, place: usize) -> String {
        proposal::head(subject.proposal, subject.clients, place)
    }

    fn client_details(&self, subject: Subject<'_>, place: usize) -> String {
        proposal::details(subject.proposal, subject.clients, place)
    }

    fn client_sentence(&self, subject: Subject<'_>, place: usize) -> String {
        proposal::sentence(subject.proposal, subject.clients, place)
    }
}
