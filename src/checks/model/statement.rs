//! Statements as they are written, those of other people and of other kinds included.

use serde_json::Value;

use crate::checks::marker;
use crate::wafv2::{self, Request};

/// Deeper statements are not looked at: readers bound the depth of a file, and this bounds the work.
const DEPTH: usize = 64;

/// A statement: an object with one member, named after its kind.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a>(pub &'a Value);

impl<'a> Statement<'a> {
    /// The names of its members: one, if it is a good one.
    #[must_use]
    pub fn kinds(self) -> Vec<&'a str> {
        if !marker::is_known(self.0) {
            return Vec::new();
        }
        self.0
            .as_object()
            .map(|members| members.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }

    /// The members of a kind: `statement.of("ByteMatchStatement")`.
    #[must_use]
    pub fn of(self, kind: &str) -> Option<&'a Value> {
        self.0.get(kind)
    }

    /// The statements directly inside: parts of and, or, not; scope-downs of rate-based statements and managed groups.
    #[must_use]
    pub fn parts(self) -> Vec<Self> {
        let Some(members) = self.0.as_object() else { return Vec::new() };
        let mut parts = Vec::new();
        for (kind, inner) in members {
            match kind.as_str() {
                "AndStatement" | "OrStatement" => {
                    parts.extend(
                        inner["Statements"].as_array().into_iter().flatten().map(Statement),
                    );
                }
                // A `not` with several is a fault that Terraform takes.
                "NotStatement" => match &inner["Statement"] {
                    Value::Array(several) => parts.extend(several.iter().map(Statement)),
                    Value::Null => {}
                    one => parts.push(Statement(one)),
                },
                _ => match &inner["ScopeDownStatement"] {
                    Value::Null => {}
                    one => parts.push(Statement(one)),
                },
            }
        }
        parts
    }

    /// Itself and all statements below, from the outside in.
    #[must_use]
    pub fn walk(self) -> Vec<Self> {
        let mut found = Vec::new();
        self.gather(&mut found, DEPTH);
        found
    }

    fn gather(self, into: &mut Vec<Self>, depth: usize) {
        into.push(self);
        if let Some(depth) = depth.checked_sub(1) {
            for part in self.parts() {
                part.gather(into, depth);
            }
        }
    }

    /// All statements of a kind in it: their members.
    #[must_use]
    pub fn all_of(self, kind: &str) -> Vec<&'a Value> {
        self.walk().into_iter().filter_map(|one| one.of(kind)).collect()
    }

    /// Levels of and, or, not; a scope-down counts on its own.
    #[must_use]
    pub fn levels(self) -> usize {
        self.levels_within(DEPTH)
    }

    fn levels_within(self, depth: usize) -> usize {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let own = usize::from(
            self.kinds()
                .iter()
                .any(|kind| matches!(*kind, "AndStatement" | "OrStatement" | "NotStatement")),
        );
        if own == 0 {
            return 0;
        }
        own + self.parts().into_iter().map(|part| part.levels_within(depth)).max().unwrap_or(0)
    }

    /// The text of a string match (`ByteMatchStatement`), if it is known and text.
    #[must_use]
    pub fn search_text(byte_match: &Value) -> Option<String> {
        use base64::Engine as _;
        let blob = byte_match["SearchString"].as_str()?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(blob).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// Whether it matches a request. `None`: that depends on something that is not known here, such as an
    /// IP set, a country, a header, or a statement that is faulty.
    #[must_use]
    pub fn matches(self, request: &Request<'_>) -> Option<bool> {
        self.decide(request, DEPTH)
    }

    fn decide(self, request: &Request<'_>, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let [kind] = self.kinds()[..] else { return None };
        let parts = || self.parts().into_iter().map(|part| part.decide(request, depth));
        match kind {
            "AndStatement" => all(parts()),
            "OrStatement" => all(parts().map(|one| one.map(|it| !it))).map(|it| !it),
            "NotStatement" => all(parts()).map(|it| !it),
            "RateBasedStatement" if self.0[kind]["ScopeDownStatement"].is_null() => Some(true),
            "RateBasedStatement" => all(parts()),
            "ByteMatchStatement" | "RegexMatchStatement" => {
                let field = self.0[kind]["FieldToMatch"].as_object()?.iter().next()?;
                let is_host =
                    || field.1["Name"].as_str().is_some_and(|it| it.eq_ignore_ascii_case("host"));
                let known = match field.0.as_str() {
                    "UriPath" | "Method" => true,
                    "SingleHeader" => is_host(),
                    _ => false,
                };
                if !known {
                    return None;
                }
                let typed: wafv2::Statement = serde_json::from_value(self.0.clone()).ok()?;
                Some(wafv2::matches(&typed, request, &[]))
            }
            _ => None,
        }
    }
}

/// Three-valued `and`: one `false` decides, one unknown leaves it open.
pub(in crate::checks) fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::super::request::Sample;
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_known_stays_open_unless_something_decides() {
        let path = json!({"ByteMatchStatement": {
            "SearchString": "L2E=", "PositionalConstraint": "STARTS_WITH",
            "FieldToMatch": {"UriPath": {}}, "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}});
        let country = json!({"GeoMatchStatement": {"CountryCodes": ["DE"]}});
        let and = json!({"AndStatement": {"Statements": [path, country]}});
        let or = json!({"OrStatement": {"Statements": [path, country]}});
        let not = json!({"NotStatement": {"Statement": path}});
        let yes = Sample::new("GET", "/a/b");
        let no = Sample::new("GET", "/b");
        let matches = |it: &Value, on: &Sample| Statement(it).matches(&on.as_request());
        assert_eq!(matches(&and, &yes), None);
        assert_eq!(matches(&and, &no), Some(false));
        assert_eq!(matches(&or, &yes), Some(true));
        assert_eq!(matches(&or, &no), None);
        assert_eq!(matches(&not, &yes), Some(false));
        assert_eq!(Statement(&and).levels(), 1);
        assert_eq!(Statement(&json!({"NotStatement": {"Statement": and}})).levels(), 2);
        assert_eq!(Statement(&and).walk().len(), 3);
    }
}
