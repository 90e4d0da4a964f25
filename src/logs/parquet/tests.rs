//! Tables as they are written, and as an enemy would write them.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::logs::{Error, Field, FileReport, Options, read_bytes};

/// A column's values, one a row; `None` for null.
#[derive(Clone)]
enum Cells {
    Text(Vec<Option<&'static str>>),
    Int32(Vec<Option<i32>>),
    Int64(Vec<Option<i64>>),
    Double(Vec<Option<f64>>),
}

struct Made {
    schema: String,
    columns: Vec<Cells>,
    properties: WriterProperties,
    groups: usize,
}

impl Made {
    fn new(schema: &str, columns: Vec<Cells>) -> Self {
        Self {
            schema: format!("message log {{ {schema} }}"),
            columns,
            properties: WriterProperties::new(),
            groups: 1,
        }
    }

    fn bytes(self) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(&self.schema).unwrap());
        let mut out = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut out, schema, Arc::new(self.properties)).unwrap();
        for _ in 0..self.groups {
            let mut group = writer.next_row_group().unwrap();
            for cells in &self.columns {
                let mut column = group.next_column().unwrap().unwrap();
                fn parts<T: Clone, U>(
                    cells: &[Option<T>],
                    turn: impl Fn(T) -> U,
                ) -> (Vec<i16>, Vec<U>) {
                    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                    (levels, cells.iter().flatten().cloned().map(turn).collect())
                }
                match (column.untyped(), cells) {
                    (ColumnWriter::ByteArrayColumnWriter(column), Cells::Text(cells)) => {
                        let (levels, values) = parts(cells, ByteArray::from);
                        column.write_batch(&values, Some(&levels), None).unwrap();
                    }
                    (ColumnWriter::Int32ColumnWriter(column), Cells::Int32(cells)) => {
                        let (levels, values) = parts(cells, |value| value);
                        column.write_batch(&values, Some(&levels), None).unwrap();
                    }
                    (ColumnWriter::Int64ColumnWriter(column), Cells::Int64(cells)) => {
                        let (levels, values) = parts(cells, |value| value);
                        column.write_batch(&values, Some(&levels), None).unwrap();
                    }
                    (ColumnWriter::DoubleColumnWriter(column), Cells::Double(cells)) => {
                        let (levels, values) = parts(cells, |value| value);
                        column.write_batch(&values, Some(&levels), None).unwrap();
                    }
                    _ => panic!("the schema says something else"),
                }
                column.close().unwrap();
            }
            group.close().unwrap();
        }
        writer.close().unwrap();
        out
    }
}

const TEXTS: &str = "optional binary date (UTF8); optional binary time (UTF8); \
    optional binary c_ip (UTF8); optional binary cs_method (UTF8); \
    optional binary cs_uri_stem (UTF8); optional binary sc_status (UTF8); \
    optional binary cs_user_agent (UTF8); optional binary time_taken (UTF8);";

/// Three requests as CloudFront has them, the second without a user agent.
fn texts() -> Vec<Cells> {
    let text = |cells: [&'static str; 3]| {
        Cells::Text(cells.into_iter().map(|cell| (cell != "-").then_some(cell)).collect())
    };
    vec![
        text(["2026-09-08", "2026-09-08", "2026-09-09"]),
        text(["00:21:52", "00:21:53", "00:00:00"]),
        text(["192.0.2.1", "2001:db8::1", "192.0.2.1"]),
        text(["GET", "POST", "GET"]),
        text(["/token", "/a%252Fb", "/token"]),
        text(["200", "404", "000"]),
        text(["curl/8", "-", "curl/8"]),
        text(["0.037", "2.500", "10.001"]),
    ]
}

type Row = (i64, i64, String, String, String, Option<u16>, Option<String>);

fn read(bytes: &[u8]) -> Result<(FileReport, Vec<Row>), Error> {
    read_with(bytes, Options::default())
}

fn read_with(bytes: &[u8], options: Options) -> Result<(FileReport, Vec<Row>), Error> {
    let mut rows = Vec::new();
    let own = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    let report = read_bytes(bytes, options, |request| {
        let agent = request.field(Field::UserAgent).map(own);
        let (method, path) = (own(request.method), own(request.path));
        let (arrival, status) = (request.arrival(), request.status());
        rows.push((request.ended, arrival, own(request.client), method, path, status, agent));
    })?;
    Ok((report, rows))
}

