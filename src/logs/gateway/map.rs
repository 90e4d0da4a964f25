//! Which keys of a JSON log hold what: `client=client_ip,path=path,time=request_time_epoch`.

use crate::logs::fields::Field;

/// What a key may hold, by the name in a map, and whether nothing can be counted without it.
pub(super) const NAMES: [(&str, Slot, bool); 9] = [
    ("client", Slot::Field(Field::ClientAddress), true),
    ("path", Slot::Path, true),
    ("time", Slot::Time, true),
    ("method", Slot::Field(Field::Method), false),
    ("host", Slot::Field(Field::Host), false),
    ("status", Slot::Field(Field::Status), false),
    ("agent", Slot::Field(Field::UserAgent), false),
    ("referer", Slot::Field(Field::Referer), false),
    ("id", Slot::Field(Field::RequestId), false),
];

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// As it is.
    Field(Field),
    /// Without its query, and without what stands before it in an absolute address.
    Path,
    /// The arrival, in any of the forms that times are written in.
    Time,
}

/// One name of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapped {
    /// As in [`NAMES`].
    pub(super) name: &'static str,
    pub(super) slot: Slot,
    /// The key, or a path of keys with dots between them.
    pub(super) key: String,
}

/// A map from what is needed to the keys of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMap {
    pub(super) list: Vec<Mapped>,
}

/// A map that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyMapError {
    /// No `name=key`.
    #[error(
        "`{0}` is no `name=key`; a map looks like client=client_ip,path=path,time=request_time"
    )]
    NoPair(String),
    /// A name that means nothing.
    #[error("`{0}` is nothing that a key can hold; the names are {names}", names = names())]
    UnknownName(String),
    /// A name that stands twice.
    #[error("`{0}` stands twice in the map")]
    Twice(&'static str),
    /// A name without which nothing can be counted.
    #[error("the map does not say which key holds the {0}; client, path and time are needed")]
    Missing(&'static str),
}

fn names() -> String {
    NAMES.map(|(name, ..)| name).join(", ")
}

impl KeyMap {
    /// From pairs with commas between them. A key is a name, or a path such as `identity.sourceIp` or
    /// `$.identity.sourceIp`.
    ///
    /// # Errors
    /// When a pair cannot be read, a name is unknown or stands twice, or client, path or time is missing.
    pub fn parse(text: &str) -> Result<Self, KeyMapError> {
        let mut list: Vec<Mapped> = Vec::new();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (name, key) = pair
                .split_once('=')
                .map(|(name, key)| (name.trim(), key.trim()))
                .filter(|(_, key)| !key.is_empty() && *key != "$.")
                .ok_or_else(|| KeyMapError::NoPair(pair.to_owned()))?;
            let Some(&(name, slot, _)) =
                NAMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))
            else {
                return Err(KeyMapError::UnknownName(name.to_owned()));
            };
            if list.iter().any(|held| held.name == name) {
                return Err(KeyMapError::Twice(name));
            }
            let key = key.strip_prefix("$.").unwrap_or(key).to_owned();
            list.push(Mapped { name, slot, key });
        }
        for (name, _, needed) in NAMES {
            if needed && !list.iter().any(|held| held.name == name) {
                return Err(KeyMapError::Missing(name));
            }
        }
        Ok(Self { list })
    }
}

/// Names that owners give these values, best first.
const USUAL: [(&str, &[&str]); 3] = [
    (
        "client",
        &[
            "sourceIp",
            "source_ip",
            "ip",
            "clientIp",
            "client_ip",
            "remote_addr",
            "remoteAddr",
            "client",
        ],
    ),
    ("path", &["path", "requestPath", "request_path", "uri", "rawPath", "url", "request_uri"]),
    (
        "time",
        &[
            "requestTimeEpoch",
            "request_time_epoch",
            "requestTime",
            "request_time",
            "timestamp",
            "time",
            "time_iso8601",
            "@timestamp",
        ],
    ),
];

/// A map that fits these keys, to be tried; `None` if they have other names.
pub(super) fn suggested<'a>(keys: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let pairs: Option<Vec<String>> = USUAL
        .iter()
        .map(|(name, usual)| {
            let key = usual.iter().find(|usual| keys.clone().any(|key| key == **usual))?;
            Some(format!("{name}={key}"))
        })
        .collect();
    pairs.map(|pairs| pairs.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_or_refused_with_what_is_wrong() {
        let map = KeyMap::parse("client=$.identity.sourceIp, path=p ,time=t,Agent=ua").unwrap();
        let keys: Vec<_> = map.list.iter().map(|held| (held.name, &*held.key)).collect();
        assert_eq!(
            keys,
            [("client", "identity.sourceIp"), ("path", "p"), ("time", "t"), ("agent", "ua")]
        );
        for (text, error) in [
            ("client", KeyMapError::NoPair("client".to_owned())),
            ("client=", KeyMapError::NoPair("client=".to_owned())),
            ("ip=a", KeyMapError::UnknownName("ip".to_owned())),
            ("client=a,client=b", KeyMapError::Twice("client")),
            ("client=a,path=b", KeyMapError::Missing("time")),
            ("", KeyMapError::Missing("client")),
        ] {
            assert_eq!(KeyMap::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_map_is_suggested_where_the_keys_have_usual_names() {
        let keys = ["requestId", "ip", "path", "requestTime", "requestTimeEpoch"];
        assert_eq!(
            suggested(keys.into_iter()).as_deref(),
            Some("client=ip,path=path,time=requestTimeEpoch")
        );
        assert_eq!(suggested(["a", "ip", "path"].into_iter()), None);
    }
}
