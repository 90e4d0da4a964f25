//! A request of any format but CloudFront's tab-separated one: its values, put one after another into
//! one text that reads like a line of a standard log.

use super::fields::{Field, FieldList};
use super::file_report::SkipReason;
use super::options::Needs;
use super::request::{Columns, Request};
use super::rule_matches::RuleMatches;
use super::source::Source;
use super::stamp::DayCache;
use super::standard::assemble;

/// Is filled by a [`Format`](super::format::Format), then read as a [`Request`]. Its buffers are used
/// again for the next one.
#[derive(Debug, Default)]
pub(super) struct Record {
    text: Vec<u8>,
    columns: Columns,
    fields: FieldList,
    days: DayCache,
    ended: Option<i64>,
    arrived: Option<i64>,
    rules: RuleMatches,
}

impl Record {
    /// Forgets the last request.
    pub(super) fn restart(&mut self, source: Source) {
        self.text.clear();
        self.columns.restart();
        self.fields = FieldList::of_source(source);
        self.ended = None;
        self.arrived = None;
        self.rules.clear();
    }

    /// Where the rules of a web ACL that matched go.
    pub(super) fn rules(&mut self) -> &mut RuleMatches {
        &mut self.rules
    }

    /// A value in the escaping of CloudFront's logs, `-` for none. Of a field that is put twice the first
    /// value counts. [`Request::has`] tells of fields that were put, whatever their value.
    pub(super) fn put(&mut self, field: Field, logged: &[u8]) {
        if self.fields.append(field) {
            self.text.extend_from_slice(logged);
            self.end_column();
        }
    }

    /// A value as the client sent it: it is escaped as CloudFront's log would, so that whoever reads a
    /// request decodes once, wherever it comes from.
    pub(super) fn put_sent(&mut self, field: Field, sent: &[u8]) {
        if self.fields.append(field) {
            escape(sent, &mut self.text);
            self.end_column();
        }
    }

    fn end_column(&mut self) {
        self.columns.push(self.text.len());
        self.text.push(b'\t');
    }

    /// The end of the response, in seconds since 1970, if it is not put as text ([`Field::Date`] with
    /// [`Field::Time`], [`Field::Timestamp`], [`Field::TimestampMilliseconds`]).
    pub(super) fn set_ended(&mut self, seconds: i64) {
        self.ended = Some(seconds);
    }

    /// The arrival of the request, in seconds since 1970, if the log gives it itself. Without an end it
    /// stands for the end, too.
    pub(super) fn set_arrival(&mut self, seconds: i64) {
        self.arrived = Some(seconds);
    }

    /// How many fields were put.
    pub(super) fn known(&self) -> usize {
        self.fields.known()
    }

    /// There is no path, and the path pattern of the cache behaviour stands in for it.
    pub(super) fn path_is_pattern(&mut self) -> bool {
        self.fields.settle_path();
        self.fields.path_is_pattern
    }

    /// The first field without which nothing can be counted, and why it is needed. Called after
    /// [`Self::path_is_pattern`].
    pub(super) fn missing(&self, needs: Needs) -> Option<(Field, &'static str)> {
        self.fields.missing(needs, self.ended.is_some() || self.arrived.is_some())
    }

    /// The request, once everything is put.
    ///
    /// # Errors
    /// When it lacks what every request has: a client, a path, a time.
    pub(super) fn request(&mut self) -> Result<Request<'_>, SkipReason> {
        let Self { text, columns, fields, days, ended, arrived, rules } = self;
        columns.complete();
        fields.settle_path();
        if fields.column(Field::ClientAddress).is_none() {
            return Err(SkipReason::NoClient);
        }
        if fields.column(Field::Path).is_none() {
            return Err(SkipReason::NoPath);
        }
        let mut request = assemble(text, columns, days, fields, ended.or(*arrived))?;
        request.rules = Some(rules);
        request.arrived = arrived.map(|seconds| seconds.clamp(0, request.ended));
        Ok(request)
    }
}

/// Writes bytes as CloudFront's logs do: codes up to 32 and from 127, and a handful of others, as `%XX`
/// (CloudFront Developer Guide, "standard logs reference").
fn escape(sent: &[u8], text: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in sent {
        let plain = (33..127).contains(&byte)
            && !matches!(
                byte,
                b'<' | b'>'
                    | b'"'
                    | b'#'
                    | b'%'
                    | b'{'
                    | b'}'
                    | b'|'
                    | b'\\'
                    | b'^'
                    | b'~'
                    | b'['
                    | b']'
                    | b'`'
                    | b'\''
            );
        if plain {
            text.push(byte);
        } else {
            text.extend_from_slice(&[
                b'%',
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_like_a_line() {
        let mut record = Record::default();
        record.restart(Source::StandardV2);
        record.put(Field::Path, b"/a%252Fb");
        record.put_sent(Field::UserAgent, b"a\tb%c\xff");
        record.put(Field::Referer, b"-");
        record.put(Field::Path, b"/second");
        record.put(Field::ClientAddress, b"192.0.2.1");
        record.put(Field::TimeTaken, b"2.5");
        record.set_ended(100);
        assert_eq!((record.missing(Needs::default()), record.known()), (None, 5));
        let mut request = record.request().unwrap();
        assert_eq!(
            (request.client, request.path, request.method),
            (&b"192.0.2.1"[..], &b"/a%252Fb"[..], &b""[..])
        );
        assert_eq!(request.field(Field::UserAgent), Some(&b"a%09b%25c%FF"[..]));
        assert_eq!((request.field(Field::Referer), request.has(Field::Referer)), (None, true));
        assert_eq!((request.field(Field::Host), request.has(Field::Host)), (None, false));
        assert_eq!((request.ended, request.arrival()), (100, 98));
    }

    #[test]
    fn a_value_may_hold_a_tab() {
        let mut record = Record::default();
        record.restart(Source::StandardV2);
        record.put(Field::Path, b"/a\tb");
        record.put(Field::ClientAddress, b"192.0.2.1");
        record.set_arrival(50);
        let request = record.request().unwrap();
        assert_eq!((request.path, request.client), (&b"/a\tb"[..], &b"192.0.2.1"[..]));
    }

    #[test]
    fn a_logged_arrival_is_taken_as_it_is() {
        let mut record = Record::default();
        record.restart(Source::Standard);
        record.put(Field::Path, b"/a");
        record.put(Field::ClientAddress, b"192.0.2.1");
        record.put(Field::TimeTaken, b"7");
        record.set_arrival(50);
        let mut request = record.request().unwrap();
        assert_eq!((request.ended, request.arrival()), (50, 50));
        record.restart(Source::Standard);
        assert_eq!(record.request().err(), Some(SkipReason::NoClient));
        record.put(Field::ClientAddress, b"-");
        assert_eq!(record.request().err(), Some(SkipReason::NoPath));
        record.put(Field::Path, b"/a");
        assert_eq!(record.request().err(), Some(SkipReason::NoClient));
    }
}
