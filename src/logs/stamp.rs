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

/// `00:21:52`, whatever fraction may follow: whole seconds are all that counts. All digits at once,
/// because it is done for every line.
#[inline]
fn second_of_day(time: &[u8]) -> Option<i64> {
    /// What takes a digit's value over 127 if it is none; in the colons' places anything but 0.
    const TOO_MUCH: u64 = u64::from_le_bytes([0x76, 0x76, 0x7f, 0x76, 0x76, 0x7f, 0x76, 0x76]);
    const TOP_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    let (whole, fraction) = time.split_first_chunk::<8>()?;
    if !(fraction.is_empty() || fraction[0] == b'.') {
        return None;
    }
    let digits = u64::from_le_bytes(*whole) ^ u64::from_le_bytes(*b"00:00:00");
    if (digits | digits.wrapping_add(TOO_MUCH)) & TOP_BITS != 0 {
        return None;
    }
    let two = |place: u32| (digits >> (8 * place) & 0xff) * 10 + (digits >> (8 * place + 8) & 0xff);
    let (hour, minute, second) = (two(0), two(3), two(6));
    // 60: a leap second, kept within its minute.
    (hour < 24 && minute < 60 && second <= 60)
        .then(|| (hour * 3_600 + minute * 60 + second.min(59)) as i64)
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
    use proptest::prelude::*;

    use super::*;

    /// Part by part, as one reads.
    fn naive(time: &str) -> Option<i64> {
        let whole =
            time.get(..8).filter(|_| matches!(time.as_bytes().get(8), None | Some(b'.')))?;
        let parts: Vec<&str> = whole.split(':').collect();
        let digits =
            |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        let [hour, minute, second] = parts.as_slice() else { return None };
        let number = |part: &&str| part.parse::<i64>().ok().filter(|_| digits(part));
        let (hour, minute, second) = (number(hour)?, number(minute)?, number(second)?);
        (hour < 24 && minute < 60 && second <= 60)
            .then(|| hour * 3_600 + minute * 60 + second.min(59))
    }

    proptest! {
        #[test]
        fn times_are_read_as_part_by_part(time in "[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,3})?|[0-2][0-9]:[0-5][0-9]:[0-6][0-9]|[ -~\u{80}-\u{ff}]{0,10}|[0-9:;/]{8}") {
            prop_assert_eq!(second_of_day(time.as_bytes()), naive(&time));
        }
    }

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
