//! Logs in S3: against moto, against faults put in front of it, and against buckets that are too large to
//! upload.

#[cfg(feature = "cloud")]
mod faults;
#[cfg(feature = "cloud")]
mod layouts;
#[cfg(feature = "cloud")]
pub mod moto;
mod period;
#[cfg(feature = "cloud")]
mod wire;

use std::process::{Command, Stdio};

#[cfg(feature = "cloud")]
use crate::harness::{HEADER, line};
use crate::harness::{Outcome, Workspace, program};

/// The program, with credentials that nobody would take and no cache of anybody else's.
fn command(workspace: &Workspace, url: &str) -> Command {
    let mut command = program(workspace.path());
    command
        .env("AWS_ACCESS_KEY_ID", "testing")
        .env("AWS_SECRET_ACCESS_KEY", "testing")
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env("AWS_REGION", "us-east-1")
        .env("AWS_ENDPOINT_URL", url)
        .env("XDG_CACHE_HOME", workspace.path().join("xdg"))
        .stdin(Stdio::null());
    command
}

fn analyze(workspace: &Workspace, url: &str, arguments: &[&str]) -> Outcome {
    let mut command = command(workspace, url);
    command.args(["analyze", "--route", "GET /token"]).args(arguments);
    outcome(&mut command)
}

fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Fails, says these things, and writes nothing.
fn refused(workspace: &Workspace, url: &str, arguments: &[&str], texts: &[&str]) {
    let outcome = analyze(workspace, url, arguments);
    assert_eq!(outcome.status, 2, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    for text in texts {
        assert!(outcome.stderr.contains(text), "no `{text}` in: {}", outcome.stderr);
    }
    let errors = outcome.stderr.lines().filter(|line| line.starts_with("error:"));
    assert_eq!(errors.count(), 1, "{}", outcome.stderr);
    assert!(!workspace.path().join("ratewaf.lock.json").exists());
}

/// A program without the feature says so, and what to do.
#[cfg(not(feature = "cloud"))]
#[test]
fn without_the_feature_a_location_is_refused() {
    let workspace = Workspace::new();
    let texts = ["`s3://logs/cf` is in S3, and this ratewaf was built without S3", "aws s3 sync"];
    refused(&workspace, "http://127.0.0.1:9", &["s3://logs/cf"], &texts);
}

/// The page's own command, run, asks for no more than the page's own policy allows.
#[cfg(feature = "cloud")]
#[test]
fn the_policy_of_the_page_is_enough() {
    let page = std::fs::read_to_string(crate::harness::repository("docs/s3.md")).unwrap();
    let block = |kind: &str| {
        let start = format!("```{kind}\n");
        page.split(&start).nth(1).unwrap().split("```").next().unwrap().to_owned()
    };
    let shown = block("sh");
    let policy: serde_json::Value = serde_json::from_str(&block("json")).unwrap();
    let [list, get] = [0, 1].map(|number| policy["Statement"][number].clone());
    assert_eq!(
        (&list["Action"], &get["Action"]),
        (&"s3:ListBucket".into(), &"s3:GetObject".into())
    );
    let prefixes = list["Condition"]["StringLike"]["s3:prefix"].as_array().unwrap();
    let allowed = |text: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => text.starts_with(start),
        None => text == pattern,
    };
    let server = wire::Bucket::new(
        (0..40).map(|day| (format!("cloudfront/{}", name(day * 24, day)), log(day))),
    )
    .serve();
    let slashed: Vec<&str> = shown.trim().strip_prefix("ratewaf ").unwrap().split(' ').collect();
    let bare: Vec<&str> = slashed.iter().map(|word| word.trim_end_matches('/')).collect();
    for words in [slashed, bare] {
        let workspace = Workspace::new();
        let outcome = outcome(command(&workspace, &server.url()).args(words));
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    }
    assert!(server.lists() > 0 && !server.fetched().is_empty());
    for request in server.seen() {
        assert_eq!(request.target.split(['/', '?']).nth(1), Some("my-logs"));
        if request.is_list() {
            let prefix = request.parameter("prefix").unwrap();
            let fits = |pattern: &serde_json::Value| allowed(&prefix, pattern.as_str().unwrap());
            assert!(prefixes.iter().any(fits), "{prefix}");
        } else {
            let resource = format!("arn:aws:s3:::my-logs/{}", request.key());
            assert!(allowed(&resource, get["Resource"].as_str().unwrap()), "{resource}");
        }
    }
}

/// A log of a few requests, told apart by a number.
#[cfg(feature = "cloud")]
fn log(number: u32) -> String {
    let client = format!("192.0.2.{}", number % 200);
    let second = number * 37 % 86_000;
    let lines: String =
        (0..3 + number % 5).map(|more| line(second + more, &client, "/token")).collect();
    format!("{HEADER}{lines}")
}

/// The name of a log of that hour after the first of August 2026.
#[cfg(feature = "cloud")]
fn name(hour: u32, number: u32) -> String {
    let time = ratewaf::units::Timestamp::from_date(2026, 8, 1).unwrap();
    let time = ratewaf::units::Timestamp(time.0 + i64::from(hour) * 3_600).to_string();
    format!("E1.{}-{}.{number:08x}.gz", &time[..10], &time[11..13])
}
