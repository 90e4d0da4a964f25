//! The same three requests in every format of CloudFront's, read alike.

use crate::logs::{
    Delimiter, Error, Field, FieldList, FileReport, InputFormat, Options, RealTimeConfig,
    SkipReason, read_bytes,
};

const MIDNIGHT: i64 = 1_788_825_600;

/// Client, arrival, path, host, agent and request id.
type Seen = Vec<[String; 6]>;

fn read(text: &str, options: &Options) -> (Seen, Result<FileReport, Error>) {
    let mut seen = Vec::new();
    let report = read_bytes(text.as_bytes(), options.clone(), |request| {
        let shown = |bytes: Option<&[u8]>| {
            bytes.map_or_else(String::new, |bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        seen.push([
            shown(Some(request.client)),
            (request.arrival() - MIDNIGHT).to_string(),
            shown(Some(request.path)),
            shown(request.field(Field::Host)),
            shown(request.field(Field::UserAgent)),
            shown(request.field(Field::RequestId)),
        ]);
    });
    (seen, report)
}

fn expected() -> Seen {
    [
        ["192.0.2.1", "7", "/a%252Fb", "shop.example", "agent%201;%20x", "id1=="],
        ["2001:db8::1", "8", "/a", "", "%22%09", "id2=="],
        ["192.0.2.1", "60", "/", "shop.example", "", "id3=="],
    ]
    .map(|row| row.map(str::to_owned))
    .to_vec()
}

/// The values of a request by the names of standard logs.
fn value<'a>(row: &'a [String; 6], name: &str) -> String {
    let taken = "0.500";
    let ended: i64 = row[1].parse().unwrap();
    let (minutes, seconds) = (ended / 60, ended % 60);
    let or_nothing = |text: &'a str| if text.is_empty() { "-" } else { text };
    match name {
        "date" => "2026-09-08".to_owned(),
        "time" => format!("00:{minutes:02}:{seconds:02}"),
        "timestamp" => (MIDNIGHT + ended).to_string(),
        "timestamp(ms)" => format!("{}999", MIDNIGHT + ended),
        "c-ip" => row[0].clone(),
        "cs-uri-stem" => row[2].clone(),
        "x-host-header" => or_nothing(&row[3]).to_owned(),
        "cs(User-Agent)" => or_nothing(&row[4]).to_owned(),
        "x-edge-request-id" => row[5].clone(),
        "cs-method" => "GET".to_owned(),
        "time-taken" => taken.to_owned(),
        "cs(Host)" => "d111111abcdef8.cloudfront.net".to_owned(),
        _ => "-".to_owned(),
    }
}

fn rows(names: &[&str], delimiter: &str) -> Vec<String> {
    let line = |row: &[String; 6]| {
        let values: Vec<String> = names.iter().map(|name| value(row, name)).collect();
        values.join(delimiter)
    };
    expected().iter().map(line).collect()
}

const SHUFFLED: [&str; 12] = [
    "cs-uri-stem",
    "asn",
    "cs(User-Agent)",
    "time",
    "c-ip",
    "date",
    "time-taken",
    "DistributionId",
    "x-host-header",
    "cs(Host)",
    "cs-method",
    "x-edge-request-id",
];

#[test]
fn shuffled_columns_with_any_delimiter_read_alike() {
    let names = SHUFFLED.join(" ");
    for delimiter in ["\t", ";;", "|", ", ", "::::", "€"] {
        let body = rows(&SHUFFLED, delimiter).join("\n");
        let headed = format!("#Version: 1.0\n#Fields: {names}\n{body}\n");
        let glued =
            format!("#Fields:{}\r\n{}", SHUFFLED.join(delimiter), body.replace('\n', "\r\n"));
        let bare = format!("{}\n{body}", SHUFFLED.join(delimiter));
        for text in [&headed, &glued, &bare] {
            let (seen, report) = read(text, &Options::default());
            assert_eq!(seen, expected(), "{delimiter} {report:?}");
            let shown = report.unwrap().format.unwrap();
            let kind = match delimiter {
                "\t" => "CloudFront v2, w3c".to_owned(),
                _ => format!("CloudFront v2, separated by `{delimiter}`"),
            };
            assert_eq!(shown, format!("{kind}, 9 of 12 fields"));
        }
        // Plain and raw have no header.
        let fields = FieldList::parse(&names).ok();
        let told = Options { fields, ..Options::default() };
        let also = Options { delimiter: Delimiter::parse(delimiter).ok(), ..told.clone() };
        for options in [told, also] {
            assert_eq!(read(&body, &options).0, expected(), "{delimiter}");
        }
        assert!(matches!(read(&body, &Options::default()).1, Err(Error::NoHeader { line: 1, .. })));
    }
}

#[test]
fn values_without_anything_between_them_are_refused_with_the_way_out() {
    let text = format!("#Fields: {}\n{}\n", SHUFFLED.join(" "), rows(&SHUFFLED, "").join("\n"));
    let error = read(&text, &Options::default()).1.unwrap_err();
    assert!(matches!(error, Error::NoDelimiter { line: 2, fields: 12, .. }), "{error}");
    assert!(error.hint().unwrap().contains("--delimiter"));
}

#[test]
fn keys_may_change_their_places() {
    let one = r#"{"c-ip":"192.0.2.1","cs-uri-stem":"/a","timestamp":"1788825601"}"#;
    let other =
        r#"{"timestamp":"1788825602","x":{"c-ip":"y"},"cs-uri-stem":"/b","c-ip":"192.0.2.2"}"#;
    let (seen, report) = read(&[one, other, one].join("\n"), &Options::default());
    let paths: Vec<&str> = seen.iter().map(|row| row[2].as_str()).collect();
    assert_eq!((paths, report.unwrap().skipped_lines()), (vec!["/a", "/b", "/a"], 0));
}

#[test]
fn a_letter_separates_if_that_is_said() {
    let body = rows(&SHUFFLED, "xQx").join("\n");
    let fields = FieldList::parse(&SHUFFLED.join(",")).ok();
    let delimiter = Delimiter::parse("xQx").ok();
    let options = Options { fields, delimiter, ..Options::default() };
    assert_eq!(read(&body, &options).0, expected());
}

#[test]
fn a_line_with_the_delimiter_in_a_value_is_skipped_and_said() {
    let mut lines = rows(&SHUFFLED, ";");
    lines[0] = lines[0].replace("agent%201;%20x", "agent");
    let mut text = format!("#Fields: {}\n{}\n", SHUFFLED.join(" "), lines.join("\n"));
    text.push_str(&lines[1].replace("/a;", "/a;b;"));
    let (seen, report) = read(&text, &Options::default());
    assert_eq!(seen.len(), 3);
    let skipped = report.unwrap().skipped;
    assert_eq!((skipped[0].reason, skipped[0].first_line), (SkipReason::TooManyColumns, 5));
}

#[test]
fn a_stamp_in_milliseconds_goes_before_date_and_time() {
    let names = ["date", "timestamp(ms)", "time", "c-ip", "cs-uri-stem"];
    let text = format!(
        "#Fields: {}\n2026-09-08\t{MIDNIGHT}999\t23:00:00\t192.0.2.1\t/\n",
        names.join(" ")
    );
    assert_eq!(read(&text, &Options::default()).0[0][1], "0");
}

#[test]
fn json_reads_alike_whatever_its_keys_look_like() {
    let normal: fn(&str) -> String = |name| {
        let mut bare = name.replace(['-', '('], "_").replace(')', "");
        bare.make_ascii_lowercase();
        bare
    };
    for rename in [str::to_owned, str::to_ascii_uppercase, normal] {
        for time in [&["date", "time"][..], &["timestamp"], &["timestamp(ms)"]] {
            let object = |row: &[String; 6]| {
                let names = SHUFFLED.iter().filter(|name| !["date", "time"].contains(name));
                let pairs: Vec<String> = names
                    .chain(time)
                    .map(|name| format!("\"{}\": \"{}\"", rename(name), value(row, name)))
                    .collect();
                format!("{{{}}}", pairs.join(", "))
            };
            let objects: Vec<String> = expected().iter().map(object).collect();
            for text in
                [objects.join("\n"), objects.concat(), objects.join("\n").replace(", ", ",\n  ")]
            {
                let (seen, report) = read(&text, &Options::default());
                assert_eq!(seen, expected(), "{text} {report:?}");
            }
        }
    }
}

const REAL_TIME: [&str; 8] = [
    "timestamp",
    "c-ip",
    "cs-method",
    "cs-host",
    "cs-uri-stem",
    "x-edge-request-id",
    "x-host-header",
    "cs-user-agent",
];

fn real_time_rows() -> Vec<String> {
    let line = |row: &[String; 6]| {
        let values = REAL_TIME.map(|name| match name {
            "timestamp" => format!("{}.123", value(row, "timestamp")),
            "cs-host" => value(row, "x-host-header"),
            "x-host-header" => value(row, "cs(Host)"),
            "cs-uri-stem" => format!("{}?q=1?2", row[2]),
            "cs-user-agent" => value(row, "cs(User-Agent)"),
            name => value(row, name),
        });
        values.join("\t")
    };
    expected().iter().map(line).collect()
}

#[test]
fn real_time_logs_read_alike_with_line_ends_and_without() {
    let names = REAL_TIME.map(|name| format!("\"{name}\"")).join(",");
    let config = format!("{{\"RealtimeLogConfig\":{{\"SamplingRate\":25,\"Fields\":[{names}]}}}}");
    let config = RealTimeConfig::from_json(&config).unwrap();
    let (fields, sampling) = (Some(config.fields), Some(config.sampling));
    for (glue, words) in [("\n", ""), ("", ", records without line ends")] {
        let text = real_time_rows().join(glue);
        let options = Options { fields, sampling, ..Options::default() };
        let (seen, report) = read(&text, &options);
        assert_eq!(seen, expected(), "{report:?}");
        let report = report.unwrap();
        let shown = format!("CloudFront real-time log, 7 of 8 fields{words}");
        assert_eq!(report.format, Some(shown));
        assert_eq!(report.completeness.sampled_percent, Some(25));
        // Names of standard logs are those of a real-time log if it is said to be one.
        let fields = Some(FieldList::parse(&REAL_TIME.join(" ")).unwrap());
        let (seen, report) = read(&text, &Options { fields, ..Options::default() });
        assert_eq!(seen, expected());
        assert_eq!(report.unwrap().completeness.sampled_percent, None);
    }
}

#[test]
fn a_real_time_log_without_its_fields_asks_for_them() {
    let text = real_time_rows().join("\n");
    let named = Options { format: Some(InputFormat::RealTime), ..Options::default() };
    for options in [Options::default(), named] {
        let error = read(&text, &options).1.unwrap_err();
        assert!(matches!(error, Error::RealTimeFields { columns: 8, .. }), "{error}");
        assert!(error.hint().unwrap().contains("--realtime-config"));
    }
    let fields = FieldList::parse("timestamp c-ip cs-host cs-uri-stem cs-method").ok();
    let error = read(&text, &Options { fields, ..Options::default() }).1.unwrap_err();
    assert!(error.to_string().contains("more columns than the log has fields"), "{error}");
}

#[test]
fn wrapped_records_read_alike() {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let lines = rows(&SHUFFLED, "\t");
    let objects: Vec<String> = expected()
        .iter()
        .map(|row| {
            let pairs: Vec<String> = SHUFFLED
                .iter()
                .map(|name| format!("{}:{}", json(name), json(&value(row, name))))
                .collect();
            format!("{{{}}}", pairs.join(","))
        })
        .collect();
    let fields = FieldList::parse(&SHUFFLED.join(" ")).ok();
    let options = Options { fields, ..Options::default() };
    for (records, inner) in [(lines, "plain"), (objects, "JSON")] {
        let exported: Vec<String> =
            records.iter().map(|record| format!("2026-09-08T00:00:00.000Z {record}")).collect();
        let events: Vec<String> =
            records.iter().map(|record| format!("{{\"message\":{}}}", json(record))).collect();
        let envelope =
            format!("{{\"messageType\":\"DATA_MESSAGE\",\"logEvents\":[{}]}}", events.join(","));
        let control = "{\"messageType\":\"CONTROL_MESSAGE\",\"logEvents\":[]}";
        for (text, words) in [
            (exported.join("\n"), "exported by CloudWatch Logs"),
            (format!("{control}{envelope}"), "in events of CloudWatch Logs"),
        ] {
            let (seen, report) = read(&text, &options);
            assert_eq!(seen, expected(), "{text} {report:?}");
            let shown = format!("CloudFront v2, {inner}, 9 of 12 fields, {words}");
            assert_eq!(report.unwrap().format, Some(shown));
        }
    }
}

#[test]
fn a_path_pattern_stands_in_for_a_path_and_is_told() {
    let text = "#Fields: date time c-ip cache-behavior-path-pattern\n2026-09-08\t00:00:01\t192.0.2.1\t/api/*\n";
    let json = "{\"timestamp\":\"1788825601\",\"c-ip\":\"192.0.2.1\",\"cache-behavior-path-pattern\":\"/api/*\"}";
    for text in [text, json] {
        let (seen, report) = read(text, &Options::default());
        assert_eq!(seen[0][2], "/api/*");
        assert_eq!(report.unwrap().completeness.pattern_lines, 1);
    }
}

#[test]
fn a_key_without_which_nothing_can_be_counted_is_named() {
    for (gone, named) in [("c-ip", "c-ip"), ("cs-uri-stem", "cs-uri-stem"), ("time", "date")] {
        let pairs = [
            ("c-ip", "192.0.2.1"),
            ("cs-uri-stem", "/"),
            ("timestamp", "1788825601"),
            ("sc-status", "200"),
        ];
        let kept: Vec<String> = pairs
            .iter()
            .filter(|(key, _)| !key.starts_with(gone))
            .map(|(key, value)| format!("\"{key}\":\"{value}\""))
            .collect();
        let error = read(&format!("{{{}}}", kept.join(",")), &Options::default()).1.unwrap_err();
        assert!(
            matches!(error, Error::MissingField { field, .. } if field == named),
            "{gone} {error}"
        );
    }
}
