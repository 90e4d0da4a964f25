//! Whether the log holds every request and names every client: what bounds the trust in any figure.

use std::collections::BTreeMap;

/// What is known of a log beyond its lines. Sums and smallest values only, so that nothing depends on
/// the order of lines or files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completeness {
    /// Per cent of the requests that were logged, the smallest of several logs; `None` if all were.
    pub sampled_percent: Option<u32>,
    /// Sampled requests were counted several times, to stand for those that were not logged.
    pub scaled: bool,
    /// Records of AWS WAF logs.
    pub waf_records: u64,
    /// Of these, the requests that the web ACL let through in the end (`ALLOW`).
    pub waf_allowed: u64,
    /// Records in which AWS WAF wrote `REDACTED` in place of a value that matters here, by what is
    /// missing (`path`, `method`, `host`, `user agent`, `referer`); one record may stand in several.
    pub redacted: BTreeMap<&'static str, u64>,
    /// Requests whose path was not logged, so that the path pattern of their cache behaviour stands in.
    pub pattern_lines: u64,
    /// Requests that CloudFront made as a client: from its published addresses, or saying so.
    pub edge_lines: u64,
}

impl Completeness {
    /// Notes that a log holds only so many per cent of the requests.
    pub fn note_sampling(&mut self, percent: u32) {
        if percent < 100 {
            self.sampled_percent =
                Some(self.sampled_percent.map_or(percent, |held| held.min(percent)));
        }
    }

    /// Adds what another file lacks.
    pub fn add(&mut self, other: &Self) {
        if let Some(percent) = other.sampled_percent {
            self.note_sampling(percent);
        }
        self.scaled |= other.scaled;
        self.waf_records += other.waf_records;
        self.waf_allowed += other.waf_allowed;
        for (part, records) in &other.redacted {
            *self.redacted.entry(part).or_insert(0) += records;
        }
        self.edge_lines += other.edge_lines;
        self.pattern_lines += other.pattern_lines;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_adding_does_not_matter() {
        let mut one = Completeness { waf_records: 3, edge_lines: 1, ..Completeness::default() };
        one.note_sampling(100);
        assert_eq!(one.sampled_percent, None);
        one.redacted.insert("path", 2);
        let mut two = Completeness { waf_records: 1, waf_allowed: 1, ..Completeness::default() };
        two.note_sampling(50);
        two.note_sampling(10);
        two.note_sampling(80);
        two.redacted.insert("path", 1);
        two.redacted.insert("host", 1);
        let mut first = one.clone();
        first.add(&two);
        let mut second = two.clone();
        second.add(&one);
        assert_eq!(first, second);
        assert_eq!((first.sampled_percent, first.redacted["path"]), (Some(10), 3));
    }
}
