use std::io::Write;

use super::*;
use crate::logs::{Field, FieldList, Needs};

const HEADER: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken\n";

fn line(time: &str, client: &str, taken: &str) -> String {
    format!(
        "2026-09-08\t{time}\tFRA53\t1\t{client}\tGET\td1\t/oauth/token\t200\t-\tcurl/8\t-\t-\tMiss\tid==\tshop.example\thttps\t1\t{taken}\n"
    )
}

/// Client, arrival and path of each request.
type Seen = Vec<(String, i64, String)>;

fn read_with(bytes: &[u8], options: Options) -> (Seen, Result<FileReport, Error>) {
    let mut seen = Vec::new();
    let report = read_bytes(bytes, options, |request| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let arrival = request.arrival();
        seen.push((text(request.client), arrival, text(request.path)));
    });
    (seen, report)
}

fn read(text: &str) -> (Seen, Result<FileReport, Error>) {
    read_with(text.as_bytes(), Options::default())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

const MIDNIGHT: i64 = 1_788_825_600;

#[test]
fn the_arrival_is_the_whole_second_of_the_end_less_whole_seconds_taken() {
    let text = [
        HEADER,
        &line("00:21:52", "192.0.2.1", "0.040"),
        &line("00:21:52", "192.0.2.1", "4.999"),
        // A WebSocket line is written when it closes, hours later.
        &line("03:00:00", "192.0.2.1", "10800.5"),
        &line("00:00:10", "192.0.2.1", "-"),
    ]
    .concat();
    let times: Vec<i64> = read(&text).0.iter().map(|seen| seen.1 - MIDNIGHT).collect();
    assert_eq!(times, [1_312, 1_308, 0, 10]);
}

#[test]
fn columns_follow_the_fields_line_of_each_part() {
    let text = "#Fields: cs-uri-stem c-ip time date cs-method\n/a\t192.0.2.1\t00:00:01\t2026-09-08\tGET\n\
        #Fields:\tdate\ttime\tc-ip\tcs-method\tcs-uri-stem\n2026-09-08\t00:00:02\t192.0.2.2\tGET\t/b\n";
    let (seen, report) = read(text);
    assert_eq!(
        seen,
        [
            ("192.0.2.1".into(), MIDNIGHT + 1, "/a".into()),
            ("192.0.2.2".into(), MIDNIGHT + 2, "/b".into()),
        ]
    );
    assert_eq!(report.unwrap().lines, 2);
}

#[test]
fn carriage_returns_marks_and_surplus_columns_do_not_matter() {
    let body = line("00:00:01", "192.0.2.1", "0.1");
    let odd = format!(
        "\u{feff}{}{}\r\n#Version: 1.0\r\n{}\t\r\n\r\n",
        HEADER.replace('\n', "\r\n"),
        body.trim_end(),
        body.trim_end()
    );
    let (seen, report) = read(&odd);
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0], read(&format!("{HEADER}{body}")).0[0]);
    assert_eq!(report.unwrap().skipped, []);
}

#[test]
fn a_missing_header_is_guessed_where_it_can_be() {
    for columns in [12, 15, 18, 19, 23, 24, 26, 33] {
        let mut words = vec!["-"; columns];
        words[..8].copy_from_slice(&[
            "2026-09-08",
            "00:00:01",
            "FRA53",
            "1",
            "192.0.2.1",
            "GET",
            "d1",
            "/a",
        ]);
        for surplus in ["", "\t"] {
            let (seen, report) = read(&format!("{}{surplus}\n", words.join("\t")));
            assert_eq!(seen.len(), 1, "{columns} {report:?}");
        }
    }
}

#[test]
fn a_missing_header_that_cannot_be_guessed_asks_for_the_fields() {
    let text = "2026-09-08\t00:00:01\t192.0.2.1\t/a\n";
    let error = read(text).1.unwrap_err();
    assert!(matches!(error, Error::NoHeader { line: 1, columns: 4, .. }), "{error}");
    assert!(error.hint().unwrap().contains("--fields"));
    let fields = FieldList::parse("date time c-ip cs-uri-stem").ok();
    let (seen, _) = read_with(text.as_bytes(), Options { fields, ..Options::default() });
    assert_eq!(seen, [("192.0.2.1".into(), MIDNIGHT + 1, "/a".into())]);
}

