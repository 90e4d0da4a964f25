//! CBOR of the Smithy protocol, to and from JSON.

use ciborium::Value as Cbor;
use serde_json::{Map, Value};

/// What a body says; null if it is no CBOR. Times become seconds.
pub fn read(body: &[u8]) -> Value {
    ciborium::from_reader(body).map_or(Value::Null, |cbor| json(&cbor))
}

fn json(cbor: &Cbor) -> Value {
    match cbor {
        Cbor::Integer(number) => i64::try_from(i128::from(*number)).unwrap_or(i64::MAX).into(),
        Cbor::Float(number) => (*number).into(),
        Cbor::Text(text) => text.as_str().into(),
        Cbor::Bool(truth) => (*truth).into(),
        Cbor::Tag(_, inner) => json(inner),
        Cbor::Array(list) => list.iter().map(json).collect(),
        Cbor::Map(members) => {
            let member =
                |(key, value): &(Cbor, Cbor)| Some((key.as_text()?.to_owned(), json(value)));
            members.iter().filter_map(member).collect::<Map<String, Value>>().into()
        }
        _ => Value::Null,
    }
}

/// A body. What a member's name says is a time is written as one.
pub fn written(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    ciborium::into_writer(&cbor(value, false), &mut out).unwrap();
    out
}

fn cbor(value: &Value, is_time: bool) -> Cbor {
    match value {
        Value::Null => Cbor::Null,
        Value::Bool(truth) => Cbor::Bool(*truth),
        Value::Number(number) if is_time => {
            // Epoch seconds.
            Cbor::Tag(1, Box::new(Cbor::Float(number.as_f64().unwrap())))
        }
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Cbor::Integer(whole.into()),
            None => Cbor::Float(number.as_f64().unwrap()),
        },
        Value::String(text) => Cbor::Text(text.clone()),
        Value::Array(list) => Cbor::Array(list.iter().map(|it| cbor(it, is_time)).collect()),
        Value::Object(members) => Cbor::Map(
            members
                .iter()
                .map(|(name, value)| {
                    let is_time = name.ends_with("Timestamp") || name == "Timestamps";
                    (Cbor::Text(name.clone()), cbor(value, is_time))
                })
                .collect(),
        ),
    }
}
