use crate::logs::{Error, Field, FileReport, Options, SkipReason, read_bytes};

/// Client, method, path, host, referer, agent, forwarded-for, status, arrival.
type Seen = (String, String, String, Vec<Option<String>>, Option<u16>, i64);

fn read(text: &[u8]) -> Result<(Vec<Seen>, FileReport), Error> {
    let mut seen = Vec::new();
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report = read_bytes(text, Options::default(), |request| {
        let fields = [Field::Host, Field::Referer, Field::UserAgent, Field::ForwardedFor];
        let fields = fields.map(|field| request.field(field).map(text_of)).to_vec();
        let (client, method) = (text_of(request.client), text_of(request.method));
        let (path, status) = (text_of(request.path), request.status());
        seen.push((client, method, path, fields, status, request.arrival()));
    })?;
    Ok((seen, report))
}

fn only(line: &str) -> Seen {
    let (mut seen, report) = read(line.as_bytes()).unwrap();
    assert_eq!((seen.len(), report.skipped_lines()), (1, 0), "{line}");
    seen.remove(0)
}

const TIME: i64 = 1_788_826_912;

#[test]
fn common_and_combined_lines_are_read() {
    let (client, method, path, fields, status, time) = only(
        r#"192.0.2.7 - frank [08/Sep/2026:02:21:52 +0200] "GET /a%2Fb?c HTTP/1.1" 404 - "https://shop.example/" "curl/8 \"x\" \x22y""#,
    );
    assert_eq!(
        (&*client, &*method, &*path, status, time),
        ("192.0.2.7", "GET", "/a%252Fb", Some(404), TIME)
    );
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        fields,
        [None, some("https://shop.example/"), some("curl/8%20%22x%22%20%22y"), None]
    );

    let (seen, report) =
        read(b"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] \"GET / HTTP/1.0\" 200 12\n").unwrap();
    assert_eq!(report.format.as_deref(), Some("common log of a web server"));
    assert_eq!(seen[0].3, [None, None, None, None]);
}

#[test]
fn variants_of_the_front_and_the_end() {
    let vhost = only(
        r#"shop.example:443 192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x""#,
    );
    assert_eq!((&*vhost.0, vhost.3[0].as_deref()), ("192.0.2.7", Some("shop.example")));
    let user = only(r#"2001:db8::7 - a [b c [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1"#);
    assert_eq!((&*user.0, &*user.2), ("2001:db8::7", "/a"));
    let named = only(r#"host.example - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1"#);
    assert_eq!(named.0, "host.example");
    let forwarded = only(
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x" "198.51.100.1, 198.51.100.2""#,
    );
    assert_eq!(forwarded.3[3].as_deref(), Some("198.51.100.1,%20198.51.100.2"));
    let other = only(
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x" "0.003""#,
    );
    assert_eq!(other.3[3], None);
    let wrapped =
        only(r#""192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x y"""#);
    assert_eq!((&*wrapped.0, wrapped.3[2].as_deref()), ("192.0.2.7", Some("x%20y")));
    let absolute = only(
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET http://shop.example/a HTTP/1.1" 000 1 "-" "x""#,
    );
    assert_eq!(
        (absolute.3[0].as_deref(), &*absolute.2, absolute.4),
        (Some("shop.example"), "/a", None)
    );
}

#[test]
fn noise_is_skipped_by_reason() {
    let lines = [
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x""#,
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "\x16\x03\x01\x00\xEE\x01" 400 150 "-" "-""#,
        r#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "-" 408 0 "-" "-""#,
        r#"192.0.2.7 - - [38/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 1 "-" "x""#,
        "half a line",
    ];
    let good = [lines[0]; 5].join("\n");
    let (seen, report) = read(format!("{good}\n{}\n", lines.join("\n")).as_bytes()).unwrap();
    assert_eq!(seen.len(), 6);
    let skipped: Vec<_> = report.skipped.iter().map(|skip| (skip.reason, skip.lines)).collect();
    assert_eq!(
        skipped,
        [(SkipReason::NoTime, 1), (SkipReason::Malformed, 1), (SkipReason::NoRequest, 2)]
    );
}

#[test]
fn bytes_of_any_kind_come_through() {
    let mut line = br#"192.0.2.7 - - [08/Sep/2026:00:21:52 +0000] "GET /"#.to_vec();
    line.extend(b"\xff\x00\x1b HTTP/1.1\" 200 1 \"-\" \"x\"");
    let (seen, _) = read(&line).unwrap();
    assert_eq!(seen[0].2, "/%FF%00%1B");
}
