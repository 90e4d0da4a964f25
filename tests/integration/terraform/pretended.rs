//! Every golden file through Terraform with the stub: both versions of the provider validate it, the
//! newest plans it, the plan reads back as what was translated, a pretended apply leaves nothing to
//! do, and a changed limit is one updated resource.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ratewaf::rules::RuleSet;
use ratewaf::units::Limit;
use ratewaf::wafv2::terraform::{Resource, ip_set, read_hcl, read_plan, rule_group, web_acl};
use ratewaf::wafv2::{BlockAction, IpSet, RuleAction, RuleGroup, WebAcl, translate};

use super::refusals::refusals;
use super::stub::{Version, Workspace, changes, providers};
use super::{emit, samples, schema};
use crate::harness::repository;

/// Several configurations in one run, each as a module of its own.
pub fn as_modules(version: Version, texts: &[(&str, String)]) -> Option<Workspace> {
    let workspace = Workspace::new(version)?;
    let mut root = String::new();
    for (name, text) in texts {
        workspace.write(&format!("{name}/waf.tf"), text);
        root.push_str(&format!("module \"{name}\" {{\n  source = \"./{name}\"\n}}\n\n"));
    }
    workspace.write("main.tf", &root);
    workspace.run(&["get"]);
    Some(workspace)
}

fn golden() -> Vec<(&'static str, String)> {
    samples::all().into_iter().map(|(name, set)| (name, emit(&set))).collect()
}

/// The web ACLs and IP sets of resources, by name.
pub fn read_back(resources: &[Resource]) -> (Vec<WebAcl>, Vec<IpSet>) {
    let of = |kind: &'static str| resources.iter().filter(move |resource| resource.kind == kind);
    let mut sets: Vec<IpSet> = of("aws_wafv2_ip_set").map(|set| ip_set(set).unwrap()).collect();
    // A set of strings in Terraform, in the order of its own.
    sets.iter_mut().for_each(|set| set.addresses.sort());
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    let acls = of("aws_wafv2_web_acl").map(|acl| web_acl(acl, resources).unwrap()).collect();
    (acls, sets)
}

/// What the same rules are in AWS shapes.
pub fn translated(set: &RuleSet) -> (Vec<WebAcl>, Vec<IpSet>) {
    let translated = translate(set).unwrap();
    let mut sets: Vec<IpSet> = translated.ip_sets.into_iter().map(|held| held.set).collect();
    sets.iter_mut().for_each(|set| set.addresses.sort());
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    let mut acl = translated.web_acl;
    for rule in &mut acl.rules {
        // A set in Terraform.
        if let RuleAction::Block(BlockAction { custom_response: Some(response) }) = &mut rule.action
        {
            response.response_headers.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    (vec![acl], sets)
}

#[test]
fn golden_files_hold_to_the_schema_of_both_versions() {
    for (name, text) in golden() {
        for version in [Version::Five, Version::Six] {
            let faults = schema::faults(&providers(version), &text);
            assert!(faults.is_empty(), "{name}, {version:?}: {faults:#?}");
        }
    }
}

#[test]
fn version_5_validates_every_golden_file() {
    if let Some(workspace) = as_modules(Version::Five, &golden()) {
        workspace.validate();
    }
}

#[test]
fn version_6_applies_every_golden_file_and_has_nothing_left_to_do() {
    let Some(workspace) = as_modules(Version::Six, &golden()) else { return };
    workspace.validate();
    let plan = workspace.plan();
    let resources = read_plan(&plan).unwrap();
    for (name, set) in samples::all() {
        let module = format!("module.{name}");
        let own: Vec<Resource> =
            resources.iter().filter(|resource| resource.module == module).cloned().collect();
        assert_eq!(read_back(&own), translated(&set), "{name}");
    }
    workspace.apply();
}

/// The golden files of policies, each as the files of a module.
fn policies() -> Vec<(String, Vec<(String, String)>)> {
    let folder = repository("tests/golden/emit");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut modules = Vec::new();
    for path in sorted(&folder) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let files = sorted(&path)
                .into_iter()
                .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), read(&file)));
            modules.push((format!("{name}-folder"), files.collect()));
        } else if path.extension().is_some_and(|ending| ending == "tf") {
            modules.push((name, vec![("waf.tf".to_owned(), read(&path))]));
        }
    }
    assert!(modules.len() >= 16, "{}", modules.len());
    modules
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// A module that takes its providers from outside: Regions are aliases.
fn takes_providers(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start().trim_start_matches('"').starts_with("configuration_aliases"))
}

