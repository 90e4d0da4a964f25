//! `rate-rules-quota`: more rate rules than AWS takes.

use crate::checks::model::AclKind;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::{
    RATE_RULES_PER_RULE_GROUP, RATE_RULES_PER_WEB_ACL, REFERENCE_STATEMENTS_PER_WEB_ACL,
};

/// The check.
#[derive(Debug)]
pub struct RateRulesQuota;

const ABOUT: About = About {
    id: "rate-rules-quota",
    title: "More rate rules than AWS takes",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rate-rules-quota.md"),
};

/// Statements that refer to something else.
const REFERENCES: [&str; 3] =
    ["IPSetReferenceStatement", "RegexPatternSetReferenceStatement", "RuleGroupReferenceStatement"];

impl Check for RateRulesQuota {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            let most = match acl.kind {
                AclKind::WebAcl => RATE_RULES_PER_WEB_ACL,
                AclKind::RuleGroup => RATE_RULES_PER_RULE_GROUP,
                AclKind::Foreign => continue,
            };
            let rates = acl.rules.iter().filter(|rule| rule.rate().is_some()).count();
            if rates > most {
                findings
                    .add(
                        acl.place().member("Rules"),
                        format!("{} has {rates} rate rules, and AWS takes {most}", acl.title()),
                    )
                    .help("merge routes with one limit into one rule");
            } else if rates + 1 >= most && acl.kind == AclKind::WebAcl {
                findings
                    .add(
                        acl.place().member("Rules"),
                        format!("{} has {rates} of {most} rate rules", acl.title()),
                    )
                    .help("merge routes with one limit before you need another rule")
                    .severity(Severity::Note);
            }
            let references: usize = acl
                .rules
                .iter()
                .map(|rule| {
                    REFERENCES.iter().map(|kind| rule.statement().all_of(kind).len()).sum::<usize>()
                })
                .sum();
            if references > REFERENCE_STATEMENTS_PER_WEB_ACL {
                findings
                    .add(acl.place().member("Rules"), format!("{} refers to IP sets, pattern sets and groups {references} times, and AWS takes {REFERENCE_STATEMENTS_PER_WEB_ACL}", acl.title()))
                    .help("merge IP sets of one kind");
            }
        }
    }
}
