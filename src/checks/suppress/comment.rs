//! `# ratewaf: ignore[alarm-region] the alarm moves next week, until 2027-01-01`

use super::{Scope, Suppression, date};
use crate::checks::locate::{Locator, Source, Spot};

const SIGN: &str = "ratewaf: ignore";

/// The suppressions in a source, and what is wrong with others.
pub(super) fn read(
    place: usize,
    source: &Source,
    locator: &Locator<'_>,
    known: &[&str],
) -> (Vec<Suppression>, Vec<(Spot, String)>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    if !source.text.contains(SIGN) {
        return (found, faults);
    }
    let blocks = if source.is_hcl { locator.blocks(place) } else { Vec::new() };
    let lines: Vec<&str> = source.text.lines().collect();
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let begin = start;
        start += line.len();
        let Some((before, text)) = comment(line, source.is_hcl) else { continue };
        let spot = Spot {
            file: source.path.clone(),
            source: place,
            start: begin + before.len(),
            end: begin + line.trim_end().len(),
            line: number + 1,
            column: 1 + before.chars().count(),
            end_column: 1 + line.trim_end().chars().count(),
        };
        match parsed(text, known) {
            Ok((checks, reason, until)) => {
                let first = if before.trim().is_empty() {
                    let is_code = |line: &&str| {
                        let line = line.trim_start();
                        !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")
                    };
                    let next = lines.iter().skip(number + 1).position(is_code);
                    next.map_or(number + 1, |next| number + 2 + next)
                } else {
                    number + 1
                };
                let last = if source.is_hcl {
                    blocks.iter().find(|(line, _)| *line == first).map_or(first, |(_, last)| *last)
                } else {
                    last_of(&lines, first)
                };
                found.push(Suppression {
                    checks,
                    reason,
                    until,
                    spot,
                    scope: Scope::Lines(first, last),
                });
            }
            Err(fault) => faults.push((spot, fault)),
        }
    }
    (found, faults)
}

/// What stands before the comment in a line, and the text after [`SIGN`].
fn comment(line: &str, is_hcl: bool) -> Option<(&str, &str)> {
    let place = line.find(SIGN)?;
    let sign = line[..place].trim_end();
    let before = sign.strip_suffix('#').or_else(|| sign.strip_suffix("//").filter(|_| is_hcl))?;
    Some((before, line[place + SIGN.len()..].trim()))
}

type Parts = (Vec<String>, String, crate::units::Timestamp);

fn parsed(text: &str, known: &[&str]) -> Result<Parts, String> {
    const FORM: &str = "write `ratewaf: ignore[CHECK] REASON until YYYY-MM-DD`";
    let list = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((ids, rest)) = list else { return Err(format!("it names no check; {FORM}")) };
    let checks: Vec<String> =
        ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
    if checks.is_empty() {
        return Err(format!("it names no check; {FORM}"));
    }
    if let Some(id) = checks.iter().find(|id| !known.contains(&id.as_str())) {
        return Err(format!("no check is called `{id}`; `ratewaf explain-check` lists them"));
    }
    let Some((reason, day)) = rest.rsplit_once("until ") else {
        return Err(format!("it has no last day; {FORM}"));
    };
    let day = day.trim().trim_end_matches('.');
    let Some(until) = date(day) else { return Err(format!("`{day}` is no date; {FORM}")) };
    let reason =
        reason.trim().trim_end_matches([',', ':', ';']).trim_start_matches([':', '-']).trim();
    if reason.is_empty() {
        return Err(format!("it has no reason; {FORM}"));
    }
    Ok((checks, reason.to_owned(), until))
}

/// The last line of what begins in a line of YAML: those that are indented deeper belong to it.
fn last_of(lines: &[&str], first: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(line) = lines.get(first - 1) else { return first };
    let own = indent(line);
    let mut last = first;
    for (number, line) in lines.iter().enumerate().skip(first) {
        if line.trim().is_empty() {
            continue;
        }
        if indent(line) <= own {
            break;
        }
        last = number + 1;
    }
    last
}
