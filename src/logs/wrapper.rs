//! What CloudWatch Logs, Firehose and Lambda put around records: a time before each line of an export,
//! events in an envelope, packed and encoded data. What is inside is a log of any format.

use std::borrow::Cow;
use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;

use super::file_report::SkipReason;
use super::format::{Framing, Sample};
use super::json::keys;
use super::lines::Line;
use super::objects::Objects;

/// What is around the records of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// `2026-09-08T00:00:00.123Z` and a blank before each message, as exports of CloudWatch Logs to S3
    /// have it.
    Times,
    /// JSON with the messages in `logEvents`, as subscription filters send it and Firehose keeps it.
    Events,
    /// JSON with data in base64, as Firehose and Kinesis hand it to a Lambda function.
    Records,
    /// The data alone, a line each.
    Encoded,
}

/// Envelopes in envelopes are followed so far.
const DEEPEST: u32 = 4;

/// So much text may come out of one piece of packed data; an event holds a megabyte at most.
const LARGEST: u64 = 64 << 20;

/// gzip in base64.
const PACKED: &[u8] = b"H4sI";
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];

impl Wrapper {
    /// What is around the first record.
    pub(super) fn of(sample: &Sample<'_>) -> Option<Self> {
        if sample.text.starts_with(PACKED) {
            return Some(Self::Encoded);
        }
        if !sample.is_object() {
            return message(sample.text).map(|_| Self::Times);
        }
        let keys = keys(sample.text);
        let has = |key: &str| keys.iter().any(|other| other == key);
        let holds = |text: &str| memchr::memmem::find(sample.text, text.as_bytes()).is_some();
        if has("logEvents") || (has("events") && holds("\"message\"")) {
            return Some(Self::Events);
        }
        let data = (has("records") || has("Records")) && holds("\"data\"");
        (data || has("awslogs")).then_some(Self::Records)
    }

    /// What its records are.
    pub(super) const fn framing(self) -> Framing {
        match self {
            Self::Times | Self::Encoded => Framing::Lines,
            Self::Events | Self::Records => Framing::Objects,
        }
    }

    /// In words, to follow the name of a format.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Times => "exported by CloudWatch Logs",
            Self::Events => "in events of CloudWatch Logs",
            Self::Records => "in records of Firehose or Kinesis",
            Self::Encoded => "packed and in base64",
        }
    }

    /// Hands over what is inside a piece; `false` from the receiver stops.
    ///
    /// # Errors
    /// When there is nothing like that around it.
    pub(super) fn unwrap(
        self,
        piece: &[u8],
        each: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), SkipReason> {
        match self {
            Self::Times => {
                each(message(piece).ok_or(SkipReason::Malformed)?);
            }
            Self::Events | Self::Records | Self::Encoded => {
                open(piece, 0, each)?;
            }
        }
        Ok(())
    }
}

/// What follows a time like `2026-09-08T00:00:00.123Z`.
fn message(line: &[u8]) -> Option<&[u8]> {
    let (time, rest) = line.split_at_checked("2026-09-08T00:00:00.123Z".len())?;
    let fits = time.iter().zip(b"0000-00-00T00:00:00.000Z").all(|(byte, place)| match place {
        b'0' => byte.is_ascii_digit(),
        _ => byte == place,
    });
    rest.strip_prefix(b" ").filter(|message| fits && !message.is_empty())
}

#[derive(serde::Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, rename = "logEvents", alias = "events")]
    events: Option<Vec<Event<'a>>>,
    #[serde(borrow, default, alias = "Records")]
    records: Option<Vec<Data<'a>>>,
    #[serde(borrow, default)]
    awslogs: Option<Data<'a>>,
}

#[derive(serde::Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
}

#[derive(serde::Deserialize)]
struct Data<'a> {
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    kinesis: Option<Box<Self>>,
}

impl Data<'_> {
    fn text(&self) -> Option<&str> {
        self.data.as_deref().or_else(|| self.kinesis.as_ref()?.data.as_deref())
    }
}

/// Follows encodings and envelopes down to records. Gives whether to go on.
fn open(bytes: &[u8], depth: u32, each: &mut dyn FnMut(&[u8]) -> bool) -> Result<bool, SkipReason> {
    if depth > DEEPEST {
        return Err(SkipReason::Malformed);
    }
    if bytes.starts_with(GZIP) {
        let mut text = Vec::new();
        let read = MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut text);
        return match read {
            Ok(length) if length as u64 <= LARGEST => open(&text, depth + 1, each),
            Ok(_) => Err(SkipReason::ObjectTooLong),
            Err(_) => Err(SkipReason::Malformed),
        };
    }
    if bytes.starts_with(PACKED) {
        return decoded(bytes, depth, each);
    }
    if !bytes.starts_with(b"{") {
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        return Ok(lines.into_iter().all(each));
    }
    let mut result = Ok(true);
    let mut objects = Objects::default();
    let mut take = |_, line: Line<'_>| {
        let Line::Text(object) = line else {
            result = Err(SkipReason::ObjectTooLong);
            return true;
        };
        match envelope(object, depth, each) {
            Ok(go_on) => go_on,
            Err(reason) => {
                result = Err(reason);
                true
            }
        }
    };
    let go_on = objects.feed(bytes, &mut take) && objects.finish(&mut take);
    result.map(|_| go_on)
}

