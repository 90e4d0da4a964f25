//! `web-acl-absent`: nothing was found that could be checked.

use crate::checks::model::Item;
use crate::checks::{About, Check, Confidence, Context, Findings, Place, Severity};
use crate::units::count;

/// The check.
#[derive(Debug)]
pub struct WebAclAbsent;

const ABOUT: About = About {
    id: "web-acl-absent",
    title: "No web ACL was found, so nothing was checked",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/web-acl-absent.md"),
};

/// Kinds that are named in a message.
const NAMED: usize = 4;

impl Check for WebAclAbsent {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for input in &deployment.inputs {
            let of = |item: &Item| item.environment == input.environment;
            let takes_away = deployment
                .removed
                .iter()
                .any(|one| of(&one.item) && one.kind.starts_with("AWS::WAFv2::"));
            // The inputs of one environment are one deployment.
            if takes_away || deployment.acls.iter().any(|acl| of(&acl.item)) {
                continue;
            }
            let mut kinds: Vec<&str> = deployment
                .resources
                .iter()
                .filter(|one| of(&one.item) && one.item.input == input.input)
                .map(|one| one.kind.as_str())
                .collect();
            let number = kinds.len() as u64;
            kinds.sort_unstable();
            kinds.dedup();
            let more = if kinds.len() > NAMED { ", …" } else { "" };
            kinds.truncate(NAMED);
            let seen = match number {
                0 => "nothing that this program knows".to_owned(),
                _ => format!(
                    "{} ({}{more})",
                    count(number, "resource", "resources"),
                    kinds.join(", ")
                ),
            };
            let message = format!(
                "`{}` holds no web ACL, no rule group and no rule of one, so no limit was checked; it holds {seen}",
                input.input
            );
            findings
                .add(Place::of(input), message)
                .help("name the folder, plan or template with the web ACL; a folder below is read if a `module` block calls it");
        }
    }
}
