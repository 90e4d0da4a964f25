//! Names of rules, metrics and web ACLs.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Error;
use crate::quotas;
use crate::rules::{AggregationKey, KeyPart, RateRule, is_name};

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
        check_key(rule)?;
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

/// What AWS WAF takes as a custom key (API, `RateBasedStatementCustomKey`).
fn check_key(rule: &RateRule) -> Result<(), Error> {
    let AggregationKey::Custom { parts, .. } = &rule.key else { return Ok(()) };
    let refused =
        |reason| Err(Error::Key { rule: rule.name.clone(), key: rule.key.to_string(), reason });
    if !(1..=quotas::CUSTOM_KEYS).contains(&parts.len()) {
        return refused("a key has 1 to 5 parts");
    }
    if matches!(parts.as_slice(), [KeyPart::Ip | KeyPart::ForwardedIp]) {
        return refused("the address alone is no tuple; count by `ip` or `forwarded_ip`");
    }
    for part in parts {
        let (name, most) = match part {
            KeyPart::Header(name) | KeyPart::Cookie(name) | KeyPart::QueryArgument(name) => {
                (name, quotas::CUSTOM_KEY_NAME)
            }
            KeyPart::LabelNamespace(name) => (name, quotas::LABEL_NAMESPACE),
            _ => continue,
        };
        if !(1..=most).contains(&name.len()) {
            return refused("a name has 1 to 64 characters, a namespace of labels 1 to 1,024");
        }
        // AWS gives them back in lower case, and then every plan shows a difference.
        if matches!(part, KeyPart::Header(_) | KeyPart::QueryArgument(_))
            && name.bytes().any(|byte| byte.is_ascii_uppercase())
        {
            return refused("names of headers and query arguments are written in lower case");
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
