//! Two shapes, field by field.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Where: `Statement.RateBasedStatement.Limit`.
    pub path: String,
    /// What is there; null if nothing is.
    pub from: Json,
    /// What is to be there; null if nothing is.
    pub to: Json,
}

/// All fields in which two normalised shapes differ.
pub(super) fn differences(from: &Json, to: &Json) -> Vec<Field> {
    let mut found = Vec::new();
    walk("", from, to, &mut found);
    found
}

fn walk(path: &str, from: &Json, to: &Json, found: &mut Vec<Field>) {
    if from == to {
        return;
    }
    let (Json::Object(old), Json::Object(new)) = (from, to) else {
        found.push(Field { path: path.to_owned(), from: from.clone(), to: to.clone() });
        return;
    };
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    for name in names {
        let inside = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let of =
            |side: &serde_json::Map<String, Json>| side.get(name).cloned().unwrap_or(Json::Null);
        // Of two kinds of one thing, such as actions, each is told whole.
        walk(&inside, &of(old), &of(new), found);
    }
}

impl Field {
    /// A part of a rule whose change makes WAF count anew (developer guide,
    /// "waf-rule-statement-type-rate-based-caveats"): the limit, the window, the key and the scope-down.
    #[must_use]
    pub fn resets_counters(&self) -> bool {
        self.path.starts_with("Statement") || self.path == "Name"
    }

    /// Of a rule's action, and of nothing else.
    #[must_use]
    pub fn is_of_action(&self) -> bool {
        self.path == "Action" || self.path.starts_with("Action.")
    }

    /// The field in people's words.
    #[must_use]
    pub fn name_in_words(&self) -> String {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        match self.path.as_str() {
            "Statement.RateBasedStatement.Limit" => "limit".to_owned(),
            "Statement.RateBasedStatement.EvaluationWindowSec" => "window, seconds".to_owned(),
            "Statement.RateBasedStatement.AggregateKeyType" => "counted by".to_owned(),
            path if path.starts_with("Statement.RateBasedStatement.CustomKeys") => "key".to_owned(),
            path if path.starts_with("Statement.RateBasedStatement.ScopeDownStatement") => {
                "which requests".to_owned()
            }
            path if path.starts_with("Action.") => {
                format!("action {}", path.trim_start_matches("Action."))
            }
            "Priority" => "priority".to_owned(),
            _ => last.to_owned(),
        }
    }
}
