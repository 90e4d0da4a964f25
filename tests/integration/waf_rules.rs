//! What rules of a web ACL did, from WAF logs through the program: a week in which `shop-token` counted
//! whoever was over 100 requests in 300 s for long enough.

use serde_json::Value;

use crate::harness::{HEADER, Workspace, gunzip, gzip, line, repository};

const ROUTE: [&str; 2] = ["--route", "GET /oauth/token"];

fn records() -> String {
    let packed = std::fs::read(repository("tests/fixtures/waf/aws-waf-logs-shop.log.gz")).unwrap();
    String::from_utf8(gunzip(&packed)).unwrap()
}

/// A folder with the logs and the policy.
fn shop() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("logs/a.gz", gzip(records().as_bytes()));
    let policy = std::fs::read(repository("tests/fixtures/waf/shop.yaml")).unwrap();
    workspace.write("ratewaf.yaml", policy);
    workspace
}

fn json(workspace: &Workspace, arguments: &[&str]) -> Value {
    let mut all = vec!["analyze", "logs", "--no-write", "--format", "json"];
    all.extend(arguments);
    serde_json::from_str(&workspace.ok(&all).stdout).unwrap()
}

#[test]
fn a_rule_is_compared_with_its_limit() {
    let workspace = shop();
    let found = json(&workspace, &[]);
    let rules = found["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 1);
    let rule = &rules[0];
    assert_eq!((&rule["name"], &rule["keys"]), (&"shop-token".into(), &serde_json::json!(["ip"])));
    assert_eq!(rule["requests"], serde_json::json!({"count": 1425}));
    let acted = rule["acted_on"].as_array().unwrap();
    let named: Vec<&str> = acted.iter().map(|one| one["client"].as_str().unwrap()).collect();
    assert_eq!(
        named,
        ["203.0.113.13", "203.0.113.12", "203.0.113.11", "2001:db8::77", "203.0.113.10"]
    );
    let expected = &rule["expected"];
    assert_eq!((&expected["limit"], &expected["clients_over"]), (&100.into(), &6.into()));
    let missed = serde_json::json!([{"client": "203.0.113.9", "peak": 104}]);
    assert_eq!((&expected["missed"], &expected["surprising"]), (&missed, &Value::Array(vec![])));
    let all_of_it = records();
    let naive = all_of_it.lines().filter(|line| line.contains("\"action\":\"COUNT\"")).count();
    assert_eq!(naive, 1425);
}

#[test]
fn the_lock_that_was_in_force_is_compared_with() {
    let workspace = shop();
    let policy = workspace.read("ratewaf.yaml");
    workspace.write("ratewaf.yaml", policy.replace("limit: 100", "limit: auto"));
    let first = workspace.ok(&["analyze", "logs"]);
    assert!(first.stdout.contains("there is no lock yet"), "{}", first.stdout);
    let lock: Value = serde_json::from_str(&workspace.read("ratewaf.lock.json")).unwrap();
    let limit = &lock["routes"][0]["limit"];
    assert!(limit.is_u64(), "{lock}");
    let found = json(&workspace, &[]);
    assert_eq!(found["rules"][0]["expected"]["limit"], *limit);
    // A route that is not looked at gives nothing to compare with.
    let survey = json(&workspace, &["--survey"]);
    assert_eq!(survey["rules"][0]["not_compared"], "its route was not looked at in this run");
}

#[test]
fn all_forms_tell_the_same() {
    let workspace = shop();
    let text = workspace.ok(&["analyze", "logs", "--no-write"]).stdout;
    for words in [
        "rule shop-token",
        "counted 1,425 requests of 5 clients",
        "6 clients are over its limit of 100 per 300 s on GET /oauth/token: it acted on 5 of them",
        "203.0.113.9 (peak 104, 1.04x over)",
        "203.0.113.13",
    ] {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "no `{words}` in {text}");
    }
    let markdown = workspace.ok(&["analyze", "logs", "--no-write", "--format", "markdown"]).stdout;
    assert!(markdown.contains("## Rule `shop-token`"), "{markdown}");
    assert!(markdown.contains("| `203.0.113.13` | count "), "{markdown}");
}