#[test]
fn policies_hold_to_the_schema_and_to_what_aws_takes() {
    for (name, files) in policies() {
        let text: String = files.iter().map(|(_, text)| text.as_str()).collect();
        // The providers of a module stand outside.
        let aliases = if takes_providers(&text) {
            "provider \"aws\" {\n  alias = \"us_east_1\"\n}\nprovider \"aws\" {\n  alias = \"eu_central_1\"\n}\n"
        } else {
            ""
        };
        let text = format!("{text}{aliases}");
        let for_five = !text.contains("version = \">= 6.");
        let mut versions = vec![Version::Six];
        if for_five {
            versions.push(Version::Five);
        }
        for version in versions {
            let faults = schema::faults(&providers(version), &text);
            assert!(faults.is_empty(), "{name}, {version:?}: {faults:#?}");
        }
        let refused = refusals(&read_hcl(&text).unwrap());
        assert!(refused.is_empty(), "{name}: {refused:#?}");
    }
}

/// The web ACLs and rule groups that resources are, by name.
fn rules_of(resources: &[Resource]) -> (Vec<WebAcl>, Vec<RuleGroup>) {
    let of = |kind: &'static str| resources.iter().filter(move |resource| resource.kind == kind);
    let mut acls: Vec<WebAcl> =
        of("aws_wafv2_web_acl").map(|acl| web_acl(acl, resources).unwrap()).collect();
    acls.sort_by(|a, b| a.name.cmp(&b.name));
    let groups = of("aws_wafv2_rule_group").map(|one| rule_group(one, resources).unwrap());
    (acls, groups.collect())
}

/// A configuration that calls each folder of files as a module, with the providers that it takes.
pub fn modules_of(modules: &[(String, Vec<(String, String)>)]) -> Option<Workspace> {
    let workspace = Workspace::new(Version::Six)?;
    let mut root = String::from(
        "provider \"aws\" {\n  alias  = \"us_east_1\"\n  region = \"us-east-1\"\n}\n\nprovider \"aws\" {\n  alias  = \"eu_central_1\"\n  region = \"eu-central-1\"\n}\n",
    );
    for (name, files) in modules {
        root.push_str(&format!("\nmodule \"{name}\" {{\n  source = \"./{name}\"\n"));
        let asks = |alias: &str| {
            files
                .iter()
                .any(|(_, text)| takes_providers(text) && text.contains(&format!("aws.{alias}")))
        };
        let aliases: Vec<&str> =
            ["us_east_1", "eu_central_1"].into_iter().filter(|alias| asks(alias)).collect();
        if !aliases.is_empty() {
            root.push_str("\n  providers = {\n");
            for alias in aliases {
                root.push_str(&format!("    aws.{alias} = aws.{alias}\n"));
            }
            root.push_str("  }\n");
        }
        root.push_str("}\n");
        for (file, text) in files {
            workspace.write(&format!("{name}/{file}"), text);
        }
    }
    workspace.write("main.tf", &root);
    Some(workspace)
}

/// What a plan has in each module, under the module's name: resources by their addresses in it.
pub fn planned_modules(plan: &serde_json::Value) -> BTreeMap<String, serde_json::Value> {
    let modules = plan["planned_values"]["root_module"]["child_modules"].as_array().unwrap();
    modules
        .iter()
        .map(|module| {
            let address = module["address"].as_str().unwrap();
            let resources: serde_json::Map<String, serde_json::Value> = module["resources"]
                .as_array()
                .unwrap()
                .iter()
                .map(|resource| {
                    let mut resource = resource.clone();
                    let own = resource["address"].take();
                    (own.as_str().unwrap().replacen(address, "", 1), resource)
                })
                .collect();
            let name = address.strip_prefix("module.").unwrap();
            let name = name.trim_matches(['[', ']', '"']);
            (name.to_owned(), serde_json::Value::Object(resources))
        })
        .collect()
}

