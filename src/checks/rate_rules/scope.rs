//! A statement as conditions on the request and on the address.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::{Deployment, Item, Statement};
use crate::rules::{
    Condition, Network, NetworkKind, RequestPart, TextTest, Transformation, canonical_cidr, merge,
};

/// Deeper statements are refused.
const DEPTH: usize = 32;

/// What a statement asks for. All of it has to hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Of the request.
    pub(super) conditions: Vec<Condition>,
    /// Of the address: that it is in one network of each of these lists.
    pub(super) only: Vec<Vec<Network>>,
    /// Of the address: that it is in none of these.
    pub(super) but: Vec<Network>,
}

impl Scope {
    pub(super) fn add(&mut self, other: &Self) {
        self.conditions.extend(other.conditions.iter().cloned());
        self.only.extend(other.only.iter().cloned());
        self.but.extend(other.but.iter().cloned());
    }
}

/// Reads statements of a resource.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) deployment: &'a Deployment,
    pub(super) item: &'a Item,
}

impl<'a> Reader<'a> {
    /// What a statement asks for, or its opposite.
    ///
    /// # Errors
    /// When it cannot be said exactly: why.
    pub(super) fn scope(self, statement: Statement<'a>, negated: bool) -> Result<Scope, String> {
        let mut parts = Vec::new();
        conjuncts(statement, negated, DEPTH, &mut parts)?;
        let mut scope = Scope::default();
        for (part, negated) in parts {
            match (names_addresses(part), negated) {
                (Addresses::None, _) => {
                    let condition = condition(part, DEPTH)?;
                    scope.conditions.push(if negated {
                        Condition::Not(Box::new(condition))
                    } else {
                        condition
                    });
                }
                (Addresses::Only, true) if kind(part)? == IP_SET => {
                    scope.but.push(self.network(part)?);
                }
                (Addresses::Only, false) if kind(part)? == IP_SET => {
                    scope.only.push(vec![self.network(part)?]);
                }
                (Addresses::Only, false) if kind(part)? == "OrStatement" => {
                    let either = part.parts().into_iter();
                    scope.only.push(either.map(|one| self.network(one)).collect::<Result<_, _>>()?);
                }
                (Addresses::Only, _) => {
                    return Err("it looks at addresses in a way that is too involved".to_owned());
                }
                (Addresses::Mixed, _) => {
                    return Err("it looks at an address or at something else of the request, and \
                                these are told apart here"
                        .to_owned());
                }
            }
        }
        Ok(scope)
    }

    /// The addresses of a reference to an IP set.
    fn network(self, statement: Statement<'_>) -> Result<Network, String> {
        let kind = kind(statement)?;
        let Some(reference) = statement.of(IP_SET) else {
            return Err(format!("it holds a {kind} among addresses"));
        };
        if !reference["IPSetForwardedIPConfig"].is_null() {
            return Err("it looks for an address in a header".to_owned());
        }
        let arn = &reference["ARN"];
        let set = self.deployment.ip_set(arn, self.item).ok_or_else(|| {
            let named = arn.as_str().or_else(|| marker::expression(arn)).unwrap_or("unknown");
            format!("its IP set `{named}` is not among what was read")
        })?;
        let name = set.name.clone().unwrap_or_else(|| set.item.address.clone());
        let addresses = (set.addresses.as_ref())
            .ok_or_else(|| format!("the addresses of its IP set `{name}` are not known yet"))?;
        let cidrs = addresses.iter().map(|text| {
            canonical_cidr(text)
                .ok_or_else(|| format!("`{text}` in its IP set `{name}` is no address"))
        });
        let cidrs = merge(&cidrs.collect::<Result<Vec<_>, _>>()?);
        Ok(Network { name, cidrs, kind: NetworkKind::Tester, until: None })
    }
}

const IP_SET: &str = "IPSetReferenceStatement";

/// The kind of a good statement.
fn kind(statement: Statement<'_>) -> Result<&str, String> {
    match statement.kinds()[..] {
        [kind] => Ok(kind),
        [] if marker::is_hidden(statement.0) => Err("a part of it is sensitive".to_owned()),
        [] => Err("a part of it is not known before it is deployed".to_owned()),
        _ => Err("a part of it is no statement".to_owned()),
    }
}

/// Opens up what has to hold together: `and`, the opposite of `or`, the opposite of `not`.
fn conjuncts<'a>(
    statement: Statement<'a>,
    negated: bool,
    depth: usize,
    into: &mut Vec<(Statement<'a>, bool)>,
) -> Result<(), String> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    match (kind(statement)?, negated) {
        ("AndStatement", false) | ("OrStatement", true) => {
            for part in statement.parts() {
                conjuncts(part, negated, depth, into)?;
            }
        }
        ("NotStatement", _) => conjuncts(only_part(statement)?, !negated, depth, into)?,
        _ => into.push((statement, negated)),
    }
    Ok(())
}

