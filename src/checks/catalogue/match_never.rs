//! `match-never`: a condition can never be true, so the rule counts nothing.

use crate::checks::model::RuleEffect;
use crate::checks::paths::TextMatch;
use crate::checks::paths::{Field, How, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct MatchNever;

const ABOUT: About = About {
    id: "match-never",
    title: "A condition can never be true, so the rule counts nothing",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/match-never.md"),
};

impl Check for MatchNever {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            for rule in &acl.rules {
                // The conditions of a rate rule, and of what lets requests pass it.
                if rule.rate().is_none() && rule.effect() != Some(RuleEffect::Allow) {
                    continue;
                }
                for found in text_matches(rule.statement()) {
                    let Some(why) = never(&found) else { continue };
                    let message = format!(
                        "{} looks for {}, which never occurs: {why}",
                        rule.title(),
                        words(&found)
                    );
                    findings
                        .add(rule.place().member("SearchString"), message)
                        .help("write it as it is after the transformations");
                }
                for reference in rule.statement().all_of("IPSetReferenceStatement") {
                    let Some(set) = context.deployment.ip_set(&reference["ARN"], &rule.item) else {
                        continue;
                    };
                    if set.addresses.as_ref().is_some_and(Vec::is_empty) {
                        let name = set.name.as_deref().unwrap_or(&set.item.address);
                        findings
                            .add(
                                rule.place().member("IPSetReferenceStatement"),
                                format!(
                                    "{} refers to the IP set `{name}`, which is empty",
                                    rule.title()
                                ),
                            )
                            .help("fill the set, or drop the condition")
                            .related(set.place(), "the set")
                            .severity(Severity::Note);
                    }
                }
            }
        }
    }
}

/// What it looks for; a `*` of the user's own is not mixed with those that stand for a beginning or an end.
fn words(found: &TextMatch<'_>) -> String {
    match found.text.as_deref() {
        Some(text) if text.contains('*') => format!("`{text}`"),
        _ => found.in_words(),
    }
}

/// Why a text is never there, if so.
fn never(found: &TextMatch<'_>) -> Option<&'static str> {
    let text = found.text.as_deref()?;
    let runs = |name: &str| found.has(name) == Some(true);
    if found.how == How::Regex {
        return None;
    }
    if runs("LOWERCASE") && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Some("LOWERCASE leaves no capitals");
    }
    match found.field {
        Field::Path => {
            let is_start = matches!(found.how, How::Exactly | How::StartsWith);
            let is_whole = found.transformations.as_ref()?.iter().all(|one| {
                matches!(
                    *one,
                    "NONE"
                        | "LOWERCASE"
                        | "URL_DECODE"
                        | "URL_DECODE_UNI"
                        | "NORMALIZE_PATH"
                        | "NORMALIZE_PATH_WIN"
                )
            });
            if is_start && is_whole && !text.starts_with('/') {
                return Some("a path begins with `/`");
            }
            if text.contains('?') {
                return Some("the query is no part of the path, and `?` is no wildcard");
            }
            if text.contains('*') {
                return Some("a string match has no wildcards, `*` stands for itself");
            }
            if runs("URL_DECODE") && has_escape(text) {
                return Some("URL_DECODE leaves no escapes");
            }
            if runs("NORMALIZE_PATH")
                && (text.contains("//") || text.contains("/./") || text.contains("/../"))
            {
                return Some("NORMALIZE_PATH leaves no such detour");
            }
            None
        }
        Field::Method => {
            let is_lower = text.bytes().any(|byte| byte.is_ascii_lowercase());
            (is_lower && !runs("LOWERCASE")).then_some("methods are sent in capitals")
        }
        Field::Header(ref name) if name == "host" && text.contains('*') => {
            Some("a string match has no wildcards, and no host has a `*` in its name")
        }
        _ => None,
    }
}

fn has_escape(text: &str) -> bool {
    text.as_bytes().windows(3).any(|it| it[0] == b'%' && it[1..].iter().all(u8::is_ascii_hexdigit))
}
