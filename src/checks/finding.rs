//! What a check found, and where.

use super::check::{About, Confidence, Severity};
use super::model::Item;

/// Where something stands: a resource, perhaps a rule in it, perhaps a member of that.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The resource.
    pub item: Item,
    /// The name of the rule.
    pub rule: Option<String>,
    /// A member in the API's spelling, such as `Limit`; it is looked for from the rule (or the resource) downwards.
    pub member: Option<String>,
}

impl Place {
    /// A resource.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        Self { item: item.clone(), rule: None, member: None }
    }

    /// A rule in it.
    #[must_use]
    pub fn rule(mut self, name: impl Into<String>) -> Self {
        self.rule = Some(name.into());
        self
    }

    /// A member of it.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>) -> Self {
        self.member = Some(name.into());
        self
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The id of its check.
    pub check: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure that is.
    pub confidence: Confidence,
    /// Where.
    pub place: Place,
    /// What is wrong, in one sentence that names the rule or resource and the numbers. Foreign text in it is not
    /// escaped yet.
    pub message: String,
    /// What to do, in one sentence.
    pub help: Option<String>,
    /// Other places that belong to it, with what stands there.
    pub related: Vec<(Place, String)>,
}

impl Finding {
    /// Says what to do.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }

    /// Says that this one is better or worse than the check's others.
    pub const fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    /// Says that this one is more or less sure than the check's others.
    pub const fn confidence(&mut self, confidence: Confidence) -> &mut Self {
        self.confidence = confidence;
        self
    }

    /// Points at another place.
    pub fn related(&mut self, place: Place, what: impl Into<String>) -> &mut Self {
        self.related.push((place, what.into()));
        self
    }

    pub(super) fn order(&self) -> impl Ord + '_ {
        (&self.place, std::cmp::Reverse(self.severity), self.check, &self.message)
    }
}

/// Collects what one check finds.
#[derive(Debug)]
pub struct Findings {
    about: &'static About,
    list: Vec<Finding>,
}

impl Findings {
    /// None yet.
    #[must_use]
    pub const fn of(about: &'static About) -> Self {
        Self { about, list: Vec::new() }
    }

    /// Adds a finding, with the severity and confidence of the check.
    pub fn add(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        let finding = Finding {
            check: self.about.id,
            severity: self.about.severity,
            confidence: self.about.confidence,
            place,
            message: message.into(),
            help: None,
            related: Vec::new(),
        };
        self.list.push(finding);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// All of them.
    #[must_use]
    pub fn into_vec(self) -> Vec<Finding> {
        self.list
    }
}
