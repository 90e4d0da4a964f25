//! `block-without-count`: a rule blocks from its first minute, without having counted.

use crate::checks::model::{Acl, AclKind, Change, Rule, RuleEffect};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::Grade;

/// The check.
#[derive(Debug)]
pub struct BlockWithoutCount;

const ABOUT: About = About {
    id: "block-without-count",
    title: "A rule blocks from its first minute, without having counted",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/block-without-count.md"),
};

impl Check for BlockWithoutCount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, rate) in context.rates() {
            if rule.effect() != Some(RuleEffect::Block) {
                continue;
            }
            let joins = joins(acl, rule);
            if !joins && acl.item.change != Change::Create {
                continue;
            }
            let evidence = context.evidence(rule);
            // What the logs said clearly takes the place of a trial.
            let proven = evidence.is_some_and(|evidence| {
                let locked = evidence.locked;
                let limit = locked.limit.map(|limit| i64::from(limit.requests()));
                locked.grade == Grade::Clear && limit.is_some() && limit == rate.limit()
            });
            let message = format!("{} is new and blocks from its first minute", rule.title());
            let finding = findings.add(rule.place().member("Action"), message);
            finding.help("let it count for some days, look at whom it would limit, then change the action only");
            if proven || !joins {
                finding.severity(Severity::Note);
            }
        }
    }
}

/// Whether a rule joins others that are deployed already.
fn joins(acl: &Acl, rule: &Rule) -> bool {
    // A web ACL that is new itself has let everything pass until now; nothing joins it.
    if acl.kind != AclKind::Foreign && acl.item.change == Change::Create {
        return false;
    }
    let is_resource = acl.item != rule.item || acl.kind == AclKind::Foreign;
    if is_resource { rule.item.change == Change::Create } else { rule.is_new() }
}
