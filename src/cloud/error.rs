//! Why logs cannot be had from S3: what it happened to, what AWS said, and the way out.

use std::io;
use std::path::PathBuf;

use crate::units::{plain, thousands};

/// A location, a listing or an object that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not a location.
    #[error("`{text}` is no location in S3: {reason}")]
    Location {
        /// As typed.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Stopped from outside.
    #[error("stopped; nothing was written")]
    Stopped,
    /// Nothing that a certificate of AWS could be checked with.
    #[error("this machine has no root certificates, so no answer for `{}` can be trusted", plain(.0))]
    NoRoots(String),
    /// Nobody to be.
    #[error("there are no AWS credentials to read `{}` with: {said}", plain(.what))]
    NoCredentials {
        /// What was to be read.
        what: String,
        /// What the credential chain said.
        said: String,
    },
    /// AWS does not take the credentials.
    #[error("AWS does not accept the credentials for `{}`: {code}: {}", plain(.what), plain(.said))]
    Credentials {
        /// What was to be read.
        what: String,
        /// AWS's word for it.
        code: String,
        /// AWS's sentence.
        said: String,
    },
    /// No such bucket.
    #[error("there is no bucket `{0}`")]
    NoBucket(String),
    /// Not allowed.
    #[error("AWS denies {action} on {}: {}", plain(.resource), plain(.said))]
    Denied {
        /// The action of IAM.
        action: &'static str,
        /// The resource's ARN.
        resource: String,
        /// AWS's sentence.
        said: String,
    },
    /// The object may be read, its key may not be used.
    #[error("AWS denies kms:Decrypt on the key that `{}` is encrypted with: {}", plain(.what), plain(.said))]
    Key {
        /// The object.
        what: String,
        /// AWS's sentence.
        said: String,
    },
    /// The bucket lies elsewhere, and AWS does not say where, or says it again.
    #[error("the bucket `{bucket}` is not in the region {asked}{}", .actual.as_ref().map(|region| format!(", it is in {}", plain(region))).unwrap_or_default())]
    Region {
        /// The bucket.
        bucket: String,
        /// The region that was asked.
        asked: String,
        /// The region that AWS names.
        actual: Option<String>,
    },
    /// Listed, and gone when it was to be fetched.
    #[error("`{}` was there when the bucket was listed and is gone now", plain(.what))]
    Vanished {
        /// The object.
        what: String,
    },
    /// In Glacier, or an archive tier.
    #[error("`{}` is archived{}, it must be restored before it can be read", plain(.what), .class.as_ref().map(|class| format!(" ({})", plain(class))).unwrap_or_default())]
    Archived {
        /// The object.
        what: String,
        /// Its bucket.
        bucket: String,
        /// Its key.
        key: String,
        /// Its storage class, as AWS names it.
        class: Option<String>,
    },
    /// Too many requests, or trouble at AWS, again and again.
    #[error("S3 keeps refusing `{}`, after {attempts} attempts: {}", plain(.what), plain(.said))]
    Busy {
        /// What was to be read.
        what: String,
        /// How often it was tried.
        attempts: u32,
        /// AWS's words.
        said: String,
    },
    /// Fewer or other bytes than S3 has, again and again.
    #[error("`{}` does not arrive whole, after {attempts} attempts: {reason}", plain(.what))]
    Incomplete {
        /// The object.
        what: String,
        /// How often it was tried.
        attempts: u32,
        /// What was wrong the last time.
        reason: String,
    },
    /// Nobody answers.
    #[error("cannot reach S3 for `{}`: {reason}", plain(.what))]
    Network {
        /// What was to be read.
        what: String,
        /// What happened.
        reason: String,
    },
    /// Anything else that AWS said.
    #[error("S3 refuses `{}`: {code}: {}", plain(.what), plain(.said))]
    Service {
        /// What was to be read.
        what: String,
        /// AWS's word for it.
        code: String,
        /// AWS's sentence.
        said: String,
    },
    /// A listing without a log.
    #[error("there is no log in `{}`{}: {}", plain(.what), .dates, seen_in_words(*.listed, *.others, *.outside))]
    Empty {
        /// The location as typed.
        what: String,
        /// ` from … to …`, or nothing.
        dates: String,
        /// Objects that were listed.
        listed: u64,
        /// Of these, objects that do not look like logs by name.
        others: u64,
        /// Of these, objects of other days.
        outside: u64,
    },
    /// No room, or no permission, on this machine.
    #[error("cannot keep what comes from S3 in `{}`{}", plain(&.folder.display().to_string()), room_in_words(.source, *.needed))]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// Whether it is the cache.
        cache: bool,
        /// Size of the object that did not fit, in bytes; 0 if that is not the trouble.
        needed: u64,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// This machine gives no threads or sockets.
    #[error("cannot start to speak to AWS")]
    Start(#[source] io::Error),
}

fn seen_in_words(listed: u64, others: u64, outside: u64) -> String {
    if listed == 0 {
        return "no key begins like that".to_owned();
    }
    let listed = crate::units::count(listed, "object was listed", "objects were listed");
    let mut parts = vec![listed];
    if outside > 0 {
        parts.push(format!("{} of other days", thousands(outside)));
    }
    if others > 0 {
        parts.push(format!("{} that are no logs by their names", thousands(others)));
    }
    parts.join(", ")
}

fn room_in_words(source: &io::Error, needed: u64) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!(": there is no room for {} more bytes", thousands(needed))
        }
        _ => String::new(),
    }
}