#[test]
fn a_missing_field_is_named_with_its_reason() {
    for (names, missing) in [
        ("date time cs-method cs-uri-stem", "c-ip"),
        ("time c-ip cs-uri-stem", "date"),
        ("date time c-ip", "cs-uri-stem"),
    ] {
        let row = vec!["x"; names.split(' ').count()].join("\t");
        let error = read(&format!("#Fields: {names}\n{row}\n")).1.unwrap_err();
        assert!(error.to_string().contains(&format!("no `{missing}` column")), "{error}");
    }
    // Nobody asked for a method, so it may be missing; a route with one needs it.
    let text = "#Fields: date time c-ip cs-uri-stem\n2026-09-08\t00:00:01\t192.0.2.1\t/a\n";
    assert_eq!(read(text).0.len(), 1);
    let needs = Needs { method: true, host: false };
    let refused =
        read_with(text.as_bytes(), Options { needs, ..Options::default() }).1.unwrap_err();
    assert!(matches!(refused, Error::MissingField { field: "cs-method", .. }));
}

/// Found by the fuzzer: the last field stood in column 129 and the line had as many.
#[test]
fn a_field_beyond_column_128_is_absent() {
    for before in [120, 123, 124, 127, 128, 200_usize] {
        let names = "x ".repeat(before);
        let row = "x\t".repeat(before);
        let text = format!(
            "#Fields: {names}date time c-ip cs-uri-stem time-taken\n{row}2026-09-08\t00:00:01\t192.0.2.1\t/a\t5\tx\tx\n"
        );
        let (seen, report) = read(&text);
        if before + 4 <= 128 {
            let taken = if before + 5 <= 128 { 5 } else { 0 };
            assert_eq!(seen, [("192.0.2.1".into(), MIDNIGHT + 1 - taken, "/a".into())], "{before}");
        } else {
            assert!(matches!(report, Err(Error::MissingField { .. })), "{before}");
        }
    }
}

#[test]
fn timestamps_of_v2_stand_in_for_date_and_time() {
    let text =
        "#Fields: timestamp(ms) c-ip cs-uri-stem time-taken\n1788825601999\t192.0.2.1\t/a\t1.5\n";
    assert_eq!(read(text).0, [("192.0.2.1".into(), MIDNIGHT, "/a".into())]);
}

#[test]
fn skipped_lines_are_counted_by_reason_with_the_first_of_each() {
    let good = line("00:00:01", "192.0.2.1", "0");
    let text = [
        HEADER,
        &good.repeat(9),
        &line("00:00:01", "-", "0"),
        &line("25:00:01", "192.0.2.1", "0"),
        "2026-09-08\tcut\n",
        &line("00:00:01", "-", "0"),
        &good.replace("/oauth/token", "-"),
    ]
    .concat();
    let report = read(&text).1.unwrap();
    let skipped: Vec<(&str, u64, u64)> = report
        .skipped
        .iter()
        .map(|skip| (skip.reason.as_str(), skip.lines, skip.first_line))
        .collect();
    assert_eq!(
        skipped,
        [
            ("too few columns", 1, 14),
            ("no readable date and time", 1, 13),
            ("no client address", 2, 12),
            ("no path", 1, 16),
        ]
    );
}

#[test]
fn mostly_unreadable_lines_are_an_error() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0"), "x\ny\n"].concat();
    let error = read(&text).1.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`memory`: 2 of 3 lines cannot be read, most of them for: too few columns (line 4)"
    );
    let kept = read_with(text.as_bytes(), Options { keep_going: true, ..Options::default() });
    assert_eq!(kept.0.len(), 1);
    assert!(kept.1.unwrap().partial.is_some());
}

#[test]
fn every_member_of_a_gzip_is_read() {
    let one = [HEADER, &line("00:00:01", "192.0.2.1", "0")].concat();
    let two = line("00:00:02", "192.0.2.2", "0");
    let mut bytes = gzip(one.as_bytes());
    bytes.extend(gzip(two.as_bytes()));
    // Padding with zeros is harmless.
    bytes.extend([0; 512]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.txt");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(read_with(&bytes, Options::default()).0.len(), 2);
    assert_eq!(read_file(&path, Options::default()).0, 2);
}

#[test]
fn gzip_in_gzip_is_unpacked_twice_and_its_damage_is_told() {
    let half = format!("{HEADER}{}", line("00:00:01", "192.0.2.1", "0.1"));
    let inner = [gzip(half.as_bytes()), gzip(half.as_bytes())].concat();
    for outer in [gzip(&inner), [gzip(&inner[..20]), gzip(&inner[20..])].concat()] {
        let (seen, report) = read_with(&outer, Options::default());
        assert_eq!((seen.len(), report.unwrap().skipped_lines()), (2, 0));
    }
    for (damage, told) in [
        (&inner[..inner.len() - 9], "in the middle"),
        (&[&inner[..], b"this is no member"].concat(), "wrong"),
    ] {
        let error = read_with(&gzip(damage), Options::default()).1.unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(told), "{error}");
    }
    let mut bomb = HEADER.as_bytes().to_vec();
    bomb.resize(66 << 20, b'x');
    let error = read_with(&gzip(&gzip(&bomb)), Options::default()).1.unwrap_err();
    assert!(matches!(error, Error::Ratio { .. }), "{error}");
}

