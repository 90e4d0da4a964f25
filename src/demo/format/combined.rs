//! The combined log of a web server without CloudFront before it, as Apache writes it in Europe: local
//! time with its offset, stamped when the request began; `\"` and C's escapes in texts (Apache HTTP
//! Server documentation, `mod_log_config`).

use super::text::{digits, number, text, time_of_day};
use crate::demo::exchange::Exchange;
use crate::units::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds that local time is ahead of UTC, the whole week long.
const OFFSET: i64 = 7_200;

/// Appends one line with its end.
pub(super) fn line(exchange: &Exchange, out: &mut Vec<u8>) {
    text(&exchange.client, out);
    text(" - - [", out);
    let local = exchange.arrival() + OFFSET;
    let (year, month, day) = Timestamp(local).date();
    digits(u64::from(day), 2, out);
    out.push(b'/');
    text(MONTHS[month as usize - 1], out);
    out.push(b'/');
    digits(year as u64, 4, out);
    out.push(b':');
    time_of_day(local, out);
    text(" +0200] \"", out);
    text(exchange.method, out);
    out.push(b' ');
    quoted(&exchange.path, out);
    if !exchange.query.is_empty() {
        out.push(b'?');
        quoted(&exchange.query, out);
    }
    out.push(b' ');
    text(if exchange.version == "HTTP/3.0" { "HTTP/2.0" } else { exchange.version }, out);
    text("\" ", out);
    if exchange.status == 0 {
        // Nothing was sent.
        text("- -", out);
    } else {
        digits(u64::from(exchange.status), 3, out);
        out.push(b' ');
        number(exchange.response_bytes, out);
    }
    text(" \"", out);
    quoted(if exchange.referer.is_empty() { "-" } else { &exchange.referer }, out);
    text("\" \"", out);
    quoted(&exchange.agent, out);
    text("\"\n", out);
}

fn quoted(text: &str, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=31 | 127..=255 => out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_apache_writes_it() {
        let exchange = Exchange {
            end: 1_788_826_912,
            taken: 2_500,
            client: "2001:db8::1".to_owned(),
            method: "GET",
            path: "/\u{fc}\t".to_owned(),
            query: "q=\"x\"".to_owned(),
            agent: "a \\ b".to_owned(),
            version: "HTTP/1.1",
            status: 200,
            response_bytes: 7,
            ..Exchange::default()
        };
        let mut out = Vec::new();
        line(&exchange, &mut out);
        let wanted = "2001:db8::1 - - [08/Sep/2026:02:21:50 +0200] \
            \"GET /\\xc3\\xbc\\t?q=\\\"x\\\" HTTP/1.1\" 200 7 \"-\" \"a \\\\ b\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
