//! JSON access logs whose keys are their owner's, above all those of API Gateway: a map says which key
//! holds what.

mod map;
mod values;

use std::sync::Arc;

use super::completeness::Completeness;
use super::error::Error;
use super::fields::Field;
use super::file_report::SkipReason;
use super::format::{Format, Framing, Kind, Sample};
use super::json::keys;
use super::options::{InputFormat, Options};
use super::record::Record;
use super::request_line::split_target;
use super::source::Source;
use super::written_time::any_seconds;
use map::{Slot, suggested};

pub use map::{KeyMap, KeyMapError};

pub(super) const KIND: Kind =
    Kind { name: InputFormat::Gateway, framing: Framing::Objects, fits, open };

/// Any object that no other format knows; without a map it is refused with the keys that were seen.
fn fits(sample: &Sample<'_>, _: &Options) -> bool {
    sample.is_object()
}

fn open(sample: &Sample<'_>, options: &Options) -> Result<Box<dyn Format>, Error> {
    let keys = keys(sample.text);
    let listed = || listed(keys.iter().map(|key| &**key));
    let Some(map) = &options.map else {
        return Err(Error::NoMap {
            file: sample.file.to_owned(),
            keys: listed(),
            suggested: suggested(keys.iter().map(|key| &**key)),
        });
    };
    let mut found = vec![false; map.list.len()];
    // The sample may be cut off: then the records tell.
    if values::find(sample.text, &map.list, &mut |place, _| found[place] = true).is_ok() {
        let needs = |name: &str| match name {
            "client" | "path" | "time" => true,
            "method" => options.needs.method,
            "host" => options.needs.host,
            _ => false,
        };
        let missing = map.list.iter().zip(found).find(|(held, found)| !found && needs(held.name));
        if let Some((held, _)) = missing {
            return Err(Error::NoKey {
                file: sample.file.to_owned(),
                line: sample.line,
                name: held.name,
                key: held.key.clone(),
                keys: listed(),
            });
        }
    }
    Ok(Box::new(Gateway { map: Arc::clone(map), edge_lines: 0 }))
}

/// Keys that are named in an error.
const LISTED: usize = 30;

fn listed<'a>(keys: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = keys.len().saturating_sub(LISTED);
    let mut text = keys.take(LISTED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

struct Gateway {
    map: Arc<KeyMap>,
    /// Requests by CloudFront.
    edge_lines: u64,
}

impl Format for Gateway {
    fn describe(&self) -> String {
        format!("JSON access log, {} keys by --map", self.map.list.len())
    }

    fn source(&self) -> Source {
        Source::Gateway
    }

    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason> {
        let map = &self.map.list;
        let mut unreadable = None;
        let mut by_edge = false;
        values::find(piece, map, &mut |place, value| match map[place].slot {
            _ if value.is_empty() || value == "-" => {}
            Slot::Time => match any_seconds(value.as_bytes()) {
                Some(seconds) => record.set_arrival(seconds),
                None => unreadable = Some(SkipReason::NoTime),
            },
            Slot::Path => match split_target(value.as_bytes()) {
                Some((_, path)) => record.put_sent(Field::Path, path),
                None => unreadable = Some(SkipReason::NoPath),
            },
            Slot::Field(field) => {
                by_edge |= field == Field::UserAgent && value == "Amazon CloudFront";
                record.put_sent(field, value.as_bytes());
            }
        })
        .map_err(|_| SkipReason::Malformed)?;
        // A column that has no value here is one all the same.
        for held in map {
            if let Slot::Field(field) = held.slot
                && field != Field::ClientAddress
            {
                record.put(field, b"-");
            }
        }
        match unreadable {
            Some(reason) => Err(reason),
            None => {
                self.edge_lines += u64::from(by_edge);
                Ok(())
            }
        }
    }

    fn completeness(&self) -> Completeness {
        Completeness { edge_lines: self.edge_lines, ..Completeness::default() }
    }
}

#[cfg(test)]
mod tests;
