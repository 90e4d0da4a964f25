//! Times as logs write them, to whole seconds since 1970.

use crate::units::Timestamp;

/// `2026-09-08` with `00:21:52`. Days repeat for millions of lines, so the last one is remembered.
#[derive(Debug, Default)]
pub(super) struct DayCache {
    text: [u8; 10],
    midnight: Option<i64>,
}

impl DayCache {
    /// Seconds since 1970, or `None` if the texts are no date and time.
    #[inline]
    pub(super) fn seconds(&mut self, date: &[u8], time: &[u8]) -> Option<i64> {
        let date: &[u8; 10] = date.try_into().ok()?;
        if self.midnight.is_none() || *date != self.text {
            self.midnight = midnight(date);
            self.text = *date;
        }
        Some(self.midnight? + second_of_day(time)?)
    }
}

fn midnight(date: &[u8; 10]) -> Option<i64> {
    if date[4] != b'-' || date[7] != b'-' {
        return None;
    }
    let year = number(&date[..4])?;
    let month = number(&date[5..7])?;
    let day = number(&date[8..])?;
    Timestamp::from_date(year, month as u32, day as u32).map(|time| time.0)
}

#[inline]
fn second_of_day(time: &[u8]) -> Option<i64> {
    // A fraction may follow; whole seconds are all that counts.
    let (whole, fraction) = time.split_at_checked(8)?;
    if !(fraction.is_empty() || fraction[0] == b'.') || whole[2] != b':' || whole[5] != b':' {
        return None;
    }
    let (hour, minute, second) =
        (number(&whole[..2])?, number(&whole[3..5])?, number(&whole[6..])?);
    // 60: a leap second, kept within its minute.
    (hour < 24 && minute < 60 && second <= 60).then(|| hour * 3_600 + minute * 60 + second.min(59))
}

#[inline]
fn number(digits: &[u8]) -> Option<i64> {
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(value)
}

/// The whole part of a decimal number: `0.037` is 0. `None` for no number, `-` included.
#[inline]
pub(super) fn whole_seconds(text: &[u8]) -> Option<i64> {
    let end = memchr::memchr(b'.', text).unwrap_or(text.len());
    if end == 0 || end > 12 {
        // `.5` is a number below one; more than 12 digits of seconds are not.
        return (end == 0 && text.len() > 1).then_some(0);
    }
    number(&text[..end])
}

/// A timestamp in seconds, seconds with decimals, or milliseconds: its size decides.
#[inline]
pub(super) fn epoch_seconds(text: &[u8]) -> Option<i64> {
    let whole =
        whole_seconds(text).or_else(|| (text.len() == 13).then(|| number(text)).flatten())?;
    // 10^11 seconds is the year 5138; as milliseconds it is 1973.
    Some(if whole >= 100_000_000_000 { whole / 1_000 } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read() {
        let mut days = DayCache::default();
        assert_eq!(days.seconds(b"2026-09-08", b"00:21:52"), Some(1_788_826_912));
        assert_eq!(days.seconds(b"2026-09-08", b"00:21:52.999"), Some(1_788_826_912));
        assert_eq!(days.seconds(b"2026-09-09", b"00:00:00"), Some(1_788_912_000));
        for (date, time) in [
            ("2026-02-30", "00:00:00"),
            ("2026-09-08", "24:00:00"),
            ("2026-9-8", "0:0:0"),
            ("-", "-"),
            ("2026-09-08", "00:00:0x"),
        ] {
            assert_eq!(days.seconds(date.as_bytes(), time.as_bytes()), None, "{date} {time}");
        }
        assert_eq!(days.seconds(b"2026-09-08", b"00:21:52"), Some(1_788_826_912));
    }

    #[test]
    fn timestamps_of_any_size_are_seconds() {
        for text in ["1737232139", "1737232139.011", "1737232139011"] {
            assert_eq!(epoch_seconds(text.as_bytes()), Some(1_737_232_139), "{text}");
        }
        assert_eq!(epoch_seconds(b"-"), None);
    }

    #[test]
    fn only_whole_seconds_of_a_duration_count() {
        assert_eq!(whole_seconds(b"0.040"), Some(0));
        assert_eq!(whole_seconds(b"10800.999"), Some(10_800));
        assert_eq!(whole_seconds(b".5"), Some(0));
        assert_eq!(whole_seconds(b"-"), None);
        assert_eq!(whole_seconds(b""), None);
        assert_eq!(whole_seconds(b"1e3"), None);
    }
}
