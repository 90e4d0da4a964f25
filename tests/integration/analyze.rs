//! What `analyze` writes, and when it only looks.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::harness::{HEADER, Workspace, line, program, scenario};

const TOKEN: &str = "GET /api/v1/token";

#[test]
fn labels_beside_a_policy_only_look() {
    let workspace = Workspace::new();
    let logs = scenario("qa-runner-giant");
    workspace.ok(&["analyze", &logs]);
    let before = (workspace.read("ratewaf.yaml"), workspace.read("ratewaf.lock.json"));
    let outcome = workspace.ok(&["analyze", &logs, "--exempt", "qa-runner=198.51.100.20"]);
    assert!(outcome.stderr.contains("this run only looks"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("networks:"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("qa-runner"), "{}", outcome.stdout);
    assert_eq!((workspace.read("ratewaf.yaml"), workspace.read("ratewaf.lock.json")), before);
}

#[test]
fn the_wrong_logs_leave_the_lock_alone() {
    let workspace = Workspace::new();
    workspace.ok(&["analyze", &scenario("article-week"), "--route", TOKEN]);
    let before = workspace.read("ratewaf.lock.json");
    workspace.refused(
        &["analyze", &scenario("twelve-clients")],
        &[
            "not one of the 7,513 requests is for `GET /api/v1/token`",
            "the lock was left as it was",
            "hint:",
        ],
    );
    assert_eq!(workspace.read("ratewaf.lock.json"), before);
}

#[test]
fn a_route_that_nobody_calls_is_no_verdict() {
    let workspace = Workspace::new();
    let logs = scenario("path-variants");
    for route in ["GET /api/v2/reprot", "DELETE /api/v2/report", "GET shop.invalid/api/v2/report"] {
        workspace.refused(
            &["analyze", &logs, "--route", route],
            &["not one of the 14,305 requests", "--survey"],
        );
    }
    let outcome = workspace.run(&["analyze", &logs, "--route", "DELETE /api/v2/report"]);
    assert!(
        outcome.stderr.contains("by GET") && outcome.stderr.contains("640 by POST"),
        "{}",
        outcome.stderr
    );
    assert_eq!(workspace.names(), Vec::<String>::new());
    // Of several routes one may be silent: a warning, and the rest is told.
    let both = workspace.ok(&[
        "analyze",
        &logs,
        "--no-write",
        "--route",
        "GET /nobody",
        "--route",
        "GET /api/v2/report",
    ]);
    assert!(both.stderr.contains("is for `GET /nobody`"), "{}", both.stderr);
}

#[test]
fn a_label_that_matches_nobody_is_a_warning() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    let outcome = workspace.ok(&[
        "analyze",
        &logs,
        "--no-write",
        "--bad",
        "192.0.2.99",
        "--good",
        "198.18.213.232",
    ]);
    assert!(outcome.stderr.contains("--bad 192.0.2.99 matches no client"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("--good"), "{}", outcome.stderr);
    workspace.refused(
        &["analyze", &logs, "--exempt", "10.0.0.1/8"],
        &["bits set behind its prefix", "10.0.0.0/8"],
    );
}

#[test]
fn a_survey_can_be_had_beside_a_policy() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    workspace.ok(&["analyze", &logs, "--route", TOKEN]);
    let before = workspace.read("ratewaf.lock.json");
    let outcome = workspace.ok(&["analyze", &logs, "--survey"]);
    assert!(outcome.stdout.contains("GET /account"), "{}", outcome.stdout);
    assert_eq!(workspace.read("ratewaf.lock.json"), before);
}

#[test]
fn a_pinned_limit_is_held_against_the_logs() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    workspace.ok(&["analyze", &logs, "--route", TOKEN]);
    let pinned = workspace.read("ratewaf.yaml").replace("limit: auto", "limit: 600");
    workspace.write("ratewaf.yaml", pinned);
    let told = "600 in the policy, in force whatever is proposed: 9 clients of these logs above it";
    for format in ["text", "markdown"] {
        let outcome = workspace.ok(&["analyze", &logs, "--format", format]);
        let text = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(told), "{}", outcome.stdout);
    }
    let json = workspace.ok(&["analyze", &logs, "--format", "json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let wanted = serde_json::json!({"limit": 600, "clients_above": 9, "good_above": []});
    assert_eq!(value["routes"][0]["pinned"], wanted);
}

#[test]
fn a_window_beside_a_policy_is_refused() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    workspace.ok(&["analyze", &logs, "--route", TOKEN]);
    workspace.refused(
        &["analyze", &logs, "--window", "60"],
        &["--window 60 has no effect", "ratewaf.yaml"],
    );
    workspace.ok(&["analyze", &logs, "--window", "60", "--route", TOKEN]);
}

