//! How values are written in every format that is text: digits, times, and CloudFront's escapes.

use crate::units::Timestamp;

/// A text that needs no escapes.
pub(super) fn text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
}

/// A text as CloudFront escapes it: every control character, blank, byte above 126 and
/// ``<>"#%{}|\^~[]`'`` as `%XX`; nothing is `-`.
pub(super) fn escaped(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    if text.is_empty() {
        out.push(b'-');
    }
    for &byte in text.as_bytes() {
        if matches!(byte, 0..=32 | 127..=255 | b'<' | b'>' | b'"' | b'#' | b'%' | b'{' | b'}' | b'|'
            | b'\\' | b'^' | b'~' | b'[' | b']' | b'`' | b'\'')
        {
            out.extend_from_slice(&[
                b'%',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]);
        } else {
            out.push(byte);
        }
    }
}

pub(super) fn number(number: u64, out: &mut Vec<u8>) {
    digits(number, 1, out);
}

/// A number, or `-` for none.
pub(super) fn optional(value: Option<u64>, out: &mut Vec<u8>) {
    match value {
        Some(value) => number(value, out),
        None => out.push(b'-'),
    }
}

/// Milliseconds as seconds with three decimals.
pub(super) fn seconds(milliseconds: u32, out: &mut Vec<u8>) {
    digits(u64::from(milliseconds / 1_000), 1, out);
    out.push(b'.');
    digits(u64::from(milliseconds % 1_000), 3, out);
}

/// Decimal digits, with zeros before them up to so many.
pub(super) fn digits(mut number: u64, least: usize, out: &mut Vec<u8>) {
    let mut buffer = [b'0'; 20];
    let mut start = buffer.len();
    while number > 0 || buffer.len() - start < least {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&buffer[start..]);
}

/// `2026-09-08`.
pub(super) fn date(time: i64, out: &mut Vec<u8>) {
    let (year, month, day) = Timestamp(time).date();
    digits(year as u64, 4, out);
    out.push(b'-');
    digits(u64::from(month), 2, out);
    out.push(b'-');
    digits(u64::from(day), 2, out);
}

/// `00:21:52`.
pub(super) fn time_of_day(time: i64, out: &mut Vec<u8>) {
    let second = time.rem_euclid(86_400) as u64;
    digits(second / 3_600, 2, out);
    out.push(b':');
    digits(second / 60 % 60, 2, out);
    out.push(b':');
    digits(second % 60, 2, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts_are_escaped_once_as_cloudfront_does() {
        assert_eq!(written(|out| escaped("/a%2Fb ~c", out)), "/a%252Fb%20%7Ec");
        assert_eq!(written(|out| escaped("(x; y), z+1", out)), "(x;%20y),%20z+1");
        assert_eq!(written(|out| escaped("", out)), "-");
    }

    #[test]
    fn numbers_and_times_have_their_digits() {
        assert_eq!(written(|out| number(0, out)), "0");
        assert_eq!(written(|out| number(1_204, out)), "1204");
        assert_eq!(written(|out| digits(0, 3, out)), "000");
        assert_eq!(written(|out| seconds(61_007, out)), "61.007");
        assert_eq!(written(|out| date(1_788_826_912, out)), "2026-09-08");
        assert_eq!(written(|out| time_of_day(1_788_826_912, out)), "00:21:52");
    }
}
