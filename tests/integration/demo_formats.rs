//! The generated week in every format: the same requests, as AWS writes and lays them out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ratewaf::demo::{self, Format, Plan};
use serde_json::Value;

use crate::harness::gunzip;

const LINES: u64 = 5_000;

fn make(format: Format, folder: &Path) -> Value {
    let plan = Plan { lines: LINES, days: 2, seed: 11, format, ..Plan::default() };
    demo::generate(&plan, folder, &|_| true).unwrap();
    let truth = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    serde_json::from_str(&truth).unwrap()
}

/// The logs in a folder and below, by their path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|ending| ending != "json") {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}

fn lines(files: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<String> {
    let mut lines = Vec::new();
    for bytes in files.values() {
        let text = String::from_utf8(gunzip(bytes)).unwrap();
        lines.extend(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned));
    }
    lines
}

#[test]
fn every_format_tells_the_same_requests_and_the_same_truth() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = make(Format::V1, &folder.path().join("first"));
    wanted["files"].take();
    for format in Format::ALL {
        if format == Format::Parquet {
            continue;
        }
        let out = folder.path().join(format.as_str());
        let mut truth = make(format, &out);
        let files = files(&out);
        assert_eq!(truth["files"].take(), files.len() as u64, "{format:?}");
        assert_eq!(truth, wanted, "{format:?}");
        let lines = lines(&files);
        assert_eq!(lines.len() as u64, LINES, "{format:?}");
        assert!(lines.iter().all(|line| line.is_ascii() || format == Format::Waf), "{format:?}");
        let again = folder.path().join(format!("{}-again", format.as_str()));
        make(format, &again);
        assert!(self::files(&again) == files, "{format:?}: the same seed made other bytes");
    }
}

#[test]
fn waf_logs_tell_what_the_rules_did() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { lines: 30_000, seed: 11, format: Format::Waf, ..Plan::default() };
    let truth = demo::generate(&plan, folder.path(), &|_| true).unwrap().truth;
    let records: Vec<Value> = lines(&files(folder.path()))
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let counted: Vec<&Value> = records
        .iter()
        .filter(|record| record["nonTerminatingMatchingRules"][0]["action"] == "COUNT")
        .collect();
    let abusers: Vec<&str> = truth
        .cast
        .iter()
        .filter(|client| client.peaks.sliding_300 > 300)
        .map(|client| client.client.as_str())
        .collect();
    assert!(counted.len() > 100, "{} requests over the limit", counted.len());
    for record in &counted {
        assert_eq!(record["action"], "ALLOW");
        assert_eq!(record["rateBasedRuleList"][0]["rateBasedRuleName"], "ratewaf-oauth-token");
        assert_eq!(record["rateBasedRuleList"][0]["limitValue"], record["httpRequest"]["clientIp"]);
        let client = record["httpRequest"]["clientIp"].as_str().unwrap();
        assert!(abusers.contains(&client), "{client}");
    }
    let blocked = records.iter().filter(|record| record["action"] == "BLOCK").count();
    assert!((1..records.len() / 10).contains(&blocked), "{blocked} blocked");
}

#[test]
fn a_load_balancer_packs_its_files_in_several_members() {
    let folder = tempfile::tempdir().unwrap();
    make(Format::Alb, folder.path());
    for bytes in files(folder.path()).values() {
        let first = first_member(bytes);
        assert!(first.len() < gunzip(bytes).len());
    }
}

fn first_member(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut text).unwrap();
    text
}
