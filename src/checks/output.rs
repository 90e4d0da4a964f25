//! Findings for people and programs. Each form escapes foreign text for where it is read.

mod github;
mod json;
mod junit;
mod markdown;
mod sarif;
mod text;
mod words;

use super::check::{About, Severity};
use super::context::Context;
use super::locate::Source;
use super::model::AclKind;
use super::suppress::{Located, Sorted};
use crate::units::listed;

pub use github::github;
pub use json::{json, schema};
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use text::{explained, list, text};

/// Everything that is said about one run.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was looked at.
    pub context: Context<'a>,
    /// What is told and what is not.
    pub sorted: &'a Sorted,
    /// The checks that ran.
    pub checks: &'a [&'static About],
    /// The texts that spots are in.
    pub sources: &'a [Source],
}

/// How many of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Counts {
    /// Findings of the severity error.
    pub errors: usize,
    /// Findings of the severity warning.
    pub warnings: usize,
    /// Findings of the severity note.
    pub notes: usize,
    /// Findings that a suppression hides.
    pub suppressed: usize,
}

impl<'a> Report<'a> {
    /// The findings that are told.
    pub fn told(&self) -> impl Iterator<Item = &'a Located> + use<'a> {
        self.sorted.told.iter()
    }

    /// How many findings there are.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let of = |severity| self.told().filter(|one| one.finding.severity == severity).count();
        Counts {
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
            notes: of(Severity::Note),
            suppressed: self.sorted.suppressed.len(),
        }
    }

    /// What a check is, for its id.
    fn about(&self, id: &str) -> Option<&'static About> {
        self.checks.iter().copied().find(|about| about.id == id)
    }

    /// `2 web ACLs, 1 rule group and 5 rate-based rules`.
    fn looked_at(&self) -> String {
        let deployment = self.context.deployment;
        let of = |kind| deployment.acls.iter().filter(|acl| acl.kind == kind).count() as u64;
        let mut parts = vec![crate::units::count(of(AclKind::WebAcl), "web ACL", "web ACLs")];
        for (number, one, many) in [
            (of(AclKind::RuleGroup), "rule group", "rule groups"),
            (of(AclKind::Foreign), "rule of its own", "rules of their own"),
            (deployment.rates().count() as u64, "rate-based rule", "rate-based rules"),
        ] {
            if number > 0 {
                parts.push(crate::units::count(number, one, many));
            }
        }
        listed(&parts)
    }
}

impl Counts {
    /// `1 error, 2 warnings, 0 notes`.
    fn in_words(self) -> String {
        let count = |number: usize, one, many| crate::units::count(number as u64, one, many);
        let mut parts = Vec::new();
        for (number, one, many) in [
            (self.errors, "error", "errors"),
            (self.warnings, "warning", "warnings"),
            (self.notes, "note", "notes"),
        ] {
            if number > 0 {
                parts.push(count(number, one, many));
            }
        }
        let mut text = if parts.is_empty() { "no findings".to_owned() } else { listed(&parts) };
        if self.suppressed > 0 {
            text.push_str(&format!("; {} suppressed", self.suppressed));
        }
        text
    }
}

#[cfg(test)]
mod tests;
