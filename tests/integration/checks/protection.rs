//! A change that takes protection away is not green, and the comment says what it means.

use super::command::{checked, story};
use crate::harness::{Workspace, repository};

/// The files of before, with one text in the place of another.
fn changed(from: &str, to: &str) -> Workspace {
    let workspace = story();
    let text = std::fs::read_to_string(workspace.path().join("main/waf.tf")).unwrap();
    assert!(text.contains(from), "{from}");
    workspace.write("infra/waf.tf", text.replace(from, to));
    workspace
}

/// The comment, and the exit code for warnings.
fn comment(workspace: &Workspace) -> (String, i32) {
    let arguments = ["infra", "--before", "main", "--format", "markdown", "--fail-on", "warning"];
    let outcome = checked(workspace, &arguments);
    (outcome.stdout, outcome.status)
}

#[track_caller]
fn says(comment: &str, words: &[&str]) {
    for words in words {
        assert!(comment.contains(words), "{words}\n{comment}");
    }
}

#[test]
fn a_path_that_moves_leaves_its_route_without_a_limit() {
    let (comment, status) = comment(&changed("\"/login", "\"/sign-in"));
    assert_eq!(status, 1);
    says(
        &comment,
        &[
            "(`limit-removed`): nothing limits `POST /login` any more: rule `shop-login` counted",
            "(`route-not-limited`): no rate-based rule counts `POST /login`",
            "changes `/sign-in`: what it counts from /login and /login/ to /sign-in and /sign-in/",
        ],
    );
}

#[test]
fn a_web_acl_that_goes_takes_its_limits_with_it() {
    let workspace = story();
    for file in ["waf.tf", "alarms.tf", "outputs.tf"] {
        std::fs::remove_file(workspace.path().join("infra").join(file)).unwrap();
    }
    let (comment, status) = comment(&workspace);
    assert_eq!(status, 1);
    says(
        &comment,
        &[
            "removes the limit on `/login` (500 per 5 minutes). 6 abusive clients of the logs would not be limited any more",
            "(`limit-removed`): nothing limits `POST /login` any more",
            "(`route-not-limited`)",
        ],
    );
}

#[test]
fn a_rule_that_only_counts_from_now_on_limits_nobody_any_more() {
    let workspace = changed("      block {\n", "      count {\n");
    let (comment, _) = comment(&workspace);
    says(
        &comment,
        &[
            "from blocking to counting only. 6 abusive clients of the logs would not be limited any more",
            "(`limit-removed`): rule `shop-login` only counts from now on, and limits nobody: it acted at",
        ],
    );
    assert!(!comment.contains("counting-too-long"), "it begins today\n{comment}");
}

/// Found by a fresh user: a rule that moved into a module was told as a limit that is lost.
#[test]
fn a_rule_that_moves_is_not_told_as_a_loss() {
    let workspace = story();
    let text = std::fs::read_to_string(workspace.path().join("main/waf.tf")).unwrap();
    std::fs::remove_file(workspace.path().join("infra/waf.tf")).unwrap();
    for (limit, words) in
        [("500", "moves the limit on `/login` ("), ("1000", "raises `/login` from 500 to 1,000")]
    {
        workspace
            .write("infra/waf/main.tf", text.replace("limit  = 500", &format!("limit  = {limit}")));
        workspace.write("infra/main.tf", "module \"waf\" {\n  source = \"./waf\"\n}\n");
        let (comment, _) = comment(&workspace);
        says(&comment, &[words]);
        assert!(!comment.contains("removes the limit"), "{comment}");
    }
}

#[test]
fn a_limit_that_is_raised_lets_those_pass_whom_it_stopped() {
    let (comment, _) = comment(&changed("limit  = 500", "limit  = 1000"));
    says(
        &comment,
        &[
            "raises `/login` from 500 to 1,000 per 5 minutes",
            "1 abusive client of the logs would not be limited any more",
        ],
    );
}

