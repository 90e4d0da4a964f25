//! `ratewaf layers`: which layer for which route, and what it costs.

use ratewaf::report::placement_schema;
use serde_json::Value;

use crate::golden;
use crate::harness::{HEADER, Workspace, line};

const POLICY: &str = "version: 1
name: shop
scope: cloudfront
web_acl: { create: shop }
routes:
  - name: token
    methods: [GET]
    path: { exactly: /oauth/token }
    limit: auto
  - name: orders
    methods: [POST]
    path: { exactly: /orders }
    limit: 120
  - name: search
    methods: [GET]
    path: { starts_with: /api/search }
    limit: 600
  - name: payments
    methods: [POST]
    path: { starts_with: /hooks/ }
    limit: 100
never_limited:
  - { name: stripe, path: { starts_with: /webhooks/ } }
  - { name: health, path: { exactly: /api/health } }
  - { name: old, path: { exactly: /legacy } }
";

const LAYERS: &str = "layers:
  app:
    dynamodb:
      region: eu-central-1
      limits: [{ name: orders, algorithm: fixed_window, limit: 50, window: 3600 }]
    redis:
      scenarios: [{ name: login, limits: [{ by: [user], limit: 5, window: 60 }] }]
";

/// 240 requests in two hours of logs, 120 of them to the routes.
fn logs() -> String {
    let mut text = HEADER.to_owned();
    for number in 0..60_u32 {
        let client = format!("198.18.0.{}", number + 1);
        for (place, path) in ["/oauth/token", "/api/search", "/", "/about"].iter().enumerate() {
            text.push_str(&line(number * 119 + place as u32, &client, path));
        }
    }
    text
}

fn workspace(policy: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("logs/a.log", logs());
    workspace.write("ratewaf.yaml", policy);
    workspace.ok(&["analyze", "logs/", "--quiet", "--out", "analysis.txt"]);
    workspace
}

#[test]
fn advice_is_golden() {
    for (name, policy) in [("bare", POLICY.to_owned()), ("whole", format!("{POLICY}{LAYERS}"))] {
        let workspace = workspace(&policy);
        for (format, ending) in [("text", "txt"), ("markdown", "md"), ("json", "json")] {
            let told = workspace.ok(&["layers", "--format", format]).stdout;
            golden::check(&format!("tests/golden/layers/advice/{name}.{ending}"), &told);
        }
        assert_eq!(
            workspace.names(),
            ["analysis.txt", "logs", "ratewaf.lock.json", "ratewaf.yaml"]
        );
    }
    golden::check("schema/layers.schema.json", &placement_schema());
}

#[test]
fn without_a_lock_there_is_advice_and_no_price() {
    let workspace = Workspace::new();
    workspace.refused(&["layers"], &["there is no policy `ratewaf.yaml`"]);
    workspace.write("ratewaf.yaml", POLICY);
    let told = workspace.ok(&["layers"]).stdout;
    assert!(told.contains("no lock yet: ratewaf analyze LOGS finds the limit"), "{told}");
    assert!(told.contains("no lock, or less than an hour of logs"), "{told}");
    assert!(!told.contains("USD"), "{told}");
    workspace.refused(&["layers", "--lock", "other.json"], &["there is no lock `other.json`"]);
    workspace.refused(&["layers", "--out", "ratewaf.yaml"], &["would be one file"]);
    workspace.refused(&["layers", "--env", "prod"], &["no environment `prod`"]);
}

/// 87,600 requests a month are 120 an hour; half of them to the routes.
#[test]
fn prices_follow_the_traffic() {
    let workspace = workspace(&format!("{POLICY}{LAYERS}"));
    let json = |arguments: &[&str]| -> Value {
        let all = [&["layers", "--format", "json"], arguments].concat();
        serde_json::from_str(&workspace.ok(&all).stdout).unwrap()
    };
    let cents = |found: &Value, layer: &str| {
        let bills = found["costs"].as_array().unwrap();
        bills.iter().find(|bill| bill["layer"] == layer).unwrap()["cents"].as_u64().unwrap()
    };
    let found = json(&[]);
    assert_eq!(
        (found["requests"].as_u64(), found["routed"].as_u64()),
        (Some(87_600), Some(43_800))
    );
    // 5 USD, four rules, and 0.0876 million at 0.60.
    assert_eq!(cents(&found, "waf"), 500 + 400 + 6);
    // 0.0438 million at 3.50.
    assert_eq!(cents(&found, "gateway"), 16);
    // Two nodes at 0.016 for 730 hours.
    assert_eq!(cents(&found, "app-redis"), 2_336);
    // Counters only write: 0.0438 million at 0.625, and a GB.
    assert_eq!(cents(&found, "app-dynamodb"), 3 + 25);
    let dearer = json(&["--price", "redis-node=0.032", "--price", "redis-nodes=3"]);
    assert_eq!(cents(&dearer, "app-redis"), 7_008);
    assert!(dearer["prices"].as_str().unwrap().ends_with("given: redis-node, redis-nodes"));
    for (price, text) in [
        ("redis-node", "is no price"),
        ("redis=1", "there is no price `redis`"),
        ("redis-node=x", "`x` is no price of `redis-node`"),
    ] {
        workspace.refused(&["layers", "--price", price], &[text, "ratewaf layers --help"]);
    }
}

/// Paths are a policy's, and a policy is often somebody else's pull request.
#[test]
fn paths_are_text_in_every_form() {
    let workspace = Workspace::new();
    let policy = POLICY.replace("/oauth/token", "\"/a|b`<script>[x](y)\"");
    workspace.write("ratewaf.yaml", policy);
    let markdown = workspace.ok(&["layers", "--format", "markdown"]).stdout;
    assert!(!markdown.contains("b`<script>"), "{markdown}");
    assert!(!markdown.contains("a|b"), "{markdown}");
}
