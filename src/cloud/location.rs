//! `s3://bucket/prefix`, as it is typed.

use globset::{GlobBuilder, GlobMatcher};

use super::error::Error;
use crate::units::plain;

const SCHEME: &str = "s3://";
/// What begins a pattern, as for local files.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// Whether an argument names something in S3 rather than on this machine.
#[must_use]
pub fn is_location(text: &str) -> bool {
    text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

/// A bucket and the objects in it that are meant.
#[derive(Clone, Debug)]
pub struct Location {
    /// As typed, for messages.
    pub text: String,
    /// The bucket.
    pub bucket: String,
    /// What all keys begin with; of a pattern, what stands before its first special character.
    pub prefix: String,
    /// The pattern, if it is one.
    pub(super) pattern: Option<GlobMatcher>,
}

impl Location {
    /// Reads `s3://bucket`, `s3://bucket/prefix`, `s3://bucket/logs/*.gz`.
    ///
    /// # Errors
    /// When there is no bucket, or a name that no bucket has, or the pattern cannot be read.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Location { text: plain(text).into_owned(), reason };
        let rest = text.get(SCHEME.len()..).unwrap_or_default();
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wrong("it names no bucket".to_owned()));
        }
        if bucket.starts_with("arn:") {
            return Err(wrong(
                "ARNs are not read; an access point has an alias that stands for a bucket's name"
                    .to_owned(),
            ));
        }
        // The names that S3 gives out today are stricter; those of early buckets are not.
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if !(3..=255).contains(&bucket.len()) || !bucket.bytes().all(fits) {
            return Err(wrong(format!("no bucket is called `{}`", plain(bucket))));
        }
        // Terminals and S3 agree that keys are at most 1,024 bytes.
        if key.len() > 1_024 {
            return Err(wrong("keys have at most 1,024 bytes".to_owned()));
        }
        let special = key.find(SPECIAL);
        let pattern = special
            .map(|_| GlobBuilder::new(key).literal_separator(true).build())
            .transpose()
            .map_err(|error| wrong(error.kind().to_string()))?
            .map(|glob| glob.compile_matcher());
        let prefix = &key[..special.unwrap_or(key.len())];
        Ok(Self {
            text: text.to_owned(),
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            pattern,
        })
    }

    /// Whether a key, or a folder that it lies in, is what the pattern means.
    pub(super) fn matches(&self, key: &str) -> bool {
        let Some(pattern) = &self.pattern else { return true };
        let folders = key.match_indices('/').map(|(slash, _)| &key[..slash]);
        pattern.is_match(key) || folders.into_iter().any(|folder| pattern.is_match(folder))
    }
}

/// An object for messages.
pub(super) fn url(bucket: &str, key: &str) -> String {
    format!("{SCHEME}{bucket}/{key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_read() {
        for (text, bucket, prefix, pattern) in [
            ("s3://logs", "logs", "", false),
            ("S3://logs/", "logs", "", false),
            ("s3://my.logs/a/b", "my.logs", "a/b", false),
            ("s3://logs/a//b/", "logs", "a//b/", false),
            ("s3://logs/cf/E1.2026-09-*.gz", "logs", "cf/E1.2026-09-", true),
        ] {
            assert!(is_location(text));
            let found = Location::parse(text).unwrap();
            assert_eq!((found.bucket.as_str(), found.prefix.as_str()), (bucket, prefix), "{text}");
            assert_eq!(found.pattern.is_some(), pattern, "{text}");
        }
        let long = format!("s3://logs/{}", "a".repeat(1_025));
        for text in
            ["s3://", "s3:///a", "s3://lo gs/a", "s3://ab", "s3://logs/[", "s3://../a", &long]
        {
            assert!(Location::parse(text).is_err() || text == "s3://../a", "{text}");
        }
        assert!(!is_location("s3:/logs") && !is_location("./s3://logs") && !is_location("ä"));
    }

    #[test]
    fn patterns_mean_objects_and_folders() {
        let found = Location::parse("s3://logs/cf/*/2026-09").unwrap();
        assert!(found.matches("cf/a/2026-09") && found.matches("cf/a/2026-09/x/y.gz"));
        assert!(!found.matches("cf/a/b/2026-09") && !found.matches("cf/a/2026-10/y.gz"));
    }
}
