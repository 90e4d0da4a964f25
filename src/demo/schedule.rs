//! How many lines each hour gets: a daily and a weekly rhythm, and exactly as many as were asked for.

use super::random::Random;
use crate::units::Timestamp;

/// Share of the traffic by UTC hour of the day, in parts of a thousand of the busiest.
const HOURS: [u64; 24] = [
    210, 150, 120, 110, 130, 210, 380, 560, 720, 800, 840, 860, 900, 880, 850, 830, 840, 880, 950,
    1_000, 960, 800, 560, 340,
];

/// The same by day of the week, Monday first.
const DAYS: [u64; 7] = [960, 930, 920, 940, 900, 1_000, 1_080];

/// Where the hours of a period lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// Its first second, a full hour.
    pub(super) start: u32,
    pub(super) days: u32,
}

impl Period {
    pub(super) const fn hours(self) -> u32 {
        self.days * 24
    }

    /// The first second of an hour, counted from 0.
    pub(super) const fn begin(self, hour: u32) -> u32 {
        self.start + hour * 3_600
    }

    /// The first second after the period.
    pub(super) const fn end(self) -> u32 {
        self.begin(self.hours())
    }

    /// UTC hour of the day.
    pub(super) const fn hour_of_day(self, hour: u32) -> u32 {
        self.begin(hour) / 3_600 % 24
    }

    /// Monday to Friday.
    pub(super) const fn is_workday(self, hour: u32) -> bool {
        self.weekday(hour) < 5
    }

    /// 0 is Monday; the first day of 1970 was a Thursday.
    const fn weekday(self, hour: u32) -> i64 {
        (Timestamp(self.begin(hour) as i64).day() + 3) % 7
    }

    /// Hours in which people of an office work.
    pub(super) const fn is_office_hour(self, hour: u32) -> bool {
        self.is_workday(hour) && matches!(self.hour_of_day(hour), 7..17)
    }

    /// How busy an hour is.
    fn weight(self, seed: u64, hour: u32) -> u64 {
        let noise = Random::new(&[seed, 0x4EA7, u64::from(hour)]).between(88, 112);
        HOURS[self.hour_of_day(hour) as usize]
            * DAYS[self.weekday(hour) as usize]
            * u64::from(noise)
    }
}

/// Splits `lines` over the hours of a period: how many lie before each hour, and all of them at the
/// end.
pub(super) fn split(period: Period, seed: u64, lines: u64) -> Vec<u64> {
    let weights: Vec<u64> = (0..period.hours()).map(|hour| period.weight(seed, hour)).collect();
    let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let mut sum = 0;
    std::iter::once(0)
        .chain(weights.iter().map(|&weight| {
            sum += u128::from(weight);
            (u128::from(lines) * sum / total) as u64
        }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_an_hour_and_nights_are_quiet() {
        let period = Period { start: 1_788_739_200, days: 7 };
        assert_eq!(period.weekday(0), 0, "7 September 2026 is a Monday");
        for lines in [0, 1, 1_000, 9_999_999] {
            assert_eq!(*split(period, 3, lines).last().unwrap(), lines);
        }
        let before = split(period, 3, 1_000_000);
        let at = |hour: usize| before[hour + 1] - before[hour];
        assert!(at(3) * 4 < at(19));
    }
}