#[test]
fn two_equal_members_are_two() {
    let one = gzip([HEADER, &line("00:00:01", "192.0.2.1", "0")].concat().as_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.gz");
    std::fs::write(&path, [one.clone(), one].concat()).unwrap();
    assert_eq!(read_file(&path, Options::default()).0, 2);
}

#[test]
fn a_file_named_gz_may_be_plain_and_the_other_way_round() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0")].concat();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in
        [("plain.gz", text.clone().into_bytes()), ("packed.log", gzip(text.as_bytes()))]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(read_file(&path, Options::default()).0, 1, "{name}");
    }
}

#[test]
fn a_truncated_gzip_is_named_and_kept_only_when_asked() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").repeat(5_000)].concat();
    let packed = gzip(text.as_bytes());
    let folder = tempfile::tempdir().unwrap();
    for cut in [packed.len() / 2, packed.len() - 4] {
        let path = folder.path().join("cut.gz");
        std::fs::write(&path, &packed[..cut]).unwrap();
        let (_, refused) = read_file(&path, Options::default());
        let error = refused.unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("cut.gz"));
        let keep_going = Options { keep_going: true, ..Options::default() };
        let (lines, kept) = read_file(&path, keep_going);
        assert!(lines > 1_000);
        assert!(kept.unwrap().partial.unwrap().contains("cut.gz"));
    }
}

#[test]
fn a_damaged_gzip_is_named() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").repeat(50)].concat();
    let mut packed = gzip(text.as_bytes());
    let last = packed.len() - 5;
    packed[last] ^= 1;
    assert!(matches!(read_with(&packed, Options::default()).1, Err(Error::Damaged { .. })));
    let mut tail = gzip(text.as_bytes());
    tail.extend(b"rubbish");
    assert!(matches!(read_with(&tail, Options::default()).1, Err(Error::Damaged { .. })));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tail.gz");
    std::fs::write(&path, &tail).unwrap();
    assert!(matches!(read_file(&path, Options::default()).1, Err(Error::Damaged { .. })));
}

#[test]
fn damage_that_changes_a_header_is_told_as_damage() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").repeat(50)].concat();
    // Stored, not packed: a flipped byte changes one byte of the text.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    let good = encoder.finish().unwrap();
    for (word, flipped) in [("c-ip", 2), ("#Fields", 0), ("2026-09-08", 0)] {
        let mut packed = good.clone();
        let place = memchr::memmem::find(&packed, word.as_bytes()).unwrap();
        packed[place + flipped] ^= 1;
        for bytes in [packed.clone(), [packed.as_slice(), &good].concat()] {
            let error = read_with(&bytes, Options::default()).1.unwrap_err();
            assert!(matches!(error, Error::Damaged { .. }), "{word}: {error}");
        }
    }
    // Undamaged and refused: for what it says.
    let lacking = gzip(text.replace(" c-ip ", " other ").as_bytes());
    let error = read_with(&lacking, Options::default()).1.unwrap_err();
    assert!(matches!(error, Error::MissingField { field: "c-ip", .. }), "{error}");
}

#[test]
fn a_header_after_a_mark_in_the_middle_is_a_header() {
    let one = format!("{HEADER}{}", line("00:00:01", "192.0.2.1", "0"));
    let two = "\u{feff}#Fields: cs-uri-stem c-ip time date cs-method\n/b\t192.0.2.2\t00:00:02\t2026-09-08\tGET\n";
    let (seen, report) = read(&format!("{one}{two}\u{feff}{one}"));
    let paths: Vec<&str> = seen.iter().map(|(_, _, path)| path.as_str()).collect();
    assert_eq!(paths, ["/oauth/token", "/b", "/oauth/token"]);
    assert_eq!(report.unwrap().skipped, []);
}

