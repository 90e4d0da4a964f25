//! A limit and its reasons.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::number::{EVIDENCE, RATE, RATIO, SHARE, rounded};
use crate::report::{Subject, Words};
use crate::units::{Limit, thousands};

/// A client with its peak in the proposal's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "peak")]
pub struct Peak {
    /// The client in canonical spelling.
    pub client: String,
    /// Most requests in any window, in steps of 10 s.
    pub peak: u32,
}

/// What a person could decide that the logs cannot, with the limit that would follow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "question")]
pub struct QuestionReport {
    /// `exempt` (give these a rule of their own?), `regular` (these machines keep coming: unwanted?)
    /// or `unwanted` (are these unwanted?).
    #[schemars(extend("enum" = ["exempt", "regular", "unwanted"]))]
    pub kind: &'static str,
    /// The clients it is about, highest peak first.
    pub clients: Vec<String>,
    /// How many more it is about that are not named: each with fewer requests than the smallest limit.
    pub more_clients: u64,
    /// The limit if the answer is yes, in requests per window.
    pub limit: u32,
    /// The question in words.
    #[serde(skip)]
    pub words: String,
}

/// A round limit with what it would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ladder-step")]
pub struct LadderStep {
    /// Requests per window.
    pub limit: u32,
    /// Clients whose peak is above it.
    pub clients: usize,
}

/// A fact about the log that bounds how sure any limit from it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "cap")]
pub struct CapReport {
    /// Which: `sampled`, `filtered-log`, `redacted`, `path-patterns`, `no-behaviour` or `edge-addresses`.
    pub id: &'static str,
    /// The best grade that it leaves.
    #[schemars(extend("enum" = ["weak", "none"]))]
    pub grade: &'static str,
    /// The fact and what follows from it.
    pub text: String,
}

/// A limit and its reasons, for one window.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "proposal")]
pub struct ProposalReport {
    /// How sure: `clear`, `weak` (emitted in count mode unless accepted) or `none`.
    #[schemars(extend("enum" = ["clear", "weak", "none"]))]
    pub grade: &'static str,
    /// The limit in requests per window; null if the grade is `none`.
    pub limit: Option<u32>,
    /// The evaluation window in seconds.
    pub window: u32,
    /// Limit by window, in requests per second (six decimals); null without a limit.
    pub rate_per_second: Option<f64>,
    /// Why there is no limit, in words; empty if there is one.
    pub reason: String,
    /// The same for a narrow column.
    #[serde(skip)]
    pub reason_in_short: &'static str,
    /// A limit above everybody of this log, in requests per window. Not derived from abuse.
    pub ceiling: u32,
    /// Limit by the largest peak below the cut (four decimals), or null.
    pub headroom: Option<f64>,
    /// Smallest peak above the cut by limit (four decimals), or null.
    pub margin: Option<f64>,
    /// Largest peak below the cut, in requests per window, or null.
    pub lower: Option<u32>,
    /// Smallest peak above the cut, in requests per window, or null.
    pub upper: Option<u32>,
    /// Smallest limit that keeps the safety distance to both sides of the gap, or null.
    pub lowest_limit: Option<u32>,
    /// Largest limit that keeps the safety distance to both sides of the gap, or null.
    pub highest_limit: Option<u32>,
    /// The busiest client below the cut, or null.
    pub busiest_below: Option<Peak>,
    /// The weakest client above the cut, or null.
    pub weakest_above: Option<Peak>,
    /// Clients of the tail above the cut.
    pub clients_above_cut: usize,
    /// Clients whose peak is above the limit, testers left out.
    pub clients_above_limit: usize,
    /// Share of the requests of everybody but exempt clients that those above the limit sent (0 to 1,
    /// four decimals).
    pub share_above: f64,
    /// How unlikely the gap is by chance: natural logarithm of the odds (nine decimals), or null.
    pub evidence: Option<f64>,
    /// Fewest signs of a runaway (0 to 5) among those above the cut, or null.
    pub fewest_signs: Option<u32>,
    /// What a person could decide, at most three.
    pub questions: Vec<QuestionReport>,
    /// A more careful limit in requests per window, if the clients between the two do not look like
    /// runaways, else null.
    pub cautious_limit: Option<u32>,
    /// Round limits from half to double, each with the number of clients above it.
    pub ladder: Vec<LadderStep>,
    /// Facts about the log that bound the grade; empty where it holds every request.
    pub caps: Vec<CapReport>,
    /// The proposal in one sentence.
    pub headline: String,
    /// The evidence in words; empty without evidence.
    #[serde(skip)]
    pub evidence_words: String,
}

