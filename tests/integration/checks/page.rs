//! The examples on the page of a check.

use ratewaf::checks::model::{Deployment, Found, build};
use ratewaf::checks::read::{self, Folder, Input};
use ratewaf::checks::{CHECKS, Check, Context, Finding};
use ratewaf::policy::{Lock, Policy};
use ratewaf::units::Timestamp;
use serde_json::Value;

use crate::harness::repository;

/// Checks that have nothing to say about what is live, and why.
pub const NOT_LIVE: [(&str, &str); 23] = [
    ("alarm-elsewhere", "other Regions are not asked"),
    ("alarm-topic-policy", "topics are not asked"),
    ("block-without-count", "about a change"),
    ("capacity", "AWS refuses it"),
    ("change-resets-counters", "about a change"),
    ("cloudfront-association", "AWS refuses it"),
    ("cloudfront-region", "AWS refuses it"),
    ("edge-function", "AWS refuses it"),
    ("ip-set-address", "AWS refuses it"),
    ("json-hides-drift", "about Terraform"),
    ("json-member-unknown", "about Terraform"),
    ("limit-removed", "about a change"),
    ("origin-reachable", "origins are not asked"),
    ("reference-undeclared", "about files"),
    ("regional-behind-cloudfront", "origins are not asked"),
    ("replica-without-stream", "AWS refuses it"),
    ("resource-type-unknown", "about files"),
    ("rule-resource-undone", "about Terraform"),
    ("scope-unknown", "AWS refuses it"),
    ("scope-widened", "about a change"),
    ("secret-in-clear", "about Terraform"),
    ("suppression", "about files"),
    ("web-acl-absent", "a web ACL that is not there is an error"),
];

/// Why a check has nothing to say about what is live; `None`: it has.
pub fn not_live(id: &str) -> Option<&'static str> {
    NOT_LIVE.iter().find(|(check, _)| *check == id).map(|(_, why)| *why)
}

/// The date of all examples.
pub fn today() -> Timestamp {
    Timestamp::from_date(2026, 12, 1).unwrap()
}

/// One example: what is deployed, and what else was said before it.
#[derive(Default)]
pub struct Example {
    /// Where it stands, for messages.
    pub name: String,
    pub found: Vec<Found>,
    pub policy: Option<Policy>,
    pub lock: Option<Lock>,
    /// Policy and lock as they are written.
    pub texts: (Option<String>, Option<String>),
    /// Its text, if it is one block of HCL that needs nothing else.
    pub hcl: Option<String>,
}

/// A fenced block: the words after the fence, and the text.
struct Block {
    words: Vec<String>,
    text: String,
}

pub fn page(id: &str) -> String {
    std::fs::read_to_string(repository(&format!("docs/checks/{id}.md")))
        .unwrap_or_else(|_| panic!("the check `{id}` has no page"))
}

/// The examples of a section, `Bad` or `Good`.
pub fn examples(id: &str, section: &str) -> Vec<Example> {
    let page = page(id);
    let blocks = blocks(&page, section);
    let (mut policy, mut lock, mut before): (Option<Policy>, Option<Value>, Vec<Found>) =
        (None, None, Vec::new());
    let mut policy_text = None;
    let mut out: Vec<Example> = Vec::new();
    let mut environments = false;
    for (place, block) in blocks.iter().enumerate() {
        let name = format!("docs/checks/{id}.md, {section}, block {}", place + 1);
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["yaml", "policy"] => {
                let read = Policy::parse(&block.text, &name);
                policy = Some(read.unwrap_or_else(|error| panic!("{error}")));
                policy_text = Some(block.text.clone());
            }
            ["json", "lock"] => merge(&mut base(&mut lock)["routes"][0], &parsed(block, &name)),
            ["json", "inputs"] => merge(&mut base(&mut lock)["inputs"], &parsed(block, &name)),
            [_, "before"] => before = found(block, &name, None),
            [_, rest @ ..] => {
                let environment = rest.first().map(|it| (*it).to_owned());
                let now = found(block, &name, environment.clone());
                let now = if before.is_empty() { now } else { read::compare(now, &before) };
                if environments && environment.is_some() {
                    out.last_mut().unwrap().found.extend(now);
                    continue;
                }
                environments = environment.is_some();
                let alone = before.is_empty() && policy.is_none() && lock.is_none();
                let hcl = (words == ["hcl"] && alone).then(|| block.text.clone());
                let texts = (policy_text.clone(), lock.as_ref().map(Value::to_string));
                let lock = lock.as_ref().map(|lock| {
                    Lock::parse(&lock.to_string(), &name).unwrap_or_else(|error| panic!("{error}"))
                });
                out.push(Example { name, found: now, policy: policy.clone(), lock, texts, hcl });
            }
            [] => panic!("{name}: the fence does not say what it is"),
        }
    }
    out
}

fn base(lock: &mut Option<Value>) -> &mut Value {
    lock.get_or_insert_with(|| {
        let text = std::fs::read_to_string(repository("tests/fixtures/checks/lock.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    })
}

fn merge(into: &mut Value, patch: &Value) {
    for (name, value) in patch.as_object().unwrap() {
        into[name] = value.clone();
    }
}

fn parsed(block: &Block, name: &str) -> Value {
    serde_json::from_str(&block.text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn found(block: &Block, name: &str, environment: Option<String>) -> Vec<Found> {
    let input = Input { name: "example".to_owned(), environment, text: block.text.clone() };
    let read = match block.words[0].as_str() {
        "hcl" => read::read_folder(&Folder {
            name: input.name.clone(),
            environment: input.environment.clone(),
            files: vec![("main.tf".to_owned(), input.text.clone())],
            ..Folder::default()
        })
        .map(|reading| reading.found),
        "json" | "yaml" => read::read_text(&input).map(|reading| reading.found),
        other => panic!("{name}: `{other}` is no kind of example"),
    };
    read.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn blocks(page: &str, section: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let (mut inside, mut open) = (false, false);
    for line in page.lines() {
        if let Some(words) = line.strip_prefix("```") {
            open = !open;
            if open && inside {
                let words = words.split_whitespace().map(str::to_owned).collect();
                out.push(Block { words, text: String::new() });
            }
        } else if open && inside {
            let text = &mut out.last_mut().unwrap().text;
            text.push_str(line);
            text.push('\n');
        } else if let Some(title) = line.strip_prefix("## ") {
            inside = !open && title == section;
        }
    }
    out
}

/// What one check says about resources.
pub fn findings(check: &dyn Check, example: &Example, deployment: &Deployment) -> Vec<Finding> {
    let context = Context {
        deployment,
        policy: example.policy.as_ref(),
        lock: example.lock.as_ref(),
        today: today(),
        pricing_plan: example.policy.as_ref().map(|policy| policy.pricing_plan),
    };
    ratewaf::checks::run(&[check], &context)
}

/// Runs a check on the examples of a section.
pub fn run(check: &dyn Check, section: &str) -> Vec<(Example, Vec<Finding>)> {
    let examples = examples(check.about().id, section);
    examples
        .into_iter()
        .map(|example| {
            let deployment = build(example.found.clone());
            let found = findings(check, &example, &deployment);
            (example, found)
        })
        .collect()
}

pub fn all() -> impl Iterator<Item = &'static dyn Check> {
    CHECKS.iter().copied()
}
