//! `key-left-out`: a client that leaves out part of the key is not counted.

use crate::checks::model::{Rate, RuleEffect};
use crate::checks::paths::{Field, text_matches};
use crate::checks::requests::Requests;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct KeyLeftOut;

const ABOUT: About = About {
    id: "key-left-out",
    title: "A client that leaves out part of the key is not counted",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/key-left-out.md"),
};

impl Check for KeyLeftOut {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (acl, rule, rate) in context.rates() {
            let parts = rate.key_parts();
            let Some(part) = parts.iter().find(|part| OPTIONAL.contains(&part.kind)) else {
                continue;
            };
            let counted_otherwise = acl.rules.iter().any(|other| {
                other.name != rule.name
                    && other.rate().is_some_and(|it| cannot_be_left_out(it))
                    && Requests::of(deployment, &[other, rule]).covers(other, rule) == Some(true)
            });
            // A rule that blocks by this header may be one that demands it.
            let demanded = acl.rules.iter().any(|other| {
                other.rate().is_none()
                    && other.effect() == Some(RuleEffect::Block)
                    && (text_matches(other.statement()).iter().any(|it| matches!(&it.field, Field::Header(name) if Some(name.as_str()) == part.name))
                        || other.statement().all_of("SizeConstraintStatement").iter().any(|it| it["FieldToMatch"]["SingleHeader"]["Name"].as_str() == part.name))
            });
            if counted_otherwise || demanded {
                continue;
            }
            let kind = match part.kind {
                "Header" => "header",
                "Cookie" => "cookie",
                "QueryArgument" => "query argument",
                _ => "query string",
            };
            let named = part.name.map(|name| format!(" `{name}`")).unwrap_or_default();
            findings
                .add(rule.place().member("CustomKeys"), format!("{} does not count requests without the {kind}{named}: leaving it out is a way around the limit", rule.title()))
                .help("add a rule for the same requests that counts by IP");
        }
    }
}

/// Parts of a key that a client need not send.
const OPTIONAL: [&str; 4] = ["Header", "Cookie", "QueryArgument", "QueryString"];

fn cannot_be_left_out(rate: Rate<'_>) -> bool {
    match rate.key_type() {
        Some("IP" | "CONSTANT") => true,
        Some("CUSTOM_KEYS") => rate
            .key_parts()
            .iter()
            .all(|part| matches!(part.kind, "IP" | "HTTPMethod" | "UriPath" | "ASN")),
        _ => false,
    }
}
