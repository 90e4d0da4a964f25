//! What statements look for in texts of a request.

use serde_json::Value;

use super::context::Context;
use super::marker;
use super::model::{Rate, Rule, Statement};
use super::whose::policy_of;
use crate::rules::Spelling;

/// Deeper logic is not looked at.
const DEPTH: usize = 64;

/// Which text of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The path.
    Path,
    /// The method.
    Method,
    /// A header, in lower case.
    Header(String),
    /// Something else.
    Other,
}

/// How the text has to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is the whole.
    Exactly,
    /// The beginning.
    StartsWith,
    /// The end.
    EndsWith,
    /// Somewhere.
    Contains,
    /// It is an expression.
    Regex,
}

/// One string or regular expression match.
#[derive(Clone, Debug)]
pub struct TextMatch<'a> {
    /// The members of its statement.
    pub raw: &'a Value,
    /// Where it is looked for.
    pub field: Field,
    /// How it has to lie.
    pub how: How,
    /// What is looked for, if it is known.
    pub text: Option<String>,
    /// In the order in which they run, if they are known.
    pub transformations: Option<Vec<&'a str>>,
    /// Whether a `not` stands around it.
    pub is_excluded: bool,
}

impl TextMatch<'_> {
    /// Whether a transformation whose name begins like this runs; `None` if they are not known.
    #[must_use]
    pub fn has(&self, transformation: &str) -> Option<bool> {
        let all = self.transformations.as_ref()?;
        Some(all.iter().any(|one| one.starts_with(transformation)))
    }

    /// What it looks for, as people would write it.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Some(text) = self.text.as_deref() else { return "something".to_owned() };
        match self.how {
            How::Exactly => format!("`{text}`"),
            How::StartsWith => format!("`{text}*`"),
            How::EndsWith => format!("`*{text}`"),
            How::Contains => format!("`*{text}*`"),
            How::Regex => format!("the expression `{text}`"),
        }
    }

    /// Paths that it tells apart.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let Some(text) = &self.text else { return Vec::new() };
        let rooted = if text.starts_with('/') { text.clone() } else { format!("/{text}") };
        match self.how {
            How::Exactly => vec![rooted.clone(), format!("{rooted}/"), format!("{rooted}/vk")],
            How::StartsWith => vec![rooted.clone(), format!("{rooted}/vk"), format!("{rooted}qz")],
            How::EndsWith | How::Contains => {
                vec![rooted.clone(), format!("/qz{rooted}"), format!("{rooted}/vk")]
            }
            How::Regex => {
                let plain = literal(text);
                plain.map(|it| vec![format!("{it}/vk"), format!("{it}/"), it]).unwrap_or_default()
            }
        }
    }
}

/// A text that a simple expression matches: no more than literal characters, anchors, `(/|$)`, `.*` and optional slashes.
#[must_use]
pub fn literal(expression: &str) -> Option<String> {
    let mut text = expression.trim_start_matches("(?i)").trim_start_matches('^').to_owned();
    for rest in ["(/|$)", "($|/)", "(/.*)?$", "/?$", ".*$", ".*", "/.+$", "$"] {
        if let Some(shorter) = text.strip_suffix(rest) {
            text = shorter.to_owned();
            break;
        }
    }
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let next = characters.next()?;
                if next.is_alphanumeric() {
                    return None;
                }
                out.push(next);
            }
            '.' | '^' | '$' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => {
                return None;
            }
            other => out.push(other),
        }
    }
    if out.is_empty() {
        None
    } else if out.starts_with('/') {
        Some(out)
    } else {
        Some(format!("/{out}"))
    }
}

/// The paths that a rate-based rule counts, in words: `everything` without a scope-down, `some requests` if that names
/// no path.
#[must_use]
pub fn counted_in_words(rate: Rate<'_>) -> String {
    if !rate.is_scoped() {
        return "everything".to_owned();
    }
    let matches = rate.scope_down().map(text_matches).unwrap_or_default();
    let mut paths: Vec<String> = matches
        .iter()
        .filter(|one| one.field == Field::Path && !one.is_excluded && one.text.is_some())
        .map(TextMatch::in_words)
        .collect();
    paths.dedup();
    if paths.is_empty() { "some requests".to_owned() } else { crate::units::listed(&paths) }
}

