//! What a check is.

use serde::{Deserialize, Serialize};

use super::context::Context;
use super::finding::{Finding, Findings};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing has to be done.
    Note,
    /// It works, but not as people expect.
    Warning,
    /// AWS refuses it, or it does not do its work.
    Error,
}

/// How sure a check is that a finding is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// A guess that a person should look at.
    Low,
    /// Mostly right; what surrounds the stack may make it wrong.
    Medium,
    /// It follows from what was read.
    High,
}

/// What a check is called and worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// In kebab-case; never changes.
    pub id: &'static str,
    /// What is wrong, in a few words without a full stop: the name of the check for people.
    pub title: &'static str,
    /// How bad its findings are, unless one says otherwise.
    pub severity: Severity,
    /// How sure they are, unless one says otherwise.
    pub confidence: Confidence,
    /// Its page, `include_str!("../../../docs/checks/<id>.md")`.
    pub page: &'static str,
}

/// One check.
pub trait Check: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Adds what it finds.
    fn run(&self, context: &Context<'_>, findings: &mut Findings);
}

impl Severity {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Confidence {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Runs checks: their findings in the order of the deployment's files, the worst first where they stand
/// at one place.
#[must_use]
pub fn run(checks: &[&dyn Check], context: &Context<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    for check in checks {
        let mut findings = Findings::of(check.about());
        check.run(context, &mut findings);
        all.append(&mut findings.into_vec());
    }
    all.sort_by(|one, other| one.order().cmp(&other.order()));
    all.dedup();
    all
}