fn wanted() -> Vec<Row> {
    let agent = Some("curl/8".to_owned());
    let row = |ended, arrival, client: &str, method: &str, path: &str, status, agent| {
        (ended, arrival, client.to_owned(), method.to_owned(), path.to_owned(), status, agent)
    };
    vec![
        row(1_788_826_912, 1_788_826_912, "192.0.2.1", "GET", "/token", Some(200), agent.clone()),
        row(1_788_826_913, 1_788_826_911, "2001:db8::1", "POST", "/a%252Fb", Some(404), None),
        row(1_788_912_000, 1_788_911_990, "192.0.2.1", "GET", "/token", None, agent),
    ]
}

#[test]
fn texts_are_read_in_every_packing_and_encoding() {
    let kinds = [Compression::UNCOMPRESSED, Compression::SNAPPY];
    for compression in kinds {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [true, false] {
                let mut made = Made::new(TEXTS, texts());
                made.groups = 2;
                made.properties = WriterProperties::builder()
                    .set_compression(compression)
                    .set_writer_version(version)
                    .set_encoding(parquet::basic::Encoding::PLAIN)
                    .set_dictionary_enabled(dictionary)
                    .build();
                let (report, rows) = read(&made.bytes()).unwrap();
                assert_eq!(rows, [wanted(), wanted()].concat(), "{compression} {version:?}");
                assert_eq!(report.format.as_deref(), Some("CloudFront v2, Parquet, 8 of 8 fields"));
            }
        }
    }
}

#[test]
fn columns_of_a_table_that_somebody_made_are_read_whatever_their_types() {
    let schema = "optional int32 date (DATE); optional int64 time (TIME_MICROS); \
        required binary \"c-ip\"; optional binary cs_method; optional binary cs_uri_stem; \
        optional int32 sc_status; optional binary cs_user_agent; optional double time_taken; \
        optional int64 nonsense;";
    let [_, _, client, method, path, _, agent, _] = texts().try_into().ok().unwrap();
    let columns = vec![
        Cells::Int32(vec![Some(20_704), Some(20_704), Some(20_705)]),
        Cells::Int64(vec![Some(1_312_000_000), Some(1_313_999_999), Some(0)]),
        client,
        method,
        path,
        Cells::Int32(vec![Some(200), Some(404), None]),
        agent,
        Cells::Double(vec![Some(0.037), Some(2.5), Some(10.001)]),
        Cells::Int64(vec![None, None, None]),
    ];
    let schema = schema.replace("\"c-ip\"", "c_ip");
    let (report, rows) = read(&Made::new(&schema, columns).bytes()).unwrap();
    assert_eq!(rows, wanted());
    assert_eq!(report.format.as_deref(), Some("CloudFront v2, Parquet, 8 of 9 fields"));
}

#[test]
fn one_column_of_moments_stands_for_date_and_time() {
    for (kind, factor) in [("TIMESTAMP_MILLIS", 1_000), ("TIMESTAMP_MICROS", 1_000_000)] {
        for name in ["timestamp", "time", "timestamp_ms"] {
            let schema = format!(
                "optional int64 {name} ({kind}); optional binary c_ip; optional binary cs_uri_stem;"
            );
            let columns = vec![
                Cells::Int64(vec![Some(1_788_826_912 * factor + 34)]),
                Cells::Text(vec![Some("192.0.2.1")]),
                Cells::Text(vec![Some("/a")]),
            ];
            let (_, rows) = read(&Made::new(&schema, columns).bytes()).unwrap();
            assert_eq!(rows[0].0, 1_788_826_912, "{kind} {name}");
        }
    }
}

#[test]
fn rows_without_a_client_a_path_or_a_time_are_skipped_and_counted() {
    let mut columns = texts();
    columns[2] = Cells::Text(vec![None, Some("-"), Some("192.0.2.1")]);
    let error = read(&Made::new(TEXTS, columns).bytes()).unwrap_err();
    assert!(error.to_string().contains("2 of 3 lines cannot be read"), "{error}");
    let mut columns = texts();
    columns[4] = Cells::Text(vec![None, Some("/a"), Some("/b")]);
    let (report, rows) = read(&Made::new(TEXTS, columns).bytes()).unwrap();
    assert_eq!((report.skipped_lines(), rows.len()), (1, 2));
}

