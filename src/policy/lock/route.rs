//! One route in a lock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::format;
use crate::rules::Spelling;
use crate::units::{Limit, Window, thousands};

/// How sure the proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Can be put to use.
    Clear,
    /// Emitted in count mode unless accepted.
    Weak,
    /// No limit.
    None,
}

impl Grade {
    /// Its spelling in a lock.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }
}

/// What the logs said about one route. Texts hold no addresses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LockRoute {
    /// Its name in the policy.
    pub name: String,
    /// Methods, host and path, as [`super::route_text`] writes them.
    pub route: String,
    /// Which spellings of the path were counted.
    #[serde(with = "format::spelling")]
    pub spelling: Spelling,
    /// The window of the limit, in seconds.
    #[serde(with = "format::window")]
    pub window: Window,
    /// Distinct clients, exempt ones left out.
    pub clients: u64,
    /// Their requests, duplicates left out.
    pub requests: u64,
    /// These clients' peaks, by window in seconds.
    pub distribution: BTreeMap<u32, Peaks>,
    /// How sure the proposal is.
    pub grade: Grade,
    /// The limit; null exactly if the grade is none.
    #[serde(with = "format::limit_or_null")]
    pub limit: Option<Limit>,
    /// Why there is no limit, or nothing.
    pub reason: String,
    /// A limit above everybody of these logs.
    #[serde(with = "format::limit")]
    pub ceiling: Limit,
    /// Largest peak below the cut.
    pub lower: Option<u32>,
    /// Smallest peak above the cut.
    pub upper: Option<u32>,
    /// Limit / lower.
    #[serde(serialize_with = "format::fraction_or_null")]
    pub headroom: Option<f64>,
    /// Upper / limit.
    #[serde(serialize_with = "format::fraction_or_null")]
    pub margin: Option<f64>,
    /// How unlikely the gap is by chance: natural logarithm of the odds.
    #[serde(serialize_with = "format::fraction_or_null")]
    pub evidence: Option<f64>,
    /// Smallest and largest limit that keep their distance to both sides of the gap.
    pub range: Option<(u32, u32)>,
    /// Clients above the cut.
    pub clients_above_cut: u64,
    /// Share of these requests that clients above the limit sent, 0 to 1.
    #[serde(serialize_with = "format::fraction")]
    pub share_above: f64,
    /// The proposal in a sentence.
    pub sentence: String,
    /// The peaks next to the limit.
    pub near_misses: NearMisses,
    /// Busiest peak of each tester network that called the route.
    pub exempt_peaks: BTreeMap<String, u32>,
    /// For each of these networks, the smallest round number of at least twice that peak: its twin's
    /// limit is not below it. Empty in locks of older versions.
    #[serde(default, with = "format::limits")]
    pub twin_floors: BTreeMap<String, Limit>,
    /// Busiest peak of each known-good network that called the route; empty in locks of older versions.
    #[serde(default)]
    pub good_peaks: BTreeMap<String, u32>,
    /// What a person could decide that the logs cannot.
    pub questions: Vec<LockQuestion>,
    /// What a reader must know before trusting the limit.
    pub warnings: Vec<LockWarning>,
    /// Facts about the logs that bound the grade; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<LockCap>,
}

impl LockRoute {
    /// A limit lies between the two peaks that it separates, at the distances that stand beside it;
    /// anything else was edited by hand.
    pub(super) fn check(&self) -> Result<(), String> {
        let Some(limit) = self.limit else { return Ok(()) };
        let above_lower = self.lower.is_none_or(|lower| lower < limit.requests());
        let below_upper = self.upper.is_none_or(|upper| limit.requests() <= upper);
        if !(above_lower && below_upper) {
            return Err(format!(
                "the limit {limit} of the route `{}` is not between the peaks that it separates",
                self.name
            ));
        }
        let limit = f64::from(limit.requests());
        let headroom = self.lower.map(|lower| limit / f64::from(lower));
        let margin = self.upper.map(|upper| f64::from(upper) / limit);
        for (what, stands, follows) in
            [("headroom", self.headroom, headroom), ("margin", self.margin, margin)]
        {
            let (Some(stands), Some(follows)) = (stands, follows) else { continue };
            if (stands - follows).abs() > format::FRACTION_ERROR {
                return Err(format!(
                    "the {what} of the route `{}` is {stands}, and its limit and peaks make it {follows:.4}",
                    self.name
                ));
            }
        }
        Ok(())
    }

    /// The sentence is about the limit that stands beside it. Only for locks without a checksum: a later
    /// version may say it in other words.
    pub(super) fn check_sentence(&self) -> Result<(), String> {
        let (Some(limit), Some(_), Some(_)) = (self.limit, self.lower, self.upper) else {
            return Ok(());
        };
        let number = thousands(limit.requests().into());
        if self.sentence.starts_with(&format!("{number} requests per {}", self.window)) {
            return Ok(());
        }
        Err(format!(
            "the limit of the route `{}` is {number}, and the sentence beside it is about another",
            self.name
        ))
    }
}

/// Peaks of all clients in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// Most requests in any window, in steps of 10 s.
    pub sliding: Quantiles,
    /// Most requests in any aligned window.
    pub clock: Quantiles,
}

/// Requests that a share of the clients does not exceed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Half of them.
    pub p50: u32,
    /// Nine in ten.
    pub p90: u32,
    /// 99 in 100.
    pub p99: u32,
    /// All.
    pub max: u32,
}

/// The peaks next to the limit, those closest to it first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearMisses {
    /// At or below the limit.
    pub below: Vec<Peak>,
    /// Above the limit.
    pub above: Vec<Peak>,
}

impl NearMisses {
    /// Leaves the clients out.
    pub(super) fn forget_clients(&mut self) {
        self.below.iter_mut().chain(&mut self.above).for_each(|peak| peak.client = None);
    }

    /// Closest to the limit first.
    pub(super) fn sort(&mut self) {
        self.below.sort_by(|a, b| b.peak.cmp(&a.peak).then_with(|| a.client.cmp(&b.client)));
        self.above.sort_by(|a, b| a.peak.cmp(&b.peak).then_with(|| a.client.cmp(&b.client)));
    }
}

/// One client's peak in the route's window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peak {
    /// Whose; left out unless addresses are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Its most requests in any window.
    pub peak: u32,
}

/// A question and the limit that would follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockQuestion {
    /// `exempt`, `regular` or `unwanted`.
    pub kind: String,
    /// How many clients it is about.
    pub clients: u64,
    /// The limit if the answer is yes.
    #[serde(with = "format::limit")]
    pub limit: Limit,
}

/// A fact about the logs that bounds the grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockCap {
    /// A promise to scripts, such as `filtered-log`.
    pub id: String,
    /// The best grade that it leaves.
    pub grade: Grade,
    /// In words.
    pub text: String,
}

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockWarning {
    /// A promise to scripts, such as `short-log`.
    pub id: String,
    /// In words.
    pub text: String,
}