impl Error {
    /// What the user can do; `None` where the message says it all.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Location { .. } => {
                "write s3://BUCKET, s3://BUCKET/PREFIX/ or s3://BUCKET/PREFIX/*.gz"
            }
            Self::NoRoots(_) => {
                "install the package ca-certificates, or name a file of root certificates with SSL_CERT_FILE"
            }
            Self::NoCredentials { .. } => {
                "name a profile with --profile or AWS_PROFILE, log in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; `aws sts get-caller-identity` shows who you are"
            }
            Self::Credentials { .. } => {
                "renew them (`aws sso login`), or use others with --profile; `aws sts get-caller-identity` shows who you are"
            }
            Self::NoBucket(_) => {
                "check the name; CloudFront's console shows the bucket under Logging, and a bucket elsewhere than AWS needs --endpoint-url"
            }
            Self::Denied { action, resource, .. } => {
                return Some(format!(
                    "allow {action} on {} (docs/s3.md has a policy with nothing else), or use another --profile; a bucket whose reader pays wants --request-payer",
                    plain(resource)
                ));
            }
            Self::Key { .. } => {
                "allow kms:Decrypt on that key, in its key policy too if the key is of another account"
            }
            Self::Region { .. } => "name the bucket's region with --region",
            Self::Vanished { .. } => {
                "a lifecycle rule may be removing old logs: start later with --from, or read the rest with --keep-going, which says so in the result"
            }
            Self::Archived { bucket, key, .. } => {
                return Some(format!(
                    "restore it with `aws s3api restore-object --bucket {bucket} --key '{}' --restore-request Days=7`, leave its days out with --from and --to, or read the rest with --keep-going, which says so in the result",
                    plain(&key.replace('\'', r"'\''"))
                ));
            }
            Self::Busy { .. } => {
                "try again later; what has arrived is in the cache and is not fetched again"
            }
            Self::Incomplete { .. } => {
                "look for a proxy in between; --keep-going reads the rest and says so in the result"
            }
            Self::Network { .. } => {
                "check the network, HTTPS_PROXY, --region and --endpoint-url; what has arrived is in the cache and is not fetched again"
            }
            Self::Empty { listed: 0, .. } => {
                "keys know upper and lower case, and a prefix does not begin with a slash; `aws s3 ls` shows what is there"
            }
            Self::Empty { outside: 1.., .. } => "widen --from and --to",
            Self::Empty { .. } => {
                "logs end in .gz, .log, .txt, .tsv or have no ending; a whole key, or a pattern, is read whatever it is called"
            }
            Self::Disk { cache: true, .. } => {
                "name a folder with room with --cache; --no-cache keeps a part at a time, in the folder for temporary files"
            }
            Self::Disk { cache: false, .. } => "set TMPDIR to a folder with room",
            Self::Service { .. } | Self::Start(_) | Self::Stopped => return None,
        };
        Some(text.to_owned())
    }

    /// Whether only this object cannot be had, while others may.
    #[must_use]
    pub const fn is_of_one_object(&self) -> bool {
        matches!(self, Self::Vanished { .. } | Self::Archived { .. } | Self::Incomplete { .. })
    }
}
