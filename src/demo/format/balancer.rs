//! Access logs of an Application Load Balancer without CloudFront before it (Elastic Load Balancing
//! user guide, "Access logs for your Application Load Balancer"): blanks between the fields, quotes
//! around texts, `\xNN` for what would break them. `time` is the end, `request_creation_time` the
//! arrival.

use super::text::{date, digits, number, seconds, text, time_of_day};
use crate::demo::exchange::Exchange;
use crate::demo::site;

/// Appends one line with its end.
pub(super) fn line(exchange: &Exchange, out: &mut Vec<u8>) {
    let live = exchange.scheme == "wss";
    let kind = match exchange.version {
        _ if live => "wss",
        "HTTP/1.1" => "https",
        _ => "h2",
    };
    // The balancer speaks no HTTP/3; who would have does not.
    let version = if kind == "h2" { "HTTP/2.0" } else { "HTTP/1.1" };
    let arrival = exchange.arrival();
    let answered = !matches!(exchange.status, 0 | 502 | 504);
    text(kind, out);
    out.push(b' ');
    moment(arrival + i64::from(exchange.taken / 1_000), exchange.fraction, out);
    text(" app/shop/50dc6c495c0c9188 ", out);
    // An IPv6 address has no brackets here.
    text(&exchange.client, out);
    out.push(b':');
    number(u64::from(exchange.port), out);
    text(if answered { " 10.0.1.17:8080 0.000 " } else { " 10.0.1.17:8080 -1 " }, out);
    if answered {
        seconds(exchange.first_byte, out);
        text(" 0.000 ", out);
    } else {
        text("-1 -1 ", out);
    }
    // 460: the client closed the connection.
    digits(if exchange.status == 0 { 460 } else { u64::from(exchange.status) }, 3, out);
    out.push(b' ');
    if answered {
        digits(u64::from(exchange.status), 3, out);
    } else {
        out.push(b'-');
    }
    out.push(b' ');
    number(exchange.request_bytes, out);
    out.push(b' ');
    number(exchange.response_bytes, out);
    text(" \"", out);
    text(exchange.method, out);
    text(if live { " wss://" } else { " https://" }, out);
    text(site::HOST, out);
    text(":443", out);
    quoted(&exchange.path, out);
    if !exchange.query.is_empty() {
        out.push(b'?');
        quoted(&exchange.query, out);
    }
    out.push(b' ');
    text(version, out);
    text("\" \"", out);
    quoted(&exchange.agent, out);
    text("\" ", out);
    text(exchange.cipher, out);
    out.push(b' ');
    text(exchange.tls, out);
    text(" arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/shop/", out);
    text("73e2d6bc24d8a067 \"Root=1-", out);
    trace(&exchange.request_id, arrival, out);
    text("\" \"", out);
    text(site::HOST, out);
    text("\" \"arn:aws:acm:eu-central-1:123456789012:certificate/", out);
    text("12345678-1234-4234-8234-123456789012\" 0 ", out);
    moment(arrival, exchange.fraction, out);
    let blocked = exchange.status == 403;
    text(
        if blocked { " \"waf\" \"-\" \"-\" \"-\" \"-\"" } else { " \"forward\" \"-\" \"-\" " },
        out,
    );
    if !blocked {
        text("\"10.0.1.17:8080\" \"", out);
        if answered {
            digits(u64::from(exchange.status), 3, out);
        } else {
            out.push(b'-');
        }
        out.push(b'"');
    }
    text(" \"-\" \"-\" TID_", out);
    hexadecimal(&exchange.request_id, 32, out);
    out.push(b'\n');
}

/// `2026-09-08T00:21:52.123000Z`.
fn moment(time: i64, fraction: u16, out: &mut Vec<u8>) {
    date(time, out);
    out.push(b'T');
    time_of_day(time, out);
    out.push(b'.');
    digits(u64::from(fraction), 3, out);
    text("000Z", out);
}

/// What would end the text or the line, or is no ASCII, as `\xNN`.
fn quoted(text: &str, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        if matches!(byte, 0..=31 | 127..=255 | b'"' | b'\\') {
            out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
}

/// Eight digits of the time and 24 of the request.
fn trace(request_id: &str, time: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{time:08x}-").as_bytes());
    hexadecimal(request_id, 24, out);
}

/// So many hexadecimal digits that are the request's own.
fn hexadecimal(request_id: &str, digits: usize, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digit = |byte: &u8| HEX[usize::from(byte.wrapping_mul(7) >> 2 & 15)];
    out.extend(request_id.as_bytes().iter().take(digits).map(digit));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_it() {
        let mut out = Vec::new();
        quoted("a\"b\\c\nd\u{fc} e", &mut out);
        assert_eq!(out, b"a\\x22b\\x5Cc\\x0Ad\\xC3\\xBC e");
    }
}
