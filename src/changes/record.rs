//! What we remember of a rule or a set, as a tag on it: so that an edit by hand is told from a change of
//! the policy, and the days in count are known.

use serde::{Deserialize, Serialize};

use crate::units::Timestamp;

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Counts.
    Count,
    /// Blocks.
    Block,
    /// Challenges.
    Challenge,
    /// Asks for a CAPTCHA.
    Captcha,
}

impl Mode {
    /// In a tag.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Block => "block",
            Self::Challenge => "challenge",
            Self::Captcha => "captcha",
        }
    }

    /// Third person.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Count => "counts",
            Self::Block => "blocks",
            Self::Challenge => "challenges",
            Self::Captcha => "asks for a CAPTCHA",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Count, Self::Block, Self::Challenge, Self::Captcha]
            .into_iter()
            .find(|one| one.as_str() == text)
    }
}

/// The value of a tag: `acl count since 2026-11-30T07:10:00Z 0123456789abcdef`. Tags take letters, digits,
/// spaces and `_ . : / = + - @` (API, `TagValue`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The policy's name.
    pub owner: String,
    /// What the rule did.
    pub mode: Mode,
    /// Since when.
    pub since: Timestamp,
    /// Of what was written.
    pub digest: String,
}

/// The tag of an IP set.
pub(super) const SET_TAG: &str = "ratewaf";

/// The tag of an IP set with such a value.
#[must_use]
pub fn set_tag(value: &str) -> (String, String) {
    (SET_TAG.to_owned(), value.to_owned())
}

/// The key of a rule's tag. A rule's name has up to 128 characters and so has a key, so of long names the end
/// is a fingerprint.
#[must_use]
pub fn key_of(rule: &str) -> String {
    const MOST: usize = 128 - "ratewaf:".len();
    if rule.len() <= MOST {
        return format!("ratewaf:{rule}");
    }
    let end = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(rule.as_bytes()));
    let start: String = rule.chars().take(MOST - end.len()).collect();
    format!("ratewaf:{start}{end}")
}

impl Record {
    /// Reads a tag's value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let [owner, mode, "since", since, digest] = text.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Self {
            owner: owner.to_owned(),
            mode: Mode::parse(mode)?,
            since: moment(since)?,
            digest: digest.to_owned(),
        })
    }

    /// The tag's value.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} {} since {} {}", self.owner, self.mode.as_str(), self.since, self.digest)
    }
}

/// `2026-11-30T07:10:00Z`.
fn moment(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, between| -> Option<Vec<u32>> {
        text.split(between).map(|part: &str| part.parse().ok()).collect()
    };
    let (date, time) = (numbers(date, '-')?, numbers(time, ':')?);
    let ([year, month, day], [hour, minute, second]) = (&date[..], &time[..]) else { return None };
    let midnight = Timestamp::from_date(i64::from(*year), *month, *day)?;
    Some(Timestamp(midnight.0 + i64::from(hour * 3_600 + minute * 60 + second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_written() {
        let record = Record {
            owner: "acl".to_owned(),
            mode: Mode::Count,
            since: Timestamp(1_796_000_123),
            digest: "0123456789abcdef".to_owned(),
        };
        assert_eq!(Record::parse(&record.text()), Some(record));
        for broken in
            ["", "acl count 2026", "acl eat since 2026-01-01T00:00:00Z 1", "acl count since x 1"]
        {
            assert_eq!(Record::parse(broken), None);
        }
        let long = "a".repeat(128);
        assert_eq!(key_of(&long).len(), 128);
        assert_ne!(key_of(&long), key_of(&format!("{}b", &long[..127])));
    }
}
