//! Whether two sources tell of the same requests: standard logs v1 beside v2, or a WAF log beside either.

use std::collections::BTreeSet;

use crate::logs::Source;

/// So many request ids of a source are kept. A thousandth of what two sources share is found with a
/// sample of this size.
const KEPT: usize = 1 << 12;

/// The lowest hashes of a source's request ids: which ones these are does not depend on order, files or
/// threads, so that two sources with the same requests keep the same ones.
#[derive(Clone, Debug)]
struct Sample {
    lowest: BTreeSet<u64>,
    /// Higher ones are not kept.
    bound: u64,
}

impl Default for Sample {
    fn default() -> Self {
        Self { lowest: BTreeSet::new(), bound: u64::MAX }
    }
}

impl Sample {
    #[cold]
    fn keep(&mut self, hash: u64) {
        self.lowest.insert(hash);
        if self.lowest.len() > KEPT {
            self.lowest.pop_last();
            self.bound = self.lowest.last().copied().unwrap_or(u64::MAX);
        }
    }
}

/// Samples of all sources.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples([Sample; Source::ALL.len()]);

/// Two sources with requests in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToldTwice {
    /// One of the sources.
    pub one: Source,
    /// The other.
    pub other: Source,
    /// Share of the requests of the source with fewer that the other one has, too (0 to 1). An estimate
    /// from a sample.
    pub share: f64,
}

impl Samples {
    /// Takes note of a request.
    #[inline]
    pub(super) fn note(&mut self, source: Source, id: u64) {
        let sample = &mut self.0[source as usize];
        if id < sample.bound {
            sample.keep(id);
        }
    }

    /// Adds what another worker saw.
    pub(super) fn absorb(&mut self, other: &Self) {
        for (source, sample) in Source::ALL.iter().zip(&other.0) {
            sample.lowest.iter().for_each(|hash| self.note(*source, *hash));
        }
    }

    /// Which sources tell of the same requests.
    pub(super) fn shared(&self) -> Vec<ToldTwice> {
        let mut found = Vec::new();
        for (place, one) in Source::ALL.iter().enumerate() {
            for other in &Source::ALL[place + 1..] {
                let share = self.share(*one, *other);
                if share > 0.0 {
                    found.push(ToldTwice { one: *one, other: *other, share });
                }
            }
        }
        found
    }

    fn share(&self, one: Source, other: Source) -> f64 {
        let (one, other) = (&self.0[one as usize], &self.0[other as usize]);
        // Up to this hash, both are complete.
        let bound = one.bound.min(other.bound);
        let count = |sample: &Sample| sample.lowest.range(..=bound).count();
        let fewer = count(one).min(count(other));
        let common = one.lowest.range(..=bound).filter(|hash| other.lowest.contains(hash)).count();
        if common == 0 { 0.0 } else { common as f64 / fewer as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    fn noted(source: Source, ids: std::ops::Range<u32>) -> Samples {
        let mut samples = Samples::default();
        ids.for_each(|id| samples.note(source, xxh3_64(&id.to_le_bytes())));
        samples
    }

    #[test]
    fn sources_with_the_same_requests_are_noticed() {
        let mut all = noted(Source::Standard, 0..200_000);
        all.absorb(&noted(Source::StandardV2, 100_000..300_000));
        all.absorb(&noted(Source::Waf, 1_000_000..1_000_100));
        all.absorb(&noted(Source::RealTime, 250_000..250_010));
        let shared = all.shared();
        assert_eq!((shared[0].one, shared[0].other), (Source::Standard, Source::StandardV2));
        assert!((0.45..0.55).contains(&shared[0].share), "{shared:?}");
        assert!(shared.iter().all(|pair| pair.other != Source::Waf && pair.one != Source::Waf));
    }

    #[test]
    fn neither_order_nor_splitting_matters() {
        let whole = noted(Source::Standard, 0..20_000);
        let mut parts = noted(Source::Standard, 15_000..20_000);
        parts.absorb(&noted(Source::Standard, 0..15_000));
        assert_eq!(parts.0[0].lowest, whole.0[0].lowest);
    }
}
