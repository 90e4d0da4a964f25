//! plan, apply, status, promote, rollback and demote, as a user lives them, against an AWS on loopback.

mod endless;
mod ends;
mod errors;
mod faults;
mod foreign;
mod hostile;
mod moto;
mod night;
mod page;
mod story;
mod together;

use std::process::Command;

use serde_json::Value;

use crate::fake_aws::FakeAws;
use crate::harness::{Outcome, Workspace, program, repository};

/// A policy with a rule of the lock, a pinned one and a twin for each, and alarms.
pub const POLICY: &str = r#"version: 1
name: acl
web_acl: { WEB_ACL }
networks:
  qa-runner: { cidrs: [198.51.100.20/32, "2001:db8:7::/64"], kind: tester }
  office: { cidrs: [203.0.113.0/24], kind: known-good }
defaults:
  response: { status: 429, retry_after: 300, body: '{"error":"slow down"}' }
routes:
  - name: token
    methods: [GET]
    path: { exactly: /api/v1/token }
    limit: auto
    twins: [{ network: qa-runner, limit: auto }]
  - name: search
    methods: [GET, HEAD]
    path: { starts_with: /api/v2/search }
    limit: 600
alarms: { topic_arn: "arn:aws:sns:us-east-1:123456789012:alerts", threshold: 0 }
"#;

/// A web ACL with everything that a careless client loses.
pub const HOSTILE: &str = r#"{"Name":"prod","DefaultAction":{"Allow":{}},"Description":"Of the team","VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"prod"},"AnalyticsConfig":{"Mode":"DISABLED"},"TokenDomains":["shop.example"],"CustomResponseBodies":{"maintenance":{"ContentType":"TEXT_PLAIN","Content":"back soon \u00fc \/"}},"AssociationConfig":{"RequestBody":{"CLOUDFRONT":{"DefaultSizeInspectionLimit":"KB_64"}}},"Rules":[{"Name":"managed","Priority":1 ,"Statement":{"ManagedRuleGroupStatement":{"VendorName":"AWS","Name":"AWSManagedRulesCommonRuleSet","RuleActionOverrides":[{"Name":"SizeRestrictions_BODY","ActionToUse":{"Count":{}}}],"NewMember":[1,2]}},"OverrideAction":{"None":{}},"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"managed"}},{"Priority":500,"Name":"odd","Action":{"Monetize":{"Price":0.10}},"Statement":{"ByteMatchStatement":{"SearchString":"L2FkbWlu\u002b\u002f8=","FieldToMatch":{"UriPath":{}},"TextTransformations":[{"Priority":0,"Type":"NONE"}],"PositionalConstraint":"STARTS_WITH"}},"RuleLabels":[{"Name":"team:odd"}],"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"odd"}}]}"#;

/// A policy and an AWS.
pub struct Scene {
    pub aws: FakeAws,
    pub workspace: Workspace,
}

impl Scene {
    /// The policy owns its web ACL, `prod`, which is not there yet.
    pub fn own() -> Self {
        Self::of("create: prod")
    }

    /// The policy attaches to the hostile web ACL.
    pub fn attached() -> Self {
        let scene = Self::of("attach: prod, priority: 100");
        scene.aws.put_web_acl(HOSTILE);
        scene
    }

    fn of(web_acl: &str) -> Self {
        let workspace = Workspace::new();
        workspace.write("ratewaf.yaml", POLICY.replace("WEB_ACL", web_acl));
        let lock = repository("tests/golden/emit/ratewaf.lock.json");
        workspace.write("ratewaf.lock.json", std::fs::read(lock).unwrap());
        Self { aws: FakeAws::start(), workspace }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        command(&self.workspace, &self.aws.url(), arguments)
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        outcome(self.command(arguments))
    }

    pub fn ok(&self, arguments: &[&str]) -> Outcome {
        let outcome = self.run(arguments);
        assert_eq!(outcome.status, 0, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        outcome
    }

    /// Changes the policy's text.
    pub fn edit(&self, from: &str, to: &str) {
        let text = self.workspace.read("ratewaf.yaml");
        assert!(text.contains(from), "{from}");
        self.workspace.write("ratewaf.yaml", text.replace(from, to));
    }

    /// A rule of `prod`.
    pub fn rule(&self, name: &str) -> Option<Value> {
        let rules = self.aws.rules("prod");
        rules
            .iter()
            .map(|text| serde_json::from_str::<Value>(text).unwrap())
            .find(|rule| rule["Name"] == name)
    }

    /// The rules of `prod` that are not ours, in bytes.
    pub fn foreign(&self) -> Vec<String> {
        let ours = |text: &String| text.contains(r#""Name":"acl-"#);
        self.aws.rules("prod").into_iter().filter(|text| !ours(text)).collect()
    }

    /// The undo files, the oldest first.
    pub fn undo_files(&self) -> Vec<String> {
        self.workspace
            .names()
            .into_iter()
            .filter(|name| name.starts_with("ratewaf-undo-"))
            .collect()
    }
}

pub fn command(workspace: &Workspace, url: &str, arguments: &[&str]) -> Command {
    let mut command = program(workspace.path());
    command
        .args(arguments)
        .env("AWS_ENDPOINT_URL", url)
        .env("AWS_ACCESS_KEY_ID", "testing")
        .env("AWS_SECRET_ACCESS_KEY", "testing")
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env("HOME", workspace.path())
        .env("RATEWAF_TEST_PAUSE_MS", "5")
        .stdin(std::process::Stdio::null());
    command
}

pub fn outcome(mut command: Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
