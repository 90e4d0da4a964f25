//! Evidence caps: facts about a log that bound how sure a limit from it can be, whatever the clients
//! look like. One variant a fact, each with the best grade that it leaves and the reason in words.

use super::decide::Decision;
use super::observation::Observation;
use super::result::{Grade, Reason};
use super::standing::FULL_LOG_DAYS;
use crate::counts::Coverage;
use crate::profile::Label;
use crate::units::{count, percent, plural, share, thousands};

/// Share of the requests from which the clients are taken for CloudFront's own machines: below it
/// they may be a few visitors of another distribution.
const MOSTLY_EDGE: f64 = 0.5;
/// Share of allowed requests below which a WAF log looks filtered: even in a week of attacks most
/// requests pass.
const MOSTLY_ALLOWED: f64 = 0.5;

/// A fact that bounds the grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cap {
    /// The log holds only some of the requests.
    Sampled {
        /// Per cent of the requests that it holds.
        percent: u32,
        /// Each was counted for those it stands for.
        scaled: bool,
    },
    /// Records of a WAF log are missing: hardly any, or none, are of requests that passed.
    Filtered {
        /// Records of requests that passed.
        allowed: u64,
        /// All records.
        records: u64,
    },
    /// A WAF log hides values that are needed.
    Redacted {
        /// What is hidden, such as `path`.
        parts: Vec<&'static str>,
        /// Records in which the most often hidden part is.
        records: u64,
    },
    /// Paths are missing, and what stands in for them is coarser.
    PathPatterns {
        /// Requests without a path of their own.
        lines: u64,
    },
    /// Nothing is known of the clients but when they called, and nobody has said enough of them.
    NoBehaviour,
    /// The clients are CloudFront's own machines.
    EdgeAddresses {
        /// Requests from them.
        lines: u64,
        /// All requests.
        of: u64,
    },
}

impl Cap {
    /// `sampled`, `filtered-log`, `redacted`, `path-patterns`, `no-behaviour` or `edge-addresses`: a
    /// promise to scripts.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Sampled { .. } => "sampled",
            Self::Filtered { .. } => "filtered-log",
            Self::Redacted { .. } => "redacted",
            Self::PathPatterns { .. } => "path-patterns",
            Self::NoBehaviour => "no-behaviour",
            Self::EdgeAddresses { .. } => "edge-addresses",
        }
    }

    /// The best grade that a proposal can have in spite of it.
    #[must_use]
    pub const fn grade(&self) -> Grade {
        match self {
            Self::EdgeAddresses { .. } | Self::Filtered { allowed: 0, .. } => Grade::None,
            Self::Sampled { .. }
            | Self::Filtered { .. }
            | Self::Redacted { .. }
            | Self::PathPatterns { .. }
            | Self::NoBehaviour => Grade::Weak,
        }
    }

    /// Why there is no limit, where it leaves none.
    pub(super) const fn reason(&self) -> Option<Reason> {
        match self {
            Self::EdgeAddresses { .. } => Some(Reason::EdgeAddresses),
            Self::Filtered { allowed: 0, .. } => Some(Reason::OnlyRefused),
            _ => None,
        }
    }

    /// The fact and what follows from it, to stand behind `because`; holds no text of a log.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Sampled { percent, scaled: true } => format!(
                "the log holds only {percent} % of the requests, so peaks are estimates from a sample"
            ),
            Self::Sampled { percent, scaled: false } => format!(
                "the log holds only {percent} % of the requests and they are counted as they are, so real peaks are higher: --scale-sampled lets each stand for the ones that were not logged"
            ),
            Self::Filtered { allowed: 0, records } => format!(
                "not one of the {} of the WAF log is of a request that passed: a logging filter drops ALLOW, and without them nobody normal can be seen",
                count(*records, "record", "records")
            ),
            Self::Filtered { allowed, records } => format!(
                "only {} of the {} of the WAF log {} of requests that passed ({}): a logging filter seems to drop ALLOW, and peaks may be higher than shown",
                thousands(*allowed),
                count(*records, "record", "records"),
                plural(*allowed, "is", "are"),
                percent(share(*allowed, *records)),
            ),
            Self::Redacted { parts, records } => format!(
                "the WAF log hides the {} in {} (REDACTED), so requests are missing here or cannot be judged",
                parts.join(", "),
                count(*records, "record", "records"),
            ),
            Self::PathPatterns { lines } => format!(
                "the log has no path for {}: the path pattern of the cache behaviour that answered stands in for it, and that may be another one than the client asked for",
                count(*lines, "request", "requests"),
            ),
            Self::NoBehaviour => "the log does not tell all of status, referer and user agent, so nothing but their number tells a runaway from a busy visitor: look at those above the limit, and label them"
                .to_owned(),
            Self::EdgeAddresses { lines, of } => format!(
                "{} of the requests come from CloudFront's own machines: these are the addresses of edges, each with many viewers behind it; give the logs of the distribution instead",
                percent(share(*lines, *of))
            ),
        }
    }
}

