//! Order statistics, without sorting whole columns.

/// Median of a column; the mean of the two middle values if their number is even. `None` if empty.
/// The column is reordered.
pub(super) fn median(column: &mut [f64]) -> Option<f64> {
    if column.is_empty() {
        return None;
    }
    let middle = column.len() / 2;
    let odd = column.len() % 2 == 1;
    let (below, &mut upper, _) = column.select_nth_unstable_by(middle, f64::total_cmp);
    if odd {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp).unwrap_or(upper);
    Some(f64::midpoint(lower, upper))
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

    /// Takes the next value in.
    pub(super) fn see(&mut self, value: f64) {
        if value >= self.threshold {
            self.reaching += 1;
            self.lowest_reaching = self.lowest_reaching.min(value);
        } else {
            self.below += 1;
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
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0]), Some(3.0));
        assert_eq!(median(&mut [4.0, 1.0]), Some(2.5));
        assert_eq!(median(&mut [9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&mut [9.0, 1.0, 5.0, 6.0]), Some(5.5));
    }

    proptest! {
        #[test]
        fn counting_agrees_with_selecting(
            eighths in prop::collection::vec(0..9u8, 0..12),
            threshold in prop::sample::select(vec![0.0, 0.25, 0.5, 0.7, 1.0]),
        ) {
            let mut column: Vec<f64> = eighths.iter().map(|&part| f64::from(part) / 8.0).collect();
            let mut counted = MedianReaches::new(threshold);
            column.iter().for_each(|&value| counted.see(value));
            let selected = median(&mut column).is_some_and(|median| median >= threshold);
            prop_assert_eq!(counted.answer(), selected);
        }
    }
}
