//! One object to one file, whole or not at all.

use std::io::Write;
use std::sync::Arc;

use super::Observer;
use super::cache::{Shelf, Stored};
use super::connection::{Connection, causes};
use super::error::Error;
use super::failure::{Asked, Failure};
use super::listing::{ATTEMPTS, Object, pause};

/// Fetches objects.
pub(super) struct Downloader {
    pub(super) connection: Arc<Connection>,
    pub(super) shelf: Shelf,
    pub(super) observer: Arc<dyn Observer>,
}

/// Why an attempt did not succeed.
enum Trouble {
    /// S3 said so.
    Refused(Failure),
    /// The bytes did not come, or are not those that S3 has.
    Incomplete(String),
    /// Another attempt would go the same way.
    Final(Error),
}

impl Downloader {
    /// Fetches an object. Refusals that may pass and bodies that do not arrive whole are tried again; an
    /// object that was replaced since it was listed is fetched as it is now.
    pub(super) async fn fetch(&self, object: &Object) -> Result<Stored, Error> {
        let mut object = object.clone();
        let mut attempts = 1;
        loop {
            let (bucket, key) = (object.bucket.as_ref(), object.key.as_str());
            let reason = match self.attempt(&mut object.clone()).await {
                Ok(stored) => return Ok(stored),
                Err(Trouble::Final(error)) => return Err(error),
                Err(Trouble::Refused(failure)) if failure.is_changed() => {
                    if object.etag.is_empty() {
                        return Err(self.refused(failure, &object, attempts));
                    }
                    let now = format!("`{}` was replaced since it was listed", object.name());
                    self.observer.note(&now);
                    object.etag.clear();
                    continue;
                }
                Err(Trouble::Refused(failure)) => {
                    if !failure.is_passing() || attempts >= ATTEMPTS {
                        return Err(self.refused(failure, &object, attempts));
                    }
                    failure.in_words()
                }
                Err(Trouble::Incomplete(reason)) => {
                    if attempts >= ATTEMPTS {
                        let what = super::location::url(bucket, key);
                        return Err(Error::Incomplete { what, attempts, reason });
                    }
                    reason
                }
            };
            self.observer.note(&format!("fetching `{}` again: {reason}", object.name()));
            tokio::time::sleep(pause(attempts)).await;
            attempts += 1;
        }
    }

    fn refused(&self, failure: Failure, object: &Object, attempts: u32) -> Error {
        let (_, region) = self.connection.client(&object.bucket);
        let (bucket, key) = (object.bucket.as_ref(), object.key.as_str());
        failure.into_error(Asked { bucket, key, listing: false, region: &region }, attempts)
    }

    /// One attempt; without an ETag, at whatever is there now, whose ETag and size are noted.
    async fn attempt(&self, object: &mut Object) -> Result<Stored, Trouble> {
        let (client, _) = self.connection.client(&object.bucket);
        let mut request = client
            .get_object()
            .bucket(object.bucket.as_ref())
            .key(&object.key)
            .set_request_payer(self.connection.payer.clone());
        if !object.etag.is_empty() {
            request = request.if_match(&object.etag);
        }
        let output = request.send().await.map_err(|error| Trouble::Refused(Failure::of(&error)))?;
        let length = output.content_length().and_then(|length| u64::try_from(length).ok());
        if object.etag.is_empty() {
            object.etag = output.e_tag().unwrap_or_default().to_owned();
            object.size = length.unwrap_or(object.size);
        } else if output.e_tag().is_some_and(|etag| etag != object.etag) {
            return Err(Trouble::Incomplete("another object came in its place".to_owned()));
        }
        let size = object.size;
        if length.is_some_and(|length| length != size) {
            return Err(Trouble::Incomplete(wrong_length(size, length.unwrap_or_default())));
        }
        let mut file = self.shelf.begin().map_err(Trouble::Final)?;
        let mut body = output.body;
        let mut arrived = 0_u64;
        let received = loop {
            match body.try_next().await {
                Ok(Some(chunk)) => {
                    arrived += chunk.len() as u64;
                    self.observer.fetched(chunk.len() as u64);
                    if let Err(source) = file.write_all(&chunk) {
                        break Err(Trouble::Final(self.shelf.trouble(size, source)));
                    }
                    // A body without a stated length could go on for ever.
                    if arrived > size {
                        break Err(Trouble::Incomplete(wrong_length(size, arrived)));
                    }
                }
                Ok(None) if arrived == size => break Ok(()),
                Ok(None) => break Err(Trouble::Incomplete(wrong_length(size, arrived))),
                Err(error) => {
                    let so_far = wrong_length(size, arrived);
                    let reason = format!("{so_far} ({})", causes(&error));
                    break Err(Trouble::Incomplete(reason));
                }
            }
        };
        let kept = received.and_then(|()| self.shelf.keep(file, object).map_err(Trouble::Final));
        if kept.is_err() {
            self.observer.lost(arrived);
        }
        kept
    }
}

fn wrong_length(expected: u64, arrived: u64) -> String {
    let count = crate::units::thousands;
    format!("{} of {} bytes came", count(arrived), count(expected))
}