#[test]
fn an_expired_network_is_named_and_a_known_label_changes_nothing() {
    let workspace = Workspace::new();
    let logs = scenario("qa-runner-giant");
    workspace.ok(&["analyze", &logs, "--exempt", "qa=198.51.100.20/32"]);
    let policy = workspace
        .read("ratewaf.yaml")
        .replace("kind: tester }", "kind: tester, until: 2026-12-31 }");
    workspace.write("ratewaf.yaml", policy);
    let same = workspace.ok(&["analyze", &logs, "--exempt", "qa", "--today", "2026-12-31"]);
    assert!(same.stderr.contains("wrote ratewaf.lock.json"), "{}", same.stderr);
    let later = workspace.ok(&["analyze", &logs, "--today", "2027-01-01"]);
    assert!(later.stderr.contains("the network `qa` expired on 2026-12-31"), "{}", later.stderr);
}

#[test]
fn addresses_can_be_left_out_of_a_result() {
    let workspace = Workspace::new();
    let survey = ["analyze", &scenario("twelve-clients"), "--no-addresses"];
    workspace.refused(&survey, &["a survey cannot be told without addresses", "--route"]);
    for name in ["article-week", "ipv6-slash64"] {
        let logs = scenario(name);
        for format in ["text", "markdown", "json"] {
            let route = if name == "article-week" { TOKEN } else { "GET /api/v1/item" };
            let text = workspace
                .ok(&[
                    "analyze",
                    &logs,
                    "--route",
                    route,
                    "--no-write",
                    "--no-addresses",
                    "--format",
                    format,
                ])
                .stdout;
            for address in ["198.1", "203.0.113", "2001:db8"] {
                assert!(!text.contains(address), "{address} in {text}");
            }
            assert!(text.contains("client-0001"), "{text}");
        }
    }
}

/// Found by a fresh user: the survey's question was answered as printed, and the busiest route stayed out of the
/// policy and out of what was printed to be added to it.
#[test]
fn the_answer_to_a_question_of_a_survey_leads_to_the_policy() {
    let workspace = Workspace::new();
    workspace.ok(&["demo-logs", "--quiet", "--lines", "60000", "--days", "7", "--out", "demo"]);
    let survey = workspace.ok(&["analyze", "demo"]).stdout;
    let answer = "if so           ratewaf analyze … --route 'GET /oauth/token' --exempt ";
    assert!(survey.contains(answer), "{survey}");
    assert!(!workspace.read("ratewaf.yaml").contains("path: { exactly: /oauth/token }"));
    let answers = ["--exempt", "203.0.113.10", "--exempt", "2001:db8:7::10"];
    let again = workspace.ok(&[&["analyze", "demo", "--survey"][..], &answers].concat()).stdout;
    assert!(again.contains("path: { exactly: /oauth/token }"), "{again}");
    // One line for a route, whatever number of testers: a key may come once.
    let twins = "# and at the route api-v1-login: twins: [{ network: tester-1, limit: auto }, { network: tester-2, limit: auto }]";
    assert_eq!(again.matches("# and at the route").count(), 1, "{again}");
    assert!(again.contains(twins), "{again}");
}

/// Found by a hostile tester: what a client sent as its user agent was printed as it was.
#[test]
fn addresses_in_user_agents_are_left_out_too() {
    let workspace = Workspace::new();
    let sent = line(0, "198.51.100.7", "/a").replacen("curl/8\t", "curl%20198.18.5.5\t", 1);
    assert!(sent.contains("198.18.5.5"), "{sent}");
    workspace.write("a.log", format!("{HEADER}{}", sent.repeat(60)));
    let arguments = ["analyze", "a.log", "--route", "GET /a", "--no-write", "--format", "json"];
    assert!(workspace.ok(&arguments).stdout.contains("curl 198.18.5.5"));
    let text = workspace.ok(&[&arguments[..], &["--no-addresses"]].concat()).stdout;
    assert!(text.contains("curl (address withheld)") && !text.contains("198.18.5.5"), "{text}");
}

