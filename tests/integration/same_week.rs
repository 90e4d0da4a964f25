//! The same generated week in every format gives the same peaks and proposals, by the command that
//! `demo-logs` prints.

use std::process::{Command, Stdio};

use ratewaf::demo::Format;
use serde_json::Value;

use crate::harness::Workspace;

/// A format, and what it leaves out of what the analysis uses.
struct Row {
    format: Format,
    /// Status or referer: the signs by which runaways are told, so their words and the grade.
    without_signs: bool,
    /// A request's id: what is delivered twice is counted twice.
    without_id: bool,
}

const fn row(format: Format, without_signs: bool, without_id: bool) -> Row {
    Row { format, without_signs, without_id }
}

const TABLE: [Row; 9] = [
    row(Format::V1, false, false),
    row(Format::V2W3c, false, false),
    row(Format::V2Json, false, false),
    row(Format::V2Delimited, false, false),
    row(Format::Parquet, false, false),
    row(Format::RealTime, false, false),
    row(Format::Waf, true, false),
    row(Format::Alb, true, true),
    row(Format::Combined, false, true),
];

/// Runs a command line in a folder, as a shell would; gives both streams.
fn shell(workspace: &Workspace, line: &str) -> (String, String) {
    let program = env!("CARGO_BIN_EXE_ratewaf");
    let output = Command::new("sh")
        .args(["-c", &line.replacen("ratewaf ", &format!("{program} "), 1)])
        .current_dir(workspace.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|out| String::from_utf8(out).unwrap());
    assert!(output.status.success(), "{line}: {stderr}");
    (stdout, stderr)
}

/// The JSON of the analysis, by the command that the note of `demo-logs` shows.
fn analysed(workspace: &Workspace, format: Format, more: &str) -> Value {
    let name = format.as_str();
    if !workspace.path().join(name).exists() {
        let make = format!(
            "ratewaf demo-logs --lines 30000 --seed 12 --days 4 --format {name} --out {name}"
        );
        let (_, note) = shell(workspace, &make);
        let command = note.lines().find_map(|line| line.split_once("try: ")).unwrap().1;
        workspace.write(&format!("{name}.txt"), command);
    }
    let command = workspace.read(&format!("{name}.txt"));
    let (json, _) = shell(workspace, &format!("{command} --format json --no-write {more}"));
    serde_json::from_str(&json).unwrap()
}

fn peaks(json: &Value) -> Vec<Value> {
    let route = &json["routes"][0];
    let peaks = |client: &Value| {
        let keys = ["client", "requests", "clock_60", "clock_300", "sliding_300"];
        keys.map(|key| client[key].clone()).to_vec()
    };
    let top = route["top"].as_array().unwrap().iter().flat_map(peaks);
    let mut found: Vec<Value> = top.collect();
    found.extend(["clients", "requests", "sum_of_peaks"].map(|key| route[key].clone()));
    assert!(found.len() > 80 && found.iter().all(|value| !value.is_null()), "{route:#}");
    found
}

/// What a proposal says of the gap, whatever is known of those above it.
fn gap(json: &Value) -> Vec<Value> {
    let keys = [
        "limit",
        "window",
        "headroom",
        "margin",
        "lower",
        "upper",
        "busiest_below",
        "weakest_above",
        "clients_above_cut",
        "clients_above_limit",
        "share_above",
    ];
    keys.map(|key| json["routes"][0]["proposal"][key].clone()).to_vec()
}

#[test]
fn the_same_week_in_every_format_has_the_same_peaks_and_proposals() {
    let workspace = Workspace::new();
    let once = analysed(&workspace, Format::V1, "");
    let twice = analysed(&workspace, Format::V1, "--no-dedupe");
    assert_ne!(peaks(&once), peaks(&twice), "nothing on the route is delivered twice");
    assert!(once["routes"][0]["proposal"]["limit"].is_u64(), "{once:#}");
    let formats = TABLE.map(|row| row.format);
    assert_eq!(formats, Format::ALL);
    for Row { format, without_signs, without_id } in TABLE {
        if format == Format::Parquet && cfg!(not(feature = "parquet")) {
            continue;
        }
        let found = analysed(&workspace, format, "");
        let wanted = if without_id { &twice } else { &once };
        assert_eq!(peaks(&found), peaks(wanted), "{format:?}");
        assert_eq!(gap(&found), gap(wanted), "{format:?}");
        if !without_signs {
            assert_eq!(found["routes"], wanted["routes"], "{format:?}");
        }
    }
}
