//! Order statistics, without sorting whole columns.

/// Median of a column of values, each with the number of times that it stands there; the mean of the two
/// middle values if there are an even number. `None` if empty. The column is reordered.
pub(super) fn median(column: &mut [(f64, usize)]) -> Option<f64> {
    let all: usize = column.iter().map(|(_, number)| number).sum();
    if all == 0 {
        return None;
    }
    column.sort_unstable_by(|(one, _), (two, _)| one.total_cmp(two));
    let at = |rank: usize| {
        let mut seen = 0;
        let found = column.iter().find(|(_, number)| {
            seen += number;
            seen > rank
        });
        found.map(|(value, _)| *value)
    };
    let upper = at(all / 2)?;
    Some(if all % 2 == 1 { upper } else { f64::midpoint(at(all / 2 - 1)?, upper) })
}

/// Whether the median of a column, as [`median`] defines it, reaches a threshold. Counts instead of
/// selecting, so a column of millions is only passed over.
#[derive(Clone, Copy)]
pub(super) struct MedianReaches {
    threshold: f64,
    below: usize,
    reaching: usize,
    highest_below: f64,
    lowest_reaching: f64,
}

impl MedianReaches {
    /// Nothing seen yet.
    pub(super) const fn new(threshold: f64) -> Self {
        Self {
            threshold,
            below: 0,
            reaching: 0,
            highest_below: f64::NEG_INFINITY,
            lowest_reaching: f64::INFINITY,
        }
    }

    /// Takes the next value in, so many times.
    pub(super) fn see(&mut self, value: f64, number: usize) {
        if value >= self.threshold {
            self.reaching += number;
            self.lowest_reaching = self.lowest_reaching.min(value);
        } else {
            self.below += number;
            self.highest_below = self.highest_below.max(value);
        }
    }

    /// The answer; no if nothing was seen.
    pub(super) fn answer(&self) -> bool {
        if self.reaching == self.below {
            // The two middle values lie on either side of the threshold.
            return self.reaching > 0
                && f64::midpoint(self.highest_below, self.lowest_reaching) >= self.threshold;
        }
        self.reaching > self.below
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn medians_of_odd_and_even_columns() {
        let of = |column: &[f64]| {
            median(&mut column.iter().map(|&value| (value, 1)).collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0]), Some(3.0));
        assert_eq!(of(&[4.0, 1.0]), Some(2.5));
        assert_eq!(of(&[9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(of(&[9.0, 1.0, 5.0, 6.0]), Some(5.5));
        assert_eq!(median(&mut [(9.0, 2), (1.0, 1), (5.0, 1)]), Some(7.0));
        assert_eq!(median(&mut [(9.0, 0), (1.0, 1_000)]), Some(1.0));
    }

    proptest! {
        #[test]
        fn counting_agrees_with_selecting(
            eighths in prop::collection::vec(0..9u8, 0..12),
            threshold in prop::sample::select(vec![0.0, 0.25, 0.5, 0.7, 1.0]),
        ) {
            let mut column: Vec<(f64, usize)> =
                eighths.iter().map(|&part| (f64::from(part) / 8.0, 1 + usize::from(part % 3))).collect();
            let mut counted = MedianReaches::new(threshold);
            column.iter().for_each(|&(value, number)| counted.see(value, number));
            let selected = median(&mut column).is_some_and(|median| median >= threshold);
            prop_assert_eq!(counted.answer(), selected);
        }
    }
}