#[test]
fn demo_logs_that_are_stopped_leave_nothing() {
    let workspace = Workspace::new();
    let mut child = program(workspace.path())
        .args(["demo-logs", "--lines", "20000000", "--out", "demo"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let begun =
        || std::fs::read_dir(workspace.path().join("demo")).is_ok_and(|files| files.count() > 0);
    while !begun() && std::time::Instant::now() < patience {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(std::fs::read_dir(workspace.path().join("demo")).unwrap().count(), 0);
}

#[test]
fn a_route_keeps_its_window_and_several_routes_keep_their_order() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    let outcome = workspace.ok(&[
        "analyze",
        &logs,
        "--no-write",
        "--format",
        "json",
        "--window",
        "60",
        "--route",
        "GET /account",
        "--route",
        TOKEN,
    ]);
    let value: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let routes = value["routes"].as_array().unwrap();
    assert_eq!(routes[0]["route"], "GET /account");
    assert_eq!(routes[1]["proposal"]["window"], 60);
    workspace.refused(&["analyze", &logs, "--window", "90"], &["60, 120, 300 and 600"]);
}

#[test]
fn results_go_into_a_file_as_a_whole() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    let outcome = workspace.ok(&[
        "analyze",
        &logs,
        "--no-write",
        "--format",
        "markdown",
        "--out",
        "comment.md",
    ]);
    assert_eq!(outcome.stdout, "");
    assert!(workspace.read("comment.md").starts_with('#'));
    assert_eq!(workspace.names(), ["comment.md"]);
    workspace.refused(
        &["analyze", &logs, "--no-write", "--out", "no/such/folder.md"],
        &["no/such/folder.md"],
    );
}

/// Logs that do not end: standard input stays open after a few lines.
fn stopped_by(signal: &str) -> (Option<i32>, String, Vec<String>) {
    let workspace = Workspace::new();
    let mut child = program(workspace.path())
        .args(["analyze", "-", "--route", "GET /token"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut text = HEADER.to_owned();
    for number in 0..20_000_u32 {
        text.push_str(&line(number % 80_000, "192.0.2.1", "/token"));
    }
    // More than the program asks for at a time, so that it has begun when the signal comes.
    stdin.write_all(text.as_bytes()).unwrap();
    stdin.flush().unwrap();
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    // The reader is waiting for more: it notices when something comes.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr, workspace.names())
}

#[test]
fn a_signal_stops_the_reading_and_nothing_is_written() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (status, stderr, names) = stopped_by(signal);
        assert_eq!(status, Some(code), "{signal}: {stderr}");
        assert!(stderr.contains("stopped after"), "{stderr}");
        assert!(stderr.contains("nothing was written"), "{stderr}");
        assert_eq!(names, Vec::<String>::new());
    }
}

#[test]
fn a_closed_pipe_is_success() {
    let workspace = Workspace::new();
    let mut child = program(workspace.path())
        .args(["analyze", &scenario("article-week"), "--route", TOKEN, "--no-write"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn demo_logs_can_be_analysed_as_the_note_says() {
    let workspace = Workspace::new();
    let made = workspace.ok(&["demo-logs", "--lines", "60000", "--seed", "7", "--out", "demo"]);
    let hint = made.stderr.lines().find_map(|line| line.strip_prefix("try: ratewaf ")).unwrap();
    let words: Vec<String> = hint
        .split('\'')
        .enumerate()
        .flat_map(|(place, part)| {
            if place % 2 == 1 {
                vec![part.to_owned()]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            }
        })
        .collect();
    let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    arguments.extend(["--format", "json", "--no-write"]);
    let found: serde_json::Value = serde_json::from_str(&workspace.ok(&arguments).stdout).unwrap();
    let truth: serde_json::Value =
        serde_json::from_str(&workspace.read("demo/truth.json")).unwrap();
    assert_eq!(found["coverage"]["lines"], truth["lines"]);
    assert_eq!(found["routes"][0]["requests"], truth["requests"]);
    workspace.refused(&["demo-logs", "--out", "demo"], &["demo is not empty"]);
}

#[test]
fn man_pages_completions_and_schemas_are_there() {
    let workspace = Workspace::new();
    workspace.ok(&["man", "--out", "share/man1"]);
    assert!(workspace.read("share/man1/ratewaf-analyze.1").contains("ratewaf\\-analyze"));
    assert!(workspace.ok(&["man"]).stdout.contains(".TH ratewaf 1"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(workspace.ok(&["completions", shell]).stdout.contains("analyze"), "{shell}");
    }
    for of in ["policy", "analysis"] {
        let schema: serde_json::Value =
            serde_json::from_str(&workspace.ok(&["schema", of]).stdout).unwrap();
        assert!(schema["$schema"].is_string());
    }
    assert!(workspace.ok(&["--version"]).stdout.starts_with("ratewaf "));
    workspace.refused(&["analyse", "x"], &["analyze"]);
    workspace.refused(&[], &["Usage:"]);
}