/// The cap on a clear decision about clients of whom nothing is known but when they called: a log that
/// tells less must not be graded better than one that tells more. Where the columns are there, a clear limit
/// takes five days, and signs of a runaway or a label for half of those above; without them only labels are
/// left. `tail` holds the clients whom the limit is about, and how many each stands for.
pub(super) fn untold<'a>(
    decision: &Decision,
    tail: impl Iterator<Item = (&'a Observation, u32)>,
    days: u32,
) -> Option<Cap> {
    let upper = decision.upper.filter(|_| decision.grade == Grade::Clear)?;
    let mut bad = 0;
    for (client, number) in tail {
        if client.behaviour.is_some() {
            return None;
        }
        if client.peak >= upper && client.label == Some(Label::Bad) {
            bad += number as usize;
        }
    }
    let is_told = 2 * bad >= decision.clients_above_cut && days >= FULL_LOG_DAYS;
    (!is_told).then_some(Cap::NoBehaviour)
}

/// The caps on every proposal from a log, in a fixed order.
#[must_use]
pub fn caps(coverage: &Coverage) -> Vec<Cap> {
    let found = &coverage.completeness;
    let mut caps = Vec::new();
    if let Some(percent) = found.sampled_percent {
        caps.push(Cap::Sampled { percent, scaled: found.scaled });
    }
    let (allowed, records) = (found.waf_allowed, found.waf_records);
    if records > 0 && share(allowed, records) < MOSTLY_ALLOWED {
        caps.push(Cap::Filtered { allowed, records });
    }
    if let Some(&records) = found.redacted.values().max() {
        caps.push(Cap::Redacted { parts: found.redacted.keys().copied().collect(), records });
    }
    if found.pattern_lines > 0 {
        caps.push(Cap::PathPatterns { lines: found.pattern_lines });
    }
    let (lines, of) = (found.edge_lines, coverage.lines);
    if lines > 0 && share(lines, of) > MOSTLY_EDGE {
        caps.push(Cap::EdgeAddresses { lines, of });
    }
    caps
}

/// Bounds what the method decided.
pub(super) fn bound(mut decision: Decision, caps: &[Cap]) -> Decision {
    let Some(worst) = caps.iter().map(Cap::grade).max() else { return decision };
    decision.grade = decision.grade.max(worst);
    if worst < Grade::None {
        return decision;
    }
    // Nothing of the method's answer holds for clients that are none.
    decision.reason = caps.iter().find_map(Cap::reason);
    decision.limit = None;
    decision.clients_above_cut = 0;
    (decision.lower, decision.upper) = (None, None);
    (decision.evidence, decision.fewest_signs, decision.cautious_limit) = (None, None, None);
    decision.weight = 0.0;
    decision.weaknesses.clear();
    decision.questions.clear();
    decision
}
