//! Times as people's logs write them: ISO 8601, the form of web servers, and numbers.

use super::stamp::{DayCache, epoch_seconds};
use crate::units::Timestamp;

/// `2026-09-08T00:21:52.123Z`, also with an offset (`+02:00`, `+0200`) or a space in place of the `T`,
/// to whole seconds since 1970; without a zone it is taken as UTC.
pub(super) fn iso_seconds(text: &[u8]) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (separator, rest) = rest.split_first()?;
    if !matches!(separator, b'T' | b't' | b' ') {
        return None;
    }
    let (time, zone) = rest.split_at_checked(8)?;
    let fraction = match zone {
        [b'.' | b',', digits @ ..] => {
            1 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count()
        }
        _ => 0,
    };
    let local = DayCache::default().seconds(date, time)?;
    match &zone[fraction..] {
        b"" | b"Z" | b"z" => Some(local),
        zone => Some(local - offset(zone.trim_ascii_start())?),
    }
}

/// `08/Sep/2026:00:21:52 +0200` to whole seconds since 1970.
pub(super) fn web_seconds(text: &[u8]) -> Option<i64> {
    let (day, rest) = (number(text.get(..2)?)?, text.get(2..)?);
    let (month, year) = (rest.get(1..4)?, number(rest.get(5..9)?)?);
    let month = MONTHS.iter().position(|name| month.eq_ignore_ascii_case(name))? as u32 + 1;
    let time = rest.get(10..18)?;
    if [rest[0], rest[4], rest[9]] != *b"//:" || [time[2], time[5]] != *b"::" {
        return None;
    }
    let (hour, minute, second) = (number(&time[..2])?, number(&time[3..5])?, number(&time[6..])?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let midnight = Timestamp::from_date(year, month, day as u32)?.0;
    let zone = rest[18..].trim_ascii_start();
    let offset = if zone.is_empty() { 0 } else { offset(zone)? };
    // 60: a leap second, kept within its minute.
    Some(midnight + hour * 3_600 + minute * 60 + second.min(59) - offset)
}

/// A time in any of these forms, or a number of seconds or milliseconds: its size decides.
pub(super) fn any_seconds(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let bare = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).unwrap_or(text);
    epoch_seconds(bare).or_else(|| iso_seconds(bare)).or_else(|| web_seconds(bare))
}

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// `+0200`, `+02:00`, `-07`, `Z` in seconds.
fn offset(zone: &[u8]) -> Option<i64> {
    if matches!(zone, b"Z" | b"z" | b"UTC" | b"GMT") {
        return Some(0);
    }
    let (sign, digits) = zone.split_first()?;
    let (hours, minutes) = match digits {
        [a, b] => ([*a, *b], [b'0', b'0']),
        [a, b, c, d] | [a, b, b':', c, d] => ([*a, *b], [*c, *d]),
        _ => return None,
    };
    let seconds = number(&hours)? * 3_600 + number(&minutes)? * 60;
    match sign {
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |value, digit| {
        digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: i64 = 1_788_826_912;

    #[test]
    fn one_instant_in_all_its_forms() {
        for text in [
            "2026-09-08T00:21:52Z",
            "2026-09-08T00:21:52.123456Z",
            "2026-09-08T02:21:52+02:00",
            "2026-09-07T17:21:52.9-0700",
            "2026-09-08 00:21:52",
            "08/Sep/2026:00:21:52 +0000",
            "08/sep/2026:02:21:52 +0200",
            "[07/Sep/2026:17:21:52 -0700]",
            "08/Sep/2026:00:21:52",
            "1788826912",
            "1788826912.999",
            "1788826912999",
        ] {
            assert_eq!(any_seconds(text.as_bytes()), Some(TIME), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "-",
            "2026-09-08",
            "2026-09-08T24:00:00Z",
            "2026-09-08T00:21:52X",
            "2026-09-08T00:21:52+2",
            "08/Sep/2026",
            "08/Foo/2026:00:21:52 +0000",
            "31/Feb/2026:00:21:52 +0000",
            "08/Sep/2026:00:61:52 +0000",
            "08-Sep-2026:00:21:52 +0000",
            "08/Sep/2026:00:21:52 ~0200",
            "\u{e4}\u{e4}/Sep/2026:00:21:52 +0000",
        ] {
            assert_eq!(any_seconds(text.as_bytes()), None, "{text}");
        }
    }
}
