//! A value of a template, with what a reader needs to know beside it. YAML, JSON and TypeScript are
//! printed from the same values.

use serde_json::Value as Json;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A text. Nothing in it is read by anybody.
    Text(String),
    /// A whole number.
    Number(u64),
    /// Yes or no.
    Bool(bool),
    /// A list.
    List(Vec<Item>),
    /// An object with the members that CloudFormation knows.
    Map(Vec<Member>),
    /// An object whose keys are names of ours.
    Names(Vec<Member>),
    /// A document of another language, such as an IAM policy: its keys are not CloudFormation's.
    Verbatim(Box<Self>),
    /// What `Ref` gives of a resource, or of a pseudo parameter such as `AWS::AccountId`.
    Ref(String),
    /// What `Fn::GetAtt` gives: a resource and its attribute.
    Attribute(String, &'static str),
    /// Texts, references and settings, one after the other.
    Join(Vec<Self>),
    /// A number of a rule that stands elsewhere once: see [`super::template::Setting`].
    Setting(String, &'static str),
}

/// A value in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Comments before it, a paragraph each.
    pub about: Vec<String>,
    /// The value.
    pub value: Node,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its key.
    pub key: String,
    /// Comments before it, a paragraph each.
    pub about: Vec<String>,
    /// Its value.
    pub value: Node,
}

/// A member without a comment.
pub(super) fn member(key: &str, value: impl Into<Node>) -> Member {
    Member { key: key.to_owned(), about: Vec::new(), value: value.into() }
}

impl Node {
    /// A list without comments.
    pub(super) fn list(values: impl IntoIterator<Item = Self>) -> Self {
        let item = |value| Item { about: Vec::new(), value };
        Self::List(values.into_iter().map(item).collect())
    }

    /// What the API's JSON says. Numbers that are none of ours (negative, broken) become text.
    pub(super) fn of(json: Json) -> Self {
        match json {
            Json::Null => Self::Text(String::new()),
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => {
                number.as_u64().map_or_else(|| Self::Text(number.to_string()), Self::Number)
            }
            Json::String(text) => Self::Text(text),
            Json::Array(values) => Self::list(values.into_iter().map(Self::of)),
            Json::Object(members) => Self::Map(
                members.into_iter().map(|(key, value)| member(&key, Self::of(value))).collect(),
            ),
        }
    }

    /// The member of an object.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Member> {
        match self {
            Self::Map(members) | Self::Names(members) => {
                members.iter_mut().find(|member| member.key == key)
            }
            _ => None,
        }
    }

    /// Every text in it, keys and comments left out.
    pub(super) fn texts<'a>(&'a self, each: &mut impl FnMut(&'a str)) {
        match self {
            Self::Text(text) => each(text),
            Self::Number(_)
            | Self::Bool(_)
            | Self::Ref(_)
            | Self::Attribute(..)
            | Self::Setting(..) => {}
            Self::List(items) => items.iter().for_each(|item| item.value.texts(each)),
            Self::Map(members) | Self::Names(members) => {
                members.iter().for_each(|member| member.value.texts(each));
            }
            Self::Verbatim(value) => value.texts(each),
            Self::Join(parts) => parts.iter().for_each(|part| part.texts(each)),
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u32> for Node {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Vec<Member>> for Node {
    fn from(members: Vec<Member>) -> Self {
        Self::Map(members)
    }
}
