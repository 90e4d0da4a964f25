//! Order statistics, without sorting whole columns.

/// Median of a column; the mean of the two middle values if their number is even. `None` if empty.
/// The column is reordered.
pub(in crate::proposal) fn median(column: &mut [f64]) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_columns() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0]), Some(3.0));
        assert_eq!(median(&mut [4.0, 1.0]), Some(2.5));
        assert_eq!(median(&mut [9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&mut [9.0, 1.0, 5.0, 6.0]), Some(5.5));
    }
}
