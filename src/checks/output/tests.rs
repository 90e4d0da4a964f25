//! Foreign text in every form.

use super::*;
use crate::checks::finding::Place;
use crate::checks::model::{Change, Deployment, Item, Tool};
use crate::checks::{Confidence, Finding};
use crate::units::Timestamp;

const WILD: &str =
    "a\u{1b}[2J\n::error::x\r%0A`<img src=x>|@team [l](http://e.example) ]]>&\u{202e},:\u{fffe}";

const ABOUT: About = About {
    id: "wild",
    title: "A wild one",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: "# wild\n",
};

fn all() -> [(&'static str, String); 6] {
    let item = Item {
        input: WILD.into(),
        environment: Some(WILD.into()),
        file: None,
        address: WILD.into(),
        tool: Tool::Plan,
        change: Change::NotTold,
        region: None,
    };
    let place = Place::of(&item).rule(WILD).member("Limit");
    let finding = Finding {
        check: "wild",
        severity: Severity::Error,
        confidence: Confidence::High,
        place: place.clone(),
        message: format!("rule `{WILD}` is wild"),
        help: Some(WILD.into()),
        related: vec![(place, WILD.into())],
    };
    let located = Located { finding, spot: None, related: vec![None] };
    let sorted = Sorted { told: vec![located], suppressed: Vec::new() };
    let deployment = Deployment { blind: vec![(item, WILD.into())], ..Deployment::default() };
    let context = Context {
        deployment: &deployment,
        policy: None,
        lock: None,
        today: Timestamp(0),
        pricing_plan: None,
    };
    let report = Report { context, sorted: &sorted, checks: &[&ABOUT], sources: &[] };
    [
        ("text", text(&report, false)),
        ("json", json(&report)),
        ("sarif", sarif(&report)),
        ("github", github(&report)),
        ("junit", junit(&report)),
        ("markdown", markdown(&report)),
    ]
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    for (form, text) in all() {
        let wild = text.chars().find(|it| *it != '\n' && !crate::units::is_plain(*it));
        assert_eq!(wild, None, "{form}: {text}");
    }
}

#[test]
fn no_name_becomes_a_command_of_github() {
    let [_, _, _, (_, text), ..] = all();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("::error title=ratewaf wild::rule"), "{text}");
    assert!(lines[0].contains("%250A"), "a percent sign is one: {text}");
    assert!(lines[1].starts_with("::notice title=ratewaf%3A not seen::a"), "{text}");
    assert!(lines[1].contains("%250A"), "a percent sign is one: {text}");
}

#[test]
fn what_could_not_be_seen_is_said_in_every_form() {
    for (form, text) in all() {
        let said = match form {
            "json" => "\"not_seen\": [\n    {",
            "markdown" => "### Not seen\n\n- `a",
            "junit" => "name=\"not seen: a",
            _ => "not seen",
        };
        assert!(text.contains(said), "{form}: {text}");
    }
    let [_, _, _, _, (_, junit), _] = all();
    assert_eq!(junit.matches("tests=\"2\"").count(), 2, "{junit}");
    assert_eq!(junit.matches("skipped=\"1\"").count(), 2, "{junit}");
}

#[test]
fn no_name_becomes_markup() {
    let [_, (_, json), (_, sarif), _, (_, junit), (_, markdown)] = all();
    let _: serde_json::Value = serde_json::from_str(&json).unwrap();
    let _: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert!(!junit.contains("<img"), "{junit}");
    assert!(!junit.contains("]]>"), "{junit}");
    // Outside of code spans.
    let outside: String = markdown.split('`').step_by(2).collect();
    let outside = outside.replace("\\[", "").replace("\\]", "");
    for harm in ["<img", "@team", "[", "://e"] {
        assert!(!outside.contains(harm), "{harm}: {outside}");
    }
}
