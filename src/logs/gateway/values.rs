//! The values of a JSON object that a map asks for, at any depth, without keeping the rest.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::map::Mapped;

/// Hands each value that is found to `take`, with the number of its place in the map.
///
/// # Errors
/// When the text is no JSON object.
pub(super) fn find(
    object: &[u8],
    map: &[Mapped],
    take: &mut dyn FnMut(usize, &str),
) -> Result<(), serde_json::Error> {
    let wanted = map.iter().enumerate().map(|(place, held)| (place, held.key.as_str())).collect();
    let mut json = serde_json::Deserializer::from_slice(object);
    Object { wanted, take }.deserialize(&mut json)?;
    json.end()
}

/// An object and what is wanted of it: places in the map with what remains of their keys.
struct Object<'w, 't> {
    wanted: Vec<(usize, &'w str)>,
    take: &'t mut dyn FnMut(usize, &str),
}

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            let whole = self.wanted.iter().filter(|(_, wanted)| *wanted == key);
            let places: Vec<usize> = whole.map(|(place, _)| *place).collect();
            let inner = self.wanted.iter().filter_map(|(place, wanted)| {
                Some((*place, wanted.strip_prefix(&*key)?.strip_prefix('.')?))
            });
            let inner: Vec<(usize, &str)> = inner.collect();
            if !places.is_empty() {
                let Scalar(value) = map.next_value()?;
                if let Some(value) = value {
                    places.into_iter().for_each(|place| (self.take)(place, &value));
                }
            } else if !inner.is_empty() {
                map.next_value_seed(Object { wanted: inner, take: &mut *self.take })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    // A path that leads through no object leads nowhere.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A text or a number; nothing for null and for what has parts.
struct Scalar<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Owned(format!("{number:.3}")))))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }
}

#[cfg(test)]
mod tests {
    use super::super::map::KeyMap;
    use super::*;

    #[test]
    fn keys_and_paths_of_keys_are_found() {
        let map = KeyMap::parse("client=$.a.b.c,path=a.p,time=t,id=x.y,host=deep.er").unwrap();
        let object = br#"{"t":12.5,"a":{"b":{"c":"192.0.2.1","d":[1,{}]},"p":7},"x.y":"literal",
            "x":{"y":null},"deep":[{"er":1}],"z":{"t":"no"}}"#;
        let mut found = Vec::new();
        find(object, &map.list, &mut |place, value| {
            found.push((map.list[place].name, value.to_owned()));
        })
        .unwrap();
        assert_eq!(
            found,
            [
                ("time", "12.500".to_owned()),
                ("client", "192.0.2.1".to_owned()),
                ("path", "7".to_owned()),
                ("id", "literal".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_no_object_is_refused_or_empty() {
        let map = KeyMap::parse("client=a,path=b,time=c").unwrap();
        assert!(find(b"{\"a\":", &map.list, &mut |_, _| ()).is_err());
        assert!(find(b"{} x", &map.list, &mut |_, _| ()).is_err());
        find(b"{\"a\":{\"b\":1},\"b\":[1],\"c\":true}", &map.list, &mut |_, _| unreachable!())
            .unwrap();
    }
}
