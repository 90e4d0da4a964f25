//! The five signs of a runaway, each judged against the other clients of the route.

use super::observation::Observation;
use super::statistics::median;
use crate::profile::Label;

/// One sign of a runaway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Sends no referer where most clients do.
    NoReferer,
    /// A tool where most clients are browsers.
    Tool,
    /// Calls nothing but this route where most clients call others too.
    Alone,
    /// Most of its requests are answered 4xx where those of others are not.
    Errors,
    /// Half of its busy windows are near its peak: the same rate all the time.
    Steady,
}

impl Sign {
    /// All of them, in the order in which they are named.
    pub const ALL: [Self; 5] =
        [Self::NoReferer, Self::Tool, Self::Alone, Self::Errors, Self::Steady];

    /// In words, as a part of a sentence about the client.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NoReferer => "sends no referer",
            Self::Tool => "a tool where others use browsers",
            Self::Alone => "calls nothing but this route",
            Self::Errors => "mostly errors",
            Self::Steady => "the same rate all the time",
        }
    }
}

/// Which signs a client shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SignSet(u8);

impl SignSet {
    /// The same set with one sign more if `shown`.
    #[must_use]
    const fn with(self, sign: Sign, shown: bool) -> Self {
        if shown { Self(self.0 | 1 << sign as u8) } else { self }
    }

    /// Whether a sign is shown.
    #[must_use]
    pub const fn has(self, sign: Sign) -> bool {
        self.0 & 1 << sign as u8 != 0
    }

    /// How many signs: 0 to 5.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it shows none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signs shown, in the order of [`Sign::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Sign> {
        Sign::ALL.into_iter().filter(move |&sign| self.has(sign))
    }
}

/// A client with so many signs looks like a runaway. One sign alone is common among visitors: only
/// this page, a browser that hides the referer.
pub(super) const RUNAWAY: u32 = 2;

const NO_REFERER: f64 = 0.1;
const TOOL: f64 = 0.5;
const ALONE: f64 = 0.95;
/// Windows that it takes to call a rate steady; two prove nothing.
const STEADY_WINDOWS: u32 = 3;

/// The typical client: medians over everybody who is not exempt and whose behaviour is known.
struct Typical {
    referer: f64,
    browser: f64,
    focus: f64,
    errors: f64,
}

impl Typical {
    /// `None` if nobody is known.
    fn of(clients: &[Observation], labels: &[Option<Label>]) -> Option<Self> {
        let mut column = Vec::new();
        let mut median_of = |value: &dyn Fn(&Observation) -> Option<f64>| {
            column.clear();
            column.extend(
                clients
                    .iter()
                    .zip(labels)
                    .filter(|(_, label)| **label != Some(Label::Exempt))
                    .filter_map(|(client, _)| value(client)),
            );
            median(&mut column)
        };
        Some(Self {
            referer: median_of(&|client| client.behaviour.map(|known| known.referer))?,
            browser: median_of(&|client| client.behaviour.map(|known| known.browser))?,
            focus: median_of(&|client| client.behaviour.map(|_| client.focus))?,
            errors: median_of(&|client| client.behaviour.map(|_| client.share_4xx))?,
        })
    }

    fn signs(&self, client: &Observation) -> SignSet {
        let Some(behaviour) = client.behaviour.filter(|_| client.has_enough()) else {
            return SignSet::default();
        };
        // middle >= 0.8 peak, in whole numbers.
        let steady = behaviour.windows >= STEADY_WINDOWS
            && 5 * u64::from(behaviour.middle) >= 4 * u64::from(client.peak);
        SignSet::default()
            .with(Sign::NoReferer, behaviour.referer <= NO_REFERER && self.referer >= 0.5)
            .with(Sign::Tool, behaviour.browser < TOOL && self.browser >= 0.5)
            .with(Sign::Alone, client.focus >= ALONE && self.focus <= 0.7)
            .with(Sign::Errors, client.mostly_errors() && self.errors < 0.25)
            .with(Sign::Steady, steady)
    }
}

/// The signs of every client, exempt ones too.
pub(super) fn signs(clients: &[Observation], labels: &[Option<Label>]) -> Vec<SignSet> {
    Typical::of(clients, labels).map_or_else(
        || vec![SignSet::default(); clients.len()],
        |typical| clients.iter().map(|client| typical.signs(client)).collect(),
    )
}
