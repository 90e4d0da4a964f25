//! `.ratewaf-ignore.yaml`: suppressions of what has no line, or should not have a comment.

use serde_json::Value;

use super::{Scope, Suppression, date};
use crate::checks::locate::Spot;
use crate::checks::read::yaml::{self, Step};

/// The file's usual name.
pub const FILE: &str = ".ratewaf-ignore.yaml";

const KEYS: [&str; 5] = ["check", "address", "rule", "reason", "until"];

/// Reads a list of suppressions.
///
/// # Errors
/// What is wrong with it, with the place.
pub fn read(path: &str, text: &str) -> Result<Vec<Suppression>, String> {
    let entries = match yaml::parse(text) {
        Ok(Value::Array(entries)) => entries,
        Ok(Value::Null) => Vec::new(),
        Ok(_) => return Err("is no list of suppressions: each begins with `- check:`".to_owned()),
        Err(reason) if text.trim().is_empty() || reason == "is empty" => return Ok(Vec::new()),
        Err(reason) => return Err(format!("is no YAML that can be read: {reason}")),
    };
    let paths: Vec<Vec<Step>> = (0..entries.len()).map(|place| vec![Step::Index(place)]).collect();
    let places = yaml::places(text, &paths).unwrap_or_default();
    let mut out = Vec::new();
    for (entry, path_of) in entries.iter().zip(&paths) {
        let start = places.get(path_of).map_or(0, |range| range.start);
        let line = crate::checks::locate::line_of(text, start);
        let fault = |what: String| format!("line {line}: {what}");
        let Some(members) = entry.as_object() else {
            return Err(fault("a suppression has the keys check, reason and until".to_owned()));
        };
        if let Some(key) = members.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(fault(format!(
                "a suppression has no key `{key}`; it has {}",
                KEYS.join(", ")
            )));
        }
        let text_of =
            |key: &str| entry[key].as_str().map(str::trim).filter(|text| !text.is_empty());
        let needed = |key: &str| {
            text_of(key).ok_or_else(|| fault(format!("the suppression has no `{key}`")))
        };
        // An empty one would be about everything.
        for key in ["address", "rule"] {
            if entry.get(key).is_some() && text_of(key).is_none() {
                let what = format!("the suppression has an empty `{key}`, or one that is no text");
                return Err(fault(format!("{what}: name one, or leave it out")));
            }
        }
        let (check, reason, until) = (needed("check")?, needed("reason")?, needed("until")?);
        let Some(until) = date(until) else {
            return Err(fault(format!("`{until}` is no date; write one like 2027-01-31")));
        };
        let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
        out.push(Suppression {
            checks: vec![check.to_owned()],
            reason: reason.to_owned(),
            until,
            spot: Spot {
                file: path.to_owned(),
                source: usize::MAX,
                start,
                end,
                line,
                column: 1,
                end_column: 1 + text[start..end].chars().count(),
            },
            scope: Scope::Named {
                address: text_of("address").map(str::to_owned),
                rule: text_of("rule").map(str::to_owned),
            },
        });
    }
    Ok(out)
}