impl ProposalReport {
    /// The view of the subject's proposal.
    pub(super) fn new(subject: Subject<'_>, words: &dyn Words) -> Self {
        let Subject { clients, proposal, .. } = subject;
        let peak = |place: Option<usize>| {
            let client = clients.get(place?)?;
            Some(Peak { client: client.client.to_string(), peak: client.peak(proposal.window) })
        };
        let ratio = |value: Option<f64>| value.map(|value| rounded(value, RATIO));
        let seconds = proposal.window.seconds();
        Self {
            grade: words.grade(proposal.grade),
            limit: proposal.limit.map(Limit::requests),
            window: seconds,
            rate_per_second: proposal
                .limit
                .map(|limit| rounded(f64::from(limit.requests()) / f64::from(seconds), RATE)),
            reason: proposal.reason.map_or("", |reason| words.reason(reason)).to_owned(),
            reason_in_short: proposal.reason.map_or("", |reason| reason.in_short()),
            ceiling: proposal.ceiling.requests(),
            headroom: ratio(proposal.headroom),
            margin: ratio(proposal.margin),
            lower: proposal.lower,
            upper: proposal.upper,
            lowest_limit: proposal.range.map(|(lowest, _)| lowest),
            highest_limit: proposal.range.map(|(_, highest)| highest),
            busiest_below: peak(proposal.busiest_below),
            weakest_above: peak(proposal.weakest_above),
            clients_above_cut: proposal.clients_above_cut,
            clients_above_limit: proposal.above.len(),
            share_above: rounded(proposal.share_above, SHARE),
            evidence: proposal.evidence.map(|evidence| rounded(evidence, EVIDENCE)),
            fewest_signs: proposal.fewest_signs,
            questions: questions(subject, words),
            cautious_limit: proposal.cautious_limit.map(Limit::requests),
            ladder: (proposal.ladder.iter())
                .map(|&(limit, clients)| LadderStep { limit: limit.requests(), clients })
                .collect(),
            caps: caps(subject, words),
            headline: words.headline(subject),
            evidence_words: proposal.evidence.map_or_else(String::new, |_| words.evidence(subject)),
        }
    }

    /// `12 above 150, 11 above 200 to 400, 9 above 500`; empty without a ladder.
    #[must_use]
    pub fn ladder_in_words(&self) -> String {
        let runs = self.ladder.chunk_by(|a, b| a.clients == b.clients).map(|run| {
            let (first, last) = (run[0], run[run.len() - 1]);
            let clients = thousands(first.clients as u64);
            let limit = thousands(first.limit.into());
            if first.limit == last.limit {
                format!("{clients} above {limit}")
            } else {
                format!("{clients} above {limit} to {}", thousands(last.limit.into()))
            }
        });
        runs.collect::<Vec<_>>().join(", ")
    }
}

fn caps(subject: Subject<'_>, words: &dyn Words) -> Vec<CapReport> {
    let caps = subject.proposal.caps.iter();
    caps.map(|cap| CapReport {
        id: cap.id(),
        grade: words.grade(cap.grade()),
        text: cap.in_words(),
    })
    .collect()
}

fn questions(subject: Subject<'_>, words: &dyn Words) -> Vec<QuestionReport> {
    let Subject { clients, proposal, .. } = subject;
    let named = proposal.questions.iter().map(|question| {
        let mut asked: Vec<_> = (question.clients.iter())
            .filter_map(|&place| clients.get(place))
            .map(|client| (Reverse(client.peak(proposal.window)), client.client.to_string()))
            .collect();
        // Places are in the order of the route's window, which may be another one.
        asked.sort();
        QuestionReport {
            kind: words.question_kind(question.kind),
            clients: asked.into_iter().map(|(_, client)| client).collect(),
            more_clients: question.more,
            limit: question.limit.requests(),
            words: words.question(subject, question),
        }
    });
    named.collect()
}
