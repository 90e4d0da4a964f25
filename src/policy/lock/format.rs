//! How single values stand in a lock, and the bytes of the whole.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Lock;
use crate::units::is_plain;

/// Decimals of a fraction: more would differ between machines.
const DECIMALS: f64 = 10_000.0;
/// How far a fraction in a lock may be from the one that it was rounded from.
pub(super) const FRACTION_ERROR: f64 = 1.0 / DECIMALS;

/// The text of a lock, with a newline at the end. Characters that could make a line read as another
/// are written as escapes.
pub(super) fn to_text(lock: &Lock) -> String {
    // A lock holds strings, numbers and maps with string or number keys: it always serialises.
    let mut value = serde_json::to_value(lock).unwrap_or_default();
    super::checksum::add(&mut value);
    let json = serde_json::to_string_pretty(&value).unwrap_or_default();
    let mut out = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        if character == '\n' || is_plain(character) {
            out.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out.push('\n');
    out
}

fn rounded(value: f64) -> f64 {
    let rounded = (value * DECIMALS).round() / DECIMALS;
    // Minus zero would be written as `-0.0`.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A fraction with four decimals.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(super) fn fraction<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let value = if value.is_finite() { rounded(*value) } else { 0.0 };
    serializer.serialize_f64(value)
}

/// A fraction with four decimals, or null.
#[expect(clippy::ref_option, reason = "serde asks for a reference")]
pub(super) fn fraction_or_null<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.filter(|value| value.is_finite()).map(rounded).serialize(serializer)
}

/// A way to write one type, as serde's `with` wants it.
macro_rules! way {
    ($name:ident, $type:ty, $text:ty, $write:expr, $read:expr) => {
        pub(super) mod $name {
            use super::*;

            #[allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]
            pub(in super::super) fn serialize<S: Serializer>(
                value: &$type,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> $text = $write;
                write(value).serialize(serializer)
            }

            pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                let read: fn($text) -> Result<$type, String> = $read;
                read(<$text>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

use std::collections::BTreeMap;

use crate::rules::Spelling;
use crate::units::{Limit, Timestamp, Window};

fn to_limit(number: u64) -> Result<Limit, String> {
    Limit::new(number).map_err(|error| error.to_string())
}

way!(window, Window, u32, |window| window.seconds(), |seconds| Window::new(seconds)
    .map_err(|error| error.to_string()));
way!(limit, Limit, u64, |limit| limit.requests().into(), to_limit);
way!(
    limit_or_null,
    Option<Limit>,
    Option<u64>,
    |limit| limit.map(|limit| limit.requests().into()),
    |number| number.map(to_limit).transpose()
);
way!(
    limits,
    BTreeMap<String, Limit>,
    BTreeMap<String, u64>,
    |limits| limits.iter().map(|(name, limit)| (name.clone(), limit.requests().into())).collect(),
    |numbers| numbers.into_iter().map(|(name, n)| Ok((name, to_limit(n)?))).collect()
);
way!(
    spelling,
    Spelling,
    String,
    |spelling| match spelling {
        Spelling::Loose => "loose".to_owned(),
        Spelling::Strict => "strict".to_owned(),
    },
    |word| match word.as_str() {
        "loose" => Ok(Spelling::Loose),
        "strict" => Ok(Spelling::Strict),
        _ => Err(format!("`{word}` is no spelling; it is `loose` or `strict`")),
    }
);
way!(
    timestamp,
    Option<Timestamp>,
    Option<String>,
    |time| time.map(|time| time.to_string()),
    |text| text
        .map(|text| to_timestamp(&text).ok_or_else(|| format!("`{text}` is no instant")))
        .transpose()
);

/// Reads `2026-09-08T00:21:52Z` and nothing else.
fn to_timestamp(text: &str) -> Option<Timestamp> {
    let number = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let day = Timestamp::from_date(number(0, 4)?.into(), number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let time = Timestamp(day.0 + i64::from(hour * 3_600 + minute * 60 + second));
    (time.to_string() == text).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_come_back() {
        for seconds in [0, 1_788_826_912, 4_102_444_799] {
            assert_eq!(to_timestamp(&Timestamp(seconds).to_string()), Some(Timestamp(seconds)));
        }
        for text in [
            "",
            "2026-09-08",
            "2026-09-08T24:00:00Z",
            "2026-09-08T00:00:00",
            "2026-09-08 00:00:00Z",
            "ä026-09-08T00:00:00Z",
        ] {
            assert_eq!(to_timestamp(text), None, "{text}");
        }
    }

    #[test]
    fn fractions_have_four_decimals() {
        assert_eq!(rounded(1.604_278), 1.6043);
        assert_eq!(rounded(-0.000_01).to_string(), "0");
    }
}
