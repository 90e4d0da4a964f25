//! What the section `layers.edge` means.

use crate::policy::layers::FailMode;

/// Limits at CloudFront's edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLayer {
    /// What the names of functions, role and policies begin with.
    pub name: String,
    /// The name of the table.
    pub table: String,
    /// Regions of its copies, without us-east-1, in the order of the file.
    pub replicas: Vec<String>,
    /// Milliseconds that a call to the table may take.
    pub timeout: u32,
    /// Seconds in which requests are counted.
    pub window: u32,
    /// Bits of an IPv6 address that tell clients apart.
    pub ipv6_prefix: u32,
    /// `anonymous` first; the others where headers say who a client is.
    pub tiers: Vec<String>,
    /// The tier of a known client whose own is not known.
    pub default_tier: String,
    /// Headers that say who a client is.
    pub headers: Option<TierHeaders>,
    /// Paths that are never limited.
    pub never: Vec<EdgePattern>,
    /// Networks that are never limited, in CIDR notation.
    pub allow: Vec<String>,
    /// What holds where no route does.
    pub global: EdgeLimit,
    /// In the order of the file.
    pub routes: Vec<EdgeRoute>,
    /// The page with a CAPTCHA.
    pub captcha: Option<Captcha>,
    /// Namespace of the metrics.
    pub namespace: String,
    /// Seconds for which metrics are added up.
    pub flush: u32,
}

/// Headers that say who a client is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierHeaders {
    /// The header with the client's name.
    pub client: String,
    /// The header with the client's tier.
    pub tier: String,
    /// Whether viewers cannot send them.
    pub trusted: bool,
}

/// Which paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgePattern {
    /// This one.
    Exactly(String),
    /// Those that begin with it.
    StartsWith(String),
}

impl EdgePattern {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Exactly(text) | Self::StartsWith(text) => text,
        }
    }

    /// Whether only one path is meant.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Exactly(_))
    }

    /// Whether every path of another one is one of these.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        match self {
            Self::Exactly(_) => self == other,
            Self::StartsWith(start) => other.text().starts_with(start),
        }
    }
}

/// A limit of the edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLimit {
    /// Its name.
    pub name: String,
    /// How requests are counted.
    pub algorithm: EdgeAlgorithm,
    /// Requests in a window for each tier, in the order of the tiers.
    pub limits: Vec<(String, u32)>,
    /// What happens while the table does not answer.
    pub fail: FailMode,
}

/// A limit of some paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeRoute {
    /// What is allowed.
    pub limit: EdgeLimit,
    /// Where.
    pub path: EdgePattern,
    /// In capitals; empty for all.
    pub methods: Vec<String>,
}

/// How the edge counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeAlgorithm {
    /// Windows of the clock.
    FixedWindow,
    /// The two-window estimate.
    SlidingWindow,
}

/// A page with a CAPTCHA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captcha {
    /// Its path.
    pub page: String,
    /// Seconds for which a pass lifts the limit.
    pub pass: u32,
    /// Seconds for which a ticket holds.
    pub ticket: u32,
}
