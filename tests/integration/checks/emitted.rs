//! What the checks say about everything that `ratewaf emit` wrote for other tests: nothing above a note where a
//! policy asks for alarms and logging, and elsewhere what is listed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ratewaf::checks::model::build;
use ratewaf::checks::read::{Folder, Input, read_folder, read_text};
use ratewaf::checks::{CHECKS, Context, Severity, run};
use ratewaf::policy::{Lock, Policy};

use super::page::today;
use crate::golden;
use crate::harness::repository;

/// What is said about files of one deployment, a line each.
fn said(
    name: &str,
    files: &[(String, String)],
    policy: Option<&Policy>,
    lock: Option<&Lock>,
) -> Vec<(Severity, String)> {
    let reading = if files
        .iter()
        .all(|(name, _)| name.ends_with(".tf") || name.ends_with(".tf.json"))
    {
        read_folder(&Folder { name: name.to_owned(), files: files.to_vec(), ..Folder::default() })
    } else {
        let text = files[0].1.clone();
        read_text(&Input { name: name.to_owned(), environment: None, text })
    };
    let reading = reading.unwrap_or_else(|error| panic!("{error}"));
    let deployment = build(reading.found);
    let context = Context {
        deployment: &deployment,
        policy,
        lock,
        today: today(),
        pricing_plan: policy.map(|policy| policy.pricing_plan),
    };
    let findings = run(CHECKS, &context);
    findings
        .into_iter()
        .map(|one| {
            (one.severity, format!("{} {}: {}", one.severity.as_str(), one.check, one.message))
        })
        .collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The files of each deployment below a folder of golden files: single files, and folders of `.tf`.
fn deployments(folder: &str, ends: &[&str]) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    let mut entries: Vec<_> =
        std::fs::read_dir(repository(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let mut files: Vec<_> = std::fs::read_dir(&path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| ends.iter().any(|end| path.to_str().unwrap().ends_with(end)))
                .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), text(&path)))
                .collect();
            files.sort();
            if !files.is_empty() {
                found.insert(format!("{folder}/{name}"), files);
            }
        } else if ends.iter().any(|end| name.ends_with(end)) {
            found.insert(format!("{folder}/{name}"), vec![(name, text(&path))]);
        }
    }
    found
}

#[test]
fn what_emit_writes_has_only_the_findings_that_its_policy_asks_for() {
    let lock =
        Lock::parse(&text(&repository("tests/golden/emit/ratewaf.lock.json")), "lock").unwrap();
    let mut out = String::new();
    let mut loud = Vec::new();
    let kinds: [(&str, &[&str]); 4] = [
        ("tests/golden/emit", &[".tf"]),
        ("tests/golden/terraform", &[".tf"]),
        ("tests/golden/cloudformation", &[".yaml"]),
        ("tests/golden/api", &["waf.json"]),
    ];
    for (folder, ends) in kinds {
        for (name, files) in deployments(folder, ends) {
            let stem = name.rsplit('/').next().unwrap().trim_end_matches(".tf");
            let is_emitted = folder == "tests/golden/emit";
            let policy = is_emitted.then(|| policy(stem)).flatten();
            let findings = said(&name, &files, policy.as_ref(), is_emitted.then_some(&lock));
            let _ = writeln!(out, "{name}");
            for (severity, finding) in &findings {
                let _ = writeln!(out, "  {finding}");
                if *severity > Severity::Note && stem.starts_with("whole-story") {
                    loud.push(format!("{name}: {finding}"));
                }
            }
        }
    }
    golden::check("tests/golden/checks/emitted.txt", &out);
    assert!(loud.is_empty(), "{}", loud.join("\n"));
}

/// The policy that a file of `tests/golden/emit` was written from.
fn policy(stem: &str) -> Option<Policy> {
    let mut stem = stem.to_owned();
    loop {
        let path = repository(&format!("tests/golden/emit/{stem}.yaml"));
        if path.exists() {
            return Some(Policy::parse(&text(&path), &stem).unwrap());
        }
        match stem.rsplit_once('-') {
            Some((shorter, _)) => stem = shorter.to_owned(),
            None if stem == "module" => stem = "whole-story".to_owned(),
            None => return None,
        }
    }
}

/// The dialects of one policy are one deployment: what the files in HCL say, those in JSON say.
#[test]
fn terraform_in_json_says_what_the_same_in_hcl_says() {
    let mut compared = 0;
    let read = |name: &str, files: Vec<(String, String)>| {
        let folder = Folder { name: name.to_owned(), files, ..Folder::default() };
        let found = read_folder(&folder).unwrap_or_else(|error| panic!("{error}")).found;
        let found = found.into_iter().map(|one| ((one.item.address, one.kind), one.values));
        found.collect::<BTreeMap<_, _>>()
    };
    for (stem, files) in deployments("tests/golden/terraform-json", &[".tf.json"]) {
        let name = stem.rsplit('/').next().unwrap();
        let hcl = text(&repository(&format!("tests/golden/terraform/{name}.tf")));
        let hcl = read(name, vec![("main.tf".to_owned(), hcl)]);
        let json = read(name, files);
        assert_eq!(json.keys().collect::<Vec<_>>(), hcl.keys().collect::<Vec<_>>(), "{name}");
        for (key, values) in &json {
            assert_eq!(values, &hcl[key], "{name}: {key:?}");
        }
        compared += json.len();
    }
    assert!(compared > 20, "{compared}");
}

/// Every dialect of a policy that asks for everything, as `emit` writes it.
#[test]
fn no_dialect_of_a_whole_policy_has_a_finding_above_a_note() {
    let lock =
        Lock::parse(&text(&repository("tests/golden/emit/ratewaf.lock.json")), "lock").unwrap();
    for stem in ["whole-story", "whole-story-6"] {
        let policy = policy(stem).unwrap();
        for (dialect, ends) in [("terraform-json", ".tf.json"), ("cloudformation", "waf.yaml")] {
            let all = deployments(&format!("tests/golden/policies/{stem}"), &[ends]);
            let name = format!("tests/golden/policies/{stem}/{dialect}");
            let Some(files) = all.get(&name) else { continue };
            for (severity, finding) in said(&name, files, Some(&policy), Some(&lock)) {
                assert!(severity <= Severity::Note, "{name}: {finding}");
            }
        }
    }
}
