//! From the first plan to the way back.

use ratewaf::units::Timestamp;

use super::Scene;
use crate::fake_aws::Visit;

const DAY: i64 = 86_400;

/// A client that asks so often within five minutes, from some moment on.
fn visits(from: i64, client: &str, requests: i64) -> Vec<Visit> {
    let at = |number: i64| Timestamp(from + number * 290 / requests);
    (0..requests).map(|number| Visit::new(at(number), client, "GET", "/api/v1/token")).collect()
}

fn by_time(mut all: Vec<Visit>) -> Vec<Visit> {
    all.sort_by_key(|visit| visit.time);
    all
}

#[test]
fn from_plan_to_rollback() {
    let scene = Scene::own();
    let aws = &scene.aws;

    let plan = scene.ok(&["plan", "--count-mode"]);
    for text in [
        "+ web ACL prod",
        "+ rule acl-token: counts above",
        "+ IP set acl-qa-runner-v4",
        "+ alarm acl-token-over-limit",
        "Rate-based rules: 3 of 10",
        "8.00 USD more",
    ] {
        assert!(plan.stdout.contains(text), "{text}: {}", plan.stdout);
    }
    assert_eq!(scene.run(&["plan", "--count-mode", "--detailed-exitcode"]).status, 1);
    assert!(aws.writes().is_empty());

    let asked = scene.run(&["apply", "--count-mode"]);
    assert_eq!(asked.status, 2);
    assert!(asked.stderr.contains("--yes"), "{}", asked.stderr);
    let applied = scene.ok(&["apply", "--count-mode", "--yes"]);
    for action in [
        "wafv2:CreateWebACL",
        "wafv2:UpdateWebACL",
        "wafv2:TagResource",
        "cloudwatch:PutMetricAlarm",
    ] {
        assert!(applied.stderr.contains(action), "{action}: {}", applied.stderr);
    }
    assert!(scene.rule("acl-token").unwrap()["Action"]["Count"].is_object());
    assert_eq!(aws.alarms()["acl-token-over-limit"]["MetricName"], "CountedRequests");

    aws.forget();
    let again = scene.ok(&["apply", "--count-mode", "--yes"]);
    assert!(again.stdout.contains("nothing to do"), "{}", again.stdout);
    assert!(
        scene.ok(&["plan", "--count-mode", "--detailed-exitcode"]).stdout.contains("nothing to do")
    );
    assert!(aws.writes().is_empty(), "{:?}", aws.writes());

    // Eight days later.
    let today = Timestamp((aws.now().day() + 9) * DAY);
    let date = today.date_text();
    let limit = scene.rule("acl-token").unwrap()["Statement"]["RateBasedStatement"]["Limit"]
        .as_i64()
        .unwrap();
    let start = today.0 - 1_800;
    let mut week: Vec<Visit> =
        (1..=3).flat_map(|last| visits(start, &format!("192.0.2.{last}"), limit * 3)).collect();
    week.extend(visits(start, "192.0.2.77", 40));
    let answers = aws.replay("prod", &by_time(week));
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert!(answers.iter().any(|answer| answer.counted_by == ["acl-token"]));
    aws.set_clock(Timestamp(start + 300));
    let status = scene.ok(&["status", "--today", &date]);
    for text in [
        "acl-token: counts, since",
        "(8 days)",
        "the policy says: block (`ratewaf promote`)",
        "counted; 3 clients over the limit now",
        "alarm acl-token-over-limit: ",
    ] {
        assert!(status.stdout.contains(text), "{text}: {}", status.stdout);
    }

    // Too early for a cautious team, then not.
    let refused = scene.run(&["promote", "acl-token", "--today", &date, "--days", "30", "--yes"]);
    assert_eq!(refused.status, 1, "{}", refused.stderr);
    assert!(
        refused.stdout.contains("too-soon: it has counted for 8 days of 30"),
        "{}",
        refused.stdout
    );
    let promoted = scene.ok(&["promote", "acl-token", "--today", &date, "--yes"]);
    assert!(promoted.stdout.contains("action: count -> block"), "{}", promoted.stdout);
    let rule = scene.rule("acl-token").unwrap();
    assert_eq!(rule["Action"]["Block"]["CustomResponse"]["ResponseCode"], 429);
    assert_eq!(aws.alarms()["acl-token-over-limit"]["MetricName"], "BlockedRequests");

    let attack = aws.replay("prod", &visits(start + 600, "192.0.2.9", limit * 3));
    let blocked: Vec<_> = attack.iter().filter(|answer| answer.status == 429).collect();
    assert!(!blocked.is_empty());
    assert_eq!(blocked[0].body, "{\"error\":\"slow down\"}");
    assert_eq!(blocked[0].rule.as_deref(), Some("acl-token"));

    // The undo file of the promotion puts counting back; that of the first apply takes everything away.
    let files = scene.undo_files();
    assert_eq!(files.len(), 2, "{files:?}");
    scene.ok(&["rollback", &files[1], "--yes"]);
    assert!(scene.rule("acl-token").unwrap()["Action"]["Count"].is_object());
    assert_eq!(aws.alarms()["acl-token-over-limit"]["MetricName"], "CountedRequests");
    let gone = scene.ok(&["rollback", &files[0], "--yes"]);
    assert!(
        aws.rules("prod").is_empty() && aws.alarms().is_empty() && aws.ip_sets().is_empty(),
        "{}",
        gone.stderr
    );
    assert!(
        aws.tags(&aws.web_acl_arn("prod").unwrap()).keys().all(|key| !key.starts_with("ratewaf:"))
    );
    let done = scene.ok(&["rollback", &files[0], "--yes"]);
    assert!(done.stdout.contains("nothing to do"), "{}", done.stdout);
}

#[test]
fn known_good_clients_and_disagreement_keep_a_rule_counting() {
    let scene = Scene::own();
    scene.ok(&["apply", "--count-mode", "--yes"]);
    let today = Timestamp((scene.aws.now().day() + 9) * DAY);
    let date = today.date_text();
    let limit = scene.rule("acl-token").unwrap()["Statement"]["RateBasedStatement"]["Limit"]
        .as_i64()
        .unwrap();
    let start = today.0 - 1_800;
    let mut all = visits(start, "203.0.113.9", limit * 3);
    for last in 1..40 {
        all.extend(visits(start, &format!("192.0.2.{last}"), limit * 2));
    }
    scene.aws.replay("prod", &by_time(all));
    scene.aws.set_clock(Timestamp(start + 300));
    let promote = ["promote", "acl-token", "--today", &date, "--yes"];
    let refused = scene.run(&promote);
    assert_eq!(refused.status, 1, "{}", refused.stderr);
    for text in [
        "known-good: it counted 203.0.113.9 of the network office",
        "too-many: it counted 40 clients",
    ] {
        assert!(refused.stdout.contains(text), "{text}: {}", refused.stdout);
    }
    // One reason put aside leaves the other one.
    let half = scene.run(&[&promote[..], &["--force", "too-many"]].concat());
    assert_eq!(half.status, 1);
    assert!(half.stdout.contains("known-good") && !half.stdout.contains("too-many"));
    let odd = scene.run(&[&promote[..], &["--force", "because"]].concat());
    assert_eq!(odd.status, 2);
    scene.ok(&[&promote[..], &["--force", "too-many", "--force", "known-good"]].concat());
    assert!(scene.rule("acl-token").unwrap()["Action"]["Block"].is_object());
}
