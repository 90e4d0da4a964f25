//! Access logs of Application Load Balancers (Elastic Load Balancing guide, "Access logs for your
//! Application Load Balancer"): columns in a fixed order with spaces between them, some in quotes; new ones
//! come at the end.

use super::completeness::Completeness;
use super::error::Error;
use super::fields::Field;
use super::file_report::SkipReason;
use super::format::{Format, Framing, Kind, Sample};
use super::options::{InputFormat, Options};
use super::quoted::{Words, unescape};
use super::record::Record;
use super::request_line::{RequestLine, without_client_port};
use super::source::Source;
use super::written_time::iso_seconds;

pub(super) const KIND: Kind = Kind { name: InputFormat::Alb, framing: Framing::Lines, fits, open };

/// Places of the columns, from 0.
const TIME: usize = 1;
const CLIENT: usize = 3;
const PROCESSING: std::ops::RangeInclusive<usize> = 5..=7;
const STATUS: usize = 8;
const REQUEST: usize = 12;
const AGENT: usize = 13;
const DOMAIN: usize = 18;
const CREATED: usize = 21;
/// Columns that are looked at.
const LOOKED_AT: usize = CREATED + 1;
/// Columns of the first load balancers of this kind, up to the user agent.
const FEWEST: usize = AGENT + 1;

/// `https 2018-07-02T22:23:00.186641Z app/my-lb/50dc 192.0.2.4:2817 …`. The list of types (`http`, `h2`,
/// `wss` …) is open; the log of a network load balancer begins with `tls 2.0`, and its name with `net/`.
fn fits(sample: &Sample<'_>, _: &Options) -> bool {
    let words: Vec<&[u8]> = Words::new(sample.text).take(FEWEST).collect();
    let is_type =
        |word: &[u8]| (2..=8).contains(&word.len()) && word.iter().all(u8::is_ascii_alphanumeric);
    words.len() == FEWEST
        && is_type(words[0])
        && iso_seconds(words[TIME]).is_some()
        && !words[2].starts_with(b"net/")
        && (words[CLIENT].contains(&b':') || words[CLIENT] == b"-")
        && memchr::memchr(b'"', sample.text).is_some()
}

fn open(_: &Sample<'_>, _: &Options) -> Result<Box<dyn Format>, Error> {
    Ok(Box::<Alb>::default())
}

#[derive(Default)]
struct Alb {
    /// Requests by CloudFront.
    edge_lines: u64,
}

impl Format for Alb {
    fn describe(&self) -> String {
        "load balancer access log (ALB)".to_owned()
    }

    fn source(&self) -> Source {
        Source::Alb
    }

    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let mut columns: [&[u8]; LOOKED_AT] = [b"-"; LOOKED_AT];
        let mut found = 0;
        for (column, word) in columns.iter_mut().zip(Words::new(piece)) {
            *column = word;
            found += 1;
        }
        // A line of a connection log begins with its time, and one that was broken anywhere has none here.
        let Some(ended) = iso_seconds(columns[TIME]) else {
            return Err(if found < FEWEST {
                SkipReason::TooFewColumns
            } else {
                SkipReason::NoTime
            });
        };
        if found < FEWEST {
            return Err(SkipReason::TooFewColumns);
        }
        record.set_ended(ended);
        match iso_seconds(columns[CREATED]) {
            Some(created) => record.set_arrival(created),
            None => put_time_taken(record, &columns),
        }
        let agent = unescape(columns[AGENT]);
        record.put_sent(Field::ClientAddress, without_client_port(columns[CLIENT]));
        record.put(Field::Status, columns[STATUS]);
        put(record, Field::UserAgent, &agent);
        let request = unescape(columns[REQUEST]);
        let line = RequestLine::parse(&request).ok_or(SkipReason::NoRequest)?;
        put(record, Field::Host, line.host.unwrap_or(columns[DOMAIN]));
        record.put_sent(Field::Method, line.method);
        record.put_sent(Field::Path, line.path);
        self.edge_lines += u64::from(&*agent == b"Amazon CloudFront");
        Ok(())
    }

    fn completeness(&self) -> Completeness {
        Completeness { edge_lines: self.edge_lines, ..Completeness::default() }
    }
}

/// A value as sent; `-` for none.
fn put(record: &mut Record, field: Field, value: &[u8]) {
    if value.is_empty() { record.put(field, b"-") } else { record.put_sent(field, value) }
}

/// Older lines have no time of arrival: it follows from the three times that the parts took, each -1 if
/// there was no such part.
fn put_time_taken(record: &mut Record, columns: &[&[u8]; LOOKED_AT]) {
    let seconds: f64 = columns[PROCESSING]
        .iter()
        .filter_map(|text| std::str::from_utf8(text).ok()?.parse::<f64>().ok())
        .filter(|seconds| *seconds > 0.0 && seconds.is_finite())
        .sum();
    record.put(Field::TimeTaken, format!("{seconds:.3}").as_bytes());
}

#[cfg(test)]
mod tests;
