//! The commands that speak to AWS, in a program that was built without that.

use crate::harness::Workspace;

#[test]
fn they_say_so_and_what_to_do() {
    let workspace = Workspace::new();
    for arguments in [
        &["plan"][..],
        &["apply", "--yes"],
        &["status"],
        &["promote"],
        &["rollback", "undo.json"],
        &["demote"],
    ] {
        let built = format!("`ratewaf {}` speaks to AWS", arguments[0]);
        workspace.refused(arguments, &[&built, "built without that", "`ratewaf emit`"]);
    }
    let texts = ["`ratewaf check --live` speaks to AWS", "built without that", "get-web-acl"];
    workspace.refused(&["check", "--live"], &texts);
}
