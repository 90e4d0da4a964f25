use super::*;
use crate::checks::check::{Confidence, Severity};
use crate::checks::locate::Source;

const TEXT: &str = r#"# ratewaf: ignore[limit-range] a test, until 2027-01-01
resource "aws_wafv2_web_acl" "this" {
  rule {
    name = "a"
  }
}

resource "aws_wafv2_web_acl" "other" {
  scope = "REGIONAL" # ratewaf: ignore[limit-range, alarm-region] bug 4711: until 2026-01-01
  // ratewaf: ignore[limit-range] until 2027-01-01
  # ratewaf: ignore[nothing] x until 2027-01-01
  # ratewaf: ignore[alarm-region] not needed until 2027-01-01
  name = "x"
}
"#;

fn found(check: &'static str, address: &str, rule: Option<&str>, member: Option<&str>) -> Finding {
    let item = Item {
        input: "infra".into(),
        environment: None,
        file: Some("infra/a.tf".into()),
        address: address.into(),
        tool: Tool::Terraform,
        change: Change::NotTold,
        region: None,
    };
    Finding {
        check,
        severity: Severity::Error,
        confidence: Confidence::High,
        place: Place { item, rule: rule.map(str::to_owned), member: member.map(str::to_owned) },
        message: "m".into(),
        help: None,
        related: Vec::new(),
    }
}

fn sorted(findings: Vec<Finding>, file: &[Suppression]) -> (usize, Vec<String>) {
    sorted_of(findings, file, &["limit-range", "alarm-region"])
}

fn sorted_of(findings: Vec<Finding>, file: &[Suppression], run: &[&str]) -> (usize, Vec<String>) {
    let sources = [Source { path: "infra/a.tf".into(), text: TEXT.into(), is_hcl: true }];
    let places: Vec<&Place> = findings.iter().map(|one| &one.place).collect();
    let locator = Locator::new(&sources, "infra", &places);
    let today = Timestamp::from_date(2026, 12, 1).unwrap();
    let all = ["limit-range", "alarm-region"];
    let known = Known { all: &all, run };
    let sorted = sort(findings.clone(), &locator, &sources, file, &known, today);
    let told = sorted.told.iter().map(|one| {
        let line = one.spot.as_ref().map_or(0, |spot| spot.line);
        format!("{}: {}", line, one.finding.message)
    });
    (sorted.suppressed.len(), told.collect())
}

#[test]
fn comments_hold_for_what_begins_below_them_until_their_day() {
    let findings = vec![
        found("limit-range", "aws_wafv2_web_acl.this", Some("a"), None),
        found("alarm-region", "aws_wafv2_web_acl.this", None, None),
        found("limit-range", "aws_wafv2_web_acl.other", None, Some("Scope")),
    ];
    let (suppressed, told) = sorted(findings, &[]);
    assert_eq!(suppressed, 1);
    let starts = [
        "2: m",
        "9: m",
        "10: it has no reason",
        "11: no check is called `nothing`",
        "9: the suppression of limit-range, alarm-region has expired on 2026-01-01",
        "12: the suppression of alarm-region is not needed",
    ];
    assert_eq!(told.len(), starts.len(), "{told:#?}");
    for (told, start) in told.iter().zip(starts) {
        assert!(told.starts_with(start), "{told}");
    }
}

#[test]
fn a_file_holds_for_addresses() {
    let text = "- check: alarm-region\n  address: '*.other'\n  reason: r\n  until: 2027-01-01\n";
    let file = read_file(FILE, text).unwrap();
    let findings = vec![
        found("alarm-region", "aws_wafv2_web_acl.this", None, None),
        found("alarm-region", "aws_wafv2_web_acl.other", None, None),
    ];
    assert_eq!(sorted(findings, &file).0, 1);
    for (text, wanted) in [
        ("a: 1", "no list"),
        ("- check: x\n  reason: r\n", "line 1: the suppression has no `until`"),
        ("- check: x\n  reason: r\n  until: soon\n", "is no date"),
        ("- {}\n- checks: x\n", "line 1"),
        ("- [", "line 1, column 3"),
    ] {
        let error = read_file(FILE, text).unwrap_err();
        assert!(error.contains(wanted), "{error}");
    }
    assert_eq!(read_file(FILE, "").unwrap(), []);
}

#[test]
fn stars_stand_for_any_text() {
    for (pattern, text, fits) in [
        ("a*c", "abc", true),
        ("a*c", "ab", false),
        ("*", "", true),
        ("a", "ab", false),
        ("a*a", "a", false),
        ("m.*.x[0]", "m.y.x[0]", true),
    ] {
        assert_eq!(is_like(pattern, text), fits, "{pattern} {text}");
    }
}

/// `--only` of one check called the suppressions of all others useless, and said to remove them.
#[test]
fn a_suppression_of_a_check_that_did_not_run_may_be_needed() {
    let (_, told) = sorted_of(Vec::new(), &[], &["limit-range"]);
    let of = |id: &str| {
        let text = format!("the suppression of {id} is not needed");
        told.iter().filter(|one| one.contains(&text)).count()
    };
    assert_eq!((of("limit-range"), of("alarm-region")), (1, 0), "{told:?}");
}
