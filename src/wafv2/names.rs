//! Names of rules, metrics and web ACLs.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Error;
use crate::rules::{RateRule, is_name};

/// Metric names that AWS WAF keeps for itself (API, `VisibilityConfig`; `ALL` is the value of the
/// `Rule` dimension for the sum of all rules).
const RESERVED: [&str; 3] = ["All", "ALL", "Default_Action"];

/// Refuses what AWS does not accept as a name.
///
/// # Errors
/// [`Error::Name`].
pub fn check_name(of: &'static str, name: &str) -> Result<(), Error> {
    if is_name(name) { Ok(()) } else { Err(Error::Name { of, name: name.to_owned() }) }
}

/// Refuses names and priorities of rules that cannot stand in one web ACL. A rule's metric has the
/// rule's name, and the web ACL's metric the web ACL's, so that both dimensions of a metric read as
/// what they are; so no rule may be called like the web ACL.
pub(super) fn check_rules(web_acl: &str, rules: &[RateRule]) -> Result<(), Error> {
    check_name("a web ACL", web_acl)?;
    reserved("the web ACL", web_acl)?;
    let mut names = BTreeSet::new();
    let mut priorities = BTreeMap::new();
    for rule in rules {
        check_name("a rule", &rule.name)?;
        reserved("a rule", &rule.name)?;
        let taken = |taken| Error::MetricName { what: "a rule", name: rule.name.clone(), taken };
        if rule.name == web_acl {
            return Err(taken("the web ACL's"));
        }
        if !names.insert(rule.name.as_str()) {
            return Err(taken("another rule's"));
        }
        if let Some(first) = priorities.insert(rule.priority, &rule.name) {
            return Err(Error::Priority {
                first: first.clone(),
                second: rule.name.clone(),
                priority: rule.priority,
            });
        }
    }
    Ok(())
}

fn reserved(what: &'static str, name: &str) -> Result<(), Error> {
    if RESERVED.contains(&name) {
        return Err(Error::MetricName { what, name: name.to_owned(), taken: "reserved by AWS" });
    }
    Ok(())
}