#[test]
fn how_records_are_cut_into_lines_and_files_changes_nothing() {
    let workspace = shop();
    let whole = json(&workspace, &[]);
    let records = records();
    let lines: Vec<&str> = records.lines().collect();
    let pretty = |line: &&str| {
        let value: Value = serde_json::from_str(line).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let (third, two_thirds) = (lines.len() / 3, lines.len() * 2 / 3);
    workspace.write("cut/1.log", lines[..third].concat());
    workspace.write("cut/2.log", lines[third..two_thirds].iter().map(pretty).collect::<String>());
    let mut back: Vec<&str> = lines[two_thirds..].to_vec();
    back.reverse();
    workspace.write("cut/3.log", back.join("\r\n"));
    // The same requests again, in another file: known by their ids.
    workspace.write("cut/4.log", lines[..500].join("\n"));
    let all = ["analyze", "cut", "--no-write", "--format", "json", "--threads", "3"];
    let cut: Value = serde_json::from_str(&workspace.ok(&all).stdout).unwrap();
    assert_eq!(cut["rules"], whole["rules"]);
    assert_eq!(cut["routes"][0]["requests"], whole["routes"][0]["requests"]);
    assert_eq!(cut["routes"][0]["sum_of_peaks"], whole["routes"][0]["sum_of_peaks"]);
}

#[test]
fn rules_are_chosen_by_name() {
    let workspace = shop();
    let chosen = json(&workspace, &["--rule", "shop-token"]);
    assert_eq!(chosen["rules"].as_array().unwrap().len(), 1);
    workspace.refused(
        &["analyze", "logs", "--no-write", "--rule", "shop-tokens"],
        &["no rule `shop-tokens` did anything", "shop-token"],
    );
    workspace.write("v1/a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/oauth/token")));
    workspace.refused(
        &["analyze", "v1", "--no-write", "--rule", "shop-token"],
        &["--rule has no effect", "only AWS WAF logs"],
    );
    // A rule that is not rate-based is told of when it is asked for.
    let renamed = records().replace(
        "\"nonTerminatingMatchingRules\":[]",
        "\"nonTerminatingMatchingRules\":[{\"ruleId\":\"audit\",\"action\":\"COUNT\"}]",
    );
    workspace.write("logs/a.gz", gzip(renamed.as_bytes()));
    assert_eq!(json(&workspace, &[])["rules"].as_array().unwrap().len(), 1);
    let audit = json(&workspace, &["--rule", "audit"]);
    assert_eq!(audit["rules"][0]["name"], "audit");
    assert_eq!(audit["rules"][0]["not_compared"], "the policy has no rule of this name");
}

#[test]
fn without_a_policy_rules_are_told_and_nothing_is_compared() {
    let workspace = shop();
    std::fs::remove_file(workspace.path().join("ratewaf.yaml")).unwrap();
    let found = json(&workspace, &ROUTE);
    assert_eq!(found["rules"][0]["not_compared"], "there is no policy");
    assert_eq!(found["rules"][0]["expected"], Value::Null);
    assert_eq!(found["rules"][0]["acted_on"].as_array().unwrap().len(), 5);
    workspace.write("v1/a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/a")));
    let other = workspace.ok(&["analyze", "v1", "--no-write", "--format", "json"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&other).unwrap()["rules"], Value::Null);
}

#[test]
fn without_addresses_no_form_holds_one() {
    let workspace = shop();
    for form in ["text", "json", "markdown"] {
        let arguments = ["analyze", "logs", "--no-write", "--no-addresses", "--format", form];
        let told = workspace.ok(&arguments).stdout;
        assert!(told.contains("client-00"), "{told}");
        for address in ["203.0.113.", "198.51.100.", "2001:db8"] {
            assert!(!told.contains(address), "{form}: {told}");
        }
    }
    let found = json(&workspace, &["--no-addresses"]);
    // One client, one name.
    let strongest = &found["routes"][0]["top"][0]["client"];
    assert_eq!(found["rules"][0]["acted_on"][0]["client"], *strongest);
}

#[test]
fn a_log_without_allowed_requests_carries_no_limit() {
    let workspace = shop();
    let route = |found: &Value| found["routes"][0]["proposal"].clone();
    let whole = route(&json(&workspace, &[]));
    // A WAF log knows no status of the origin.
    let caps = whole["caps"].as_array().unwrap();
    assert_eq!((caps.len(), &caps[0]["id"]), (1, &"no-behaviour".into()));
    assert!(whole["limit"].is_u64());

    let filtered: String =
        records().lines().step_by(5).map(|line| format!("{line}\n")).collect::<String>();
    let refused = records().replace("\"action\":\"ALLOW\"", "\"action\":\"BLOCK\"");
    workspace.write("logs/a.gz", gzip(format!("{filtered}{refused}").as_bytes()));
    let mostly = route(&json(&workspace, &["--no-dedupe"]));
    assert_eq!(
        (&mostly["caps"][0]["id"], &mostly["caps"][0]["grade"]),
        (&"filtered-log".into(), &"weak".into())
    );
    assert_ne!(mostly["grade"], "clear");

    workspace.write("logs/a.gz", gzip(refused.as_bytes()));
    let none = route(&json(&workspace, &[]));
    assert_eq!((&none["grade"], &none["limit"]), (&"none".into(), &Value::Null));
    assert_eq!(none["reason"], "no request that passed is logged");
    let headline = none["headline"].as_str().unwrap();
    assert!(headline.contains("a logging filter drops ALLOW"), "{headline}");
}

#[test]
fn hidden_paths_are_told_and_too_many_refused() {
    let workspace = shop();
    let hide = |every: usize| -> String {
        let records = records();
        let lines = records.lines().enumerate();
        lines
            .map(|(number, line)| {
                let hidden = number.is_multiple_of(every);
                let line =
                    if hidden { line.replace("/oauth/token", "REDACTED") } else { line.to_owned() };
                line + "\n"
            })
            .collect()
    };
    workspace.write("logs/a.gz", gzip(hide(10).as_bytes()));
    let some = json(&workspace, &[]);
    let proposal = &some["routes"][0]["proposal"];
    assert_eq!(proposal["caps"][0]["id"], "redacted");
    assert_ne!(proposal["grade"], "clear");
    let text = proposal["caps"][0]["text"].as_str().unwrap();
    assert!(text.contains("hides the path in 327 records"), "{text}");
    workspace.write("logs/a.gz", gzip(hide(1).as_bytes()));
    workspace.refused(
        &["analyze", "logs", "--no-write"],
        &["3,270 of 3,270 lines", "redacted: the log hides what a route asks for"],
    );
}
