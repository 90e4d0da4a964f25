//! CloudFront standard logs v1, as the page "Standard logging (legacy)" of the CloudFront developer
//! guide describes them: tabs between 33 columns, `-` for no value, and in texts every control
//! character, blank, byte above 126 and ``<>"#%{}|\^~[]`'`` as `%XX`.

use crate::demo::exchange::Exchange;
use crate::demo::site;
use crate::units::Timestamp;

pub(super) const HEAD: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip \
    cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) \
    x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
    x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version \
    fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type \
    sc-content-type sc-content-len sc-range-start sc-range-end\n";

/// Appends one line with its end.
pub(super) fn line(exchange: &Exchange, out: &mut Vec<u8>) {
    moment(exchange.end, out);
    text(exchange.edge, out);
    number(exchange.response_bytes, out);
    text(&exchange.client, out);
    text(exchange.method, out);
    text(site::DISTRIBUTION_HOST, out);
    escaped(&exchange.path, out);
    digits(u64::from(exchange.status), 3, out);
    out.push(b'\t');
    escaped(&exchange.referer, out);
    escaped(&exchange.agent, out);
    escaped(&exchange.query, out);
    text("-", out);
    text(exchange.result, out);
    text(&exchange.request_id, out);
    text(site::HOST, out);
    text(exchange.scheme, out);
    number(exchange.request_bytes, out);
    seconds(exchange.taken, out);
    text("-", out);
    text(exchange.tls, out);
    text(exchange.cipher, out);
    text(exchange.result, out);
    text(exchange.version, out);
    text("-", out);
    text("-", out);
    number(u64::from(exchange.port), out);
    seconds(exchange.first_byte, out);
    text(exchange.detail, out);
    text(exchange.content_type, out);
    optional(exchange.content_length, out);
    optional(exchange.range.map(|(start, _)| start), out);
    optional(exchange.range.map(|(_, end)| end), out);
    out.pop();
    out.push(b'\n');
}

fn text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
    out.push(b'\t');
}

fn escaped(text: &str, out: &mut Vec<u8>) {
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
    out.push(b'\t');
}

fn number(number: u64, out: &mut Vec<u8>) {
    digits(number, 1, out);
    out.push(b'\t');
}

fn optional(value: Option<u64>, out: &mut Vec<u8>) {
    match value {
        Some(value) => number(value, out),
        None => text("-", out),
    }
}

/// Milliseconds as seconds with three decimals.
fn seconds(milliseconds: u32, out: &mut Vec<u8>) {
    digits(u64::from(milliseconds / 1_000), 1, out);
    out.push(b'.');
    digits(u64::from(milliseconds % 1_000), 3, out);
    out.push(b'\t');
}

fn digits(mut number: u64, least: usize, out: &mut Vec<u8>) {
    let mut buffer = [b'0'; 20];
    let mut start = buffer.len();
    while number > 0 || buffer.len() - start < least {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&buffer[start..]);
}

fn moment(end: i64, out: &mut Vec<u8>) {
    let (year, month, day) = Timestamp(end).date();
    let second = end.rem_euclid(86_400) as u64;
    let parts = [
        (year as u64, 4, b'-'),
        (u64::from(month), 2, b'-'),
        (u64::from(day), 2, b'\t'),
        (second / 3_600, 2, b':'),
        (second / 60 % 60, 2, b':'),
        (second % 60, 2, b'\t'),
    ];
    for (value, least, after) in parts {
        digits(value, least, out);
        out.push(after);
    }
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
        assert_eq!(written(|out| escaped("/a%2Fb ~c", out)), "/a%252Fb%20%7Ec\t");
        assert_eq!(written(|out| escaped("(x; y), z+1", out)), "(x;%20y),%20z+1\t");
        assert_eq!(written(|out| escaped("", out)), "-\t");
    }

    #[test]
    fn numbers_and_times_have_their_digits() {
        assert_eq!(written(|out| number(0, out)), "0\t");
        assert_eq!(written(|out| number(1_204, out)), "1204\t");
        assert_eq!(written(|out| digits(0, 3, out)), "000");
        assert_eq!(written(|out| seconds(61_007, out)), "61.007\t");
        assert_eq!(written(|out| moment(1_788_826_912, out)), "2026-09-08\t00:21:52\t");
    }

    #[test]
    fn the_head_names_33_columns() {
        let fields = HEAD.lines().nth(1).unwrap();
        assert_eq!(fields.strip_prefix("#Fields: ").unwrap().split(' ').count(), 33);
        assert!(!HEAD.contains("  "));
    }
}
