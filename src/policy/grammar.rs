//! Macros that make a document type, its reader and its JSON Schema from one list of keys or words, so
//! that the three cannot disagree.

/// A mapping with a fixed set of keys: `required` or `optional`, the key, the type of its value.
macro_rules! mapping {
    ($(#[doc = $about:literal])+ $name:ident, $what:literal {
        $( $(#[doc = $doc:literal])+ $need:ident $field:ident : $type:ty, )+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $crate::policy::reader::Field<$type>, )+
        }

        impl $crate::policy::reader::Read for $name {
            fn read(
                node: &$crate::policy::yaml::Node,
                reader: &mut $crate::policy::reader::Reader<'_>,
            ) -> Option<Self> {
                let fields = reader.fields(node, $what, &[$(stringify!($field)),+])?;
                Some(Self { $( $field: fields.$need(stringify!($field), reader), )+ })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut properties = serde_json::Map::new();
                let mut required: Vec<&str> = Vec::new();
                $(
                    let mut property = generator.subschema_for::<$type>();
                    let text = [$($doc),+].map(str::trim).join(" ");
                    property.insert("description".to_owned(), text.into());
                    properties.insert(stringify!($field).to_owned(), property.into());
                    if stringify!($need) == "required" {
                        required.push(stringify!($field));
                    }
                )+
                let description = [$($about),+].map(str::trim).join(" ");
                schemars::json_schema!({
                    "description": description,
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })
            }
        }
    };
}

/// One of a few words.
macro_rules! words {
    ($(#[doc = $about:literal])+ $name:ident, $what:literal {
        $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Their spellings in a policy, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::policy::reader::Read for $name {
            fn read(
                node: &$crate::policy::yaml::Node,
                reader: &mut $crate::policy::reader::Reader<'_>,
            ) -> Option<Self> {
                reader.word(node, Self::WORDS, $what).map(|place| Self::ALL[place])
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let description = [$($about),+].map(str::trim).join(" ");
                schemars::json_schema!({
                    "description": description,
                    "enum": Self::WORDS,
                })
            }
        }
    };
}

/// A mapping with exactly one key, which says what its text is: a path, a web ACL.
macro_rules! one_key {
    ($(#[doc = $about:literal])+ $name:ident($inner:ty), $what:literal, $text:literal, {
        $( $key:literal => $make:expr, )+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            /// What is meant.
            pub meant: $inner,
            /// Where the text stands.
            pub text_span: $crate::policy::problem::Span,
        }

        impl $crate::policy::reader::Read for $name {
            fn read(
                node: &$crate::policy::yaml::Node,
                reader: &mut $crate::policy::reader::Reader<'_>,
            ) -> Option<Self> {
                let keys: &'static [&'static str] = &[$($key),+];
                let (place, text) = reader.one_key(node, $what, keys, $text)?;
                let makers: &[fn(String) -> $inner] = &[$($make),+];
                let make = makers.get(place)?;
                Some(Self { meant: make(text.value), text_span: text.span })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut properties = serde_json::Map::new();
                $(
                    let text = serde_json::json!({ "type": "string", "minLength": 1 });
                    properties.insert($key.to_owned(), text);
                )+
                let description = [$($about),+].map(str::trim).join(" ");
                schemars::json_schema!({
                    "description": description,
                    "type": "object",
                    "properties": properties,
                    "minProperties": 1,
                    "maxProperties": 1,
                    "additionalProperties": false,
                })
            }
        }
    };
}

pub(super) use {mapping, one_key, words};
