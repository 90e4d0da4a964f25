//! Tells the delimiter of a line, and the meaning of its columns where nobody says it.

use std::collections::BTreeSet;

use crate::logs::delimiter::Delimiter;
use crate::logs::fields::{Field, FieldList};
use crate::logs::stamp::{DayCache, epoch_seconds};

/// A delimiter is looked for in so much of a line.
const LOOKED_AT: usize = 16 << 10;

/// The columns of a line.
pub(super) fn columns(line: &[u8], delimiter: Delimiter) -> Vec<&[u8]> {
    let bytes = delimiter.as_bytes();
    let mut start = 0;
    let mut columns = Vec::new();
    for at in memchr::memmem::find_iter(line, bytes) {
        columns.push(&line[start..at]);
        start = at + bytes.len();
    }
    columns.push(&line[start..]);
    columns
}

/// Fields and delimiter of a line: with the fields named, the text that stands between so many columns and
/// makes a time of the time; without, the same for the sets of columns that AWS writes unasked. A tab is
/// always one, and runs of blanks are left to the line reader.
pub(super) fn sniff(line: &[u8], named: Option<FieldList>) -> Option<(FieldList, Delimiter)> {
    if line.contains(&b'\t') {
        return named.map(|fields| (fields, Delimiter::TAB));
    }
    let mut fitting = candidates(&line[..line.len().min(LOOKED_AT)])
        .into_iter()
        .filter_map(|text| Delimiter::parse(text).ok())
        .filter(|delimiter| delimiter.as_bytes() != b" ")
        .filter_map(|delimiter| {
            let columns = columns(line, delimiter);
            let fields = match named {
                Some(fields) => fits(&columns, &fields).then_some(fields),
                None => guess(&columns),
            };
            Some((fields?, delimiter))
        });
    // Of `; ` and `;`, which both fit, the longer one is meant.
    let first = fitting.next()?;
    Some(fitting.fold(first, |best, next| {
        if next.1.as_bytes().len() > best.1.as_bytes().len() { next } else { best }
    }))
}

/// Texts of one to five characters without letters and digits, each once.
fn candidates(line: &[u8]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for start in 0..line.len() {
        for length in 1..=Delimiter::LONGEST {
            let Some(text) = line.get(start..start + length) else { break };
            // Escapes, dots of addresses and the like stand in values of every log.
            if text.iter().any(|byte| byte.is_ascii_alphanumeric() || b"%./".contains(byte)) {
                break;
            }
            found.extend(std::str::from_utf8(text));
        }
    }
    found
}

/// The set of columns that AWS writes unasked and that a line with such columns has.
pub(super) fn guess(columns: &[&[u8]]) -> Option<FieldList> {
    let surplus = usize::from(columns.last().is_some_and(|column| column.is_empty()));
    let lists = [columns.len(), columns.len() - surplus];
    lists.into_iter().filter_map(FieldList::guess).find(|fields| fits(columns, fields))
}

/// Whether there are as many columns as fields, and the one that should be a time is one.
fn fits(columns: &[&[u8]], fields: &FieldList) -> bool {
    let named = usize::from(fields.named);
    let surplus = columns.last().is_some_and(|column| column.is_empty());
    let get = |field| columns.get(fields.column(field)?).copied();
    let stamp = |field| get(field).and_then(epoch_seconds);
    let dated = match (get(Field::Date), get(Field::Time)) {
        (Some(date), Some(time)) => DayCache::default().seconds(date, time),
        _ => None,
    };
    let time =
        dated.or_else(|| stamp(Field::TimestampMilliseconds)).or_else(|| stamp(Field::Timestamp));
    (columns.len() == named || (surplus && columns.len() == named + 1)) && time.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniffed(names: &str, line: &str) -> Option<String> {
        let (_, delimiter) = sniff(line.as_bytes(), FieldList::parse(names).ok())?;
        Some(String::from_utf8_lossy(delimiter.as_bytes()).into_owned())
    }

    #[test]
    fn delimiters_are_told_by_what_makes_a_time() {
        let names = "cs(User-Agent) date time c-ip cs-uri-stem";
        let values = ["a;b,(c)|d", "2026-09-08", "00:00:01", "2001:db8::1", "/a;b"];
        for delimiter in [";;", ",", "|||", "; ", "^", "::::", "\t", "-~-"] {
            // A comma stands in the agent of this line: it cannot separate it.
            let expected = (delimiter != ",").then(|| delimiter.to_owned());
            assert_eq!(sniffed(names, &values.join(delimiter)), expected, "{delimiter}");
        }
        assert_eq!(sniffed(names, "a,2026-09-08,00:00:01,192.0.2.1,/a").as_deref(), Some(","));
        assert_eq!(sniffed(names, "a,2026-09-08,00:00:01,192.0.2.1,/a,").as_deref(), Some(","));
        assert_eq!(sniffed(names, "a,2026-09-08,00:00:01,192.0.2.1"), None);
        assert_eq!(sniffed(names, &values.join("")), None);
    }

    #[test]
    fn sets_of_columns_that_nobody_named_are_told() {
        let mut values = vec!["-"; 33];
        (values[0], values[1]) = ("2026-09-08", "00:00:01");
        let (fields, delimiter) = sniff(values.join(";;").as_bytes(), None).unwrap();
        assert_eq!((fields.named, delimiter.as_bytes()), (33, b";;".as_slice()));
        values[0] = "-";
        assert_eq!(sniff(values.join(";;").as_bytes(), None), None);
    }
}
