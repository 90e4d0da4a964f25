use crate::logs::{Error, Field, FileReport, Options, SkipReason, read_bytes};

const LINE: &str = r#"https 2026-09-08T00:21:59.640900Z app/shop/50dc6c495c0c9188 192.0.2.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://shop.example:443/a%2Fb?c=d HTTP/1.1" "curl/8 \x22x\x22" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/t/73e2 "Root=1-58337281-1d84f3d73c47ec4e58577259" "shop.example" "arn:aws:acm:eu-west-1:123456789012:certificate/1" 1 2026-09-08T00:21:52.186000Z "waf,forward" "-" "-" "10.0.0.1:80" "200" "-" "-""#;

/// What a test looks at of a request.
#[derive(Debug, PartialEq)]
struct Seen {
    client: String,
    method: String,
    path: String,
    host: Option<String>,
    agent: Option<String>,
    status: Option<u16>,
    arrival: i64,
    ended: i64,
}

fn read(text: &str) -> Result<(Vec<Seen>, FileReport), Error> {
    let mut seen = Vec::new();
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report = read_bytes(text.as_bytes(), Options::default(), |request| {
        seen.push(Seen {
            client: text_of(request.client),
            method: text_of(request.method),
            path: text_of(request.path),
            host: request.field(Field::Host).map(text_of),
            agent: request.field(Field::UserAgent).map(text_of),
            status: request.status(),
            arrival: request.arrival(),
            ended: request.ended,
        });
    })?;
    Ok((seen, report))
}

#[test]
fn a_request_arrived_when_it_was_created() {
    let (seen, report) = read(LINE).unwrap();
    assert_eq!(report.format.as_deref(), Some("load balancer access log (ALB)"));
    assert_eq!(
        seen,
        [Seen {
            client: "192.0.2.7".to_owned(),
            method: "GET".to_owned(),
            path: "/a%252Fb".to_owned(),
            host: Some("shop.example".to_owned()),
            agent: Some("curl/8%20%22x%22".to_owned()),
            status: Some(200),
            arrival: 1_788_826_912,
            ended: 1_788_826_919,
        }]
    );
}

#[test]
fn old_lines_take_the_times_of_their_parts() {
    let first = LINE.split(" ECDHE").next().unwrap();
    let slow = first.replace("0.086 0.048 0.037", "0.000 61.5 -1");
    let (seen, _) = read(&format!("{first}\n{slow}\n")).unwrap();
    let arrivals: Vec<i64> = seen.iter().map(|seen| seen.ended - seen.arrival).collect();
    assert_eq!(arrivals, [0, 61]);
    assert_eq!(seen[0].host.as_deref(), Some("shop.example"));
}

#[test]
fn new_columns_at_the_end_change_nothing() {
    let (old, _) = read(LINE).unwrap();
    let (new, _) = read(&format!("{LINE} TID_1234 \"-\" \"more\" - ")).unwrap();
    assert_eq!(old, new);
}

#[test]
fn lines_that_tell_of_no_request_are_skipped_by_reason() {
    let garbled = LINE
        .replace("GET https://shop.example:443/a%2Fb?c=d HTTP/1.1", "- http://shop.example:80- -");
    let cut = &LINE[..150];
    let connection = "2026-09-08T00:21:52.186641Z 192.0.2.7 36280 443 TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 4.036 \"CN=x\" NotBefore=2026-09-21T22:43:21Z;NotAfter=2027-06-17T22:43:21Z FEF257372D5C14D4 Success TID_1";
    let text = [LINE, &garbled, cut, connection, LINE, LINE, LINE].join("\n");
    let (seen, report) = read(&text).unwrap();
    assert_eq!(seen.len(), 4);
    let skipped: Vec<_> =
        report.skipped.iter().map(|skip| (skip.reason, skip.first_line)).collect();
    assert_eq!(skipped, [(SkipReason::TooFewColumns, 3), (SkipReason::NoRequest, 2)]);
}

#[test]
fn edges_of_cloudfront_are_counted() {
    let edge = LINE.replace(r"curl/8 \x22x\x22", "Amazon CloudFront");
    let (_, report) = read(&format!("{edge}\n{LINE}\n{edge}\n")).unwrap();
    assert_eq!(report.completeness.edge_lines, 2);
}

#[test]
fn logs_of_other_load_balancers_are_refused_by_name() {
    for (line, what) in [
        (
            "tls 2.0 2026-09-08T08:51:42 net/my-nlb/c6e77e28c25b2234 g3d4b5e8bb8464cd 192.0.2.1:51341 10.0.0.1:443 5 2 98 246 - arn:aws:acm:eu-west-1:123456789012:certificate/1 - ECDHE-RSA-AES128-SHA tlsv12 - shop.example - - - -",
            "a log of a network load balancer (TLS connections)",
        ),
        (
            "2026-09-08T00:21:52.186641Z 192.0.2.7 36280 443 TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 4.036 \"CN=x\" - FEF257372D5C14D4 Success TID_1",
            "a connection log of a load balancer",
        ),
        (
            "2026-09-08T23:39:43.945958Z my-loadbalancer 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 \"GET http://shop.example:80/ HTTP/1.1\" \"curl/7.38.0\" - -",
            "a log of a classic load balancer",
        ),
    ] {
        match read(line) {
            Err(Error::Foreign { what: found, .. }) => assert_eq!(found, what),
            other => panic!("{other:?}"),
        }
    }
}
