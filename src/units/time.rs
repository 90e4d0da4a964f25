//! Instants in whole seconds.

use std::fmt;

/// Seconds since 1970-01-01T00:00:00Z. Shown as `2026-09-08T00:21:52Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The UTC day, counted from 1970-01-01.
    #[must_use]
    pub const fn day(self) -> i64 {
        self.0.div_euclid(86_400)
    }

    /// The UTC hour, counted from 1970-01-01T00.
    #[must_use]
    pub const fn hour(self) -> i64 {
        self.0.div_euclid(3_600)
    }

    /// Year, month (1 to 12) and day of the month (1 to 31) in UTC.
    #[must_use]
    pub const fn date(self) -> (i64, u32, u32) {
        // Days to civil date in the proleptic Gregorian calendar, counted in 400-year eras that
        // begin on 1 March, so that the leap day is the last day of a year.
        let shifted = self.day() + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        (year, month as u32, day)
    }

    /// Midnight UTC of a civil date; `None` if there is no such date.
    #[must_use]
    pub const fn from_date(year: i64, month: u32, day: u32) -> Option<Self> {
        if month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) {
            return None;
        }
        let shifted_year = if month <= 2 { year - 1 } else { year };
        let era = shifted_year.div_euclid(400);
        let year_of_era = shifted_year.rem_euclid(400);
        let month_from_march = if month > 2 { month - 3 } else { month + 9 } as i64;
        let day_of_year = (153 * month_from_march + 2) / 5 + day as i64 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Some(Self((era * 146_097 + day_of_era - 719_468) * 86_400))
    }

    /// `2026-09-08`.
    #[must_use]
    pub fn date_text(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `8 Sep 2026`.
    #[must_use]
    pub fn date_in_words(self) -> String {
        let (year, month, day) = self.date();
        format!("{day} {} {year}", MONTHS[month as usize - 1])
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let second = self.0.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back() {
        for day in (-800_000..800_000).step_by(7) {
            let time = Timestamp(day * 86_400);
            let (year, month, day) = time.date();
            assert_eq!(Timestamp::from_date(year, month, day), Some(time));
        }
        assert_eq!(Timestamp(1_788_826_912).to_string(), "2026-09-08T00:21:52Z");
        assert_eq!(Timestamp::from_date(2026, 2, 29), None);
        assert_eq!(
            Timestamp::from_date(2024, 2, 29).map(|t| t.date_text()).as_deref(),
            Some("2024-02-29")
        );
        assert_eq!(Timestamp(0).date_in_words(), "1 Jan 1970");
    }
}