#[test]
fn text_of_another_encoding_or_line_end_is_refused_by_name() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").repeat(3)].concat();
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xff\xfe".as_slice(), &wide].concat();
    let returns = text.replace('\n', "\r").into_bytes();
    for (bytes, words) in [
        (wide, "is UTF-16 text"),
        (marked, "is UTF-16 text"),
        (returns, "lines end in carriage returns only"),
    ] {
        for bytes in [gzip(&bytes), bytes] {
            let error = read_with(&bytes, Options::default()).1.unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
            assert!(error.hint().is_some());
        }
    }
}

#[test]
fn a_gzip_bomb_ends_in_an_error() {
    let mut text = HEADER.as_bytes().to_vec();
    text.resize(70 << 20, b'\n');
    let packed = gzip(&text);
    assert!(packed.len() * 200 < text.len());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gz");
    std::fs::write(&path, &packed).unwrap();
    for refused in
        [read_with(&packed, Options::default()).1, read_file(&path, Options::default()).1]
    {
        let error = refused.unwrap_err();
        assert!(matches!(error, Error::Ratio { ratio: 200, .. }), "{error}");
        assert!(error.hint().unwrap().contains("--max-ratio"));
    }
    let raised = Options { max_ratio: 2_000, ..Options::default() };
    assert!(read_with(&packed, raised).1.is_ok());
}

#[test]
fn a_trailer_that_lies_about_the_length_is_not_believed() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0")].concat();
    let mut packed = gzip(text.as_bytes());
    let end = packed.len();
    packed[end - 4..].copy_from_slice(&u32::MAX.to_le_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lie.gz");
    std::fs::write(&path, &packed).unwrap();
    assert!(matches!(read_file(&path, Options::default()).1, Err(Error::Damaged { .. })));
}

#[test]
fn a_log_copied_from_a_page_has_blanks_for_tabs() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").replace('\t', "   ")].concat();
    assert_eq!(read(&text).0, [("192.0.2.1".into(), MIDNIGHT + 1, "/oauth/token".into())]);
}

#[test]
fn an_escaped_tab_in_a_user_agent_shifts_nothing() {
    let text = [HEADER, &line("00:00:01", "192.0.2.1", "0").replace("curl/8", "a%09b")].concat();
    let mut agents = Vec::new();
    read_bytes(text.as_bytes(), Options::default(), |request| {
        agents.push(request.field(Field::UserAgent).map(<[u8]>::to_vec));
        assert_eq!(request.status(), Some(200));
    })
    .unwrap();
    assert_eq!(agents, [Some(b"a%09b".to_vec())]);
}

#[test]
fn files_without_a_request_are_no_fault() {
    for text in ["", "\n\n", HEADER, "#\n"] {
        let report = read(text).1.unwrap();
        assert_eq!((report.lines, report.format), (0, None), "{text:?}");
    }
}

fn read_file(path: &std::path::Path, options: Options) -> (u64, Result<FileReport, Error>) {
    let size = std::fs::metadata(path).unwrap().len();
    let place = Place::File(path.to_owned());
    let input = Input { name: path.display().to_string(), place, size };
    let mut lines = 0;
    let report = LogReader::new(options).read(&input, |_| true, |_| true, |_| lines += 1);
    (lines, report)
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
        let _ = read_bytes(&bytes, Options::default(), |_| {});
        let mut headed = b"#Fields: date time c-ip cs-uri-stem time-taken\n".to_vec();
        headed.extend(&bytes);
        let _ = read_bytes(&headed, Options { keep_going: true, ..Options::default() }, |_| {});
    }
}

#[test]
fn json_lines_are_read_by_key() {
    let text = "{\"Date\":\"2026-09-08\",\"time\":\"00:00:09\",\"c-ip\":\"192.0.2.1\",\"cs-method\":\"GET\",\"cs-uri-stem\":\"/a\",\"time-taken\":\"2.001\",\"asn\":\"64496\"}";
    for glue in ["\n", "", "\r\n", ",\n"] {
        let (seen, report) = read(&[text, text].join(glue));
        let expected = ("192.0.2.1".to_owned(), MIDNIGHT + 7, "/a".to_owned());
        assert_eq!(seen, [expected.clone(), expected]);
        let report = report.unwrap();
        assert_eq!((report.lines, report.skipped.len()), (2, 0));
        assert_eq!(report.format.as_deref(), Some("CloudFront v2, JSON, 6 of 7 fields"));
    }
}
