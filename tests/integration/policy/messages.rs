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

fn places(text: &str) -> Vec<(usize, usize)> {
    let problems = Policy::parse(text, "ratewaf.yaml").unwrap_err();
    problems.list().iter().filter_map(|problem| problems.place(problem)).collect()
}

#[test]
fn places_hold_whatever_the_file_begins_or_its_lines_end_with() {
    let text = "version: 1\nname: acl # ä €\nweb_acl: { create: prod }\nroutes:\n  - { name: ä, path: { exactly: /a }, limit: 3 }\n";
    let expected = [(5, 13), (5, 46)];
    assert_eq!(places(text), expected);
    assert_eq!(places(&text.replace('\n', "\r\n")), expected);
    assert_eq!(places(&format!("\u{feff}{text}")), expected);
    let shown = Policy::parse(&text.replace('\n', "\r\n"), "a.yaml").unwrap_err().to_string();
    assert!(!shown.contains('\r') && !shown.contains("\\u{d}"), "{shown}");
}

#[test]
fn a_fault_behind_an_alias_is_shown_where_it_is_used() {
    let text = "version: 1
name: acl
web_acl: { create: prod }
networks:
  a: { cidrs: &shared [192.0.2.1], kind: tester }
  b: { cidrs: *shared, kind: known-good }
defaults: { window: &w 90 }
routes:
  - { name: a, path: { exactly: /a }, window: *w }
";
    assert_eq!(places(text), [(7, 24), (9, 47)]);
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let problems = Policy::parse("version: 1\n", "ratewaf.yaml").unwrap_err();
    assert!(problems.render(true).contains("\u{1b}["));
    assert!(!problems.render(false).contains('\u{1b}'));
    assert_eq!(problems.to_string(), problems.render(false));
}
