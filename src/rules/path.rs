//! Path patterns, and the one matcher that decides like the emitted WAF statement.

use std::fmt;

use super::transform::{Transformation, transform};
use crate::quotas;

/// Which paths a statement is about, as a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathPattern {
    /// The whole path.
    Exactly(String),
    /// Its beginning.
    StartsWith(String),
    /// Its end.
    EndsWith(String),
    /// Any part of it.
    Contains(String),
    /// A regular expression that is found somewhere in it.
    Regex(String),
}

/// How many spellings of a path a statement covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `URL_DECODE`, `NORMALIZE_PATH` and `LOWERCASE`, with or without a slash at the end: no spelling
    /// slips by.
    #[default]
    Loose,
    /// `LOWERCASE` only.
    Strict,
}

impl Spelling {
    /// The transformations of the emitted statement, in order.
    #[must_use]
    pub const fn transformations(self) -> &'static [Transformation] {
        match self {
            Self::Loose => &[
                Transformation::UrlDecode,
                Transformation::NormalizePath,
                Transformation::Lowercase,
            ],
            Self::Strict => &[Transformation::Lowercase],
        }
    }
}

/// Why a path pattern cannot be a WAF statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is no text to look for.
    #[error("the path is empty; write at least `/`")]
    Empty,
    /// A whole path or a beginning that no request has.
    #[error("the path `{0}` does not start with `/`, and every request path does")]
    NoSlash(String),
    /// A control character.
    #[error("the path holds a control character, which no request is limited by")]
    Control,
    /// The search string is longer than AWS allows.
    #[error("the path has {0} bytes after its transformations; AWS WAF looks for at most {max}", max = quotas::SEARCH_STRING_BYTES)]
    TooLong(usize),
    /// A query string in a path.
    #[error("the path `{0}` holds `?`; a rule looks at the path alone, without the query")]
    Query(String),
    /// The expression is longer than AWS allows.
    #[error("the expression has {0} characters; AWS WAF takes at most {max}", max = quotas::REGEX_CHARACTERS)]
    RegexTooLong(usize),
    /// Not a regular expression that both the analysis and AWS WAF understand.
    #[error("`{pattern}` is no regular expression that can be used here: {reason}")]
    Regex {
        /// The expression.
        pattern: String,
        /// What is wrong, in one line.
        reason: String,
    },
    /// The path is put in lower case before the expression sees it.
    #[error(
        "the expression `{0}` holds a capital letter, but the path is put in lower case first; write it in lower case"
    )]
    RegexCapital(String),
}

impl PathPattern {
    /// The text as written, without its kind.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Exactly(text)
            | Self::StartsWith(text)
            | Self::EndsWith(text)
            | Self::Contains(text)
            | Self::Regex(text) => text,
        }
    }

    /// The key of the kind in a policy: `exactly`, `starts_with`, `ends_with`, `contains`, `regex`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Exactly(_) => "exactly",
            Self::StartsWith(_) => "starts_with",
            Self::EndsWith(_) => "ends_with",
            Self::Contains(_) => "contains",
            Self::Regex(_) => "regex",
        }
    }

    /// The search strings of the emitted statement, already transformed: the request matches if one
    /// of them does. Two for a loose whole path or end (with and without the last slash), else one.
    /// A regular expression is given back as it is.
    #[must_use]
    pub fn search_strings(&self, spelling: Spelling) -> Vec<Vec<u8>> {
        let text = self.text().as_bytes();
        if matches!(self, Self::Regex(_)) {
            return vec![text.to_vec()];
        }
        let mut wanted = transform(text, spelling.transformations()).into_owned();
        let both_ends =
            spelling == Spelling::Loose && matches!(self, Self::Exactly(_) | Self::EndsWith(_));
        if !both_ends {
            return vec![wanted];
        }
        while wanted.len() > 1 && wanted.last() == Some(&b'/') {
            wanted.pop();
        }
        if wanted == b"/" {
            return vec![wanted];
        }
        let mut slashed = wanted.clone();
        slashed.push(b'/');
        vec![wanted, slashed]
    }
}

/// The way it is written after `--route`.
impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(text) => f.write_str(text),
            Self::StartsWith(text) => write!(f, "{text}*"),
            Self::EndsWith(text) => write!(f, "*{text}"),
            Self::Contains(text) => write!(f, "*{text}*"),
            Self::Regex(text) => write!(f, "~{text}"),
        }
    }
}

/// In what a request's path differs from the pattern as written, though it means the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Capital letters.
    pub case: bool,
    /// A slash at the end that the pattern does not have, or none where it has one.
    pub trailing_slash: bool,
    /// Percent-encoding.
    pub escapes: bool,
    /// Double slashes or `.` and `..` segments.
    pub slashes: bool,
}

