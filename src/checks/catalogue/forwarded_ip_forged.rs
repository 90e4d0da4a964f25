//! `forwarded-ip-forged`: clients choose the address that they are counted by.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct ForwardedIpForged;

const ABOUT: About = About {
    id: "forwarded-ip-forged",
    title: "Clients choose the address that they are counted by",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/forwarded-ip-forged.md"),
};

impl Check for ForwardedIpForged {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, rate) in context.rates() {
            let by_header = rate.key_type() == Some("FORWARDED_IP")
                || rate.key_parts().iter().any(|part| part.kind == "ForwardedIP");
            let (true, Some(scope)) = (by_header, acl.scope) else { continue };
            let header = rate.forwarded_header().unwrap_or("x-forwarded-for").to_ascii_lowercase();
            let is_list = header == "x-forwarded-for";
            let (message, help, confidence) = match scope {
                Scope::CloudFront => (
                    format!(
                        "{} counts by the address that the client writes into {header}",
                        rule.title()
                    ),
                    "count by IP: WAF on CloudFront sees the client's address",
                    if is_list { Confidence::High } else { Confidence::Medium },
                ),
                Scope::Regional if is_list => (
                    format!(
                        "{} counts by the first address of {header}, which clients can write",
                        rule.title()
                    ),
                    "use a header that your CDN overwrites, such as one of its own",
                    Confidence::Medium,
                ),
                Scope::Regional => continue,
            };
            findings
                .add(rule.place().member("AggregateKeyType"), message)
                .help(help)
                .confidence(confidence);
        }
    }
}
