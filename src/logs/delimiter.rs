//! What separates the columns of a standard log v2 in plain, raw or w3c: its owner's choice of up to
//! five characters (CloudFront Developer Guide, "Configure standard logging (v2)").

/// Up to five characters between two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter {
    bytes: [u8; Self::LONGEST * 4],
    length: u8,
}

/// A delimiter that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DelimiterError {
    /// Nothing at all.
    #[error(
        "without a delimiter nothing tells where one value ends and the next begins; choose one (a tab, say) in the log delivery"
    )]
    Empty,
    /// Too long.
    #[error("a delimiter has at most 5 characters")]
    TooLong,
    /// A line end.
    #[error("a line end cannot separate columns")]
    LineEnd,
}

impl Delimiter {
    /// Characters at most (`CreateDelivery` of the CloudWatch Logs API).
    pub const LONGEST: usize = 5;

    /// A single tab.
    pub const TAB: Self = {
        let mut bytes = [0; Self::LONGEST * 4];
        bytes[0] = b'\t';
        Self { bytes, length: 1 }
    };

    /// From what the owner chose; `\t` stands for a tab.
    ///
    /// # Errors
    /// When it cannot separate anything.
    pub fn parse(text: &str) -> Result<Self, DelimiterError> {
        let text = text.replace("\\t", "\t");
        if text.is_empty() {
            return Err(DelimiterError::Empty);
        }
        if text.chars().count() > Self::LONGEST {
            return Err(DelimiterError::TooLong);
        }
        if text.contains(['\n', '\r']) {
            return Err(DelimiterError::LineEnd);
        }
        let mut bytes = [0; Self::LONGEST * 4];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self { bytes, length: text.len() as u8 })
    }

    /// Its bytes: at least one.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_have_one_to_five_characters() {
        assert_eq!(Delimiter::parse("\\t"), Ok(Delimiter::TAB));
        assert_eq!(Delimiter::parse(";;").unwrap().as_bytes(), b";;");
        assert_eq!(Delimiter::parse("€€€€€").unwrap().as_bytes().len(), 15);
        assert_eq!(Delimiter::parse(""), Err(DelimiterError::Empty));
        assert_eq!(Delimiter::parse("123456"), Err(DelimiterError::TooLong));
        assert_eq!(Delimiter::parse("\n"), Err(DelimiterError::LineEnd));
    }
}
