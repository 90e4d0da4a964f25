//! From web ACLs to their rate-based rules, in the order in which requests meet them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::scope::{Reader, Scope};
use super::title::title;
use super::{Error, HeldRule, RateRules};
use crate::checks::marker;
use crate::checks::model::{Acl, AclKind, Deployment, Rate, Rule, RuleEffect};
use crate::quotas;
use crate::rules::{Action, Condition};
use crate::units::{Limit, Window, WindowError, plain, thousands};

/// The rate-based rules of the one web ACL that has any, or of the one that is called so. A rule group that no
/// web ACL of the deployment refers to stands for one.
///
/// # Errors
/// When there is none, or several and `web_acl` does not choose.
pub fn rate_rules(deployment: &Deployment, web_acl: Option<&str>) -> Result<RateRules, Error> {
    let referred: Vec<&Acl> = (deployment.acls.iter())
        .flat_map(|acl| acl.rules.iter())
        .filter_map(|rule| group_of(deployment, rule))
        .collect();
    let is_part = |acl: &Acl| referred.iter().any(|group| group.item == acl.item);
    let mut all: Vec<(String, RateRules)> = Vec::new();
    for acl in deployment.acls.iter().filter(|acl| !is_part(acl)) {
        let found = Walk::of(deployment, acl);
        if found.rules.is_empty() && found.left_out.is_empty() {
            continue;
        }
        let name = acl.name.clone().unwrap_or_else(|| acl.item.address.clone());
        match all.last_mut() {
            // Rules of their own that join one web ACL, each read as a part of it.
            Some((_, last)) if acl.kind == AclKind::Foreign && last.is_part => last.join(found),
            _ => all.push((name, found)),
        }
    }
    let names = |all: &[(String, RateRules)]| all.iter().map(|(name, _)| name.clone()).collect();
    if let Some(wanted) = web_acl.filter(|_| !all.is_empty()) {
        let others = names(&all);
        let own = all.into_iter().find(|(name, _)| name == wanted);
        let unknown = || Error::Unknown { name: wanted.to_owned(), others };
        return own.map(|(_, found)| found).ok_or_else(unknown);
    }
    match all.len() {
        0 => Err(Error::None),
        1 => Ok(all.remove(0).1),
        _ => Err(Error::Several(names(&all))),
    }
}

impl RateRules {
    fn join(&mut self, other: Self) {
        self.rules.extend(other.rules);
        self.left_out.extend(other.left_out);
    }
}

fn group_of<'a>(deployment: &'a Deployment, rule: &Rule) -> Option<&'a Acl> {
    let reference = rule.statement().of("RuleGroupReferenceStatement")?;
    deployment.rule_group(&reference["ARN"], &rule.item)
}

/// A value as it is written, shortened.
fn written(value: &Value) -> String {
    const MOST: usize = 40;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text: String = text.chars().take(MOST).collect();
    plain(&text).into_owned()
}

struct Walk<'a> {
    deployment: &'a Deployment,
    found: RateRules,
    /// What requests are not, because a rule ended with them.
    passed: Scope,
    /// Rules that end with requests of which that is not known.
    unsure: Vec<String>,
}

/// What a reference to a rule group makes of its rules.
#[derive(Default)]
struct Overrides {
    is_of_group: bool,
    counts: bool,
    by_rule: BTreeMap<String, Option<RuleEffect>>,
}

impl<'a> Walk<'a> {
    fn of(deployment: &'a Deployment, acl: &'a Acl) -> RateRules {
        let found = RateRules {
            web_acl: acl.title(),
            is_part: acl.kind != AclKind::WebAcl,
            ..RateRules::default()
        };
        let mut walk = Self { deployment, found, passed: Scope::default(), unsure: Vec::new() };
        if acl.kind != AclKind::Foreign && !acl.has_all_rules {
            walk.unsure.push("those that could not be read".to_owned());
        }
        walk.acl(acl, &Overrides::default());
        walk.found
    }

    fn acl(&mut self, acl: &'a Acl, overrides: &Overrides) {
        for rule in &acl.rules {
            let effect = match rule.name.as_ref().and_then(|name| overrides.by_rule.get(name)) {
                _ if overrides.counts => Some(RuleEffect::Count),
                Some(effect) => *effect,
                None => rule.effect(),
            };
            let name = rule.name.clone().unwrap_or_else(|| rule.title());
            if let Some(rate) = rule.rate() {
                match self.rate(&name, rule, rate, effect) {
                    Ok(held) => self.found.rules.push(held),
                    Err(why) => {
                        if effect != Some(RuleEffect::Count) {
                            self.unsure.push(name.clone());
                        }
                        self.found.left_out.push((name, why));
                    }
                }
            } else if rule.statement().of("RuleGroupReferenceStatement").is_some() {
                self.group(name, rule, overrides);
            } else {
                self.other(name, rule, effect);
            }
        }
    }

