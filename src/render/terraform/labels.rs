//! What things are called inside the Terraform text.

use std::collections::BTreeMap;

use super::super::Error;
use crate::stack::{Acl, Stack};

/// Terraform's own names: letters, digits and underscores, as its style guide has them.
pub(super) struct Labels {
    by_name: BTreeMap<String, String>,
    /// Prefix of everything that belongs to the whole set.
    pub(super) set: String,
    /// The web ACL.
    pub(super) web_acl: String,
    /// The guard's web ACL.
    pub(super) guard: String,
}

impl Labels {
    pub(super) fn new(stack: &Stack) -> Result<Self, Error> {
        let rules = stack.rules().map(|rule| rule.name.as_str());
        let sets = stack.networks.iter().flat_map(|network| &network.sets);
        let sets = sets.map(|set| set.name.as_str());
        let groups = match &stack.acl {
            Acl::Groups { groups, .. } => groups.as_slice(),
            Acl::Own(_) | Acl::Rules { .. } => &[],
        };
        let groups = groups.iter().map(|joined| joined.group.name.as_str());
        let guard = stack.guard.as_ref();
        let secrets = guard.into_iter().flat_map(|guard| &guard.secrets);
        let secrets = secrets.map(|secret| secret.name.as_str());
        let mut by_name = BTreeMap::new();
        // Different kinds are different resources, so only names of one kind can collide.
        for kind in [rules.collect::<Vec<_>>(), sets.collect(), groups.collect(), secrets.collect()]
        {
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
        let web_acl = label(stack.acl.web_acl());
        let guard = guard.map(|guard| guard.web_acl.name.as_str()).unwrap_or_default();
        let guard_label = label(guard);
        if guard_label == web_acl {
            let (first, second) = (stack.acl.web_acl().to_owned(), guard.to_owned());
            return Err(Error::SameLabel { first, second, label: web_acl });
        }
        Ok(Self { by_name, set: label(&stack.name), web_acl, guard: guard_label })
    }

    /// The label of a rule, an IP set, a rule group or a secret.
    pub(super) fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.by_name.get(name).map_or(name, String::as_str)
    }

    /// The alarms' topic and what belongs to it.
    pub(super) fn alarms(&self) -> String {
        format!("{}_alarms", self.set)
    }

    /// The destination of the logs.
    pub(super) fn logs(&self) -> String {
        format!("{}_logs", self.set)
    }
}

/// A name as a label.
pub(super) fn label(name: &str) -> String {
    let label = name.replace('-', "_");
    if label.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        label
    } else {
        format!("_{label}")
    }
}
