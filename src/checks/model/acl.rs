//! Web ACLs and rule groups, and their rules.

use serde_json::Value;

use super::item::Item;
use super::rate::Rate;
use super::statement::Statement;
use crate::checks::finding::Place;
use crate::checks::marker;
use crate::wafv2::Scope;

/// Which of the two holders of rules it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AclKind {
    /// A web ACL.
    WebAcl,
    /// A rule group.
    RuleGroup,
    /// Rules that join a web ACL which is not part of the deployment.
    Foreign,
}

/// A web ACL or a rule group.
#[derive(Clone, Debug)]
pub struct Acl {
    /// What it is called.
    pub item: Item,
    /// Which it is.
    pub kind: AclKind,
    /// Its name, if it is known.
    pub name: Option<String>,
    /// Where it lives, if that is known.
    pub scope: Option<Scope>,
    /// Its own metric's name.
    pub metric: Option<String>,
    /// By priority.
    pub rules: Vec<Rule>,
    /// Whether all its rules could be read: not if they are unknown, sensitive, or made by a `dynamic` block.
    pub has_all_rules: bool,
    /// Whether its rules are hidden because one of them holds a sensitive value.
    pub is_hidden: bool,
    /// Whether its rules are written as JSON (`rule_json`, `rules_json`).
    pub is_from_json: bool,
    /// As the API spells it.
    pub raw: Value,
    /// What it was.
    pub before: Option<Value>,
}

/// What a rule does with a request that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleEffect {
    /// Lets it pass, and ends.
    Allow,
    /// Answers it, and ends.
    Block,
    /// Counts it, and goes on.
    Count,
    /// A CAPTCHA.
    Captcha,
    /// A silent browser challenge.
    Challenge,
    /// Asks for money.
    Monetize,
    /// As the rules of the group say.
    OfGroup,
    /// Counts what the rules of the group match.
    GroupCounts,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The resource that it stands in: that of the ACL, or its own.
    pub item: Item,
    /// Its name, if it is known.
    pub name: Option<String>,
    /// Its priority, if it is known.
    pub priority: Option<i64>,
    /// Its metric's name.
    pub metric: Option<String>,
    /// As the API spells it.
    pub raw: Value,
    /// What it was. `None`: it was not there, or nobody knows; see [`Rule::is_new`].
    pub before: Option<Value>,
    /// Whether it is known what the ACL was, so that a rule without `before` is a new one.
    pub is_compared: bool,
    /// In our types, if they can hold it. IP sets of the deployment are called by their names there, as `wafv2` does.
    pub typed: Option<crate::wafv2::Rule>,
}

impl Acl {
    /// `web ACL "prod"`, to begin a message with.
    #[must_use]
    pub fn title(&self) -> String {
        let kind = match self.kind {
            AclKind::WebAcl | AclKind::Foreign => "web ACL",
            AclKind::RuleGroup => "rule group",
        };
        match &self.name {
            Some(name) => format!("{kind} `{name}`"),
            None => format!("{kind} `{}`", self.item.address),
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::of(&self.item)
    }

    /// A rule by its name.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name.as_deref() == Some(name))
    }

    /// Rules that it had and does not have any more.
    #[must_use]
    pub fn removed_rules(&self) -> Vec<Rule> {
        let before = self.before.as_ref().and_then(|before| before["Rules"].as_array());
        before
            .into_iter()
            .flatten()
            .filter(|rule| {
                self.has_all_rules
                    && rule["Name"].as_str().is_some_and(|it| self.rule(it).is_none())
            })
            .map(|rule| Rule::was(&self.item, rule))
            .collect()
    }
}

impl Rule {
    /// A rule that there was, in a resource.
    #[must_use]
    pub fn was(item: &Item, raw: &Value) -> Self {
        Self {
            item: item.clone(),
            name: raw["Name"].as_str().map(str::to_owned),
            priority: raw["Priority"].as_i64(),
            metric: None,
            raw: raw.clone(),
            before: None,
            is_compared: false,
            typed: None,
        }
    }

    /// Its name, or its priority, for a message.
    #[must_use]
    pub fn title(&self) -> String {
        match (&self.name, self.priority) {
            (Some(name), _) => format!("rule `{name}`"),
            (None, Some(priority)) => format!("the rule of priority {priority}"),
            (None, None) => "a rule".to_owned(),
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        let place = Place::of(&self.item);
        match &self.name {
            Some(name) => place.rule(name),
            None => place,
        }
    }

    /// Its statement.
    #[must_use]
    pub fn statement(&self) -> Statement<'_> {
        Statement(&self.raw["Statement"])
    }

    /// Its rate-based statement, if it has one.
    #[must_use]
    pub fn rate(&self) -> Option<Rate<'_>> {
        Rate::of(&self.raw)
    }

    /// The rate-based statement that it had.
    #[must_use]
    pub fn rate_before(&self) -> Option<Rate<'_>> {
        Rate::of(self.before.as_ref()?)
    }

    /// Whether this deployment adds it.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.is_compared && self.before.is_none()
    }

    /// What it does. `None`: nothing, several things, or nobody knows yet.
    #[must_use]
    pub fn effect(&self) -> Option<RuleEffect> {
        effect(&self.raw)
    }

    /// What it did.
    #[must_use]
    pub fn effect_before(&self) -> Option<RuleEffect> {
        effect(self.before.as_ref()?)
    }
}

fn effect(rule: &Value) -> Option<RuleEffect> {
    let members = |name: &str| -> Vec<String> {
        rule[name].as_object().map(|one| one.keys().cloned().collect()).unwrap_or_default()
    };
    let (actions, overrides) = (members("Action"), members("OverrideAction"));
    if marker::is_unknown(&rule["Action"]) || marker::is_unknown(&rule["OverrideAction"]) {
        return None;
    }
    match (actions.as_slice(), overrides.as_slice()) {
        ([action], []) => match action.as_str() {
            "Allow" => Some(RuleEffect::Allow),
            "Block" => Some(RuleEffect::Block),
            "Count" => Some(RuleEffect::Count),
            "Captcha" => Some(RuleEffect::Captcha),
            "Challenge" => Some(RuleEffect::Challenge),
            "Monetize" => Some(RuleEffect::Monetize),
            _ => None,
        },
        ([], [action]) => match action.as_str() {
            "None" => Some(RuleEffect::OfGroup),
            "Count" => Some(RuleEffect::GroupCounts),
            _ => None,
        },
        _ => None,
    }
}
