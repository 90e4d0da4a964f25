//! `hidden-by-allow`: an earlier rule lets everything pass that a rate rule would count.

use crate::checks::model::{RuleEffect, Statement};
use crate::checks::requests::Requests;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct HiddenByAllow;

const ABOUT: About = About {
    id: "hidden-by-allow",
    title: "An earlier rule lets everything pass that a rate rule would count",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/hidden-by-allow.md"),
};

impl Check for HiddenByAllow {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (acl, rule, _) in context.rates() {
            let Some(priority) = rule.priority else { continue };
            let before =
                acl.rules.iter().filter(|one| one.priority.is_some_and(|it| it < priority));
            for allow in before.filter(|one| one.effect() == Some(RuleEffect::Allow)) {
                let hides_all =
                    Requests::of(deployment, &[rule, allow]).covers(allow, rule) == Some(true);
                let (rule_name, allow_name) = (rule.title(), allow.title());
                let message = if hides_all {
                    format!(
                        "{rule_name} (priority {priority}) never sees a request: {allow_name} lets all of them pass before it"
                    )
                } else if let Some(who) = open_door(allow.statement()) {
                    format!(
                        "{rule_name} (priority {priority}) limits nobody whom {allow_name} lets pass before it: {who}"
                    )
                } else {
                    continue;
                };
                findings
                    .add(rule.place().member("Priority"), message)
                    .severity(if hides_all { ABOUT.severity } else { Severity::Warning })
                    .help("give the rate rule a lower priority number than the rule that allows")
                    .related(allow.place(), "lets them pass");
            }
        }
    }
}

/// Headers that a client chooses freely and that no secret stands in.
const CHOSEN: [&str; 2] = ["user-agent", "referer"];

/// Who passes, if a statement asks for nothing but what anybody may send or what whole countries have.
fn open_door(statement: Statement<'_>) -> Option<&'static str> {
    let [kind] = statement.kinds()[..] else { return None };
    let value = statement.of(kind)?;
    match kind {
        "GeoMatchStatement" => Some("everybody in whole countries"),
        "ByteMatchStatement" | "RegexMatchStatement" | "RegexPatternSetReferenceStatement" => {
            let header = value["FieldToMatch"]["SingleHeader"]["Name"].as_str()?;
            let is_chosen = CHOSEN.iter().any(|name| name.eq_ignore_ascii_case(header));
            is_chosen.then_some("everybody who sends such a header, which anybody can")
        }
        "NotStatement" | "OrStatement" => statement.parts().into_iter().find_map(open_door),
        "AndStatement" => {
            let parts: Option<Vec<_>> = statement.parts().into_iter().map(open_door).collect();
            parts?.first().copied()
        }
        _ => None,
    }
}
