//! How a request becomes a line: one file a format.

mod standard;

use super::exchange::Exchange;

/// A format of the logs that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// CloudFront standard logs v1: 33 columns, gzip.
    #[default]
    V1,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Self; 1] = [Self::V1];

    /// Its name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
        }
    }

    /// What every file begins with.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Self::V1 => standard::HEAD,
        }
    }

    /// Appends one line with its end.
    pub(super) fn line(self, exchange: &Exchange, out: &mut Vec<u8>) {
        match self {
            Self::V1 => standard::line(exchange, out),
        }
    }
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format that can be generated; there is v1")]
pub struct UnknownFormat(pub String);
