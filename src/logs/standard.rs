//! CloudFront standard logs, v1 with any historical column set and v2 in `w3c`: one line to one
//! [`Request`].

use super::fields::{Field, FieldList};
use super::reader::SkipReason;
use super::request::{Columns, Request};
use super::stamp::{DayCache, epoch_seconds, whole_seconds};

/// Reads lines by the field list in force.
#[derive(Debug, Default)]
pub(super) struct LineParser {
    columns: Columns,
    days: DayCache,
}

impl LineParser {
    /// One line to one request. Tabs are split before anything is decoded.
    #[inline]
    pub(super) fn parse<'a>(
        &'a mut self,
        line: &'a [u8],
        fields: &'a FieldList,
    ) -> Result<Request<'a>, SkipReason> {
        split(&mut self.columns, line, usize::from(fields.used));
        let get = |field| {
            let text = self.columns.get(line, fields.column(field)?)?;
            Some(text)
        };
        let client = get(Field::ClientAddress).ok_or(SkipReason::TooFewColumns)?;
        let path = get(Field::Path).ok_or(SkipReason::TooFewColumns)?;
        if is_nothing(client) {
            return Err(SkipReason::NoClient);
        }
        if is_nothing(path) {
            return Err(SkipReason::NoPath);
        }
        let end = match (get(Field::Date), get(Field::Time)) {
            (Some(date), Some(time)) => self.days.seconds(date, time),
            _ => None,
        };
        let end = end
            .or_else(|| get(Field::TimestampMilliseconds).and_then(epoch_seconds))
            .or_else(|| get(Field::Timestamp).and_then(epoch_seconds))
            .ok_or(SkipReason::NoTime)?;
        let taken = get(Field::TimeTaken).and_then(whole_seconds).unwrap_or(0);
        let arrival = end - taken;
        // The counters keep seconds in 32 bits, good until 2106.
        if !(0..=i64::from(u32::MAX)).contains(&arrival) {
            return Err(SkipReason::NoTime);
        }
        let method = get(Field::Method).filter(|text| !is_nothing(text)).unwrap_or_default();
        Ok(Request { arrival, client, method, path, line, columns: &self.columns, fields })
    }
}

#[inline]
fn is_nothing(text: &[u8]) -> bool {
    matches!(text, b"" | b"-")
}

/// Finds the ends of the first `used` columns; the rest of the line is not looked at.
#[inline]
fn split(columns: &mut Columns, line: &[u8], used: usize) {
    let mut found = 0;
    for tab in memchr::memchr_iter(b'\t', line) {
        columns.ends[found] = tab as u32;
        found += 1;
        if found == used {
            columns.found = found;
            return;
        }
    }
    columns.ends[found] = line.len() as u32;
    columns.found = found + 1;
}
