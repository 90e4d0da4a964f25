//! The same requests give the same bytes, however they are ordered, cut into files, written down and
//! read.

use std::path::Path;

use proptest::prelude::*;

use crate::harness::{HEADER, Workspace, gunzip, gzip, line, scenario};

/// All request lines of a labelled week, and its two header lines.
fn lines_of(name: &str) -> (String, Vec<String>) {
    let mut header = String::new();
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(scenario(name)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "gz") {
            let text = String::from_utf8(gunzip(&std::fs::read(path).unwrap())).unwrap();
            let (head, body): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|line| line.starts_with('#'));
            header = format!("{}\n", head.join("\n"));
            lines.extend(body.into_iter().map(str::to_owned));
        }
    }
    (header, lines)
}

/// What `analyze` printed as JSON and wrote as a lock.
fn analyze(workspace: &Workspace, paths: &[&str], route: &str, more: &[&str]) -> (String, String) {
    for file in ["ratewaf.yaml", "ratewaf.lock.json"] {
        let _ = std::fs::remove_file(workspace.path().join(file));
    }
    let mut arguments = vec!["analyze", "--route", route, "--format", "json"];
    arguments.extend(paths);
    arguments.extend(more);
    let json = workspace.ok(&arguments).stdout;
    (json, workspace.read("ratewaf.lock.json"))
}

/// A small generator of its own, so that a failing case can be run again.
struct Shuffle(u64);

impl Shuffle {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn all<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }
}

#[test]
fn order_files_and_threads_change_no_byte() {
    let (header, mut lines) = lines_of("ipv6-slash64");
    let route = "GET /api/v1/item";
    let workspace = Workspace::new();
    workspace.write("one/a.log", format!("{header}{}\n", lines.join("\n")));
    let expected = analyze(&workspace, &["one"], route, &["--threads", "1"]);
    let mut shuffle = Shuffle(7);
    for round in 0..3 {
        shuffle.all(&mut lines);
        let folder = format!("round{round}");
        for (number, part) in lines.chunks(lines.len() / (3 + 40 * round)).enumerate() {
            let text = format!("{header}{}\n", part.join("\n"));
            let name = format!("{folder}/{:x}-{number}.gz", shuffle.below(1 << 20));
            workspace.write(&name, gzip(text.as_bytes()));
        }
        let threads = (round + 2).to_string();
        let found = analyze(&workspace, &[&folder], route, &["--threads", &threads]);
        assert_eq!(found.0, expected.0, "JSON, round {round}");
        assert_eq!(found.1, expected.1, "lock, round {round}");
    }
}

#[test]
fn a_survey_does_not_depend_on_order_either() {
    let (header, mut lines) = lines_of("path-variants");
    let workspace = Workspace::new();
    workspace.write("one/a.log", format!("{header}{}\n", lines.join("\n")));
    let survey = |folder: &str, threads: &str| {
        for file in ["ratewaf.yaml", "ratewaf.lock.json"] {
            let _ = std::fs::remove_file(workspace.path().join(file));
        }
        let json =
            workspace.ok(&["analyze", folder, "--format", "json", "--threads", threads]).stdout;
        (json, workspace.read("ratewaf.yaml"), workspace.read("ratewaf.lock.json"))
    };
    let expected = survey("one", "1");
    Shuffle(11).all(&mut lines);
    for (number, part) in lines.chunks(700).enumerate() {
        workspace.write(
            &format!("many/{number}.gz"),
            gzip(format!("{header}{}\n", part.join("\n")).as_bytes()),
        );
    }
    assert_eq!(survey("many", "3"), expected);
}

/// The field names of v1 as a list, and those of an old file.
fn fields() -> Vec<&'static str> {
    HEADER.lines().nth(1).unwrap().trim_start_matches("#Fields: ").split(' ').collect()
}

/// One line in another column set: the first so many columns of v1, or v2 with its own order.
fn rewrite(line: &str, kind: usize) -> String {
    let columns: Vec<&str> = line.split('\t').collect();
    match kind {
        0..=4 => columns[..[12, 19, 23, 26, 33][kind]].join("\t"),
        _ => v2_order().iter().map(|&place| columns[place]).collect::<Vec<_>>().join("\t"),
    }
}

fn v2_order() -> Vec<usize> {
    let mut order: Vec<usize> = (0..33).collect();
    Shuffle(5).all(&mut order);
    order
}

fn header_of(kind: usize) -> String {
    let names = fields();
    match kind {
        0..=4 => {
            format!("#Version: 1.0\n#Fields: {}\n", names[..[12, 19, 23, 26, 33][kind]].join(" "))
        }
        _ => {
            let names: Vec<&str> = v2_order().iter().map(|&place| names[place]).collect();
            format!("#Fields: {}\n", names.join(" "))
        }
    }
}

