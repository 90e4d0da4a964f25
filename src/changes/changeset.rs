//! A change set: what `plan` prints and saves, and what `apply` executes.

use serde::{Deserialize, Serialize};

use super::capacity::Capacity;
use super::fields::Field;
use super::file;
use super::step::Step;

/// The version of the file.
const VERSION: u64 = 1;

/// How to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Rules that were edited by hand are put back, and sets that we did not make are made ours.
    pub take_over: bool,
    /// Every rule counts, whatever the policy says.
    pub count_mode: bool,
    /// Weak proposals are put to use like clear ones.
    pub accept_weak: bool,
}

/// What has to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangeSet {
    version: u64,
    /// What it is about.
    pub target: Target,
    /// How it was compared.
    pub options: Options,
    /// A fingerprint of what was read.
    pub read: String,
    /// In the order in which they are done.
    pub steps: Vec<Step>,
    /// What somebody edited by hand, which stays as it is.
    pub drift: Vec<Drift>,
    /// Rules of others, which stay as they are: their names.
    pub left_alone: Vec<String>,
    /// What fits.
    pub capacity: Capacity,
    /// What to keep in mind.
    pub notes: Vec<String>,
}

/// A web ACL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its name.
    pub web_acl: String,
    /// Its ARN; `None`: it has to be made.
    pub arn: Option<String>,
    /// `CLOUDFRONT` or `REGIONAL`.
    pub scope: String,
    /// Of every call.
    pub region: String,
    /// The distribution that was named.
    pub distribution: Option<String>,
}

/// Something of ours that is not as we wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// `rule acl-token`.
    pub what: String,
    /// Why it counts as somebody else's edit.
    pub why: String,
    /// From what it is to what the policy wants.
    pub fields: Vec<Field>,
}

impl ChangeSet {
    /// A change set of this version.
    #[must_use]
    pub fn new(target: Target, options: Options, read: String, capacity: Capacity) -> Self {
        Self {
            version: VERSION,
            target,
            options,
            read,
            steps: Vec::new(),
            drift: Vec::new(),
            left_alone: Vec::new(),
            capacity,
            notes: Vec::new(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is none of this version, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        file::parse(text, "change set", VERSION, |read: &Self| read.version)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        file::written(self)
    }

    /// Whether nothing has to be written.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.steps.is_empty()
    }

    /// What of `self`, made after some steps of `agreed` were done or something else happened, nobody has
    /// agreed to; `None`: it still means the same.
    #[must_use]
    pub fn departs_from(&self, agreed: &Self) -> Option<String> {
        if self.target.web_acl != agreed.target.web_acl || self.target.scope != agreed.target.scope
        {
            return Some("another web ACL".to_owned());
        }
        if agreed.target.arn.is_some() && self.target.arn != agreed.target.arn {
            return Some("a web ACL of the same name that is another one".to_owned());
        }
        self.steps.iter().find(|step| !agreed.allows(step)).map(Step::in_words)
    }

    /// A step that was agreed to, or that only remembers one of those.
    fn allows(&self, step: &Step) -> bool {
        let of_web_acl = |step: &Step| matches!(step, Step::UpdateWebAcl { .. });
        match step {
            Step::Remember { .. } | Step::Forget { .. } => true,
            Step::UpdateWebAcl { rules, bodies } => {
                self.steps.iter().filter(|own| of_web_acl(own)).any(|own| {
                    let Step::UpdateWebAcl { rules: agreed, bodies: known } = own else {
                        return false;
                    };
                    rules.iter().all(|rule| agreed.contains(rule))
                        && bodies.iter().all(|(key, body)| known.get(key) == Some(body))
                })
            }
            other => self.steps.contains(other),
        }
    }
}
