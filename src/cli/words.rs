//! Where the report's sentences come from: the proposal's own words.

use crate::proposal::{self, Grade, Question, QuestionKind, Reason};
use crate::report::{Subject, Words};

/// The words of the `proposal` module.
pub(super) struct ProposalWords;

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

    fn evidence(&self, evidence: f64) -> String {
        proposal::evidence_in_words(evidence)
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
