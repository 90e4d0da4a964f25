//! CloudFront standard logs v2 in JSON: one object a request, every value a text in the escaping of the
//! other output formats (CloudFront Developer Guide, "Configure standard logging (v2)").

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::delimited::without_query;
use crate::logs::completeness::Completeness;
use crate::logs::error::Error;
use crate::logs::fields::{Field, source_of};
use crate::logs::file_report::SkipReason;
use crate::logs::format::{Format, Framing, Kind, Sample};
use crate::logs::json::{Text, keys};
use crate::logs::options::{InputFormat, Options};
use crate::logs::record::Record;
use crate::logs::source::Source;

pub(in crate::logs) const KIND: Kind =
    Kind { name: InputFormat::Json, framing: Framing::Objects, fits, open };

/// It has a key for the client or the path, and one for the time: keys that no other service uses.
fn fits(sample: &Sample<'_>, _: &Options) -> bool {
    let known =
        |field: Field| keys(sample.text).iter().any(|key| Field::from_name(key) == Some(field));
    sample.is_object()
        && [Field::ClientAddress, Field::Path, Field::RequestId, Field::Status, Field::PathPattern]
            .into_iter()
            .any(known)
}

fn open(sample: &Sample<'_>, options: &Options) -> Result<Box<dyn Format>, Error> {
    let keys = keys(sample.text);
    let names: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let source = match source_of(&names) {
        Source::RealTime => Source::RealTime,
        _ => Source::StandardV2Json,
    };
    let sampling = options.sampling.filter(|_| source == Source::RealTime).unwrap_or(100);
    Ok(Box::new(Json { source, sampling, places: Vec::new(), keys: None }))
}

#[derive(Debug)]
struct Json {
    /// Somebody's pipeline may have made JSON of a real-time log.
    source: Source,
    /// Percent of the requests that are in the log.
    sampling: u8,
    /// The keys of the last object in their order, and what they hold: those of the next one are the same.
    places: Vec<(String, Option<Field>)>,
    /// Keys of the first object, and those of them that are used.
    keys: Option<(usize, usize)>,
}

impl Format for Json {
    fn describe(&self) -> String {
        let (all, used) = self.keys.unwrap_or_default();
        let name = if self.source == Source::RealTime { "real-time log" } else { "v2" };
        format!("CloudFront {name}, JSON, {used} of {all} fields")
    }

    fn source(&self) -> Source {
        self.source
    }

    fn completeness(&self) -> Completeness {
        let mut completeness = Completeness::default();
        completeness.note_sampling(self.sampling.into());
        completeness
    }

    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let mut json = serde_json::Deserializer::from_slice(piece);
        let keys = json
            .deserialize_map(Values { record, source: self.source, places: &mut self.places })
            .map_err(|_| SkipReason::Malformed)?;
        self.keys.get_or_insert((keys, record.known()));
        Ok(())
    }
}

/// Puts the values of an object into a record; gives the number of keys.
struct Values<'a> {
    record: &'a mut Record,
    source: Source,
    places: &'a mut Vec<(String, Option<Field>)>,
}

/// So many keys are remembered: CloudFront has at most 128 fields.
const REMEMBERED: usize = 256;

impl Values<'_> {
    /// The field of a key, by what stood in its place before.
    fn field(&mut self, place: usize, key: &str) -> Option<Field> {
        if let Some((known, field)) = self.places.get(place)
            && known == key
        {
            return *field;
        }
        let field = Field::in_layout(key, self.source);
        if place < self.places.len() {
            self.places[place] = (key.to_owned(), field);
        } else if place < REMEMBERED {
            self.places.push((key.to_owned(), field));
        }
        field
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<usize, A::Error> {
        let mut count = 0;
        while let Some(Key(key)) = map.next_key()? {
            let field = self.field(count, &key);
            count += 1;
            match field {
                Some(field) => {
                    let Text(text) = map.next_value()?;
                    let stem = field == Field::Path && self.source == Source::RealTime;
                    let text = text.as_bytes();
                    self.record.put(field, if stem { without_query(text) } else { text });
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(count)
    }
}

/// A key, borrowed where it can be.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
