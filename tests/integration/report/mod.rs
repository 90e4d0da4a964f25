//! How analyses are told. The golden files are rewritten with `UPDATE=1 cargo test`.

// What fails here fails the test that asked for it.
#![allow(clippy::unwrap_used)]

mod browser;
mod drift;
mod hostile;
mod page;
mod rule_samples;
mod samples;
mod schema;
mod whole;
mod words;

use std::path::{Path, PathBuf};

use ratewaf::report::{self, Analysis, Style};
use words::PlainWords;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares with a committed file, or writes it if `UPDATE` is set.
fn golden(path: &str, found: &str) {
    let path: PathBuf = root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, found).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    let place = path.display();
    assert!(wanted == found, "{place} differs (UPDATE=1 rewrites it); found:\n{found}");
}

fn told(name: &str, analysis: &Analysis) {
    let plain = report::text(analysis, &PlainWords, &Style::default(), 100);
    let drawn = report::text(analysis, &PlainWords, &Style::new(false, true), 80);
    golden(&format!("tests/golden/report/{name}.txt"), &plain);
    golden(&format!("tests/golden/report/{name}.80.txt"), &drawn);
    golden(&format!("tests/golden/report/{name}.md"), &report::markdown(analysis, &PlainWords));
    for (text, width) in [(&plain, 100), (&drawn, 80)] {
        let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > width).collect();
        assert!(wide.is_empty(), "{name}: wider than {width} columns: {wide:#?}");
    }
    for line in plain.lines().chain(drawn.lines()) {
        assert_eq!(line, line.trim_end(), "{name}");
    }
}

#[test]
fn a_clear_week() {
    let analysis = samples::article_week();
    told("article-week", &analysis);
    golden("tests/golden/report/article-week.json", &report::json(&analysis, &PlainWords));
}

#[test]
fn a_weak_week_with_a_careful_limit() {
    told("weak", &samples::weak_week());
}

#[test]
fn no_limit_but_questions() {
    let analysis = samples::questions();
    told("questions", &analysis);
    golden("tests/golden/report/questions.json", &report::json(&analysis, &PlainWords));
}

#[test]
fn a_few_clients() {
    told("few-clients", &samples::few_clients());
}

#[test]
fn ipv6_by_slash64() {
    told("ipv6-slash64", &samples::ipv6_slash64());
}

#[test]
fn a_survey() {
    told("survey", &samples::survey());
}

#[test]
fn hostile_text() {
    let analysis = samples::hostile();
    told("hostile", &analysis);
    golden("tests/golden/report/hostile.json", &report::json(&analysis, &PlainWords));
}

#[test]
fn rules_of_a_web_acl() {
    let analysis = rule_samples::waf_week();
    told("waf-rules", &analysis);
    golden("tests/golden/report/waf-rules.json", &report::json(&analysis, &PlainWords));
}

#[test]
fn colours_change_no_letter() {
    for analysis in [samples::article_week(), samples::weak_week(), samples::survey()] {
        let plain = report::text(&analysis, &PlainWords, &Style::new(false, true), 100);
        let coloured = report::text(&analysis, &PlainWords, &Style::new(true, true), 100);
        assert_ne!(plain, coloured);
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        let trimmed: Vec<_> = stripped.lines().map(str::trim_end).collect();
        assert_eq!(plain.lines().collect::<Vec<_>>(), trimmed);
    }
}

#[test]
fn one_screen_a_route() {
    for (analysis, most) in [(samples::article_week(), 48), (samples::questions(), 36)] {
        for width in [90, 100, 120] {
            let text = report::text(&analysis, &PlainWords, &Style::new(false, true), width);
            let lines = text.lines().count();
            assert!(lines <= most, "{lines} lines at {width} columns:\n{text}");
        }
    }
}

#[test]
fn the_json_knows_nothing_of_files() {
    let one = samples::weak_week();
    let mut other = one.clone();
    other.coverage.files = 1;
    other.coverage.bytes = 9;
    other.coverage.formats.clear();
    other.coverage.partial_files.clear();
    other.coverage.repeated_files.clear();
    for skipped in other.coverage.skipped.values_mut() {
        skipped.example = None;
    }
    assert_ne!(one, other);
    assert_eq!(report::json(&one, &PlainWords), report::json(&other, &PlainWords));
}

#[test]
fn the_top_is_by_five_minutes_and_equal_peaks_by_text() {
    let mut clients: Vec<_> =
        (1..=30).map(|last| samples::visitor(&format!("192.0.2.{last}"), 50)).collect();
    clients[4].sliding[2] = 51;
    clients[7].sliding[0] = 500;
    let mut profile = samples::profile("GET /a", clients);
    profile.window = ratewaf::units::Window::ONE_MINUTE;
    let none = samples::found(samples::proposal(&profile.clients, None, 1));
    let analysis = samples::one(samples::week(9), profile, none);
    let json: serde_json::Value =
        serde_json::from_str(&report::json(&analysis, &PlainWords)).unwrap();
    let top: Vec<_> = json["routes"][0]["top"]
        .as_array()
        .unwrap()
        .iter()
        .map(|client| client["client"].as_str().unwrap().trim_start_matches("192.0.2."))
        .collect();
    let by_text = [
        "5", "1", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "2", "20", "21",
        "22", "23", "24", "25", "26",
    ];
    assert_eq!(top, by_text);
}