impl Variant {
    /// Whether the path was spelled like the pattern.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct PathMatcher {
    pattern: PathPattern,
    spelling: Spelling,
    /// What the emitted statement looks for.
    wanted: Vec<Vec<u8>>,
    /// What the loosest spelling looks for, to see which requests a strict statement misses.
    loosest: Vec<Vec<u8>>,
    regex: Option<regex::bytes::Regex>,
}

/// How one request's path relates to the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathMatch {
    /// The emitted statement matches it.
    pub covered: bool,
    /// How it is spelled.
    pub variant: Variant,
}

impl PathMatcher {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When no WAF statement can express it.
    pub fn new(pattern: &PathPattern, spelling: Spelling) -> Result<Self, PatternError> {
        check(pattern)?;
        let wanted = pattern.search_strings(spelling);
        if let Some(long) = wanted.iter().map(Vec::len).max() {
            let regex = matches!(pattern, PathPattern::Regex(_));
            if !regex && long > quotas::SEARCH_STRING_BYTES {
                return Err(PatternError::TooLong(long));
            }
            if long == 0 {
                return Err(PatternError::Empty);
            }
        }
        let regex = match pattern {
            PathPattern::Regex(text) => Some(compile(text)?),
            _ => None,
        };
        let loosest = pattern.search_strings(Spelling::Loose);
        Ok(Self { pattern: pattern.clone(), spelling, wanted, loosest, regex })
    }

    /// Whether the emitted statement matches a path as the client sent it (the log's own escaping
    /// undone).
    #[must_use]
    pub fn matches(&self, sent: &[u8]) -> bool {
        self.found(&transform(sent, self.spelling.transformations()), &self.wanted)
    }

    /// As [`PathMatcher::matches`], but also tells other spellings of the same path, covered or not.
    /// `None` if the path is another one.
    #[must_use]
    pub fn compare(&self, sent: &[u8]) -> Option<PathMatch> {
        self.compare_with(sent, &transform(sent, Spelling::Loose.transformations()))
    }

    /// As [`PathMatcher::compare`], for a caller that has the path after the transformations of
    /// [`Spelling::Loose`] already: many patterns are compared with one path.
    #[inline]
    #[must_use]
    pub fn compare_with(&self, sent: &[u8], loose: &[u8]) -> Option<PathMatch> {
        // Nearly every path of a log is another one: answer those first.
        if !self.found(loose, &self.loosest) {
            // A strict pattern can match what the loose form of the path does not.
            let covered = self.spelling == Spelling::Strict && self.matches(sent);
            return covered.then_some(PathMatch { covered, variant: Variant::default() });
        }
        let covered = match self.spelling {
            Spelling::Loose => true,
            Spelling::Strict => self.matches(sent),
        };
        Some(PathMatch { covered, variant: self.variant(sent) })
    }

    fn variant(&self, sent: &[u8]) -> Variant {
        if self.found_one(sent, self.pattern.text().as_bytes()) {
            return Variant::default();
        }
        let decoded = transform(sent, &[Transformation::UrlDecode]);
        let normal = transform(&decoded, &[Transformation::NormalizePath]);
        let pattern_slash = self.pattern.text().ends_with('/') && self.pattern.text().len() > 1;
        let whole = matches!(self.pattern, PathPattern::Exactly(_) | PathPattern::EndsWith(_));
        let sent_slash = normal.len() > 1 && normal.ends_with(b"/");
        Variant {
            case: normal.iter().any(u8::is_ascii_uppercase)
                && !self.pattern.text().bytes().any(|byte| byte.is_ascii_uppercase()),
            trailing_slash: whole && sent_slash != pattern_slash,
            escapes: decoded.as_ref() != sent,
            slashes: normal.as_ref() != decoded.as_ref(),
        }
    }

    #[inline]
    fn found(&self, path: &[u8], wanted: &[Vec<u8>]) -> bool {
        wanted.iter().any(|wanted| self.found_one(path, wanted))
    }

    #[inline]
    fn found_one(&self, path: &[u8], wanted: &[u8]) -> bool {
        match (&self.pattern, &self.regex) {
            (_, Some(regex)) => regex.is_match(path),
            (PathPattern::Exactly(_), None) => path == wanted,
            (PathPattern::StartsWith(_), None) => path.starts_with(wanted),
            (PathPattern::EndsWith(_), None) => path.ends_with(wanted),
            (PathPattern::Contains(_) | PathPattern::Regex(_), None) => {
                memchr::memmem::find(path, wanted).is_some()
            }
        }
    }
}

