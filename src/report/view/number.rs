//! Numbers with a fixed count of decimals, so that equal analyses give equal bytes.

use crate::units;

/// Decimals of a share.
pub(super) const SHARE: usize = 4;
/// Decimals of a ratio between a limit and a peak.
pub(super) const RATIO: usize = 4;
/// Decimals of a rate per second: 10 requests in 600 s are 0.016667.
pub(super) const RATE: usize = 6;
/// Decimals of the evidence.
pub(super) const EVIDENCE: usize = 9;

/// The nearest number with so many decimals; ties go to the even digit.
pub(super) fn rounded(value: f64, decimals: usize) -> f64 {
    // By way of the decimal text, which is exact; scaling and rounding is not.
    let near: f64 = format!("{value:.decimals$}").parse().unwrap_or(value);
    // No negative zero in an output.
    if near == 0.0 { 0.0 } else { near }
}

/// A part of a whole as it is written, 0 if there is no whole.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    rounded(units::share(part, whole), SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_exact_and_ties_go_to_even() {
        assert_eq!(rounded(0.031_25, 4), 0.0312);
        assert_eq!(rounded(0.031_251, 4), 0.0313);
        assert_eq!(rounded(1.604_278, 4), 1.6043);
        assert!(rounded(-0.000_001, 4).is_sign_positive());
        assert_eq!(share(2, 655), 0.0031);
        assert_eq!(share(1, 0), 0.0);
    }
}
