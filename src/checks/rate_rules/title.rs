//! What a rule counts, for people: a route as after `--route` where it is one.

use crate::rules::{Condition, PathPattern, RequestPart, Spelling, TextTest, Transformation};

/// The text of one alternative.
type Text<'a> = (RequestPart, &'a [Transformation], &'a TextTest);

/// `GET shop.example/oauth/token`; paths that it leaves out are not told, as those of a policy are not.
pub(super) fn title(conditions: &[Condition]) -> String {
    route(conditions).unwrap_or_else(|| "the requests of its scope-down statement".to_owned())
}

fn route(conditions: &[Condition]) -> Option<String> {
    let (mut methods, mut hosts, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for condition in conditions {
        if matches!(condition, Condition::Not(_)) {
            continue;
        }
        let texts = alternatives(condition)?;
        let part = texts.first()?.0;
        let list = match part {
            RequestPart::Method => &mut methods,
            RequestPart::Host => &mut hosts,
            RequestPart::Path => &mut paths,
        };
        if !list.is_empty() || texts.iter().any(|text| text.0 != part) {
            return None;
        }
        for (place, text) in texts.iter().enumerate() {
            if part == RequestPart::Path {
                if !is_slashed(text, &texts[..place]) {
                    list.push(path(text.2));
                }
            } else if let TextTest::Exactly(bytes) = text.2 {
                list.push(String::from_utf8_lossy(bytes).into_owned());
            } else {
                return None;
            }
        }
    }
    if hosts.len() > 1 {
        return None;
    }
    if methods.is_empty() && hosts.is_empty() && paths.is_empty() {
        return Some("every request".to_owned());
    }
    if paths.is_empty() {
        paths.push("/*".to_owned());
    }
    let methods = if methods.is_empty() { String::new() } else { methods.join(",") + " " };
    let host = hosts.first().map_or("", String::as_str);
    let paths = paths.iter().map(|path| format!("{methods}{host}{path}"));
    Some(paths.collect::<Vec<_>>().join(", "))
}

fn alternatives(condition: &Condition) -> Option<Vec<Text<'_>>> {
    match condition {
        Condition::Any(parts) => parts.iter().map(as_text).collect(),
        other => Some(vec![as_text(other)?]),
    }
}

fn as_text(condition: &Condition) -> Option<Text<'_>> {
    match condition {
        Condition::Text { part, transformations, test } => Some((*part, transformations, test)),
        _ => None,
    }
}

/// Whether it is the spelling with a slash at the end of one that stands before it.
fn is_slashed(text: &Text<'_>, before: &[Text<'_>]) -> bool {
    let (_, transformations, test) = text;
    let (TextTest::Exactly(bytes) | TextTest::EndsWith(bytes)) = test else { return false };
    let Some(bare) = bytes.strip_suffix(b"/") else { return false };
    let is_bare = |test: &TextTest| matches!(test, TextTest::Exactly(own) | TextTest::EndsWith(own) if own == bare);
    *transformations == Spelling::Loose.transformations()
        && before.iter().any(|(_, _, test)| is_bare(test))
}

fn path(test: &TextTest) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pattern = match test {
        TextTest::Exactly(bytes) => PathPattern::Exactly(text(bytes)),
        TextTest::StartsWith(bytes) => PathPattern::StartsWith(text(bytes)),
        TextTest::EndsWith(bytes) => PathPattern::EndsWith(text(bytes)),
        TextTest::Contains(bytes) => PathPattern::Contains(text(bytes)),
        TextTest::Regex(expression) => PathPattern::Regex(expression.as_str().to_owned()),
    };
    pattern.to_string()
}
