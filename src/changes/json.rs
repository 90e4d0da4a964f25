//! JSON that keeps its bytes: an object as the texts of its members, an array as the texts of its elements.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in their order, each value as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members(Vec<(String, String)>);

impl Members {
    /// Takes an object apart.
    ///
    /// # Errors
    /// When the text is no JSON object, or has a member twice.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The text of a member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    /// A member that is a string.
    #[must_use]
    pub fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Puts a member in the place of the one of that name, or at the end.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        let text = text.into();
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some(member) => member.1 = text,
            None => self.0.push((name.to_owned(), text)),
        }
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(own, _)| own != name);
    }

    /// Names and texts, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The object.
    #[must_use]
    pub fn text(&self) -> String {
        let members: Vec<String> =
            self.0.iter().map(|(name, text)| format!("{}:{text}", quoted(name))).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// The elements of an array, each as it was written.
///
/// # Errors
/// When the text is no JSON array.
pub fn elements(text: &str) -> serde_json::Result<Vec<String>> {
    let all: Vec<&RawValue> = serde_json::from_str(text)?;
    Ok(all.into_iter().map(|one| one.get().to_owned()).collect())
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members: Vec<(String, String)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if members.iter().any(|(own, _)| *own == name) {
                        return Err(A::Error::custom(format!(
                            "the member `{name}` is there twice"
                        )));
                    }
                    members.push((name, value.get().to_owned()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// Every `ARN` in a value, which may be written anew.
pub(super) fn each_arn(value: &mut serde_json::Value, change: &mut impl FnMut(&mut String)) {
    use serde_json::Value;
    match value {
        Value::Array(values) => values.iter_mut().for_each(|one| each_arn(one, change)),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == "ARN" => change(text),
                    other => each_arn(other, change),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_members_stay() {
        let text = r#"{"a" : 1.50e1 ,"ü":[ 1,  2 ],"b":{"x":"\u0041\/"},"c":18446744073709551617}"#;
        let mut members = Members::parse(text).unwrap();
        assert_eq!(members.get("a"), Some("1.50e1"));
        members.set("a", "2");
        members.set("z", "null");
        members.remove("b");
        assert_eq!(members.text(), r#"{"a":2,"ü":[ 1,  2 ],"c":18446744073709551617,"z":null}"#);
        assert_eq!(
            elements(r#"[ {"x":  1}, "\u0041" ]"#).unwrap(),
            [r#"{"x":  1}"#, r#""\u0041""#]
        );
        assert!(Members::parse(r#"{"a":1,"a":2}"#).unwrap_err().to_string().contains("twice"));
        assert!(Members::parse("[]").is_err() && elements("{}").is_err());
    }
}
