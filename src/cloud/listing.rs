//! One page of a bucket after another.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use aws_sdk_s3::types::EncodingType;

use super::Observer;
use super::bounded::Bounded;
use super::connection::Connection;
use super::error::Error;
use super::failure::{Asked, Failure};

/// An object that was listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    /// Its bucket.
    pub bucket: Arc<str>,
    /// Its key.
    pub key: String,
    /// Changes with its content; quotes and all, as S3 writes it. Empty if the store has none.
    pub etag: String,
    /// Stored bytes.
    pub size: u64,
}

impl Object {
    /// Its name in messages and results: `s3://bucket/key`.
    #[must_use]
    pub fn name(&self) -> String {
        super::location::url(&self.bucket, &self.key)
    }
}

/// What a location holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Logs by their names, of the days that are asked for.
    pub objects: Vec<Object>,
    /// Keys that do not look like logs.
    pub others: Vec<String>,
    /// Objects looked at, whatever they are.
    pub listed: u64,
    /// Of these, objects of other days. Days that were left out as a whole are not among them.
    pub outside: u64,
    /// Requests that it took.
    pub requests: u64,
}

/// Attempts beyond the SDK's own, each with a longer pause before it.
pub(super) const ATTEMPTS: u32 = 4;

/// How long to wait after so many attempts.
pub(super) fn pause(attempts: u32) -> Duration {
    Duration::from_millis(500) * 2_u32.pow(attempts.saturating_sub(1).min(6))
}

/// Where a page begins.
#[derive(Clone, Debug)]
pub(super) enum Start {
    /// At the first key.
    Beginning,
    /// After this key, which need not be there.
    After(String),
    /// Where the last page ended.
    Token(String),
}

/// One page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Key, ETag, size.
    pub(super) objects: Vec<(String, String, u64)>,
    /// Prefixes up to and including the next slash, if folders were asked for.
    pub(super) folders: Vec<String>,
    pub(super) next: Option<String>,
}

/// Asks for pages.
pub(super) struct Lister {
    pub(super) connection: Arc<Connection>,
    pub(super) observer: Arc<dyn Observer>,
    pub(super) bucket: Arc<str>,
}

impl Lister {
    /// A page of at most `most` entries (at most 1,000). A bucket in another region is followed there.
    pub(super) async fn page(
        &self,
        prefix: &str,
        folders: bool,
        start: &Start,
        most: i32,
    ) -> Result<Page, Error> {
        let mut attempts = 1;
        loop {
            let (client, region) = self.connection.client(&self.bucket);
            let mut request = client
                .list_objects_v2()
                .bucket(self.bucket.as_ref())
                .prefix(prefix)
                // Keys may hold characters that XML has no way to write.
                .encoding_type(EncodingType::Url)
                .max_keys(most)
                .set_request_payer(self.connection.payer.clone());
            if folders {
                request = request.delimiter("/");
            }
            request = match start {
                Start::Beginning => request,
                Start::After(key) => request.start_after(key),
                Start::Token(token) => request.continuation_token(token),
            };
            let failure =
                match request.customize().interceptor(Bounded { streams: false }).send().await {
                    Ok(output) => return Ok(self.read(output)),
                    Err(error) => Failure::of(&error),
                };
            let moved = failure.region.clone().filter(|_| failure.is_of_region());
            if moved.is_some_and(|region| self.follow(&region)) {
                continue;
            }
            if failure.is_passing() && attempts < ATTEMPTS {
                tokio::time::sleep(pause(attempts)).await;
                attempts += 1;
                continue;
            }
            let (bucket, key) = (self.bucket.as_ref(), prefix);
            let asked = Asked { bucket, key, listing: true, region: &region };
            return Err(failure.into_error(asked, attempts));
        }
    }

    fn follow(&self, region: &str) -> bool {
        let moved = self.connection.follow(&self.bucket, region);
        if moved {
            self.observer.note(&format!("the bucket `{}` is in {region}", self.bucket));
        }
        moved
    }

    fn read(&self, output: ListObjectsV2Output) -> Page {
        let encoded = output.encoding_type() == Some(&EncodingType::Url);
        let text = |text: &str| if encoded { decoded(text) } else { text.to_owned() };
        let objects: Vec<_> = output
            .contents()
            .iter()
            .filter_map(|object| {
                let size = u64::try_from(object.size().unwrap_or_default()).unwrap_or_default();
                Some((text(object.key()?), object.e_tag().unwrap_or_default().to_owned(), size))
            })
            .collect();
        let folders =
            output.common_prefixes().iter().filter_map(|it| it.prefix()).map(text).collect();
        self.observer.listed(objects.len() as u64);
        let more = output.is_truncated() == Some(true);
        let next = output.next_continuation_token().filter(|_| more).map(str::to_owned);
        Page { objects, folders, next }
    }
}

/// A key as S3 encodes it on request: like a form, with `+` for a blank.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while place < bytes.len() {
        let escaped = || {
            let digits = bytes.get(place + 1..place + 3)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
        };
        match (bytes[place], escaped()) {
            (b'%', Some(byte)) => {
                out.push(byte);
                place += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        place += 1;
    }
    // Keys are UTF-8: what is none was not encoded by S3.
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_decoded_once() {
        for (text, key) in [
            ("a/b.gz", "a/b.gz"),
            ("a+b%2Bc%20d", "a b+c d"),
            ("%2525", "%25"),
            ("%C3%A4%0A%1B", "ä\n\u{1b}"),
            ("100%", "100%"),
            ("%zz%4", "%zz%4"),
            ("%+1", "% 1"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(decoded(text), key);
        }
    }

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<u128> = (1..5).map(|attempts| pause(attempts).as_millis()).collect();
        assert_eq!(pauses, [500, 1_000, 2_000, 4_000]);
        assert_eq!(pause(u32::MAX), pause(7));
    }
}
