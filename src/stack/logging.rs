//! Where a web ACL is logged.

use super::{Error, Given};
use crate::rules::{LogDestination, WebAclTarget};
use crate::wafv2::{FieldToMatch, LoggingFilter, redacted_field};

/// The logging of the web ACL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logging {
    /// Where to. A log group is made; a bucket or a stream is there and is looked up by its name. Its
    /// ARN is [`super::Resource::LogDestination`]'s, without `:*`.
    pub destination: LogDestination,
    /// What is left out of every record.
    pub redacted: Vec<FieldToMatch>,
    /// Which requests are kept; `None`: all.
    pub filter: Option<LoggingFilter>,
    /// What a reader should know.
    pub about: Vec<String>,
}

/// How the name of every destination begins (guide, "logging-destinations").
const PREFIX: &str = "aws-waf-logs-";

pub(super) fn build(given: &Given<'_>) -> Result<Option<Logging>, Error> {
    let Some(plan) = &given.set.around.logging else { return Ok(None) };
    let name = plan.destination.name();
    let refused =
        |reason: &str| Error::Logging { name: name.to_owned(), reason: reason.to_owned() };
    if let WebAclTarget::Attach(_) = given.set.web_acl {
        return Err(refused(
            "the web ACL is somebody else's (web_acl: attach), and a web ACL has one log; remove `logging`",
        ));
    }
    let (most, characters): (usize, fn(u8) -> bool) = match plan.destination {
        LogDestination::LogGroup { .. } => {
            (512, |byte| byte.is_ascii_alphanumeric() || b"._/#-".contains(&byte))
        }
        LogDestination::Bucket(_) => {
            (63, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte))
        }
        LogDestination::Firehose(_) => {
            (64, |byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        }
    };
    if !name.starts_with(PREFIX) || name.len() == PREFIX.len() {
        return Err(refused("its name has to begin with `aws-waf-logs-`"));
    }
    if name.len() > most || !name.bytes().all(characters) {
        return Err(refused("its name has characters that AWS does not take, or too many"));
    }
    let redacted: Vec<FieldToMatch> = plan.redacted.iter().map(redacted_field).collect();
    let mut about = Vec::new();
    let filter = LoggingFilter::of(plan.keep);
    if filter.is_some() {
        about.push(
            "Kept are the requests that a rule acted on, also those that it only counted: the evidence for \
             the limits in force."
                .to_owned(),
        );
    }
    if redacted
        .iter()
        .any(|field| matches!(field, FieldToMatch::UriPath {} | FieldToMatch::Method {}))
    {
        about.push(
            "Without path and method these records cannot be told apart by route, so ratewaf analyze cannot \
             use them."
                .to_owned(),
        );
    }
    Ok(Some(Logging { destination: plan.destination.clone(), redacted, filter, about }))
}
