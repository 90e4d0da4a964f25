//! The numbers, each beside its evidence: locals, or the variables of a module.

use super::super::hcl::{Content, call, map, number, reference, text};
use super::Terraform;
use super::files::{File, Files};
use crate::stack::{Numbers, Topic};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    if terraform.options.is_module {
        files.part(File::Variables, |file| variables(terraform, file));
        return;
    }
    let topic = given_topic(terraform);
    if terraform.stack.numbers.is_empty() && topic.is_none() {
        return;
    }
    files.part(File::Waf, |file| {
        file.block("locals", &[], |locals| {
            for numbers in &terraform.stack.numbers {
                evidence(numbers, locals);
                let label = terraform.labels.of(&numbers.rule);
                locals.attribute(&format!("{label}_limit"), number(numbers.limit));
                locals.attribute(&format!("{label}_window"), number(numbers.window));
            }
            if let Some(arn) = topic {
                locals.comment("Where the alarms report.");
                locals.attribute(&topic_name(terraform), text(arn));
            }
        });
    });
}

fn evidence(numbers: &Numbers, block: &mut Content) {
    block.comment(&numbers.subject);
    numbers.evidence.iter().for_each(|line| block.comment(line));
}

fn variables(terraform: &Terraform<'_>, file: &mut Content) {
    for numbers in &terraform.stack.numbers {
        let label = terraform.labels.of(&numbers.rule);
        evidence(numbers, file);
        for (name, what, value) in [
            ("limit", "Requests of one client per window", numbers.limit),
            ("window", "Seconds: 60, 120, 300 or 600", numbers.window),
        ] {
            file.block("variable", &[&format!("{label}_{name}")], |variable| {
                variable.attribute("description", text(format!("{}: {what}", numbers.rule)));
                variable.attribute("type", reference(&["number"]));
                variable.attribute("default", number(value));
            });
        }
    }
    if let Some(arn) = given_topic(terraform) {
        file.block("variable", &[&topic_name(terraform)], |variable| {
            variable.attribute("description", text("The SNS topic that the alarms report to"));
            variable.attribute("type", reference(&["string"]));
            variable.attribute("default", text(arn));
        });
    }
    file.block("variable", &[&tags_name(terraform)], |variable| {
        variable.attribute("description", text("Tags of everything that can have some"));
        variable.attribute("type", call("map", reference(&["string"])));
        variable.attribute("default", map());
    });
}

/// The topic that the policy names, if it does.
fn given_topic<'a>(terraform: &Terraform<'a>) -> Option<&'a str> {
    match &terraform.stack.topic {
        Some(Topic::Given(arn)) => Some(arn),
        Some(Topic::Made { .. }) | None => None,
    }
}

/// The local or the variable that holds it.
fn topic_name(terraform: &Terraform<'_>) -> String {
    format!("{}_alarm_topic_arn", terraform.labels.set)
}

fn tags_name(terraform: &Terraform<'_>) -> String {
    format!("{}_tags", terraform.labels.set)
}

impl Terraform<'_> {
    /// A local, or a variable of the module.
    fn setting(&self, name: &str) -> ::hcl::Expression {
        reference(&[if self.options.is_module { "var" } else { "local" }, name])
    }

    /// A number of a rule: its `limit` or its `window`.
    pub(super) fn number(&self, rule: &str, which: &str) -> ::hcl::Expression {
        self.setting(&format!("{}_{which}", self.labels.of(rule)))
    }

    /// The topic that the policy names.
    pub(super) fn given_topic(&self) -> ::hcl::Expression {
        self.setting(&topic_name(self))
    }

    /// The tags of a resource, the last of its arguments: in a module only.
    pub(super) fn tags(&self, resource: &mut Content) {
        if self.options.is_module {
            resource.attribute("tags", self.setting(&tags_name(self)));
        }
    }
}
