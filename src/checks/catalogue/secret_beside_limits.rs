//! `secret-beside-limits`: a secret stands in the web ACL of the limits.

use crate::checks::marker;
use crate::checks::model::AclKind;
use crate::checks::paths::{Field, How, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct SecretBesideLimits;

const ABOUT: About = About {
    id: "secret-beside-limits",
    title: "A secret stands in the web ACL of the limits",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/secret-beside-limits.md"),
};

/// Names of headers by which an origin knows its CDN.
const WORDS: [&str; 4] = ["origin-verify", "secret", "cdn-auth", "cloudfront-auth"];

impl Check for SecretBesideLimits {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            if acl.is_hidden && acl.kind == AclKind::WebAcl {
                findings
                    .add(acl.place().member("Rules"), format!("a sensitive value in one rule hides all rules of {}: no change of a limit can be seen in this plan", acl.title()))
                    .help("give the secret a web ACL of its own, before the origin");
                continue;
            }
            let Some(limit) = acl.rules.iter().find(|rule| rule.rate().is_some()) else { continue };
            for rule in &acl.rules {
                for found in text_matches(rule.statement()) {
                    let Field::Header(name) = &found.field else { continue };
                    let is_secret = marker::is_hidden(&found.raw["SearchString"])
                        || (found.how == How::Exactly
                            && WORDS.iter().any(|word| name.contains(word)));
                    if !is_secret {
                        continue;
                    }
                    let message = format!(
                        "{} compares the header `{name}` with a secret, in the web ACL of {}",
                        rule.title(),
                        limit.title()
                    );
                    findings
                        .add(rule.place().member("SearchString"), message)
                        .help("give the secret a web ACL of its own, before the origin");
                }
            }
        }
    }
}