#[test]
fn a_missing_column_is_named_with_the_reason() {
    let schema = TEXTS.replace("c_ip", "viewer");
    let error = read(&Made::new(&schema, texts()).bytes()).unwrap_err();
    assert!(matches!(&error, Error::MissingField { field: "c-ip", .. }), "{error}");
    let error = read(&Made::new("optional int32 a;", vec![Cells::Int32(vec![Some(1)])]).bytes());
    assert!(matches!(error, Err(Error::MissingField { field: "c-ip", .. })));
}

#[test]
fn an_empty_table_has_no_request() {
    let columns = texts().iter().map(|_| Cells::Text(Vec::new())).collect();
    let (report, rows) = read(&Made::new(TEXTS, columns).bytes()).unwrap();
    assert_eq!((report.format, rows.len()), (None, 0));
}

#[test]
fn lists_and_structures_are_refused_by_name() {
    let schema = "optional binary time_taken; optional group c_ip { optional binary element; }";
    let columns = vec![Cells::Text(vec![Some("1")]), Cells::Text(vec![])];
    let bytes = {
        // The writer is not asked for values of a structure: an empty table has the schema.
        let columns = columns.into_iter().map(|_| Cells::Text(Vec::new())).collect();
        Made::new(schema, columns).bytes()
    };
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("its column `c_ip` holds lists or structures"), "{error}");
}

#[test]
fn encodings_whose_decoders_believe_everything_are_refused_by_name() {
    let mut made = Made::new(TEXTS, texts());
    made.properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(parquet::basic::Encoding::DELTA_BYTE_ARRAY)
        .build();
    let error = read(&made.bytes()).unwrap_err().to_string();
    assert!(error.contains("it is encoded as DELTA_BYTE_ARRAY"), "{error}");
}

#[test]
fn a_cut_file_is_damaged_wherever_it_is_cut() {
    let bytes = Made::new(TEXTS, texts()).bytes();
    for length in 4..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{length}: {error}");
    }
}

#[test]
fn a_footer_that_claims_too_much_is_damaged() {
    let bytes = Made::new(TEXTS, texts()).bytes();
    let end = bytes.len() - 8;
    for claim in [u32::MAX, i32::MAX as u32, bytes.len() as u32, 0, 1] {
        let mut bytes = bytes.clone();
        bytes[end..end + 4].copy_from_slice(&claim.to_le_bytes());
        let error = read(&bytes).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{claim}: {error}");
    }
    let mut encrypted = bytes;
    encrypted.truncate(end + 4);
    encrypted.extend_from_slice(b"PARE");
    assert!(read(&encrypted).unwrap_err().to_string().contains("encrypted"));
}

#[test]
fn a_table_of_next_to_nothing_is_a_bomb() {
    // 1,000 bytes, which a dictionary holds once.
    let agent: &'static str = Box::leak("a".repeat(1_000).into_boxed_str());
    let mut columns: Vec<Cells> = texts()
        .into_iter()
        .map(|cells| match cells {
            Cells::Text(cells) => Cells::Text(vec![cells[0]; 20_000]),
            other => other,
        })
        .collect();
    columns[6] = Cells::Text(vec![Some(agent); 20_000]);
    let mut made = Made::new(TEXTS, columns);
    made.groups = 4;
    let bytes = made.bytes();
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    let mut lines = 0;
    let error = read_bytes(&bytes, Options::default(), |_| lines += 1).unwrap_err();
    assert!(matches!(error, Error::Ratio { .. }), "{error}");
    assert!((60_000..66_000).contains(&lines), "{lines}");
}

/// Whatever is changed in a file, reading it ends in requests or an error, and soon.
#[test]
fn changed_files_end_in_an_error_or_in_requests() {
    let mut made = Made::new(TEXTS, texts());
    made.groups = 3;
    let plain = made.bytes();
    let mut made = Made::new(TEXTS, texts());
    made.properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_encoding(parquet::basic::Encoding::PLAIN)
        .build();
    let second = made.bytes();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end
    };
    let (mut fine, mut refused) = (0, 0);
    for round in 0..6_000 {
        let mut bytes = if round % 2 == 0 { plain.clone() } else { second.clone() };
        for _ in 0..=below(4) {
            let place = 4 + below(bytes.len() - 8);
            bytes[place] = match below(4) {
                0 => 0xff,
                1 => below(256) as u8,
                2 => bytes[place].wrapping_add(1),
                _ => bytes[place] ^ (1 << below(8)),
            };
        }
        match read(&bytes) {
            Ok(_) => fine += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(fine > 500 && refused > 500, "{fine} fine, {refused} refused");
}
