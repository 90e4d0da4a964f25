//! What every bad policy is told.

use std::fs;

use ratewaf::policy::Policy;

use super::{assert_golden, files, golden};

#[test]
fn good_policies_load() {
    for file in files("tests/fixtures/policies/good") {
        let text = fs::read_to_string(&file).unwrap();
        if let Err(problems) = Policy::parse(&text, "ratewaf.yaml") {
            panic!("{}:\n{problems}", file.display());
        }
    }
}

#[test]
fn bad_policies_are_told_everything_at_once() {
    for file in files("tests/fixtures/policies/bad") {
        let text = fs::read_to_string(&file).unwrap();
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let problems = Policy::parse(&text, &format!("{stem}.yaml"))
            .err()
            .unwrap_or_else(|| panic!("{stem} loads, but should not"));
        let told = problems.render(false);
        assert!(
            told.chars().all(|character| character == '\n' || ratewaf::units::is_plain(character)),
            "{stem}: something of the file reaches the terminal raw"
        );
        assert_golden(&golden(&format!("{stem}.txt")), &format!("{told}\n"));
    }
}