#[test]
fn a_rule_without_its_scope_down_counts_what_its_limit_was_not_made_for() {
    let workspace = story();
    let text = std::fs::read_to_string(workspace.path().join("main/waf.tf")).unwrap();
    let start = text.find("\n        scope_down_statement {").unwrap();
    let end = start + text[start..].find("\n        }\n").unwrap() + "\n        }\n".len();
    workspace.write("infra/waf.tf", format!("{}\n{}", &text[..start], &text[end..]));
    let (comment, status) = comment(&workspace);
    assert_eq!(status, 1);
    says(
        &comment,
        &[
            "what it counts from /login and /login/ to everything",
            "(`scope-widened`): rule `shop-login` counted `/login` and `/login/` and counts everything now",
        ],
    );
    assert!(!comment.contains("limit-removed"), "{comment}");
}

/// A web ACL with one rate rule for `/login`, before and after a change to its text.
fn of_login(change: impl FnOnce(&str) -> String) -> Workspace {
    let page = std::fs::read_to_string(repository("docs/checks/limit-removed.md")).unwrap();
    let text = page.split("```hcl before\n").nth(1).unwrap().split("```").next().unwrap();
    let workspace = Workspace::new();
    workspace.write("before/waf.tf", text);
    workspace.write("infra/waf.tf", change(text));
    workspace
}

fn told(workspace: &Workspace) -> String {
    workspace.run(&["check", "infra", "--before", "before"]).stdout
}

#[test]
fn a_condition_that_lets_some_go_is_told() {
    let workspace = of_login(|text| {
        let start = text.find("          byte_match_statement {").unwrap();
        let end = start + text[start..].find("\n          }\n").unwrap() + "\n          }\n".len();
        let country = "statement {\nnot_statement {\nstatement {\ngeo_match_statement {\ncountry_codes = [\"DE\"]\n}\n}\n}\n}\n";
        let (own, rest) = (&text[start..end], &text[end..]);
        format!("{}and_statement {{\nstatement {{\n{own}}}\n{country}}}\n{rest}", &text[..start])
    });
    let told = told(&workspace);
    let words = "rule `login` counted `GET /login` and counts only some of that now";
    assert!(told.contains(words), "{told}");
    let same = of_login(str::to_owned);
    assert!(!self::told(&same).contains("limit-removed"));
}

#[test]
fn a_rule_that_moves_and_only_counts_there_limits_nobody() {
    let workspace = of_login(|_| "module \"waf\" {\n  source = \"./waf\"\n}\n".to_owned());
    let text = workspace.read("before/waf.tf");
    let start = text.find("      block {\n").unwrap();
    let end = start + text[start..].find("\n      }\n").unwrap() + "\n      }\n".len();
    workspace.write("infra/waf/main.tf", format!("{}count {{}}\n{}", &text[..start], &text[end..]));
    let counting = told(&workspace);
    assert!(counting.contains("nothing limits `GET /login` any more"), "{counting}");
    workspace.write("infra/waf/main.tf", text);
    let moved = told(&workspace);
    assert!(!moved.contains("limit-removed"), "{moved}");
}

#[test]
fn an_association_that_goes_takes_every_rule_along() {
    let workspace = of_login(|text| text.replace("CLOUDFRONT", "REGIONAL"));
    let text = workspace.read("infra/waf.tf");
    workspace.write("before/waf.tf", &text);
    let association = "resource \"aws_wafv2_web_acl_association\" \"api\" {\n  resource_arn = \"arn:aws:apigateway:eu-central-1::/restapis/abc/stages/prod\"\n  web_acl_arn  = aws_wafv2_web_acl.shop.arn\n}\n";
    workspace.write("before/api.tf", association);
    let gone = told(&workspace);
    assert!(gone.contains("the change takes the web ACL away from `arn:aws:apigateway"), "{gone}");
    workspace.write("infra/stage.tf", association.replace("\"api\"", "\"stage\""));
    let renamed = told(&workspace);
    assert!(!renamed.contains("takes the web ACL away"), "{renamed}");
}
