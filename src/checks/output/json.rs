//! For programs: JSON of a version, with a schema.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::{Counts, Report};
use crate::checks::check::{Confidence, Severity};
use crate::checks::finding::Place;
use crate::checks::locate::Spot;
use crate::checks::suppress::Located;
use crate::units::{plain, plain_json};

/// The version of the format; it grows when a member goes away or means something else.
const VERSION: u32 = 1;

/// What `ratewaf check --format json` prints.
#[derive(Serialize, JsonSchema)]
struct Document {
    /// The version of this format.
    version: u32,
    /// How many findings there are.
    summary: Counts,
    /// The findings, by place.
    findings: Vec<Entry>,
    /// Findings that are not told.
    suppressed: Vec<SuppressedEntry>,
    /// What the checks could not see.
    not_seen: Vec<NotSeen>,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct Entry {
    /// The id of the check.
    check: &'static str,
    /// `error`, `warning` or `note`.
    severity: SeverityName,
    /// How sure it is.
    confidence: ConfidenceName,
    /// What is wrong.
    message: String,
    /// What to do.
    help: Option<String>,
    /// Where.
    place: PlaceEntry,
    /// Other places that belong to it.
    related: Vec<RelatedEntry>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SeverityName {
    Error,
    Warning,
    Note,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ConfidenceName {
    High,
    Medium,
    Low,
}

/// Where something stands.
#[derive(Serialize, JsonSchema)]
struct PlaceEntry {
    /// The input, as it was named.
    input: String,
    /// The environment that the input is of.
    environment: Option<String>,
    /// The address of the resource, a logical id, or a name.
    address: String,
    /// The name of the rule.
    rule: Option<String>,
    /// The member, as the API spells it.
    member: Option<String>,
    /// Where that is in a text.
    #[serde(flatten)]
    spot: Option<SpotEntry>,
}

/// A place in a text.
#[derive(Serialize, JsonSchema)]
struct SpotEntry {
    /// The file.
    file: String,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
}

/// Another place.
#[derive(Serialize, JsonSchema)]
struct RelatedEntry {
    /// What stands there.
    what: String,
    /// Where.
    place: PlaceEntry,
}

/// A finding that is not told.
#[derive(Serialize, JsonSchema)]
struct SuppressedEntry {
    /// The finding.
    #[serde(flatten)]
    finding: Entry,
    /// Why it is not told.
    reason: String,
    /// The last day of that, as YYYY-MM-DD.
    until: String,
}

/// What the checks could not see.
#[derive(Serialize, JsonSchema)]
struct NotSeen {
    /// The address of the resource or module.
    address: String,
    /// What.
    what: String,
}

/// The findings as JSON, with a line break at the end; no control character but line breaks stands in it.
#[must_use]
pub fn json(report: &Report<'_>) -> String {
    let suppressed = report.sorted.suppressed.iter().map(|(located, by)| SuppressedEntry {
        finding: entry(located),
        reason: by.reason.clone(),
        until: by.until.date_text(),
    });
    let document = Document {
        version: VERSION,
        summary: report.counts(),
        findings: report.told().map(entry).collect(),
        suppressed: suppressed.collect(),
        not_seen: report
            .context
            .deployment
            .blind
            .iter()
            .map(|(item, what)| NotSeen { address: item.address.clone(), what: what.clone() })
            .collect(),
    };
    pretty(&document)
}

/// The JSON Schema (draft 2020-12) of [`json`], with a line break at the end.
#[must_use]
pub fn schema() -> String {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Document>();
    schema.insert("title".to_owned(), "What ratewaf check --format json prints".into());
    pretty(&schema)
}

/// JSON whose texts hold nothing that a terminal would obey: JSON escapes only a part of that.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    // Only maps with keys that are no strings can fail; there are none.
    let mut text = plain_json(&serde_json::to_string_pretty(value).unwrap_or_default());
    text.push('\n');
    text
}

fn entry(located: &Located) -> Entry {
    let finding = &located.finding;
    let related = located.related.iter().zip(&finding.related);
    Entry {
        check: finding.check,
        severity: match finding.severity {
            Severity::Error => SeverityName::Error,
            Severity::Warning => SeverityName::Warning,
            Severity::Note => SeverityName::Note,
        },
        confidence: match finding.confidence {
            Confidence::High => ConfidenceName::High,
            Confidence::Medium => ConfidenceName::Medium,
            Confidence::Low => ConfidenceName::Low,
        },
        message: plain(&finding.message).into_owned(),
        help: finding.help.clone(),
        place: place(&finding.place, located.spot.as_ref()),
        related: related
            .map(|(spot, (at, what))| RelatedEntry {
                what: what.clone(),
                place: place(at, spot.as_ref()),
            })
            .collect(),
    }
}

fn place(place: &Place, spot: Option<&Spot>) -> PlaceEntry {
    PlaceEntry {
        input: place.item.input.clone(),
        environment: place.item.environment.clone(),
        address: place.item.address.clone(),
        rule: place.rule.clone(),
        member: place.member.clone(),
        spot: spot.map(|spot| SpotEntry {
            file: spot.file.clone(),
            line: spot.line,
            column: spot.column,
        }),
    }
}
