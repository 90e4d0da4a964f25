//! What things are called inside the Terraform file.

use std::collections::BTreeMap;

use super::super::Error;
use crate::rules::RuleSet;
use crate::wafv2::Translated;

/// Terraform's own names: letters, digits and underscores, as its style guide has them.
pub(super) struct Labels {
    by_name: BTreeMap<String, String>,
    /// Prefix of everything that belongs to the whole set.
    pub(super) set: String,
    /// The web ACL.
    pub(super) web_acl: String,
}

impl Labels {
    pub(super) fn new(set: &RuleSet, waf: &Translated) -> Result<Self, Error> {
        let rules = set.rules.iter().map(|rule| rule.name.as_str());
        let sets = waf.ip_sets.iter().map(|set| set.set.name.as_str());
        let mut by_name = BTreeMap::new();
        // Rules and sets are different resources, so only names of one kind can collide.
        for kind in [rules.collect::<Vec<_>>(), sets.collect()] {
            let mut taken: BTreeMap<String, &str> = BTreeMap::new();
            for name in kind {
                let label = label(name);
                if let Some(first) = taken.insert(label.clone(), name) {
                    let (first, second) = (first.to_owned(), name.to_owned());
                    return Err(Error::SameLabel { first, second, label });
                }
                by_name.insert(name.to_owned(), label);
            }
        }
        Ok(Self { by_name, set: label(&set.name), web_acl: label(&waf.web_acl.name) })
    }

    /// The label of a rule or an IP set.
    pub(super) fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.by_name.get(name).map_or(name, String::as_str)
    }
}

fn label(name: &str) -> String {
    let label = name.replace('-', "_");
    if label.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        label
    } else {
        format!("_{label}")
    }
}