#[test]
fn a_week_of_mixed_column_sets_has_the_same_peaks() {
    let (_, lines) = lines_of("corporate-nat");
    let workspace = Workspace::new();
    for kind in 0..6 {
        let mut text = header_of(kind);
        for line in lines.iter().skip(kind).step_by(6) {
            text.push_str(&rewrite(line, kind));
            text.push('\n');
        }
        workspace.write(&format!("mixed/{kind}.gz"), gzip(text.as_bytes()));
    }
    workspace.write("one/a.log", format!("{HEADER}{}\n", lines.join("\n")));
    let peaks = |folder: &str| {
        let (json, _) = analyze(&workspace, &[folder], "GET /api/v1/token", &[]);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let route = &value["routes"][0];
        ["clients", "requests", "sum_of_peaks", "top"].map(|key| route[key].clone())
    };
    assert_eq!(peaks("mixed"), peaks("one"));
}

#[test]
fn each_file_twice_changes_nothing_unless_asked_to_count_again() {
    let workspace = Workspace::new();
    let text: String = (0..400)
        .map(|number| {
            line(number * 3, if number % 5 == 0 { "192.0.2.1" } else { "192.0.2.2" }, "/token")
        })
        .collect();
    workspace.write("logs/a.gz", gzip(format!("{HEADER}{text}").as_bytes()));
    let once = analyze(&workspace, &["logs"], "GET /token", &[]);
    // The same bytes under another name, and the same requests packed otherwise.
    std::fs::copy(workspace.path().join("logs/a.gz"), workspace.path().join("logs/b.gz")).unwrap();
    let outcome = workspace.ok(&["analyze", "--route", "GET /token", "logs", "--no-write"]);
    assert!(
        outcome
            .stderr
            .contains("1 file has the content of another, read once: logs/b.gz (as logs/a.gz)"),
        "{}",
        outcome.stderr
    );
    assert_eq!(analyze(&workspace, &["logs", "logs/a.gz"], "GET /token", &[]), once);
    std::fs::remove_file(workspace.path().join("logs/b.gz")).unwrap();
    workspace.write("logs/c.log", format!("{HEADER}{text}"));
    let peaks = |more: &[&str]| {
        let (json, _) = analyze(&workspace, &["logs"], "GET /token", more);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let top = &value["routes"][0]["top"][0];
        (value["routes"][0]["requests"].as_u64().unwrap(), top["sliding_300"].as_u64().unwrap())
    };
    assert_eq!(peaks(&[]), (400, 80));
    assert_eq!(peaks(&["--no-dedupe"]), (800, 160));
}

#[test]
fn standard_input_is_read_like_a_file() {
    let workspace = Workspace::new();
    let text = format!(
        "{HEADER}{}",
        (0..50).map(|number| line(number, "192.0.2.1", "/token")).collect::<String>()
    );
    workspace.write("a.log", &text);
    let expected = analyze(&workspace, &["a.log"], "GET /token", &[]);
    let arguments = ["analyze", "--route", "GET /token", "--format", "json", "-", "--no-write"];
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let outcome = workspace.run_with(&arguments, &bytes);
        assert_eq!((outcome.status, &outcome.stdout), (0, &expected.0), "{}", outcome.stderr);
    }
}

/// Sliding (10 s steps) and clock peaks, counted the slow way.
fn naive(times: &[(u32, usize)], width: u32) -> std::collections::BTreeMap<usize, (u64, u64)> {
    let mut peaks = std::collections::BTreeMap::new();
    for &(_, client) in times {
        let own: Vec<u32> =
            times.iter().filter(|(_, who)| *who == client).map(|(time, _)| *time).collect();
        let within = |from: u32, to: u32| {
            own.iter().filter(|&&time| time >= from && time < to).count() as u64
        };
        let sliding = own
            .iter()
            .map(|&time| {
                let start = time / 10 * 10;
                within(start, start + width)
            })
            .max();
        let clock = own
            .iter()
            .map(|&time| within(time / width * width, time / width * width + width))
            .max();
        peaks.insert(client, (sliding.unwrap(), clock.unwrap()));
    }
    peaks
}

fn write_random(folder: &Path, times: &[(u32, usize)], files: usize) {
    std::fs::create_dir_all(folder).unwrap();
    for file in 0..files {
        let text: String = times
            .iter()
            .enumerate()
            .filter(|(number, _)| number % files == file)
            .map(|(number, (time, client))| {
                line(*time, &format!("192.0.2.{client}"), "/token")
                    .replace("\tid-", &format!("\t{number}-id-"))
            })
            .collect();
        std::fs::write(folder.join(format!("{file}.log")), format!("{HEADER}{text}")).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_logs_have_the_peaks_of_a_naive_count(
        times in proptest::collection::vec((0_u32..5_000, 1_usize..6), 1..150),
        files in 1_usize..5,
    ) {
        let workspace = Workspace::new();
        write_random(&workspace.path().join("logs"), &times, files);
        let (json, _) = analyze(&workspace, &["logs"], "GET /token", &[]);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let route = &value["routes"][0];
        let (five, one) = (naive(&times, 300), naive(&times, 60));
        prop_assert_eq!(route["clients"].as_u64().unwrap() as usize, five.len());
        for top in route["top"].as_array().unwrap() {
            let client: usize = top["client"].as_str().unwrap().rsplit('.').next().unwrap().parse().unwrap();
            prop_assert_eq!(top["sliding_300"].as_u64().unwrap(), five[&client].0);
            prop_assert_eq!(top["clock_300"].as_u64().unwrap(), five[&client].1);
            prop_assert_eq!(top["clock_60"].as_u64().unwrap(), one[&client].1);
        }
    }
}
