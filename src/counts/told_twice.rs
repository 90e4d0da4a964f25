//! Whether two sources tell of the same requests: standard logs v1 beside v2, or a WAF log beside either.

use crate::logs::Source;

/// So many request ids of a source are kept. A thousandth of what two sources share is found with a
/// sample of this size.
const KEPT: usize = 1 << 12;

/// The lowest hashes of a source's request ids: which ones these are does not depend on order, files or
/// threads, so that two sources with the same requests keep the same ones.
#[derive(Clone, Debug)]
struct Sample {
    /// Until it is settled, some stand here twice, and there may be more than are kept.
    lowest: Vec<u64>,
    /// Higher ones are not kept, all others are.
    bound: u64,
}

impl Default for Sample {
    fn default() -> Self {
        Self { lowest: Vec::new(), bound: u64::MAX }
    }
}

impl Sample {
    #[cold]
    fn keep(&mut self, hash: u64) {
        self.lowest.push(hash);
        // Sorting many at a time takes a tenth of finding the place of each.
        if self.lowest.len() == 2 * KEPT {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.lowest.sort_unstable();
        self.lowest.dedup();
        if self.lowest.len() > KEPT {
            self.lowest.truncate(KEPT);
            self.bound = self.lowest.last().copied().unwrap_or(u64::MAX);
        }
    }

    /// The hashes up to a bound, once it is settled.
    fn up_to(&self, bound: u64) -> &[u64] {
        &self.lowest[..self.lowest.partition_point(|&hash| hash <= bound)]
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
    pub(super) fn shared(&mut self) -> Vec<ToldTwice> {
        self.0.iter_mut().for_each(Sample::settle);
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
        let (one, other) = (one.up_to(bound), other.up_to(bound));
        let fewer = one.len().min(other.len());
        let common = one.iter().filter(|hash| other.binary_search(hash).is_ok()).count();
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
        let mut whole = noted(Source::Standard, 0..20_000);
        let mut parts = noted(Source::Standard, 15_000..20_000);
        parts.absorb(&noted(Source::Standard, 0..15_000));
        parts.0[0].settle();
        whole.0[0].settle();
        assert_eq!(parts.0[0].lowest, whole.0[0].lowest);
    }
}
