//! The five signs of a runaway, each judged against the other clients of the route.

use super::observation::Observation;
use super::statistics::MedianReaches;

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
pub const RUNAWAY: u32 = 2;

const NO_REFERER: f64 = 0.1;
const TOOL: f64 = 0.5;
const ALONE: f64 = 0.95;
/// Windows that it takes to call a rate steady; two prove nothing.
const STEADY_WINDOWS: u32 = 3;

/// What is usual on the route: which signs mean anything there. By the medians over everybody who is
/// not exempt and whose behaviour is known.
pub(super) struct Usual {
    known: bool,
    referer: MedianReaches,
    browser: MedianReaches,
    /// Reaching it means that calling nothing else is usual.
    alone: MedianReaches,
    errors: MedianReaches,
}

impl Usual {
    /// Nobody seen yet.
    pub(super) const fn new() -> Self {
        Self {
            known: false,
            referer: MedianReaches::new(0.5),
            browser: MedianReaches::new(0.5),
            // A median of exactly 0.7 still lets the sign stand.
            alone: MedianReaches::new(0.7f64.next_up()),
            errors: MedianReaches::new(0.25),
        }
    }

    /// Takes so many clients in that are alike and not exempt.
    pub(super) fn see(&mut self, client: &Observation, number: usize) {
        if let Some(behaviour) = client.behaviour {
            self.known = true;
            self.referer.see(behaviour.referer, number);
            self.browser.see(behaviour.browser, number);
            self.alone.see(client.focus, number);
            self.errors.see(client.share_4xx, number);
        }
    }

    /// The signs that can be told apart from what is usual.
    pub(super) fn telling(&self) -> Telling {
        Telling {
            any: self.known,
            no_referer: self.referer.answer(),
            tool: self.browser.answer(),
            alone: !self.alone.answer(),
            errors: !self.errors.answer(),
        }
    }
}

/// Which signs tell a client from the others of its route.
pub(super) struct Telling {
    any: bool,
    no_referer: bool,
    tool: bool,
    alone: bool,
    errors: bool,
}

impl Telling {
    /// The signs of a client.
    pub(super) fn signs(&self, client: &Observation) -> SignSet {
        let Some(behaviour) = client.behaviour.filter(|_| self.any && client.has_enough()) else {
            return SignSet::default();
        };
        // middle >= 0.8 peak, in whole numbers.
        let steady = behaviour.windows >= STEADY_WINDOWS
            && 5 * u64::from(behaviour.middle) >= 4 * u64::from(client.peak);
        SignSet::default()
            .with(Sign::NoReferer, self.no_referer && behaviour.referer <= NO_REFERER)
            .with(Sign::Tool, self.tool && behaviour.browser < TOOL)
            .with(Sign::Alone, self.alone && client.focus >= ALONE)
            .with(Sign::Errors, self.errors && client.mostly_errors())
            .with(Sign::Steady, steady)
    }
}
