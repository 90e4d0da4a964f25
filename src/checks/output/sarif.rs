//! SARIF 2.1.0, which code scanning of GitHub and many others read.

use serde_json::{Value, json};

use super::Report;
use super::json::pretty;
use crate::checks::check::{Confidence, Severity};
use crate::checks::finding::Place;
use crate::checks::locate::Spot;
use crate::checks::suppress::{Located, Suppression};
use crate::units::plain;

/// The findings as one run of a SARIF log.
#[must_use]
pub fn sarif(report: &Report<'_>) -> String {
    let rules: Vec<Value> = report
        .checks
        .iter()
        .map(|about| {
            json!({
                "id": about.id,
                "shortDescription": { "text": about.title },
                "help": { "text": about.page, "markdown": about.page },
                "defaultConfiguration": { "level": about.severity.as_str() },
                "properties": { "precision": precision(about.confidence), "tags": ["aws-waf", "rate-limit"] },
            })
        })
        .collect();
    let mut results: Vec<Value> = report.told().map(|one| result(report, one, None)).collect();
    let hidden = report.sorted.suppressed.iter();
    results.extend(hidden.map(|(located, by)| result(report, located, Some(by))));
    let not_seen: Vec<Value> = report
        .context
        .deployment
        .blind
        .iter()
        .map(|(item, what)| {
            json!({ "level": "note", "message": { "text": plain(&format!("not seen: {}: {what}", item.address)) } })
        })
        .collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "ratewaf", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules,
        } },
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    if !not_seen.is_empty() {
        run["invocations"] =
            json!([{ "executionSuccessful": true, "toolExecutionNotifications": not_seen }]);
    }
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }))
}

fn result(report: &Report<'_>, located: &Located, by: Option<&Suppression>) -> Value {
    let finding = &located.finding;
    let mut message = plain(&finding.message).into_owned();
    if let Some(help) = &finding.help {
        message.push_str(&format!(". {}", plain(&super::words::sentence(help))));
    }
    let mut result = json!({
        "ruleId": finding.check,
        "level": level(finding.severity),
        "message": { "text": message },
        "locations": [location(&finding.place, located.spot.as_ref())],
        "partialFingerprints": { "place/v1": fingerprint(&finding.place, finding.check) },
        "properties": { "confidence": finding.confidence.as_str() },
    });
    if let Some(index) = report.checks.iter().position(|about| about.id == finding.check) {
        result["ruleIndex"] = index.into();
    }
    let related: Vec<Value> = located
        .related
        .iter()
        .zip(&finding.related)
        .map(|(spot, (place, what))| {
            let mut location = location(place, spot.as_ref());
            location["message"] = json!({ "text": plain(what) });
            location
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(by) = by {
        let kind = if by.spot.source == usize::MAX { "external" } else { "inSource" };
        result["suppressions"] = json!([{ "kind": kind, "justification": plain(&by.reason) }]);
    }
    result
}

const fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

const fn precision(confidence: Confidence) -> &'static str {
    confidence.as_str()
}

/// A place in a file, and the name of the resource. What has no place of its own gets the first line of
/// its input, as code scanning shows no result without one.
fn location(place: &Place, spot: Option<&Spot>) -> Value {
    let mut name = place.item.address.clone();
    if let Some(rule) = &place.rule {
        name.push_str(&format!("/{rule}"));
    }
    let (file, region) = match spot {
        Some(spot) => (
            spot.file.as_str(),
            json!({
                "startLine": spot.line, "startColumn": spot.column,
                "endColumn": spot.end_column.max(spot.column),
            }),
        ),
        None => {
            (place.item.file.as_deref().unwrap_or(&place.item.input), json!({ "startLine": 1 }))
        }
    };
    json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region },
        "logicalLocations": [{ "fullyQualifiedName": plain(&name), "kind": "resource" }],
    })
}

/// A path as a relative reference (RFC 3986): what is no unreserved character or slash is encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.trim_start_matches("./").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// Of what stays the same when lines move.
fn fingerprint(place: &Place, check: &str) -> String {
    let parts = [
        check,
        &place.item.address,
        place.rule.as_deref().unwrap_or_default(),
        place.member.as_deref().unwrap_or_default(),
    ];
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(parts.join("\0").as_bytes()))
}
