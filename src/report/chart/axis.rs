//! A log axis.

/// Requests to a place on a chart.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Where 1 stands.
    pub(super) start: f64,
    /// Where `most` stands.
    pub(super) end: f64,
    most: f64,
}

impl Axis {
    /// From 1 to at least so many.
    pub(super) fn new(start: f64, end: f64, most: u32) -> Self {
        let most = f64::from(most.max(10));
        let power = 10_f64.powf(most.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power);
        let most = round.into_iter().find(|step| *step >= most * 1.05).unwrap_or(most * 1.05);
        Self { start, end, most }
    }

    /// The place of a number; 1 for less.
    pub(super) fn at(&self, value: u32) -> f64 {
        let share = f64::from(value.max(1)).log10() / self.most.log10();
        self.start + share.min(1.0) * (self.end - self.start)
    }

    /// The end's number.
    pub(super) const fn most(&self) -> f64 {
        self.most
    }

    /// 1, 10, 100 … with the numbers two and five times as large between them, each with whether it is a
    /// power of ten.
    pub(super) fn ticks(&self) -> Vec<(u32, bool)> {
        let mut ticks = Vec::new();
        let mut power = 1_u64;
        while power as f64 <= self.most {
            for step in [1, 2, 5] {
                match u32::try_from(step * power) {
                    Ok(tick) if f64::from(tick) <= self.most => ticks.push((tick, step == 1)),
                    _ => {}
                }
            }
            power *= 10;
        }
        ticks
    }
}

/// A coordinate with at most one decimal.
pub(in crate::report) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    (if text == "-0" { "0" } else { text }).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_a_round_number() {
        let axis = Axis::new(0.0, 100.0, 7_383);
        assert_eq!(axis.most(), 10_000.0);
        assert_eq!((axis.at(1), axis.at(100), axis.at(10_000)), (0.0, 50.0, 100.0));
        assert_eq!(axis.ticks().len(), 13);
        assert_eq!(Axis::new(0.0, 1.0, u32::MAX).ticks().last(), Some(&(2_000_000_000, false)));
        assert_eq!(
            (number(1.0), number(2.26), number(-0.01)),
            ("1".into(), "2.3".into(), "0".into())
        );
    }
}