fn check(pattern: &PathPattern) -> Result<(), PatternError> {
    let text = pattern.text();
    if text.is_empty() {
        return Err(PatternError::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(PatternError::Control);
    }
    match pattern {
        PathPattern::Exactly(_) | PathPattern::StartsWith(_) if !text.starts_with('/') => {
            Err(PatternError::NoSlash(text.to_owned()))
        }
        PathPattern::Regex(_) => check_regex(text),
        _ if text.contains('?') => Err(PatternError::Query(text.to_owned())),
        _ => Ok(()),
    }
}

fn check_regex(text: &str) -> Result<(), PatternError> {
    let length = text.chars().count();
    if length > quotas::REGEX_CHARACTERS {
        return Err(PatternError::RegexTooLong(length));
    }
    // `\D`, `\W`, `\S` and `\B` are classes, not letters.
    let mut escaped = false;
    for character in text.chars() {
        if !escaped && character.is_ascii_uppercase() {
            return Err(PatternError::RegexCapital(text.to_owned()));
        }
        escaped = !escaped && character == '\\';
    }
    Ok(())
}

fn compile(text: &str) -> Result<regex::bytes::Regex, PatternError> {
    regex::bytes::RegexBuilder::new(text).unicode(false).size_limit(1 << 20).build().map_err(
        |error| PatternError::Regex {
            pattern: text.to_owned(),
            reason: error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned(),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly(path: &str, spelling: Spelling) -> PathMatcher {
        PathMatcher::new(&PathPattern::Exactly(path.to_owned()), spelling).unwrap()
    }

    #[test]
    fn loose_covers_every_spelling_and_names_it() {
        let matcher = exactly("/api/v2/report", Spelling::Loose);
        for (sent, variant) in [
            ("/api/v2/report", Variant::default()),
            ("/API/v2/Report", Variant { case: true, ..Variant::default() }),
            ("/api/v2/report/", Variant { trailing_slash: true, ..Variant::default() }),
            ("/api/v2/%72eport", Variant { escapes: true, ..Variant::default() }),
            ("//api/v2/report", Variant { slashes: true, ..Variant::default() }),
        ] {
            let found = matcher.compare(sent.as_bytes());
            assert_eq!(found, Some(PathMatch { covered: true, variant }), "{sent}");
            assert!(matcher.matches(sent.as_bytes()));
        }
        assert_eq!(matcher.compare(b"/api/v2/reports"), None);
        assert_eq!(matcher.compare(b"/api/v2/report/2026"), None);
    }

    #[test]
    fn strict_covers_case_only_and_still_sees_the_rest() {
        let matcher = exactly("/api/v2/report", Spelling::Strict);
        assert!(matcher.matches(b"/API/v2/REPORT"));
        assert!(!matcher.matches(b"/api/v2/report/"));
        assert_eq!(matcher.compare(b"//api/v2/report").map(|found| found.covered), Some(false));
    }

    #[test]
    fn the_root_has_one_spelling() {
        let matcher = exactly("/", Spelling::Loose);
        assert!(matcher.matches(b"/") && matcher.matches(b"//"));
        assert!(!matcher.matches(b"/a"));
    }

    #[test]
    fn other_kinds_match_after_the_transformations() {
        let prefix =
            PathMatcher::new(&PathPattern::StartsWith("/API/".into()), Spelling::Loose).unwrap();
        assert!(prefix.matches(b"//api/x") && !prefix.matches(b"/apix"));
        let suffix =
            PathMatcher::new(&PathPattern::EndsWith(".php".into()), Spelling::Loose).unwrap();
        assert!(suffix.matches(b"/x.PHP/") && !suffix.matches(b"/x.php7"));
        let regex =
            PathMatcher::new(&PathPattern::Regex("^/v[0-9]+/t$".into()), Spelling::Loose).unwrap();
        assert!(regex.matches(b"/V2/T") && !regex.matches(b"/v2/t/x"));
    }

    #[test]
    fn what_waf_cannot_express_is_refused() {
        let refused =
            |pattern: PathPattern| PathMatcher::new(&pattern, Spelling::Loose).unwrap_err();
        assert_eq!(refused(PathPattern::Exactly(String::new())), PatternError::Empty);
        assert!(matches!(refused(PathPattern::Exactly("a".into())), PatternError::NoSlash(_)));
        assert!(matches!(refused(PathPattern::Exactly("/a?b".into())), PatternError::Query(_)));
        assert!(matches!(
            refused(PathPattern::Exactly(format!("/{}", "a".repeat(200)))),
            PatternError::TooLong(_)
        ));
        assert_eq!(refused(PathPattern::Exactly("/\0".into())), PatternError::Control);
        assert!(matches!(refused(PathPattern::Regex("(".into())), PatternError::Regex { .. }));
        assert!(matches!(
            refused(PathPattern::Regex("^/API".into())),
            PatternError::RegexCapital(_)
        ));
    }
}
