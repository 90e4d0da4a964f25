//! Plans of Terraform itself: with the stub in both versions, and with the real provider where it is.

use std::collections::BTreeSet;

use ratewaf::checks::model::build;
use ratewaf::checks::read::{Folder, Input, read_folder, read_plan};
use ratewaf::checks::{CHECKS, Context, run};
use serde_json::Value;

use super::page::{page, today};
use crate::terraform::stub::{Version, Workspace};

/// Which checks say what, about which resource: not the words, as a plan may know more.
fn said(found: Vec<ratewaf::checks::model::Found>) -> BTreeSet<String> {
    let deployment = build(found);
    let context = Context {
        deployment: &deployment,
        policy: None,
        lock: None,
        today: today(),
        pricing_plan: None,
    };
    let findings = run(CHECKS, &context);
    findings
        .into_iter()
        .map(|one| {
            format!(
                "{} {} {}",
                one.check,
                one.place.item.address,
                one.place.rule.unwrap_or_default()
            )
        })
        .collect()
}

fn of_plan(plan: &Value) -> BTreeSet<String> {
    let input = Input { name: "plan.json".into(), environment: None, text: String::new() };
    said(read_plan(&input, plan).unwrap().found)
}

fn of_files(text: &str) -> BTreeSet<String> {
    let files = vec![("main.tf".to_owned(), text.to_owned())];
    said(read_folder(&Folder { name: "x".into(), files, ..Folder::default() }).unwrap().found)
}

/// The first `hcl` example of a section that stands alone.
fn example(id: &str, section: &str) -> String {
    let page = page(id);
    let after = page.split(&format!("## {section}\n")).nth(1).unwrap();
    after.split("```hcl\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

/// Examples that Terraform takes (a fault that it finds itself makes no plan), of different kinds.
const IDS: [&str; 6] = [
    "alarm-region",
    "block-without-count",
    "path-case",
    "exempt-one-family",
    "key-left-out",
    "metric-name-twice",
];

#[test]
fn plans_of_the_stub_say_what_the_files_say() {
    for version in [Version::Five, Version::Six] {
        for id in IDS {
            for section in ["Bad", "Good"] {
                let text = example(id, section);
                let Some(workspace) = Workspace::new(version) else { return };
                let plan = workspace.write("main.tf", &text).plan();
                assert_eq!(of_plan(&plan), of_files(&text), "{version:?}: {id}, {section}");
            }
        }
    }
}
