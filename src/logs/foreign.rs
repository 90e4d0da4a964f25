//! Logs that are given by mistake, recognised by their first line and refused by name.

/// What a first line belongs to, with a hint, if it is no CloudFront standard log.
pub(super) fn recognise(line: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = String::from_utf8_lossy(&line[..line.len().min(4_096)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("PAR1") {
        // A whole one is told before its lines are.
        return Some(("a Parquet file in something else", "unpack it, and give the file itself"));
    }
    if text.starts_with('{') || text.starts_with("[{") {
        return Some(if text.contains("\"httpRequest\"") {
            ("an AWS WAF log", "give the standard logs of the CloudFront distribution instead")
        } else {
            (
                "JSON",
                "this version reads text logs; choose the w3c output of standard logging v2, or the S3 legacy logs",
            )
        });
    }
    if is_fields_line(text) && text.contains("x-event") {
        return Some((
            "an RTMP streaming log",
            "CloudFront stopped RTMP distributions in 2020; give the logs of a web distribution",
        ));
    }
    if text.starts_with('#') {
        return None;
    }
    if is_s3_access(text) {
        return Some((
            "an S3 server access log",
            "it lists requests to a bucket; give the standard logs that the CloudFront distribution writes into a bucket",
        ));
    }
    if let Some(what) = load_balancer(text) {
        return Some((
            what,
            "give the access logs of an Application Load Balancer; behind CloudFront its clients are CloudFront's own addresses, and the distribution's logs are what to give",
        ));
    }
    if is_combined(text) {
        return Some((
            "a web server log (common or combined)",
            "give the standard logs of the CloudFront distribution instead",
        ));
    }
    None
}

/// What a file that starts with this block of text is, if it cannot be read in lines: text of another
/// encoding, or with other line ends.
pub(super) fn recognise_text(block: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = &block[..block.len().min(4_096)];
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") || is_wide(start) {
        return Some(("UTF-16 text", "save it as UTF-8"));
    }
    // A line end may be cut in two: a last carriage return says nothing.
    let end = memchr::memchr2(b'\n', b'\r', block)?;
    let only_returns = block[end] == b'\r'
        && end + 1 < block.len()
        && memchr::memchr(b'\n', block).is_none()
        && !start.iter().any(|&byte| byte < b' ' && byte != b'\t' && byte != b'\r');
    only_returns.then_some((
        "text whose lines end in carriage returns only",
        "turn them into line feeds, for example with tr '\\r' '\\n' < old.log > new.log",
    ))
}

/// Every other byte is zero, as in UTF-16 of Latin letters without a mark at the start.
fn is_wide(start: &[u8]) -> bool {
    let pairs = &start.as_chunks::<2>().0;
    let zeros = |half: usize| pairs.iter().filter(|pair| pair[half] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    pairs.len() >= 8 && first.min(second) == 0 && first.max(second) * 10 >= pairs.len() * 9
}

fn is_fields_line(text: &str) -> bool {
    text.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("#Fields:"))
}

/// `owner(64 hex) bucket [06/Feb/2019:00:00:38 +0000] …`
fn is_s3_access(text: &str) -> bool {
    let mut words = text.split(' ');
    let owner = words.next().unwrap_or_default();
    let dated = words.nth(1).unwrap_or_default();
    owner.len() == 64
        && owner.bytes().all(|byte| byte.is_ascii_hexdigit())
        && dated.starts_with('[')
}

/// `http 2018-07-02T22:23:00.186641Z app/…` (ALB), `tls 2.0 2020-…` (NLB), a classic ELB line that
/// starts with the time and a name, or one of a connection log: the time, an address and two ports.
fn load_balancer(text: &str) -> Option<&'static str> {
    let mut words = text.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let (first, second, third, fourth) = (next(), next(), next(), next());
    let kinds = ["http", "https", "h2", "grpcs", "ws", "wss"];
    let is_port = |word: &str| word.parse::<u16>().is_ok();
    if kinds.contains(&first) && is_iso_time(second) {
        return Some("a load balancer log");
    }
    if first == "tls" && (is_iso_time(second) || is_iso_time(third)) {
        return Some("a log of a network load balancer (TLS connections)");
    }
    if !is_iso_time(first) || !first.ends_with('Z') {
        return None;
    }
    if second.parse::<std::net::IpAddr>().is_ok() && is_port(third) && is_port(fourth) {
        return Some("a connection log of a load balancer");
    }
    third.contains(':').then_some("a log of a classic load balancer")
}

fn is_iso_time(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 19 && bytes[4] == b'-' && bytes[10] == b'T' && bytes[13] == b':'
}

/// `192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET …`
fn is_combined(text: &str) -> bool {
    let mut words = text.trim_start_matches('"').split(' ');
    let client = words.next().unwrap_or_default();
    let dated = words.nth(2).unwrap_or_default();
    !client.contains('\t') && dated.starts_with('[') && dated.matches('/').count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_logs_are_named() {
        let owner = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
        let cases = [
            (
                format!("{owner} bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 -"),
                "an S3 server access log",
            ),
            (
                "https 2018-07-02T22:23:00.186641Z app/my-lb/50dc 192.0.2.4:2817 -".to_owned(),
                "a load balancer log",
            ),
            (
                "tls 2.0 2020-04-01T08:51:42 net/my-nlb 0aa c 192.0.2.1:1".to_owned(),
                "a log of a network load balancer (TLS connections)",
            ),
            (
                "2015-05-13T23:39:43.945958Z my-elb 192.0.2.1:2817 10.0.0.1:80".to_owned(),
                "a log of a classic load balancer",
            ),
            (
                "#Fields: date time x-edge-location c-ip x-event sc-bytes".to_owned(),
                "an RTMP streaming log",
            ),
            ("{\"timestamp\":1,\"httpRequest\":{}}".to_owned(), "an AWS WAF log"),
            ("{\"c-ip\":\"192.0.2.1\"}".to_owned(), "JSON"),
            ("PAR1".to_owned(), "a Parquet file in something else"),
            (
                "192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 1".to_owned(),
                "a web server log (common or combined)",
            ),
        ];
        for (line, what) in cases {
            assert_eq!(recognise(line.as_bytes()).map(|found| found.0), Some(what), "{line}");
        }
    }

    #[test]
    fn text_that_has_no_lines_of_ours_is_named() {
        let header = "#Version: 1.0\r#Fields: date time c-ip\r2026-09-08\t00:00:00\t192.0.2.1\r";
        let wide = |order: fn(u16) -> [u8; 2]| header.encode_utf16().flat_map(order).collect();
        let little: Vec<u8> = wide(u16::to_le_bytes);
        let big: Vec<u8> = wide(u16::to_be_bytes);
        let marked = [b"\xff\xfe".as_slice(), &little].concat();
        for text in [&little, &big, &marked] {
            assert_eq!(recognise_text(text).map(|found| found.0), Some("UTF-16 text"));
        }
        let found = recognise_text(header.as_bytes()).map(|found| found.0);
        assert_eq!(found, Some("text whose lines end in carriage returns only"));
        for text in ["", "\r", "#Version: 1.0\r", "#Version: 1.0\r\n#Fields: date\r\n", "a\nb\rc"] {
            assert_eq!(recognise_text(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(recognise_text(&[0; 5_000]), None);
    }

    #[test]
    fn cloudfront_lines_are_not_foreign() {
        for line in [
            "#Version: 1.0",
            "#Fields: date time c-ip",
            "2026-09-08\t00:21:52\tFRA53\t1\t192.0.2.1\tGET",
        ] {
            assert_eq!(recognise(line.as_bytes()), None, "{line}");
        }
    }
}
