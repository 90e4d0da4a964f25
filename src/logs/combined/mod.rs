//! Combined and common logs of web servers (nginx, Apache):
//! `192.0.2.1 - frank [08/Sep/2026:00:21:52 +0000] "GET /a HTTP/1.1" 200 12 "referer" "agent"`.
//!
//! Apache stamps the arrival of a request and nginx the end of the answer, both in whole seconds; a line
//! does not say which, so the stamp stands for both.

use super::error::Error;
use super::fields::Field;
use super::file_report::SkipReason;
use super::format::{Format, Framing, Kind, Sample};
use super::options::{InputFormat, Options};
use super::quoted::{Words, unescape};
use super::record::Record;
use super::request_line::{RequestLine, without_port};
use super::source::Source;
use super::written_time::web_seconds;

pub(super) const KIND: Kind =
    Kind { name: InputFormat::Combined, framing: Framing::Lines, fits, open };

fn fits(sample: &Sample<'_>, _: &Options) -> bool {
    Line::parse(sample.text).is_some()
}

fn open(_: &Sample<'_>, _: &Options) -> Result<Box<dyn Format>, Error> {
    Ok(Box::<Combined>::default())
}

#[derive(Default)]
struct Combined {
    /// Whether the first request had a referer and a user agent.
    is_combined: bool,
    started: bool,
}

impl Format for Combined {
    fn describe(&self) -> String {
        if self.is_combined { "combined log of a web server" } else { "common log of a web server" }
            .to_owned()
    }

    fn source(&self) -> Source {
        Source::WebServer
    }

    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let line = Line::parse(piece).ok_or(SkipReason::Malformed)?;
        record.set_ended(web_seconds(line.time).ok_or(SkipReason::NoTime)?);
        record.put_sent(Field::ClientAddress, line.client);
        let mut words = Words::new(line.rest);
        let request = unescape(words.next().unwrap_or_default());
        let request = RequestLine::parse(&request);
        record.put(Field::Status, words.next().unwrap_or(b"-"));
        // The bytes.
        words.next();
        let (referer, agent, forwarded) = (words.next(), words.next(), words.next());
        if !self.started {
            self.started = true;
            self.is_combined = agent.is_some();
        }
        for (field, value) in [
            (Field::Referer, referer),
            (Field::UserAgent, agent),
            // nginx's own example of a format ends with it; other servers append what they like.
            (Field::ForwardedFor, forwarded.filter(|text| is_forwarded(text))),
        ] {
            if let Some(value) = value {
                put(record, field, &unescape(value));
            }
        }
        let request = request.ok_or(SkipReason::NoRequest)?;
        if let Some(host) = request.host.or(line.host) {
            put(record, Field::Host, host);
        }
        record.put_sent(Field::Method, request.method);
        record.put_sent(Field::Path, request.path);
        Ok(())
    }
}

/// A value as sent; `-` for none.
fn put(record: &mut Record, field: Field, value: &[u8]) {
    if value.is_empty() { record.put(field, b"-") } else { record.put_sent(field, value) }
}

/// `-`, or addresses with commas between them.
fn is_forwarded(text: &[u8]) -> bool {
    let is_address = |part: &str| part.trim().parse::<std::net::IpAddr>().is_ok();
    text == b"-" || std::str::from_utf8(text).is_ok_and(|text| text.split(',').all(is_address))
}

/// The front of a line.
struct Line<'a> {
    /// The host of a line that begins with it (`%v:%p`).
    host: Option<&'a [u8]>,
    client: &'a [u8],
    /// Between the brackets.
    time: &'a [u8],
    /// From the quote of the request on.
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    /// `None` for a line of another format.
    fn parse(line: &'a [u8]) -> Option<Self> {
        // Some published sets stand in quotes as a whole.
        let line = match line.strip_prefix(b"\"") {
            Some(inner) => inner.strip_suffix(b"\"").unwrap_or(inner),
            None => line,
        };
        // The user's name may hold spaces and brackets.
        let open = memchr::memchr_iter(b'[', line).find(|&at| is_stamp(&line[at + 1..]))?;
        let close = open + memchr::memchr(b']', &line[open..])?;
        let mut front = line[..open].split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let (first, second) = (front.next()?, front.next()?);
        front.next()?;
        let rest = line[close + 1..].trim_ascii_start();
        // Another format may have a time in brackets, but not this behind it.
        if !rest.starts_with(b"\"") || first.contains(&b'\t') {
            return None;
        }
        let with_host = front.next().is_some() && !is_address(first) && is_address(second);
        let (host, client) =
            if with_host { (Some(without_port(first)), second) } else { (None, first) };
        Some(Self { host, client, time: &line[open + 1..close], rest })
    }
}

fn is_address(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<std::net::IpAddr>().is_ok())
}

/// `08/Sep/2026:00:` …
fn is_stamp(text: &[u8]) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    digits(0..2) && digits(7..11) && text.get(2) == Some(&b'/') && text.get(6) == Some(&b'/')
}

#[cfg(test)]
mod tests;