    fn rate(
        &self,
        name: &str,
        rule: &'a Rule,
        rate: Rate<'a>,
        effect: Option<RuleEffect>,
    ) -> Result<HeldRule, String> {
        let parts: Vec<&str> = rate.key_parts().iter().map(|part| part.kind).collect();
        match (rate.key_type(), parts.as_slice()) {
            (Some("IP"), _) | (Some("CUSTOM_KEYS"), ["IP"]) => {}
            (Some("CONSTANT"), _) => return Err("it counts all clients together".to_owned()),
            _ => return Err("it does not count by the address that connected, and requests are told apart by that here".to_owned()),
        }
        let action = match effect {
            Some(RuleEffect::Count) => Action::Count,
            Some(RuleEffect::Block) => Action::Block,
            Some(RuleEffect::Challenge) => Action::Challenge,
            Some(RuleEffect::Captcha) => Action::Captcha,
            _ => return Err("what it does is not known, or nothing that a limit does".to_owned()),
        };
        let raw = &rate.raw["Limit"];
        if !marker::is_known(raw) {
            return Err("its limit is not known before it is deployed".to_owned());
        }
        let limit = rate.limit().and_then(|limit| Limit::new(u64::try_from(limit).ok()?).ok());
        let limit = limit.ok_or_else(|| {
            format!(
                "{} is no limit that AWS WAF accepts; it takes {} to {} requests per window",
                written(raw),
                quotas::MINIMUM_LIMIT,
                thousands(u64::from(quotas::MAXIMUM_LIMIT))
            )
        })?;
        let raw = &rate.raw["EvaluationWindowSec"];
        if marker::is_unknown(raw) || marker::is_hidden(raw) {
            return Err("its window is not known before it is deployed".to_owned());
        }
        let window = rate.window().and_then(|window| Window::new(u32::try_from(window).ok()?).ok());
        let window = window.ok_or_else(|| WindowError(written(raw)).to_string())?;
        let mut scope = match rate.scope_down() {
            Some(statement) => self.reader(rule).scope(statement, false)?,
            None if rate.is_scoped() => {
                return Err("its scope-down is not known before it is deployed".to_owned());
            }
            None => Scope::default(),
        };
        let title = title(&scope.conditions);
        scope.add(&self.passed);
        Ok(HeldRule {
            name: name.to_owned(),
            title,
            condition: Condition::All(scope.conditions),
            only: scope.only,
            but: scope.but,
            limit,
            window,
            action,
            careful: self.careful(),
        })
    }

    const fn reader(&self, rule: &'a Rule) -> Reader<'a> {
        Reader { deployment: self.deployment, item: &rule.item }
    }

    fn careful(&self) -> Vec<String> {
        const NAMED: usize = 3;
        let Some(first) = self.unsure.get(..NAMED.min(self.unsure.len())) else {
            return Vec::new();
        };
        if first.is_empty() {
            return Vec::new();
        }
        let more = match self.unsure.len() - first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!(
            "rules before it may stop requests that are counted here, and these logs do not tell which: {}{more}",
            first.join(", ")
        );
        vec![text]
    }

    /// A rule that refers to a rule group.
    fn group(&mut self, name: String, rule: &'a Rule, outer: &Overrides) {
        let effect = rule.effect();
        // AWS takes no group in a group.
        let Some(group) = group_of(self.deployment, rule).filter(|_| !outer.is_of_group) else {
            self.unsure.push(name.clone());
            let why = "it refers to a rule group that is not among what was read";
            self.found.left_out.push((name, why.to_owned()));
            return;
        };
        let reference = &rule.raw["Statement"]["RuleGroupReferenceStatement"];
        let mut overrides = Overrides {
            is_of_group: true,
            counts: effect == Some(RuleEffect::GroupCounts),
            ..Overrides::default()
        };
        for one in reference["ExcludedRules"].as_array().into_iter().flatten() {
            let name = one["Name"].as_str().unwrap_or_default().to_owned();
            overrides.by_rule.insert(name, Some(RuleEffect::Count));
        }
        for one in reference["RuleActionOverrides"].as_array().into_iter().flatten() {
            let name = one["Name"].as_str().unwrap_or_default().to_owned();
            let action = one["ActionToUse"].as_object().and_then(|members| members.keys().next());
            let effect = match action.map(String::as_str) {
                Some("Allow") => Some(RuleEffect::Allow),
                Some("Block") => Some(RuleEffect::Block),
                Some("Count") => Some(RuleEffect::Count),
                Some("Captcha") => Some(RuleEffect::Captcha),
                Some("Challenge") => Some(RuleEffect::Challenge),
                _ => None,
            };
            overrides.by_rule.insert(name, effect);
        }
        if !group.has_all_rules {
            self.unsure.push(format!("those of {} that could not be read", group.title()));
        }
        self.acl(group, &overrides);
    }

    /// A rule that limits nothing, but may end with requests.
    fn other(&mut self, name: String, rule: &'a Rule, effect: Option<RuleEffect>) {
        match effect {
            Some(RuleEffect::Count | RuleEffect::GroupCounts) => {}
            Some(RuleEffect::Allow | RuleEffect::Block) => {
                match self.reader(rule).scope(rule.statement(), true) {
                    Ok(rest) => self.passed.add(&rest),
                    Err(_) => self.unsure.push(name),
                }
            }
            // A challenge lets through who has solved one; groups of others have rules of others.
            _ => self.unsure.push(name),
        }
    }
}
