//! `--rules`: the rate-based rules of Terraform, a template or the API's JSON, in the terms of a replay.

use anyhow::Result;

use super::check::inputs::load;
use super::failure::hinted;
use crate::checks::model;
use crate::checks::rate_rules::{self, HeldRule, RateRules, rate_rules};
use crate::replay::{NotReplayed, Rule, Who};
use crate::rules::{Condition, Network};
use crate::ui::Ui;
use crate::units::{Limit, plain};

/// What is replayed in place of the policy's rules.
pub(super) struct AclRules {
    pub(super) rules: Vec<Rule>,
    /// What each of them counts.
    pub(super) conditions: Vec<Condition>,
    pub(super) left_out: Vec<(String, NotReplayed)>,
    /// The IP sets that they name.
    pub(super) networks: Vec<Network>,
}

/// Sentences about what could not be read that are told.
const BLIND: usize = 5;

/// Reads the rules of these inputs, with another limit for those that count everybody, if one is given.
pub(super) fn read(
    inputs: &[String],
    web_acl: Option<&str>,
    limit: Option<Limit>,
    ui: &Ui,
) -> Result<AclRules> {
    let loaded = load(inputs, None)?;
    for (item, why) in loaded.blind.iter().take(BLIND) {
        ui.warn(&format!("{}: {}", plain(&item.address), plain(why)));
    }
    if let Some(more) = loaded.blind.len().checked_sub(BLIND).filter(|more| *more > 0) {
        ui.warn(&format!("and {more} more that could not be read; ratewaf check lists them"));
    }
    let named = inputs.join(", ");
    let named = plain(&named);
    let deployment = model::build(loaded.found);
    let found = rate_rules(&deployment, web_acl).map_err(|error| {
        let hint = match error {
            rate_rules::Error::None => {
                "name a folder with .tf files, a plan (terraform show -json), a template, or what aws wafv2 get-web-acl prints"
            }
            _ => "--web-acl NAME chooses one",
        };
        hinted(format!("`{named}`: {}", plain(&error.to_string())), hint)
    })?;
    if found.is_part {
        ui.note(&format!(
            "{} has other rules that are not in `{named}`; what they stop is counted here",
            plain(&found.web_acl)
        ));
    }
    Ok(AclRules::new(found, limit))
}

impl AclRules {
    fn new(found: RateRules, limit: Option<Limit>) -> Self {
        let mut networks: Vec<Network> = Vec::new();
        let (mut rules, mut conditions) = (Vec::new(), Vec::new());
        for (place, held) in found.rules.into_iter().enumerate() {
            let HeldRule { name, title, condition, only, but, window, action, careful, .. } = held;
            for network in only.iter().flatten().chain(&but) {
                if !networks.contains(network) {
                    networks.push(network.clone());
                }
            }
            let is_main = only.is_empty();
            conditions.push(condition);
            rules.push(Rule {
                name,
                routes: vec![place],
                title,
                limit: limit.filter(|_| is_main).unwrap_or(held.limit),
                window,
                action,
                // Rules of a group have priorities of their own: the order is what counts.
                priority: place as u32,
                who: Who { only, but },
                careful,
            });
        }
        let left_out = found.left_out.into_iter();
        let left_out = left_out.map(|(name, why)| (name, NotReplayed::Statement(why))).collect();
        Self { rules, conditions, left_out, networks }
    }
}
