//! A random generator of our own, so that a seed gives the same logs with every version of every
//! library and on every machine: integers and square roots only, which are exact everywhere.

/// xoshiro256++ by Blackman and Vigna, seeded through splitmix64.
#[derive(Clone, Debug)]
pub(super) struct Random([u64; 4]);

/// The finalizer of splitmix64: a bijection that leaves no bit where it was.
pub(super) const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// One number out of several, in order.
pub(super) fn blend(parts: &[u64]) -> u64 {
    parts.iter().fold(0x5261_7465_5741_4600, |sum, part| mix(sum ^ mix(*part)))
}

impl Random {
    /// A stream of its own for everything that `parts` name.
    pub(super) fn new(parts: &[u64]) -> Self {
        let seed = blend(parts);
        Self([1, 2, 3, 4].map(|step| mix(seed.wrapping_add(step))))
    }

    pub(super) const fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// 0 to `end` - 1; 0 if `end` is 0.
    pub(super) const fn below(&mut self, end: u32) -> u32 {
        (((self.bits() >> 32) * end as u64) >> 32) as u32
    }

    /// `low` to `high`, both included.
    pub(super) const fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True once in `number` times.
    pub(super) const fn one_in(&mut self, number: u32) -> bool {
        self.below(number) == 0
    }

    /// 0 up to but not including 1.
    pub(super) fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;
        (self.bits() >> 11) as f64 * STEP
    }

    /// `least` or more, twice as much a quarter as often (a power law of exponent 2), but not above
    /// `most`.
    pub(super) fn heavy(&mut self, least: u32, most: u32) -> u32 {
        loop {
            let value = (f64::from(least) / (1.0 - self.unit()).sqrt()) as u32;
            if value <= most {
                return value;
            }
        }
    }

    /// One of a list.
    pub(super) const fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_repeatable_and_differ() {
        let take = |parts: &[u64]| {
            let mut random = Random::new(parts);
            [random.bits(), random.bits(), random.bits()]
        };
        assert_eq!(take(&[7, 1]), take(&[7, 1]));
        assert_ne!(take(&[7, 1]), take(&[1, 7]));
        assert_ne!(take(&[7, 1]), take(&[7, 2]));
    }

    #[test]
    fn numbers_stay_within_their_bounds_and_reach_them() {
        let mut random = Random::new(&[1]);
        let mut seen = [0_u32; 6];
        for _ in 0..6_000 {
            seen[random.between(2, 5) as usize] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((2..=9).contains(&random.heavy(2, 9)));
        }
        assert_eq!(&seen[..2], [0, 0]);
        assert!(seen[2..].iter().all(|&count| (1_300..1_700).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }
}
