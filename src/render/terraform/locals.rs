//! The numbers, each beside its evidence.

use super::super::hcl::{Content, number, text};
use super::{Stack, alarms};
use crate::rules::{RateRule, Role};

pub(super) fn write(stack: &Stack<'_>, file: &mut Content) {
    let topic = alarms::given_topic(stack.set);
    if stack.rules.is_empty() && topic.is_none() {
        return;
    }
    file.block("locals", &[], |locals| {
        for rule in &stack.rules {
            locals.comment(&subject(rule));
            for line in &rule.evidence {
                locals.comment(line);
            }
            let label = stack.labels.of(&rule.name);
            locals.attribute(&format!("{label}_limit"), number(rule.limit.requests()));
            locals.attribute(&format!("{label}_window"), number(rule.window.seconds()));
        }
        if let Some(arn) = topic {
            locals.comment("Where the alarms report.");
            locals.attribute(&alarms::topic_local(stack), text(arn));
        }
    });
}

/// Whom and what a rule is about: `GET /oauth/token, everybody but qa-runner`.
pub(super) fn subject(rule: &RateRule) -> String {
    let who = match &rule.role {
        Role::Twin { network } | Role::SharedTwin { network, .. } => format!(", {network} only"),
        Role::Main | Role::Second if rule.except_networks.is_empty() => String::new(),
        Role::Main | Role::Second => format!(", everybody but {}", rule.except_networks.join(", ")),
    };
    format!("{}: {}{who}", rule.name, rule.route)
}
