//! Random draws: splitmix64, small, fast and the same everywhere.

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    /// The stream of a seed and a name, so that kinds of week do not share draws.
    pub fn new(seed: u64, name: &str, number: u64) -> Self {
        let start = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut random = Self(start ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mixed = random.next() ^ number.wrapping_mul(0xd134_2543_de82_ef95);
        Self(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Above 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        (high - low).mul_add(self.unit(), low)
    }

    /// A factor between two others, each factor of it as likely.
    pub fn factor(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// A whole number of `low..=high`.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + (self.unit() * f64::from(high - low + 1)) as u32
    }

    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.unit(), self.unit());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    pub fn poisson(&mut self, mean: f64) -> u32 {
        if mean > 40.0 {
            return mean.sqrt().mul_add(self.normal(), mean).round().max(0.0) as u32;
        }
        let (end, mut product, mut number) = ((-mean).exp(), self.unit(), 0);
        while product > end {
            product *= self.unit();
            number += 1;
        }
        number
    }
}
