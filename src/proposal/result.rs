//! What a proposal says: grades, reasons, questions, warnings.

use super::caps::Cap;
use super::signs::SignSet;
use super::weakness::Weakness;
use crate::units::{Limit, Window};

/// How sure a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Can be put to use.
    Clear,
    /// Emitted in count mode unless accepted.
    Weak,
    /// No limit; an honest answer with a reason.
    None,
}

/// Why there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// `too few clients`
    TooFewClients,
    /// `nearly everybody is shared or established`
    NearlyEverybody,
    /// `a client that has to pass is in the way`
    InTheWay,
    /// `two classes of clients`
    TwoClasses,
    /// `undecided`
    Undecided,
    /// `no gap`
    NoGap,
    /// `the clients are CloudFront's own machines`
    EdgeAddresses,
    /// `no request that passed is logged`
    OnlyRefused,
}

impl Grade {
    /// `clear`, `weak` or `none`: a promise to scripts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }
}

impl Reason {
    /// The words for scripts and tables: a promise.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooFewClients => "too few clients",
            Self::NearlyEverybody => "nearly everybody is shared or established",
            Self::InTheWay => "a client that has to pass is in the way",
            Self::TwoClasses => "two classes of clients",
            Self::Undecided => "undecided",
            Self::NoGap => "no gap",
            Self::EdgeAddresses => "the clients are CloudFront's own machines",
            Self::OnlyRefused => "no request that passed is logged",
        }
    }

    /// The words for a narrow column: nine characters at most.
    #[must_use]
    pub const fn in_short(self) -> &'static str {
        match self {
            Self::TooFewClients => "too few",
            Self::NearlyEverybody => "shared",
            Self::InTheWay => "must pass",
            Self::TwoClasses => "two kinds",
            Self::Undecided => "undecided",
            Self::NoGap => "no gap",
            Self::EdgeAddresses => "edges",
            Self::OnlyRefused => "refused",
        }
    }
}

/// What a person could decide that the logs cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// These have to pass but stand in the way: give them a rule of their own?
    Exempt,
    /// These keep coming and look like machines: unwanted?
    Regular,
    /// Are these unwanted?
    Unwanted,
}

impl QuestionKind {
    /// `exempt`, `regular` or `unwanted`: a promise to scripts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exempt => "exempt",
            Self::Regular => "regular",
            Self::Unwanted => "unwanted",
        }
    }
}

/// A question with the limit that would follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Which kind.
    pub kind: QuestionKind,
    /// Places in the list of clients the proposal was made from, ascending.
    pub clients: Vec<usize>,
    /// Clients that it is about besides and that have no name in that list: some of a crowd.
    pub more: u64,
    /// The limit if the answer is yes.
    pub limit: Limit,
}

impl Question {
    /// How many clients it is about.
    #[must_use]
    pub const fn number_of_clients(&self) -> u64 {
        self.clients.len() as u64 + self.more
    }
}

/// A limit and its reasons, for one list of clients and one window.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The window.
    pub window: Window,
    /// How sure.
    pub grade: Grade,
    /// Why the method calls it weak, the weightiest first; the caps are further reasons.
    pub weaknesses: Vec<Weakness>,
    /// The limit, unless the grade is none.
    pub limit: Option<Limit>,
    /// Why there is none.
    pub reason: Option<Reason>,
    /// A limit above everybody of these logs; not derived from abuse.
    pub ceiling: Limit,
    /// Largest peak below the cut.
    pub lower: Option<u32>,
    /// Smallest peak above the cut.
    pub upper: Option<u32>,
    /// Limit / lower.
    pub headroom: Option<f64>,
    /// Upper / limit.
    pub margin: Option<f64>,
    /// Smallest and largest limit that keep the safety distance to both sides of the gap.
    pub range: Option<(u32, u32)>,
    /// Clients of the tail above the cut (k of the method).
    pub clients_above_cut: usize,
    /// How unlikely the gap is by chance: natural logarithm of the odds.
    pub evidence: Option<f64>,
    /// What of the evidence (w of the method) comes from labels or looks instead of the gap: 10 for
    /// a label, else at most 3, below 0 where looks speak against it; 0 without evidence.
    pub weight: f64,
    /// Fewest signs of a runaway among those above.
    pub fewest_signs: Option<u32>,
    /// A more careful limit, if the clients between the two do not look like runaways.
    pub cautious_limit: Option<Limit>,
    /// At most three.
    pub questions: Vec<Question>,
    /// UTC days of the log; 0 if not known.
    pub days: u32,
    /// Per client: signs of a runaway (0 to 5).
    pub signs: Vec<u32>,
    /// Per client: which signs these are.
    pub sign_sets: Vec<SignSet>,
    /// Per client: has a habit.
    pub established: Vec<bool>,
    /// Per client: looks like many people behind one address.
    pub shared: Vec<bool>,
    /// The peak that nine in ten clients, exempt ones left out, do not exceed: up to it nobody is an
    /// outlier.
    pub ordinary_peak: u32,
    /// Busiest client below the cut, by place.
    pub busiest_below: Option<usize>,
    /// Weakest client above the cut, by place.
    pub weakest_above: Option<usize>,
    /// Clients whose peak is above the limit, exempt ones left out, by place: highest first.
    pub above: Vec<usize>,
    /// The five just below, by place: highest first.
    pub below: Vec<usize>,
    /// Round limits from half to double, each with the number of clients above it.
    pub ladder: Vec<(Limit, usize)>,
    /// Share of the requests of everybody but exempt clients that those above sent.
    pub share_above: f64,
    /// Facts about the log that bound the grade.
    pub caps: Vec<Cap>,
}

/// Something a reader must know before trusting a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// `coverage`, `short-log`, `edge-bursts`, `slash64`, `forwarded`, `spellings`, `together`,
    /// `all-day`, `existing-limit`, `partial-log`: a promise to scripts.
    pub id: &'static str,
    /// In words, one or two sentences.
    pub text: String,
}

/// Everything the logs say about one route's limit.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteProposal {
    /// By address, for the route's window.
    pub proposal: Proposal,
    /// Another window that does better: clear where the route's window gives weak or none.
    pub other_window: Option<Proposal>,
    /// By /64 for the route's window, where IPv6 occurs; places are those of `slash64` of the profile.
    pub slash64: Option<Proposal>,
    /// In the order of [`Warning::id`]'s list.
    pub warnings: Vec<Warning>,
}
