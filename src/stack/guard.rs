//! The way around CloudFront, closed: CloudFront adds a secret header, and a web ACL of its own, on the
//! API behind, demands it for the protected routes.
//!
//! The web ACL is its own because a secret in a rule hides all rules of its web ACL in a plan.

use super::associations::Association;
use super::{Error, Given};
use crate::wafv2::WebAcl;

/// The guard of the origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The Region of the API, and of everything here.
    pub region: String,
    /// The header that CloudFront adds to what it sends to the origin, in lower case.
    pub header: String,
    /// The secret that CloudFront sends first; while it is exchanged, the one before second. The web
    /// ACL takes any of them.
    pub secrets: Vec<Secret>,
    /// The web ACL, of the scope REGIONAL. Its statements name a secret by
    /// [`crate::wafv2::SearchString::Secret`].
    pub web_acl: WebAcl,
    /// What it stands before.
    pub associations: Vec<Association>,
    /// How the secret is exchanged, step by step.
    pub rotation: Vec<String>,
    /// What a reader should know.
    pub about: Vec<String>,
}

/// A secret that is made once and kept in SSM as a SecureString. From then on the parameter has it: its
/// value is not compared with what was made (`ignore_changes`), and whoever needs it reads it from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its name in a dialect, and in [`super::Resource::Secret`].
    pub name: String,
    /// The name of the parameter, with its slashes.
    pub parameter: String,
    /// What the parameter is, for people in the console.
    pub description: String,
    /// Characters: letters and digits only, as it stands in a header.
    pub length: u32,
}

pub(super) fn build(_given: &Given<'_>) -> Result<Option<Guard>, Error> {
    Ok(None)
}
