//! Conditions on a request that are written by others: any logic of texts in path, method and host.

use super::transform::{Transformation, transform};

/// Which part of a request a text is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPart {
    /// The path as the client sent it, without the query.
    Path,
    /// The method.
    Method,
    /// The Host header.
    Host,
}

/// How a text has to lie in a part of a request.
#[derive(Clone, Debug)]
pub enum TextTest {
    /// It is the whole.
    Exactly(Vec<u8>),
    /// At the beginning.
    StartsWith(Vec<u8>),
    /// At the end.
    EndsWith(Vec<u8>),
    /// Anywhere.
    Contains(Vec<u8>),
    /// The expression is found somewhere.
    Regex(regex::bytes::Regex),
}

/// A condition on a request, which decides as AWS WAF does.
#[derive(Clone, Debug)]
pub enum Condition {
    /// All of these; of none, every request.
    All(Vec<Self>),
    /// Any of these; of none, no request.
    Any(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// A text in a part of the request, after these transformations.
    Text {
        /// Where.
        part: RequestPart,
        /// What is done to the part first, in order.
        transformations: Vec<Transformation>,
        /// How.
        test: TextTest,
    },
}

impl Condition {
    /// Whether a request meets it. One without a Host header holds no text there.
    #[must_use]
    pub fn matches(&self, path: &[u8], method: &[u8], host: Option<&[u8]>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.matches(path, method, host)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(path, method, host)),
            Self::Not(part) => !part.matches(path, method, host),
            Self::Text { part, transformations, test } => {
                let text = match part {
                    RequestPart::Path => Some(path),
                    RequestPart::Method => Some(method),
                    RequestPart::Host => host,
                };
                text.is_some_and(|text| test.holds(&transform(text, transformations)))
            }
        }
    }

    /// Whether it looks at this part of a request.
    #[must_use]
    pub fn looks_at(&self, wanted: RequestPart) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.looks_at(wanted)),
            Self::Not(part) => part.looks_at(wanted),
            Self::Text { part, .. } => *part == wanted,
        }
    }
}

impl TextTest {
    fn holds(&self, text: &[u8]) -> bool {
        match self {
            Self::Exactly(wanted) => text == wanted.as_slice(),
            Self::StartsWith(wanted) => text.starts_with(wanted),
            Self::EndsWith(wanted) => text.ends_with(wanted),
            Self::Contains(wanted) => memchr::memmem::find(text, wanted).is_some(),
            Self::Regex(expression) => expression.is_match(text),
        }
    }

    /// An expression, read as the matcher of routes reads its own.
    ///
    /// # Errors
    /// When it is none: why, in one line.
    pub fn regex(text: &str) -> Result<Self, String> {
        regex::bytes::RegexBuilder::new(text)
            .unicode(false)
            .size_limit(1 << 20)
            .build()
            .map(Self::Regex)
            .map_err(|error| error.to_string().lines().last().unwrap_or_default().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(test: TextTest, transformations: &[Transformation]) -> Condition {
        let transformations = transformations.to_vec();
        Condition::Text { part: RequestPart::Path, transformations, test }
    }

    #[test]
    fn case_counts_unless_a_transformation_takes_it_away() {
        let exact = |transformations: &[Transformation]| {
            path(TextTest::Exactly(b"/a".to_vec()), transformations)
        };
        assert!(!exact(&[]).matches(b"/A", b"GET", None));
        assert!(exact(&[Transformation::Lowercase]).matches(b"/A", b"GET", None));
        let not = Condition::Not(Box::new(exact(&[])));
        assert!(not.matches(b"/A", b"GET", None));
        let both = Condition::All(vec![not, path(TextTest::regex("^/[A-Z]$").unwrap(), &[])]);
        assert!(both.matches(b"/A", b"GET", None) && !both.matches(b"/AB", b"GET", None));
        assert!(both.looks_at(RequestPart::Path) && !both.looks_at(RequestPart::Host));
        assert!(Condition::All(Vec::new()).matches(b"/", b"", None));
        assert!(!Condition::Any(Vec::new()).matches(b"/", b"", None));
        assert!(TextTest::regex("(").is_err());
    }

    #[test]
    fn a_request_without_host_holds_no_host() {
        let host = Condition::Text {
            part: RequestPart::Host,
            transformations: Vec::new(),
            test: TextTest::Contains(Vec::new()),
        };
        assert!(!host.matches(b"/", b"GET", None));
        assert!(host.matches(b"/", b"GET", Some(b"shop.example")));
        assert!(Condition::Not(Box::new(host)).matches(b"/", b"GET", None));
    }
}
