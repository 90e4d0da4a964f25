//! What a schema does not say about a provider: defaults, checks of values, what replaces a resource,
//! and how the values look that AWS would make up. `tests/fixtures/provider-schemas/*.behaviour.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::value::Value;

/// A path is a resource type and the names of blocks and of the attribute, joined by dots and without
/// indices. In the file it may be the end of one: `rate_based_statement.limit` is about every rate.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Behaviour {
    /// What an attribute is when nobody sets it.
    pub defaults: BTreeMap<String, serde_json::Value>,
    /// A change of these replaces the resource.
    pub replace: Vec<String>,
    /// Values of computed attributes, with `{attribute}` for others of the resource.
    pub made_up: BTreeMap<String, serde_json::Value>,
    /// What the provider refuses.
    pub checks: Vec<Check>,
}

/// A check of one attribute, or of the number of blocks.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Check {
    pub path: String,
    /// Smallest and largest number.
    pub range: Option<[i64; 2]>,
    /// The only numbers.
    pub numbers: Vec<i64>,
    /// Fewest and most characters of a text.
    pub length: Option<[usize; 2]>,
    /// Fewest and most elements of a list, or blocks.
    pub count: Option<[usize; 2]>,
    pub one_of: Vec<String>,
    /// A regular expression.
    pub pattern: Option<String>,
    /// The text has to be JSON.
    pub json: bool,
    /// The expression, once it was needed.
    #[serde(skip)]
    compiled: OnceLock<regex::Regex>,
}

impl Behaviour {
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    pub fn default_of(&self, path: &str) -> Option<Value> {
        self.defaults
            .iter()
            .find(|(end, _)| ends(path, end))
            .map(|(_, value)| Value::from_json(value))
    }

    pub fn replaces(&self, path: &str) -> bool {
        self.replace.iter().any(|end| ends(path, end))
    }

    pub fn made_up(&self, path: &str) -> Option<&serde_json::Value> {
        self.made_up.iter().find(|(end, _)| ends(path, end)).map(|(_, value)| value)
    }

    /// What is wrong with a value.
    pub fn faults(&self, path: &str, value: &Value) -> Vec<String> {
        self.checks
            .iter()
            .filter(|check| ends(path, &check.path))
            .filter_map(|check| check.fault(value))
            .collect()
    }
}

impl Check {
    fn fault(&self, value: &Value) -> Option<String> {
        match value {
            Value::Null | Value::Unknown | Value::Bool(_) | Value::Map(_) => None,
            Value::Number(number) if !self.numbers.is_empty() => {
                let known = number.as_i64().is_some_and(|number| self.numbers.contains(&number));
                (!known).then(|| format!("{number} is none of {:?}", self.numbers))
            }
            Value::Number(number) => {
                let [least, most] = self.range?;
                let inside = number.as_i64().is_some_and(|number| (least..=most).contains(&number));
                (!inside).then(|| format!("{number} is not in the range ({least} - {most})"))
            }
            Value::List(items) => {
                let [least, most] = self.count?;
                let inside = (least..=most).contains(&items.len());
                (!inside).then(|| format!("{} of them, not {least} to {most}", items.len()))
            }
            Value::Text(text) => self.fault_of_text(text),
        }
    }

    fn fault_of_text(&self, text: &str) -> Option<String> {
        if let Some([least, most]) = self.length
            && !(least..=most).contains(&text.chars().count())
        {
            return Some(format!("{} characters, not {least} to {most}", text.chars().count()));
        }
        if !self.one_of.is_empty() && !self.one_of.iter().any(|one| one == text) {
            return Some(format!("`{text}` is none of {}", self.one_of.join(", ")));
        }
        if let Some(pattern) = &self.pattern {
            let compile = || {
                regex::Regex::new(pattern).unwrap_or_else(|error| panic!("{}: {error}", self.path))
            };
            if !self.compiled.get_or_init(compile).is_match(text) {
                return Some(format!("`{text}` does not match {pattern}"));
            }
        }
        if self.json && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
            return Some("it is no JSON".to_owned());
        }
        None
    }
}

/// Whether a path ends with another, at the border of a name.
fn ends(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
