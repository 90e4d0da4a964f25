//! The page of inputs: every pitfall that it lists has the test that it names, and every such test is
//! listed; every format that can be generated or asked for is on it.

use std::collections::{BTreeMap, BTreeSet};

use ratewaf::demo::Format;

use crate::harness::repository;

/// Tests named after pitfalls, with the files that they are in.
fn tests() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(repository("tests/integration/pitfalls")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(repository("")).unwrap().display().to_string();
        for (place, _) in text.match_indices("\n#[test]\nfn pitfall_") {
            let name = &text[place + "\n#[test]\nfn ".len()..];
            let name = name.split('(').next().unwrap().to_owned();
            assert!(found.insert(name, file.clone()).is_none());
        }
    }
    found
}

#[test]
fn every_pitfall_has_its_test_and_every_test_is_listed() {
    let page = std::fs::read_to_string(repository("docs/inputs.md")).unwrap();
    let mut listed = BTreeMap::new();
    for row in page.lines().filter(|line| line.contains("[`pitfall_")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (number, link) = (cells[1].parse::<u32>().unwrap(), cells[3]);
        let (name, file) = link.trim_matches(['[', ')']).split_once("](../").unwrap();
        let name = name.trim_matches('`').to_owned();
        assert!(name.starts_with(&format!("pitfall_{number:02}_")), "{row}");
        listed.insert(name, file.to_owned());
    }
    assert_eq!(listed, tests());
    let numbers: BTreeSet<&str> = listed.keys().map(|name| &name[8..10]).collect();
    assert_eq!(numbers.len(), 54);
}

#[test]
fn every_format_has_its_example() {
    let page = std::fs::read_to_string(repository("docs/inputs.md")).unwrap();
    let sessions: Vec<&str> = page.split("```console").skip(1).collect();
    for format in Format::ALL {
        let name = format.as_str();
        let made = sessions.iter().any(|session| {
            let made = session.lines().filter(|line| line.contains("demo-logs"));
            made.flat_map(|line| line.split([' ', ';'])).any(|word| word == name)
        });
        assert!(made, "{name} is not made on the page");
    }
    for flag in ["--fields", "--delimiter", "--realtime-config", "--map"] {
        assert!(sessions.iter().any(|session| session.contains(flag)), "{flag}");
    }
}