fn envelope(
    object: &[u8],
    depth: u32,
    each: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, SkipReason> {
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(object) else {
        return Err(SkipReason::Malformed);
    };
    if envelope.events.is_none() && envelope.records.is_none() && envelope.awslogs.is_none() {
        return Ok(each(object));
    }
    for event in envelope.events.iter().flatten() {
        // A message may end in a line end of its own.
        if !each(event.message.trim_end_matches(['\r', '\n']).as_bytes()) {
            return Ok(false);
        }
    }
    for data in envelope.records.iter().flatten().chain(&envelope.awslogs) {
        let Some(text) = data.text() else { return Err(SkipReason::Malformed) };
        if !decoded(text.as_bytes(), depth, each)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn decoded(
    text: &[u8],
    depth: u32,
    each: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, SkipReason> {
    let bytes = STANDARD.decode(text).map_err(|_| SkipReason::Malformed)?;
    open(&bytes, depth + 1, each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(text: &str) -> String {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        STANDARD.encode(encoder.finish().unwrap())
    }

    fn inside(piece: &str) -> (Option<Wrapper>, Vec<String>) {
        let sample = Sample { file: "f", line: 1, text: piece.as_bytes(), named: None };
        let wrapper = Wrapper::of(&sample);
        let mut seen = Vec::new();
        if let Some(wrapper) = wrapper {
            let mut each = |text: &[u8]| {
                seen.push(String::from_utf8_lossy(text).into_owned());
                true
            };
            wrapper.unwrap(piece.as_bytes(), &mut each).unwrap();
        }
        (wrapper, seen)
    }

    #[test]
    fn records_are_found_in_whatever_is_around_them() {
        let events = r#"{"messageType":"DATA_MESSAGE","owner":"123456789012","logEvents":[{"id":"1","timestamp":1,"message":"a\tb"},{"id":"2","timestamp":2,"message":"{\"c\":1}\n"}]}"#;
        let both = vec!["a\tb".to_owned(), "{\"c\":1}".to_owned()];
        assert_eq!(inside(events), (Some(Wrapper::Events), both.clone()));
        assert_eq!(inside(&packed(events)), (Some(Wrapper::Encoded), both.clone()));
        let lambda = format!("{{\"awslogs\":{{\"data\":\"{}\"}}}}", packed(events));
        assert_eq!(inside(&lambda), (Some(Wrapper::Records), both.clone()));
        let kinesis =
            format!("{{\"Records\":[{{\"kinesis\":{{\"data\":\"{}\"}}}}]}}", packed(events));
        assert_eq!(inside(&kinesis), (Some(Wrapper::Records), both.clone()));
        let plain = STANDARD.encode("a\tb\n");
        let json = STANDARD.encode("{\"c\":1}{\"c\":1}");
        let firehose =
            format!("{{\"records\":[{{\"data\":\"{plain}\"}},{{\"data\":\"{json}\"}}]}}");
        let three = vec!["a\tb".to_owned(), "{\"c\":1}".to_owned(), "{\"c\":1}".to_owned()];
        assert_eq!(inside(&firehose), (Some(Wrapper::Records), three));
        let export = "2026-09-08T00:00:00.123Z a\tb";
        assert_eq!(inside(export), (Some(Wrapper::Times), vec!["a\tb".to_owned()]));
        for other in ["{\"c-ip\":\"192.0.2.1\"}", "2026-09-08\t00:00:00\ta", "{\"events\":3}"] {
            assert_eq!(inside(other).0, None, "{other}");
        }
    }

    #[test]
    fn a_bomb_in_an_envelope_is_no_harm() {
        let bomb = packed(&"x".repeat(LARGEST as usize + 1));
        let seen = Wrapper::Encoded.unwrap(bomb.as_bytes(), &mut |_| true);
        assert_eq!(seen, Err(SkipReason::ObjectTooLong));
        assert_eq!(Wrapper::Encoded.unwrap(b"H4sI!", &mut |_| true), Err(SkipReason::Malformed));
        assert_eq!(Wrapper::Times.unwrap(b"no time", &mut |_| true), Err(SkipReason::Malformed));
    }
}
