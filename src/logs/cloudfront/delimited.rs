//! CloudFront's text formats whose columns are not simply separated by tabs under a `#Fields:` line:
//! standard logs v2 in w3c, plain or raw with a delimiter of their owner's choice, and real-time logs.

use super::rows::Rows;
use super::sniff;
use crate::logs::completeness::Completeness;
use crate::logs::delimiter::Delimiter;
use crate::logs::error::Error;
use crate::logs::fields::{Field, FieldList};
use crate::logs::file_report::SkipReason;
use crate::logs::format::{Format, Framing, Kind, Sample};
use crate::logs::options::{InputFormat, Options};
use crate::logs::record::Record;
use crate::logs::source::Source;

/// Standard logs v2 with another delimiter than a tab.
pub(in crate::logs) const STANDARD: Kind =
    Kind { name: InputFormat::Standard, framing: Framing::Lines, fits, open };

/// Real-time logs.
pub(in crate::logs) const REAL_TIME: Kind = Kind {
    name: InputFormat::RealTime,
    framing: Framing::Lines,
    fits: |sample, options| {
        !sample.is_object() && real_time_fields(sample, options).is_some()
            || looks_real_time(sample)
    },
    open: open_real_time,
};

fn fits(sample: &Sample<'_>, options: &Options) -> bool {
    !sample.is_object() && layout(sample, options).is_some()
}

fn open(sample: &Sample<'_>, options: &Options) -> Result<Box<dyn Format>, Error> {
    match layout(sample, options) {
        Some((fields, delimiter)) => Ok(Box::new(Delimited::new(fields, delimiter, None))),
        None => {
            let columns = sample.text.split(|&byte| byte == b'\t').count();
            Err(Error::NoHeader { file: sample.file.to_owned(), line: sample.line, columns })
        }
    }
}

/// The fields and the delimiter, if it is any but the tab (which the line reader does).
fn layout(sample: &Sample<'_>, options: &Options) -> Option<(FieldList, Delimiter)> {
    let named = sample.named.or(options.fields);
    let (fields, delimiter) = match (options.delimiter, named) {
        (Some(delimiter), Some(fields)) => (fields, delimiter),
        (Some(delimiter), None) => {
            let columns = sniff::columns(sample.text, delimiter);
            (sniff::guess(&columns)?, delimiter)
        }
        (None, named) => sniff::sniff(sample.text, named)?,
    };
    (delimiter != Delimiter::TAB).then_some((fields, delimiter))
}

/// The field list, if it is one of a real-time log.
fn real_time_fields(sample: &Sample<'_>, options: &Options) -> Option<FieldList> {
    let fields = sample.named.or(options.fields)?;
    // A legacy log without a header may lie in the same folder.
    let legacy = || sniff::guess(&sniff::columns(sample.text, Delimiter::TAB)).is_some();
    (fields.source == Source::RealTime && (sample.named.is_some() || !legacy())).then_some(fields)
}

/// Seconds with three decimals, a tab, an address: the start of the real-time list.
fn looks_real_time(sample: &Sample<'_>) -> bool {
    let mut columns = sample.text.split(|&byte| byte == b'\t');
    let (first, second) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
    let client =
        std::str::from_utf8(second).ok().and_then(|text| text.parse::<std::net::IpAddr>().ok());
    sample.named.is_none() && Rows::is_timestamp(first) && client.is_some()
}

fn open_real_time(sample: &Sample<'_>, options: &Options) -> Result<Box<dyn Format>, Error> {
    let Some(fields) = real_time_fields(sample, options) else {
        let columns = sample.text.split(|&byte| byte == b'\t').count();
        return Err(Error::RealTimeFields {
            file: sample.file.to_owned(),
            line: sample.line,
            columns,
        });
    };
    let delimiter = options.delimiter.unwrap_or(Delimiter::TAB);
    Ok(Box::new(Delimited::new(fields, delimiter, options.sampling)))
}

/// Lines of columns by a list of fields. Every line has to have as many columns as the list: a value
/// with the delimiter in it would shift the others.
struct Delimited {
    fields: FieldList,
    delimiter: memchr::memmem::Finder<'static>,
    length: usize,
    /// Percent of the requests that are in the log.
    sampling: Option<u8>,
    /// Field and column of what is used, in column order.
    used: Vec<(usize, Field)>,
}

impl Delimited {
    fn new(fields: FieldList, delimiter: Delimiter, sampling: Option<u8>) -> Self {
        let bytes = delimiter.as_bytes();
        let finder = memchr::memmem::Finder::new(bytes).into_owned();
        Self { used: fields.in_order(), fields, delimiter: finder, length: bytes.len(), sampling }
    }
}

impl Format for Delimited {
    fn describe(&self) -> String {
        let (used, all) = (self.fields.known(), self.fields.named);
        if self.fields.source == Source::RealTime {
            return format!("CloudFront real-time log, {used} of {all} fields");
        }
        let delimiter = String::from_utf8_lossy(self.delimiter.needle()).into_owned();
        format!("CloudFront v2, separated by `{delimiter}`, {used} of {all} fields")
    }

    fn source(&self) -> Source {
        match self.fields.source {
            // Legacy logs have tabs, whatever their names.
            Source::Standard => Source::StandardV2,
            source => source,
        }
    }

    fn rows(&self) -> Option<u16> {
        // Only the time tells where the second of two records begins that have no line end between them.
        let timed = self.fields.column(Field::Timestamp) == Some(0);
        let real_time = self.fields.source == Source::RealTime;
        (real_time && timed && self.delimiter.needle() == b"\t").then_some(self.fields.named)
    }

    fn directive(&mut self, line: &[u8]) {
        if let Some(names) = FieldList::names_in(line) {
            let source = (self.fields.source == Source::RealTime).then_some(Source::RealTime);
            self.fields = FieldList::in_layout_of(&String::from_utf8_lossy(names), source);
            self.used = self.fields.in_order();
        }
    }

    fn parse(&mut self, line: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let mut used = self.used.iter().peekable();
        let mut column = 0;
        let mut start = 0;
        let mut surplus = false;
        loop {
            let end = self.delimiter.find(&line[start..]).map(|at| start + at);
            let value = &line[start..end.unwrap_or(line.len())];
            while let Some((_, field)) = used.next_if(|(at, _)| *at == column) {
                let stem = *field == Field::Path && self.fields.source == Source::RealTime;
                record.put(*field, if stem { without_query(value) } else { value });
            }
            column += 1;
            let Some(end) = end else {
                surplus = surplus || value.is_empty();
                break;
            };
            start = end + self.length;
        }
        let wanted = usize::from(self.fields.named);
        match column {
            _ if column == wanted || (surplus && column == wanted + 1) => Ok(()),
            _ if column < wanted => Err(SkipReason::TooFewColumns),
            _ => Err(SkipReason::TooManyColumns),
        }
    }

    fn completeness(&self) -> Completeness {
        let mut completeness = Completeness::default();
        completeness.note_sampling(self.sampling.unwrap_or(100).into());
        completeness
    }
}

/// The stem of a real-time log has the query in it.
pub(super) fn without_query(stem: &[u8]) -> &[u8] {
    &stem[..memchr::memchr(b'?', stem).unwrap_or(stem.len())]
}
