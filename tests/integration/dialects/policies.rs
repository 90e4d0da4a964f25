//! The policies of `tests/golden/emit` in the other dialects, each folder a case: what can be expressed is
//! golden, and so is what is said where it cannot.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Files, read, template};
use crate::golden;
use crate::harness::repository;
use crate::stack::{CASES, emitted};

/// Where golden files of a policy stand, and how the dialect is asked for.
const DIALECTS: [(&str, &str); 5] = [
    ("terraform-json", "terraform-json"),
    ("cloudformation", "cloudformation"),
    ("cloudformation-json", "cloudformation-json"),
    ("cdk", "cdk"),
    ("api-json", "api-json"),
];
/// What a refusal is kept as.
const REFUSED: &str = "refused.txt";

/// `whole-story-6` of `whole-story-6.tf`.
fn case_of(golden: &str) -> &str {
    golden.trim_end_matches('/').trim_end_matches(".tf")
}

fn folder(case: &str, dialect: &str) -> PathBuf {
    repository("tests/golden/policies").join(case).join(dialect)
}

/// Which of Terraform's own flags a case has.
fn is_terraform_only(more: &[&str]) -> bool {
    more.iter().any(|flag| ["--provider", "--module"].contains(flag))
}

#[test]
fn golden_files_are_what_is_emitted_or_why_it_is_not() {
    let mut refusals = 0;
    for (name, policy, more) in CASES {
        for (dialect, format) in DIALECTS {
            if is_terraform_only(more) && dialect != "terraform-json" {
                continue;
            }
            let files = match emitted(policy, format, more) {
                Ok(files) => files,
                Err(said) => {
                    refusals += 1;
                    // What is wrong, and the way out.
                    assert!(said.contains("; ") || said.contains("hint: "), "{said}");
                    vec![(REFUSED.to_owned(), said)]
                }
            };
            let case = case_of(name);
            for (file, text) in &files {
                let path = format!("tests/golden/policies/{case}/{dialect}/{file}");
                golden::check(&path, text);
            }
            // Nothing of an older run stays.
            let there = fs::read_dir(folder(case, dialect)).unwrap().count();
            assert_eq!(there, files.len(), "{case}/{dialect}");
        }
    }
    assert!(refusals >= 4, "{refusals}");
}

/// The golden files of a dialect by case; where it was refused there are none.
pub fn golden_files(dialect: &str) -> Vec<(String, Files)> {
    let mut cases = Vec::new();
    for (name, _, _) in CASES {
        let folder = folder(case_of(name), dialect);
        if !folder.is_dir() || folder.join(REFUSED).is_file() {
            continue;
        }
        let mut files: Files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        cases.push((case_of(name).to_owned(), files));
    }
    cases
}

/// Paths of all templates, for tools.
pub fn templates() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for dialect in ["cloudformation", "cloudformation-json"] {
        for (case, files) in golden_files(dialect) {
            paths.extend(files.iter().map(|(name, _)| folder(&case, dialect).join(name)));
        }
    }
    paths
}

/// The JSON templates of each case, under `waf` and `guard`.
pub fn json_templates() -> BTreeMap<(String, String), Value> {
    let cases = golden_files("cloudformation-json").into_iter();
    cases
        .flat_map(|(case, files)| {
            files.into_iter().map(move |(name, text)| {
                let name = name.trim_end_matches(".json").to_owned();
                ((case.clone(), name), serde_json::from_str(&text).unwrap())
            })
        })
        .collect()
}

#[test]
fn yaml_and_json_deploy_the_same() {
    let json = json_templates();
    let mut compared = 0;
    for (case, files) in golden_files("cloudformation") {
        for (name, text) in files {
            let yaml = template::deployed(&read::template_of_yaml(&text));
            let of = (case.clone(), name.trim_end_matches(".yaml").to_owned());
            let json = template::deployed(&json[&of]);
            template::assert_same(&format!("{case}/{name}"), &yaml, &json);
            compared += 1;
        }
    }
    assert_eq!(compared, json.len());
}

/// The web ACLs, rule groups and IP sets of every policy are the same in Terraform's HCL (as the golden files
/// of `tests/golden/emit` have it), its JSON, CloudFormation and the API's JSON.
#[test]
fn every_dialect_of_a_policy_says_the_same_rules() {
    let mut compared = 0;
    for (name, policy, more) in CASES {
        if is_terraform_only(more) {
            continue;
        }
        let hcl = read::of_terraform(&hcl_of(name));
        let case = case_of(name);
        let read_json = |dialect: &str| -> Vec<Value> {
            let files = golden_files(dialect).into_iter().filter(|(of, _)| of == case);
            let texts = files.flat_map(|(_, files)| files);
            texts.map(|(_, text)| serde_json::from_str(&text).unwrap()).collect()
        };
        let json = read_json("terraform-json");
        let what = format!("{case}: Terraform JSON");
        read::assert_same_resources(&what, &read::of_terraform_json(&json), &hcl);
        let said = read::Said::of(&hcl);
        let templates = read_json("cloudformation-json");
        if !templates.is_empty() {
            assert_eq!(read::of_templates(templates), said, "{case}: CloudFormation");
            compared += 1;
        }
        if let [api] = read_json("api-json").as_slice() {
            // Terraform keeps the rules of a single-rule join outside any web ACL.
            if policy != "attach-rules" {
                assert_eq!(read::of_api(api), said, "{case}: API");
                compared += 1;
            }
        }
    }
    assert!(compared > 15, "{compared}");
}

/// The HCL of a case, all files in one.
fn hcl_of(name: &str) -> String {
    let path = repository("tests/golden/emit").join(name);
    if path.is_dir() { whole(&path) } else { fs::read_to_string(path).unwrap() }
}

fn whole(folder: &Path) -> String {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Terraform plans the same from the JSON as from the HCL: both are modules of one configuration.
#[test]
fn terraform_plans_the_same_from_json() {
    use crate::terraform::pretended::{modules_of, planned_modules};
    let json = golden_files("terraform-json");
    let mut modules: Vec<(String, Files)> = json
        .iter()
        // Version 5 alone.
        .filter(|(_, files)| !files.iter().any(|(_, text)| text.contains("< 6.0.0")))
        .map(|(case, files)| (format!("json-{case}"), files.clone()))
        .collect();
    let count = modules.len();
    for (name, _, _) in CASES {
        let case = case_of(name);
        if modules.iter().any(|(of, _)| of.strip_prefix("json-") == Some(case)) {
            modules.push((case.to_owned(), vec![("waf.tf".to_owned(), hcl_of(name))]));
        }
    }
    assert_eq!(modules.len(), 2 * count);
    let Some(workspace) = modules_of(&modules) else { return };
    let planned = planned_modules(&workspace.plan());
    for (case, _) in &modules[count..] {
        assert_eq!(planned[&format!("json-{case}")], planned[case], "{case}");
    }
    assert!(count > 10, "{count}");
}
