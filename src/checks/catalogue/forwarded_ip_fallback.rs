//! `forwarded-ip-fallback`: a request whose forwarded address cannot be read is not counted.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ForwardedIpFallback;

const ABOUT: About = About {
    id: "forwarded-ip-fallback",
    title: "A request whose forwarded address cannot be read is not counted",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/forwarded-ip-fallback.md"),
};

impl Check for ForwardedIpFallback {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let by_header = rate.key_type() == Some("FORWARDED_IP")
                || rate.key_parts().iter().any(|part| part.kind == "ForwardedIP");
            if by_header && rate.raw["ForwardedIPConfig"]["FallbackBehavior"] == "NO_MATCH" {
                findings
                    .add(
                        rule.place().member("FallbackBehavior"),
                        format!(
                            "{} does not count requests whose forwarded address cannot be read",
                            rule.title()
                        ),
                    )
                    .help("use MATCH, and let the proxy overwrite the header");
            }
        }
    }
}