/// All string and regular expression matches in a statement.
#[must_use]
pub fn text_matches(statement: Statement<'_>) -> Vec<TextMatch<'_>> {
    let mut found = Vec::new();
    gather(statement, false, &mut found, DEPTH);
    found
}

/// Rate-based rules of which the policy does not want that they look at one spelling of the path only.
pub fn loose_rules<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a Rule> + use<'a> {
    let context = *context;
    let rules = context.rates().map(|(_, rule, _)| rule);
    rules.filter(move |rule| !is_strict(&context, rule))
}

/// What they look for in paths.
pub fn loose_paths<'a>(
    context: &Context<'a>,
) -> impl Iterator<Item = (&'a Rule, TextMatch<'a>)> + use<'a> {
    loose_rules(context).flat_map(|rule| {
        let found = text_matches(rule.statement()).into_iter();
        let of_paths = found.filter(|one| one.field == Field::Path && !one.is_excluded);
        of_paths.map(move |one| (rule, one))
    })
}

/// Whether the policy wants this rule to look at one spelling of its path only.
fn is_strict(context: &Context<'_>, rule: &Rule) -> bool {
    let Some(name) = rule.name.as_deref() else { return false };
    let Some(policy) = policy_of(context, name) else { return false };
    policy.routes.iter().any(|route| {
        let own = format!("{}-{}", policy.name, route.route.name);
        route.route.spelling == Spelling::Strict
            && (name == own || name.starts_with(&format!("{own}-")))
    })
}

fn gather<'a>(
    statement: Statement<'a>,
    is_excluded: bool,
    into: &mut Vec<TextMatch<'a>>,
    depth: usize,
) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for kind in statement.kinds() {
        let Some(raw) = statement.of(kind) else { continue };
        let text = match kind {
            "ByteMatchStatement" => Statement::search_text(raw),
            "RegexMatchStatement" => raw["RegexString"].as_str().map(str::to_owned),
            // What a pattern set holds is not looked at; what is done to the path first is.
            "RegexPatternSetReferenceStatement" => None,
            _ => continue,
        };
        let how = match raw["PositionalConstraint"].as_str() {
            _ if kind != "ByteMatchStatement" => How::Regex,
            Some("EXACTLY") => How::Exactly,
            Some("STARTS_WITH") => How::StartsWith,
            Some("ENDS_WITH") => How::EndsWith,
            _ => How::Contains,
        };
        let transformations = transformations(&raw["TextTransformations"]);
        into.push(TextMatch {
            raw,
            field: field(&raw["FieldToMatch"]),
            how,
            text,
            transformations,
            is_excluded,
        });
    }
    let is_not = statement.of("NotStatement").is_some();
    for part in statement.parts() {
        gather(part, is_excluded != is_not, into, depth);
    }
}

fn field(raw: &Value) -> Field {
    let Some((kind, inner)) = raw.as_object().and_then(|members| members.iter().next()) else {
        return Field::Other;
    };
    match kind.as_str() {
        "UriPath" => Field::Path,
        "Method" => Field::Method,
        "SingleHeader" => match inner["Name"].as_str() {
            Some(name) => Field::Header(name.to_ascii_lowercase()),
            None => Field::Other,
        },
        _ => Field::Other,
    }
}

fn transformations(raw: &Value) -> Option<Vec<&str>> {
    if marker::any(raw) {
        return None;
    }
    let mut list: Vec<(i64, &str)> = raw
        .as_array()?
        .iter()
        .filter_map(|one| Some((one["Priority"].as_i64()?, one["Type"].as_str()?)))
        .collect();
    list.sort_by_key(|(priority, _)| *priority);
    Some(list.into_iter().map(|(_, kind)| kind).collect())
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn simple_expressions_have_a_text() {
        for (expression, text) in [
            ("^/login$", "/login"),
            ("^/api/v1\\.2/x(/|$)", "/api/v1.2/x"),
            ("^/login/?$", "/login"),
            ("(?i)^/a.*", "/a"),
            ("login", "/login"),
        ] {
            assert_eq!(literal(expression).as_deref(), Some(text), "{expression}");
        }
        for expression in ["^/a|b$", "^/[a-z]+$", "^/\\d$", "", "^$"] {
            assert_eq!(literal(expression), None, "{expression}");
        }
    }
}
