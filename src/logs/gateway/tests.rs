use std::sync::Arc;

use crate::logs::{Error, Field, FileReport, KeyMap, Needs, Options, SkipReason, read_bytes};

const MAP: &str = "client=client_ip,method=http_method,path=path,status=status_code,time=request_time_epoch,agent=identity.userAgent";

/// Client, method, path, status, arrival and user agent.
type Seen = (String, String, String, Option<u16>, i64, Option<String>);

fn read(text: &str, map: Option<&str>, needs: Needs) -> Result<(Vec<Seen>, FileReport), Error> {
    let mut seen = Vec::new();
    let map = map.map(|map| Arc::new(KeyMap::parse(map).unwrap()));
    let options = Options { map, needs, ..Options::default() };
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report = read_bytes(text.as_bytes(), options, |request| {
        let agent = request.field(Field::UserAgent).map(text_of);
        let (client, method) = (text_of(request.client), text_of(request.method));
        let (path, status) = (text_of(request.path), request.status());
        seen.push((client, method, path, status, request.arrival(), agent));
    })?;
    Ok((seen, report))
}

#[test]
fn mapped_keys_are_read_whatever_they_are_called() {
    let text = r#"{"client_ip":"192.0.2.7","http_method":"GET","path":"/prod/a%2Fb?c=d","status_code":"200","request_time_epoch":"1788826912186","identity":{"userAgent":"x y"}}
{"request_time_epoch":1788826912,"client_ip":"2001:db8::7","path":"/prod/\u00e4","status_code":429,"identity":{"userAgent":"-"}}
"#;
    let (seen, report) = read(text, Some(MAP), Needs::default()).unwrap();
    let own = |text: &str| text.to_owned();
    assert_eq!(report.format.as_deref(), Some("JSON access log, 6 keys by --map"));
    assert_eq!(
        seen,
        [
            (
                own("192.0.2.7"),
                own("GET"),
                own("/prod/a%252Fb"),
                Some(200),
                1_788_826_912,
                Some(own("x%20y"))
            ),
            (own("2001:db8::7"), own(""), own("/prod/%C3%A4"), Some(429), 1_788_826_912, None),
        ]
    );
}

#[test]
fn a_wrong_key_is_named_beside_the_keys_that_are_there() {
    let text = r#"{"ip":"192.0.2.7","path":"/a","requestTime":"08/Sep/2026:00:21:52 +0000"}"#;
    let error = read(text, Some("client=sourceIp,path=path,time=requestTime"), Needs::default());
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`memory` line 1 has no key `sourceIp` for the client; its keys are ip, path, requestTime"
    );
    assert!(error.hint().unwrap().contains("--map"));
    let needs = Needs { method: true, host: false };
    let map = "client=ip,path=path,time=requestTime,method=httpMethod";
    let error = read(text, Some(map), needs).unwrap_err().to_string();
    assert!(error.contains("no key `httpMethod` for the method"), "{error}");
    assert_eq!(read(text, Some(map), Needs::default()).unwrap().0.len(), 1);
}

#[test]
fn without_a_map_one_is_suggested() {
    let text = r#"{"ip":"192.0.2.7","path":"/a","requestTime":"08/Sep/2026:00:21:52 +0000"}"#;
    let error = read(text, None, Needs::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        "`memory` is JSON of no known kind; its keys are ip, path, requestTime: try --map client=ip,path=path,time=requestTime"
    );
    let error = read("{\"a\":1}", None, Needs::default()).unwrap_err().to_string();
    assert_eq!(error, "`memory` is JSON of no known kind; its keys are a");
}

#[test]
fn records_without_what_is_needed_are_skipped() {
    let good = r#"{"client_ip":"192.0.2.7","path":"/a","request_time_epoch":1788826912}"#;
    let text = [
        good,
        good,
        good,
        good,
        r#"{"client_ip":"-","path":"/a","request_time_epoch":1788826912}"#,
        r#"{"client_ip":"192.0.2.7","path":"/a","request_time_epoch":"soon"}"#,
        r#"{"client_ip":"192.0.2.7","request_time_epoch":1788826912}"#,
        r#"{"client_ip":"192.0.2.7",}"#,
    ]
    .join("\n");
    let (seen, report) = read(&text, Some(MAP), Needs::default()).unwrap();
    assert_eq!(seen.len(), 4);
    let skipped: Vec<_> =
        report.skipped.iter().map(|skip| (skip.reason, skip.first_line)).collect();
    assert_eq!(
        skipped,
        [
            (SkipReason::NoTime, 6),
            (SkipReason::NoClient, 5),
            (SkipReason::NoPath, 7),
            (SkipReason::Malformed, 8)
        ]
    );
}
