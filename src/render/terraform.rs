//! Terraform: everything that a rate limit needs, in one `waf.tf`.
//!
//! The text is valid with version 5.100 and 6 of the AWS provider, stands alone in an empty folder,
//! and drops into an existing repository. Why it looks as it does: `docs/terraform.md`.

mod alarms;
mod head;
mod ip_sets;
mod labels;
mod locals;
mod statement;
mod strings;
mod versions;
mod web_acl;

use labels::Labels;

use super::Error;
use super::hcl::{Content, reference};
use crate::rules::{RateRule, RuleSet, Scope};
use crate::wafv2::{Translated, translate};

/// What the file says about where it came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// One paragraph each: which policy and which lock, in words, without a date of writing.
    pub origin: Vec<String>,
    /// Flags of `emit` that the text depends on, as on its command line: `--accept weak`.
    pub flags: Vec<String>,
}

/// All that the parts of the file look at.
struct Stack<'a> {
    set: &'a RuleSet,
    /// By priority, as in `waf`.
    rules: Vec<&'a RateRule>,
    waf: Translated,
    labels: Labels,
}

/// The provider configuration that every resource uses.
const PROVIDER: &str = "us_east_1";

/// Writes rules as Terraform: one file, `waf.tf`.
///
/// # Errors
/// When AWS WAF would refuse the rules, or when Terraform cannot express them.
pub fn terraform(set: &RuleSet, header: &Header) -> Result<Vec<(String, String)>, Error> {
    if let Scope::Regional { region } = &set.scope {
        return Err(Error::Regional { region: region.clone() });
    }
    let waf = translate(set)?;
    strings::check(&waf)?;
    alarms::check(set)?;
    let labels = Labels::new(set, &waf)?;
    let mut rules: Vec<&RateRule> = set.rules.iter().collect();
    rules.sort_by_key(|rule| rule.priority);
    let stack = Stack { set, rules, waf, labels };
    let mut file = Content::default();
    head::write(&stack, header, &mut file);
    versions::write(&stack, &mut file);
    locals::write(&stack, &mut file);
    ip_sets::write(&stack, &mut file);
    web_acl::write(&stack, &mut file);
    alarms::write(&stack, &mut file);
    Ok(vec![("waf.tf".to_owned(), file.to_string())])
}

/// The first member of every resource.
fn provider(resource: &mut Content) {
    resource.attribute("provider", reference(&["aws", PROVIDER]));
    resource.blank();
}

#[cfg(test)]
mod tests;
