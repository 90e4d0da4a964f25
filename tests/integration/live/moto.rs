//! WAF's part against moto, which has locks, pages and tags of its own, and no capacity. Its CloudWatch does not
//! speak the protocol of the SDK, so alarms go to our own fake.

use super::together::add_by_hand;
use super::{POLICY, command, outcome};
use crate::fake_aws::FakeAws;
use crate::harness::{Workspace, repository};
use crate::s3::moto;

#[test]
fn the_api_part_works_against_moto() {
    let Some(port) = moto::port() else { return };
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", POLICY.replace("WEB_ACL", "create: live-moto"));
    workspace.write(
        "ratewaf.lock.json",
        std::fs::read(repository("tests/golden/emit/ratewaf.lock.json")).unwrap(),
    );
    let fake = FakeAws::start();
    let ok = |arguments: &[&str]| {
        let mut command = command(&workspace, &fake.url(), arguments);
        command.env("AWS_ENDPOINT_URL_WAFV2", format!("http://127.0.0.1:{port}"));
        let told = outcome(command);
        assert_eq!(told.status, 0, "{arguments:?}: {}{}", told.stdout, told.stderr);
        told
    };
    assert!(ok(&["plan", "--count-mode"]).stdout.contains("+ web ACL live-moto"));
    ok(&["apply", "--count-mode", "--yes"]);
    let again = ok(&["apply", "--count-mode", "--yes"]);
    assert!(again.stdout.contains("nothing to do"), "{}", again.stdout);
    // It takes an empty list of rules for none given: one of somebody else's keeps the list from getting empty.
    let url = format!("http://127.0.0.1:{port}");
    assert!((0..20).any(|_| add_by_hand(&url, "live-moto", 1)));
    ok(&["apply", "--yes"]);
    let demoted = ok(&["demote", "--yes"]);
    assert!(demoted.stdout.contains("action: block -> count"), "{}", demoted.stdout);
    let files: Vec<String> =
        workspace.names().into_iter().filter(|name| name.starts_with("ratewaf-undo")).collect();
    assert_eq!(files.len(), 3);
    for file in files.iter().rev() {
        ok(&["rollback", file, "--yes"]);
    }
    assert!(fake.seen().iter().all(|call| call.service != crate::fake_aws::Service::Waf));
    assert!(fake.alarms().is_empty(), "{:?}", fake.alarms());
    let plan = ok(&["plan"]);
    assert!(
        plan.stdout.contains("+ rule acl-token")
            && plan.stdout.contains("by-hand-1")
            && !plan.stdout.contains("+ web ACL"),
        "{}",
        plan.stdout
    );
    // An endpoint that lacks a call says so: nobody should look for the fault in their own account.
    let told = outcome(command(&workspace, &url, &["plan"]));
    assert!(
        told.status == 0 || told.stderr.contains("an emulator may lack it"),
        "{}{}",
        told.stdout,
        told.stderr
    );
}
