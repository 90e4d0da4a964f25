//! What users of other log readers stumbled over, one test a report, named after its number in
//! `docs/inputs.md`, each with a fixture in `tests/fixtures/pitfalls`.

mod cloudfront_fields;
mod cloudfront_files;
mod cloudfront_other;
mod cloudfront_values;
mod elsewhere;
mod list;

use ratewaf::counts::{self, Selection, Settings};
use ratewaf::logs::{Error, Field, FileReport, Options, discover, read_bytes};
use ratewaf::rules::Route;

use crate::counted::{Counted, whole};
use crate::harness::repository;

/// The path of a fixture.
pub fn fixture(name: &str) -> String {
    repository("tests/fixtures/pitfalls").join(name).display().to_string()
}

/// A request as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub client: String,
    pub arrival: i64,
    pub path: String,
    pub status: Option<u16>,
    pub host: Option<String>,
    pub agent: Option<String>,
    pub forwarded: Option<String>,
    pub id: Option<String>,
}

pub fn read_with(name: &str, options: Options) -> (Vec<Row>, Result<FileReport, Error>) {
    let bytes = std::fs::read(fixture(name)).unwrap();
    let mut rows = Vec::new();
    let report = read_bytes(&bytes, options, |request| {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        rows.push(Row {
            client: text(request.client),
            arrival: request.arrival(),
            path: text(request.path),
            status: request.status(),
            host: request.field(Field::Host).map(text),
            agent: request.field(Field::UserAgent).map(text),
            forwarded: request.field(Field::ForwardedFor).map(text),
            id: request.field(Field::RequestId).map(text),
        });
    });
    (rows, report)
}

/// Reads a file in which nothing may be skipped.
pub fn read(name: &str) -> Vec<Row> {
    let (rows, report) = read_with(name, Options::default());
    let report = report.unwrap();
    assert_eq!((report.skipped_lines(), report.lines), (0, rows.len() as u64));
    rows
}

/// Counts the requests of a route in a file or folder, as the program does.
pub fn count(name: &str, route: &str) -> Counted {
    let route: Route = route.parse().unwrap();
    let selection = Selection::routes(std::slice::from_ref(&route), &[]).unwrap();
    let found = discover(&[fixture(name)], false).unwrap();
    let logs = Options { needs: selection.needs(), ..Options::default() };
    let settings =
        Settings { logs, dedupe: true, threads: 2, memory: 1 << 30, scale_sampled: false };
    whole(counts::run(&found.inputs, &selection, &settings, &()).unwrap())
}

/// 07:00:00 UTC on the day of the fixtures.
pub const SEVEN: i64 = 1_788_850_800;
