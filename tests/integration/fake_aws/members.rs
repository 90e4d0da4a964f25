//! A JSON object whose values are kept as they were written: tests compare the bytes of rules that
//! are somebody else's.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The members of an object, in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The text of a member.
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, raw)| raw.get())
    }

    pub fn value(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    pub fn text(&self, name: &str) -> Option<String> {
        Some(self.value(name)?.as_str()?.to_owned())
    }

    /// The texts of the elements of an array; none if there is no such array.
    pub fn elements(&self, name: &str) -> Vec<Box<RawValue>> {
        self.raw(name).and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default()
    }

    /// Replaces a member where it stands, or adds it at the end.
    pub fn set(&mut self, name: &str, raw: String) {
        let raw = RawValue::from_string(raw).unwrap();
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some(member) => member.1 = raw,
            None => self.0.push((name.to_owned(), raw)),
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// The object.
    pub fn written(&self) -> String {
        let members: Vec<String> = self
            .0
            .iter()
            .map(|(name, raw)| format!("{}:{}", Value::from(name.as_str()), raw.get()))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