#[test]
fn policies_are_planned_as_they_read_and_applied() {
    let policies: Vec<_> = policies()
        .into_iter()
        // Version 5 alone.
        .filter(|(_, files)| !files.iter().any(|(_, text)| text.contains("< 6.0.0")))
        .collect();
    let Some(workspace) = modules_of(&policies) else { return };
    let planned = read_plan(&workspace.plan()).unwrap();
    for (name, files) in &policies {
        let text: String = files.iter().map(|(_, text)| text.as_str()).collect();
        let module = format!("module.{name}");
        let own: Vec<Resource> = planned.iter().filter(|it| it.module == module).cloned().collect();
        let read = read_hcl(&text).unwrap();
        assert_eq!(rules_of(&own), rules_of(&read), "{name}");
        assert_eq!(own.len(), read.len(), "{name}");
    }
    workspace.apply();
}

#[test]
fn a_changed_limit_is_one_updated_resource() {
    let mut set = samples::everything();
    let before = emit(&set);
    let Some(workspace) = Workspace::new(Version::Six) else { return };
    workspace.write("waf.tf", &before).plan();
    workspace.apply();
    set.rules[1].limit = Limit::new(400).unwrap();
    let after = emit(&set);
    let different = before.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((different, before.lines().count()), (1, after.lines().count()));
    let plan = workspace.write("waf.tf", &after).plan();
    assert_eq!(changes(&plan), [("aws_wafv2_web_acl.prod".to_owned(), vec!["update".to_owned()])]);
}

#[test]
fn text_reads_back_as_what_was_translated() {
    for (name, set) in samples::all() {
        let resources = read_hcl(&emit(&set)).unwrap();
        assert_eq!(read_back(&resources), translated(&set), "{name}");
    }
}

/// A stub that lets everything pass would prove nothing.
#[test]
fn terraform_and_the_schema_check_refuse_the_same_faults() {
    let good = emit(&samples::whole_story());
    let edits = [
        ("aggregate_key_type    = \"IP\"", "aggregate_key_type    = \"ADDRESS\""),
        ("  acl_api_limit  = 2000", "  acl_api_limit  = 5"),
        ("  acl_api_window = 300", "  acl_api_window = 180"),
        ("type     = \"URL_DECODE\"", "type     = \"UNQUOTE\""),
        ("uri_path {}", "uri_path = {}"),
        ("uri_path {}", "uri {}"),
        ("    allow {}\n", "    permit {}\n"),
        ("response_code            = 429", "response_code            = 999"),
        ("    key          = \"acl-limited\"\n", ""),
        (
            "    metric_name                = \"acl-api\"",
            "    metric_name                = \"a b\"",
        ),
        ("search_string         = \"/api/\"", "search_string         = \"\""),
        ("local.acl_api_limit", "local.acl_app_limit"),
        ("aws_wafv2_ip_set.acl_qa_runner_v4.arn", "aws_wafv2_ip_set.acl_qa_runner_v4.ar"),
        ("aws_wafv2_ip_set.acl_qa_runner_v4.arn", "aws_wafv2_ip_set.acl_qa_v4.arn"),
        ("  scope       = \"CLOUDFRONT\"", "  scope       = \"GLOBAL\""),
        ("  threshold           = 0", "  threshold           = \"none\""),
        ("  evaluation_periods  = 1", "  evaluation_periods  = 0"),
        ("  addresses          = [\"203.0.113.10/31\"]", "  addresses          = 4"),
        ("  default_action {\n    allow {}\n  }\n", ""),
    ];
    let bad: Vec<(String, String)> = edits
        .iter()
        .enumerate()
        .map(|(place, (old, new))| {
            let bad = good.replacen(old, new, 1);
            assert_ne!(bad, good, "{old}");
            let own = schema::faults(&providers(Version::Six), &bad);
            assert!(!own.is_empty(), "our check lets pass: {new}");
            (format!("bad{place}"), bad)
        })
        .collect();
    let texts: Vec<(&str, String)> =
        bad.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let Some(workspace) = as_modules(Version::Six, &texts) else { return };
    let said = workspace.output(&["validate", "-json"]).stdout;
    let said: serde_json::Value = serde_json::from_slice(&said).unwrap();
    let said = said["diagnostics"].as_array().unwrap();
    for ((name, _), (_, new)) in bad.iter().zip(edits) {
        let refused = said.iter().any(|fault| {
            let file = fault["range"]["filename"].as_str().unwrap_or_default();
            fault["severity"] == "error" && file.starts_with(&format!("{name}/"))
        });
        assert!(refused, "Terraform lets pass: {new}");
    }
}
