//! Words that stand in for the proposal's: as long as the real ones, and built from the same columns.

use ratewaf::profile::{ClientProfile, Label};
use ratewaf::proposal::{Grade, Question, QuestionKind, Reason};
use ratewaf::report::{Subject, Words};
use ratewaf::units::{ratio, thousands};

pub struct PlainWords;

fn client(subject: Subject<'_>, place: usize) -> &ClientProfile {
    &subject.clients[place]
}

impl Words for PlainWords {
    fn grade(&self, grade: Grade) -> &'static str {
        match grade {
            Grade::Clear => "clear",
            Grade::Weak => "weak",
            Grade::None => "none",
        }
    }

    fn reason(&self, reason: Reason) -> &'static str {
        match reason {
            Reason::TooFewClients => "too few clients",
            Reason::NearlyEverybody => "nearly everybody is shared or established",
            Reason::InTheWay => "a client that has to pass is in the way",
            Reason::TwoClasses => "two classes of clients",
            Reason::Undecided => "undecided",
            Reason::NoGap => "no gap",
            Reason::EdgeAddresses => "edges",
            Reason::OnlyRefused => "only refused",
        }
    }

    fn question_kind(&self, kind: QuestionKind) -> &'static str {
        match kind {
            QuestionKind::Exempt => "exempt",
            QuestionKind::Regular => "regular",
            QuestionKind::Unwanted => "unwanted",
        }
    }

    fn headline(&self, subject: Subject<'_>) -> String {
        let proposal = subject.proposal;
        let Some(limit) = proposal.limit else {
            let reason = proposal.reason.map_or("", |reason| self.reason(reason));
            return format!(
                "No limit for {}: {reason}. Ceiling {} requests per 300 s: blocks nobody of these logs",
                subject.profile.route, proposal.ceiling
            );
        };
        let window = proposal.window.seconds();
        let rate = f64::from(limit.requests()) / f64::from(window);
        format!(
            "{} requests per {window} s ({rate:.2} per second): {} above the busiest normal client, {} below the weakest one above.",
            thousands(limit.requests().into()),
            ratio(proposal.headroom.unwrap_or_default()),
            ratio(proposal.margin.unwrap_or_default())
        )
    }

    fn evidence(&self, _: Subject<'_>) -> String {
        "a tail like this one shows such a gap by chance less than once in 10,000 weeks".to_owned()
    }

    fn question(&self, subject: Subject<'_>, question: &Question) -> String {
        let names: Vec<_> = (question.clients.iter().take(3))
            .map(|&place| client(subject, place).client.to_string())
            .collect();
        let names = names.join(", ");
        let limit = thousands(question.limit.requests().into());
        match question.kind {
            QuestionKind::Exempt => {
                format!("{names} has to pass but is in the way. With a rule of its own: {limit}.")
            }
            QuestionKind::Regular => {
                format!("{names} keeps coming and looks like a machine. If unwanted: {limit}.")
            }
            QuestionKind::Unwanted => format!("if {names} is unwanted (--bad): {limit}."),
        }
    }

    fn client_head(&self, subject: Subject<'_>, place: usize) -> String {
        let client = client(subject, place);
        match &client.label {
            Some(labelled) if labelled.label == Label::Bad => return "labelled bad".to_owned(),
            Some(labelled) => return format!("labelled, {}", labelled.network),
            None => {}
        }
        let proposal = subject.proposal;
        match (proposal.established[place], client.browser() < 0.5, proposal.signs[place]) {
            (true, true, _) => "a habit: looks like a machine that belongs here",
            (true, false, _) => "a habit: looks like people at a busy address",
            _ if proposal.shared[place] => "looks shared",
            _ if !client.known => "behaviour not known",
            (_, _, 0) => "an outlier that looks like a visitor",
            (_, _, 1) => "one sign of a runaway",
            _ => "looks like a runaway",
        }
        .to_owned()
    }

    fn client_details(&self, subject: Subject<'_>, place: usize) -> String {
        let client = client(subject, place);
        let habit = client.habits[subject.proposal.window.index()];
        format!(
            "near its peak on {} of 7 days, there in {} hours, half of its windows at {} or under",
            habit.near_days, client.hours, habit.middle
        )
    }

    fn client_sentence(&self, subject: Subject<'_>, place: usize) -> String {
        let peak = client(subject, place).peak(subject.proposal.window);
        let (head, details) =
            (self.client_head(subject, place), self.client_details(subject, place));
        format!("peak {peak}: {head}; {details}")
    }
}
