//! The guard of the origin as `docs/origin-guard.md` has it, and the exchange of its secret.

use std::fs;

use super::stub::{Version, Workspace as Terraform, changes, providers};
use super::{refusals::refusals, schema};
use crate::harness::{Workspace, repository};
use ratewaf::wafv2::terraform::read_hcl;

const POLICY: &str = "version: 1\nname: acl\nweb_acl: { create: prod }\nroutes:\n  - { name: token, methods: [GET], path: { exactly: /oauth/token }, limit: 300 }\n";

/// A fenced block of the page.
fn block(language: &str) -> String {
    let docs = fs::read_to_string(repository("docs/origin-guard.md")).unwrap();
    let start = docs.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
    docs[start..start + docs[start..].find("```").unwrap()].to_owned()
}

fn emit(guard: &str) -> String {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", format!("{POLICY}{guard}"));
    workspace.ok(&["emit", "--today", "2026-11-29"]).stdout
}

#[test]
fn the_page_shows_what_works() {
    let text = emit(&block("yaml"));
    let faults = schema::faults(&providers(Version::Six), &text);
    assert!(faults.is_empty(), "{faults:#?}");
    let refused = refusals(&read_hcl(&text).unwrap());
    assert!(refused.is_empty(), "{refused:#?}");
    for part in [
        "resource \"random_password\" \"acl_origin\"",
        "resource \"aws_ssm_parameter\" \"acl_origin\"",
        "output \"acl_origin_header\"",
        "output \"acl_origin_secret\"",
        "\"x-origin-verify\"",
        "special = false",
        "ignore_changes = [value]",
        "\"SecureString\"",
        "put-parameter",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // What the page gives to the distribution is there.
    let origin: String = block("hcl").lines().map(|line| format!("{}\n", line.trim())).collect();
    let distribution =
        format!("{text}\nresource \"aws_cloudfront_distribution\" \"site\" {{\n{origin}}}\n");
    let faults = schema::faults(&providers(Version::Six), &distribution);
    let about_the_header =
        faults.iter().filter(|fault| fault.contains("custom_header") || fault.contains("refers"));
    assert_eq!(about_the_header.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The limits stay readable in a plan, as the secret is in another web ACL.
#[test]
fn the_secret_hides_the_rules_of_the_guard_only() {
    let guard = block("yaml");
    let Some(terraform) = Terraform::new(Version::Six) else { return };
    let plan = terraform.write("waf.tf", &emit(&guard)).plan();
    let sensitive = |label: &str| {
        let resources = plan["resource_changes"].as_array().unwrap();
        let found = resources
            .iter()
            .find(|one| one["type"] == "aws_wafv2_web_acl" && one["name"] == label)
            .unwrap();
        found["change"]["after_sensitive"]["rule"].clone()
    };
    assert_eq!(sensitive("acl_origin"), true);
    assert_ne!(sensitive("prod"), true);
    terraform.apply();
    // To exchange the secret is a second parameter and a changed web ACL, and nothing else.
    let rotating = emit(&format!("{guard}  rotating: true\n"));
    let plan = terraform.write("waf.tf", &rotating).plan();
    let mut changed = changes(&plan);
    changed.sort();
    let one = |address: &str, action: &str| (address.to_owned(), vec![action.to_owned()]);
    assert_eq!(
        changed,
        [
            one("aws_ssm_parameter.acl_origin_previous", "create"),
            one("aws_wafv2_web_acl.acl_origin", "update"),
            one("random_password.acl_origin_previous", "create"),
        ]
    );
}
