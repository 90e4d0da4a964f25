//! CloudFront standard logs, v1 with any historical column set and v2 in `w3c`: one line to one
//! [`Request`].

use super::fields::{Field, FieldList};
use super::file_report::SkipReason;
use super::request::{Columns, Request};
use super::stamp::{DayCache, epoch_seconds};

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
        let Self { columns, days } = self;
        columns.restart();
        columns.find(line, usize::from(fields.first));
        assemble(line, columns, days, fields, None)
    }
}

/// A request of columns that are found: those that every request has, and its time. `ended_otherwise`: the
/// end of the response, if the columns do not tell it.
#[inline]
pub(super) fn assemble<'a>(
    line: &'a [u8],
    columns: &'a mut Columns,
    days: &mut DayCache,
    fields: &'a FieldList,
    ended_otherwise: Option<i64>,
) -> Result<Request<'a>, SkipReason> {
    let at = |field| columns.at(line, fields.column(field)?);
    let client = at(Field::ClientAddress).ok_or(SkipReason::TooFewColumns)?;
    let path = at(Field::Path).ok_or(SkipReason::TooFewColumns)?;
    if is_nothing(client) {
        return Err(SkipReason::NoClient);
    }
    if is_nothing(path) {
        return Err(SkipReason::NoPath);
    }
    let method = at(Field::Method).filter(|text| !is_nothing(text)).unwrap_or_default();
    // What nearly every log has, first.
    let ended = match (at(Field::Date), at(Field::Time)) {
        (Some(date), Some(time)) if !fields.has_milliseconds() => days.seconds(date, time),
        _ => None,
    };
    let ended = ended
        .or_else(|| any_time(line, columns, days, fields))
        .or(ended_otherwise)
        // The counters keep seconds in 32 bits, good until 2106.
        .filter(|seconds| (0..=i64::from(u32::MAX)).contains(seconds))
        .ok_or(SkipReason::NoTime)?;
    Ok(Request { ended, client, method, path, arrived: None, rules: None, line, columns, fields })
}

/// The end of the response by the first of its columns that tells it.
#[cold]
fn any_time(
    line: &[u8],
    columns: &mut Columns,
    days: &mut DayCache,
    fields: &FieldList,
) -> Option<i64> {
    let mut get = |field| columns.get(line, fields.column(field)?);
    get(Field::TimestampMilliseconds)
        .and_then(epoch_seconds)
        .or_else(|| match (get(Field::Date), get(Field::Time)) {
            (Some(date), Some(time)) => days.seconds(date, time),
            _ => None,
        })
        .or_else(|| get(Field::Timestamp).and_then(epoch_seconds))
}

#[inline]
fn is_nothing(text: &[u8]) -> bool {
    matches!(text, b"" | b"-")
}