fn too_deep() -> String {
    "it is nested too deep".to_owned()
}

fn only_part(statement: Statement<'_>) -> Result<Statement<'_>, String> {
    match statement.parts()[..] {
        [part] => Ok(part),
        _ => Err("a `not` holds one statement".to_owned()),
    }
}

enum Addresses {
    None,
    Only,
    Mixed,
}

/// Whether a statement is about addresses.
fn names_addresses(statement: Statement<'_>) -> Addresses {
    let leaves = statement.walk().into_iter().filter(|one| one.parts().is_empty());
    let (sets, others): (Vec<_>, Vec<_>) = leaves.partition(|one| one.of(IP_SET).is_some());
    match (sets.is_empty(), others.is_empty()) {
        (true, _) => Addresses::None,
        (false, true) => Addresses::Only,
        (false, false) => Addresses::Mixed,
    }
}

fn condition(statement: Statement<'_>, depth: usize) -> Result<Condition, String> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    let parts = || -> Result<Vec<Condition>, String> {
        statement.parts().into_iter().map(|part| condition(part, depth)).collect()
    };
    let kind = kind(statement)?;
    let inner = &statement.0[kind];
    match kind {
        "AndStatement" => Ok(Condition::All(parts()?)),
        "OrStatement" => Ok(Condition::Any(parts()?)),
        "NotStatement" => Ok(Condition::Not(Box::new(condition(only_part(statement)?, depth)?))),
        "ByteMatchStatement" => {
            let bytes = search_bytes(&inner["SearchString"])?;
            text(
                inner,
                match inner["PositionalConstraint"].as_str() {
                    Some("EXACTLY") => TextTest::Exactly(bytes),
                    Some("STARTS_WITH") => TextTest::StartsWith(bytes),
                    Some("ENDS_WITH") => TextTest::EndsWith(bytes),
                    Some("CONTAINS") => TextTest::Contains(bytes),
                    other => return Err(format!("it looks for `{}`", other.unwrap_or("nothing"))),
                },
            )
        }
        "RegexMatchStatement" => {
            let expression = inner["RegexString"].as_str().ok_or("its expression is not known")?;
            let test = TextTest::regex(expression).map_err(|reason| {
                format!("its expression cannot be read here as AWS WAF does: {reason}")
            })?;
            text(inner, test)
        }
        other => {
            let name = other.strip_suffix("Statement").unwrap_or(other);
            Err(format!("it holds a {name} statement, and logs do not tell what that decides"))
        }
    }
}

fn search_bytes(value: &Value) -> Result<Vec<u8>, String> {
    use base64::Engine as _;
    let blob = value.as_str().ok_or("the text that it looks for is a secret, or not known yet")?;
    let decoded = base64::engine::general_purpose::STANDARD.decode(blob);
    decoded.map_err(|_| "the text that it looks for is no base64".to_owned())
}

fn text(inner: &Value, test: TextTest) -> Result<Condition, String> {
    let field = inner["FieldToMatch"].as_object().and_then(|members| members.iter().next());
    let (field, members) = field.ok_or("it does not say where it looks for a text")?;
    let header = members["Name"].as_str().unwrap_or_default();
    let part = match field.as_str() {
        "UriPath" => RequestPart::Path,
        "Method" => RequestPart::Method,
        "SingleHeader" if header.eq_ignore_ascii_case("host") => RequestPart::Host,
        "SingleHeader" => return Err(format!("it looks at the header `{header}`")),
        other => {
            return Err(format!("it looks at {other}, and only at path, method and host here"));
        }
    };
    Ok(Condition::Text { part, transformations: transformations(inner)?, test })
}

/// By priority, as they run.
fn transformations(inner: &Value) -> Result<Vec<Transformation>, String> {
    let list = inner["TextTransformations"].as_array();
    let list = list.ok_or("its text transformations are not known")?;
    let mut all: Vec<&Value> = list.iter().collect();
    all.sort_by_key(|one| one["Priority"].as_i64());
    let read = |one: &Value| match one["Type"].as_str().unwrap_or("unknown") {
        "NONE" => Ok(Transformation::None),
        "LOWERCASE" => Ok(Transformation::Lowercase),
        "URL_DECODE" => Ok(Transformation::UrlDecode),
        "NORMALIZE_PATH" => Ok(Transformation::NormalizePath),
        other => Err(format!("its text transformation {other} is not one that can be done here")),
    };
    all.into_iter().map(read).collect()
}
