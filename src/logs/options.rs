//! How to read: what the command line may say about logs.

use std::sync::Arc;

use super::delimiter::Delimiter;
use super::fields::FieldList;
use super::gateway::KeyMap;

/// Which optional fields the routes need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A route names a method.
    pub method: bool,
    /// A route names a host.
    pub host: bool,
}

/// The formats that can be asked for by name; without a name, the content of each file decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// CloudFront standard logs as text: v1, and v2 in w3c, plain or raw, with any delimiter.
    Standard,
    /// CloudFront standard logs v2 in JSON.
    Json,
    /// CloudFront standard logs v2 in Parquet.
    Parquet,
    /// CloudFront real-time logs.
    RealTime,
    /// AWS WAF logs.
    Waf,
    /// Access logs of an Application Load Balancer.
    Alb,
    /// Combined or common logs of a web server (nginx, Apache).
    Combined,
    /// JSON access logs of an API Gateway, or of anything else, by a map of keys.
    Gateway,
}

impl InputFormat {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Standard,
        Self::Json,
        Self::Parquet,
        Self::RealTime,
        Self::Waf,
        Self::Alb,
        Self::Combined,
        Self::Gateway,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "cloudfront",
            Self::Json => "cloudfront-json",
            Self::Parquet => "cloudfront-parquet",
            Self::RealTime => "cloudfront-realtime",
            Self::Waf => "waf",
            Self::Alb => "alb",
            Self::Combined => "combined",
            Self::Gateway => "gateway",
        }
    }

    /// By its name on the command line.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }
}

/// How to read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which optional fields must be there.
    pub needs: Needs,
    /// Read what no count needs, too ([`Field::is_detail`](super::Field::is_detail)), where that costs time.
    pub details: bool,
    /// How many times its stored size a file may unpack to, beyond 64 MB.
    pub max_ratio: u32,
    /// Read on after a damaged file, a foreign file, or one with mostly unreadable lines.
    pub keep_going: bool,
    /// Columns of files without a `#Fields:` line.
    pub fields: Option<FieldList>,
    /// What separates columns; told by the first lines if not given.
    pub delimiter: Option<Delimiter>,
    /// The format of all files, whatever they look like.
    pub format: Option<InputFormat>,
    /// Which keys of a JSON log hold what.
    pub map: Option<Arc<KeyMap>>,
    /// Percent of the requests that a real-time log has, as its configuration says.
    pub sampling: Option<u8>,
    /// Bytes that a file may have, stored and unpacked, to be read as a whole; others are streamed.
    pub largest_block: usize,
}

impl Options {
    /// More than that at once saves nothing.
    pub const LARGEST_BLOCK: usize = 256 << 20;
    /// Beyond this, a file is taken for a gzip bomb. Honest logs were seen at 82:1.
    pub const MAXIMUM_RATIO: u32 = 200;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            needs: Needs::default(),
            details: false,
            max_ratio: Self::MAXIMUM_RATIO,
            keep_going: false,
            fields: None,
            delimiter: None,
            format: None,
            map: None,
            sampling: None,
            largest_block: Self::LARGEST_BLOCK,
        }
    }
}
