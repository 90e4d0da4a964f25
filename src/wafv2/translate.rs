//! Rules to a web ACL.

use super::aggregate::Aggregation;
use super::budget::Budget;
use super::error::Error;
use super::ip_set::{NetworkSet, ip_sets};
use super::names::{check_name, check_rules};
use super::response::Answers;
use super::scope_down::{meets, scope_down};
use super::statement::{RateBasedStatement, Statement};
use super::web_acl::{DefaultAction, Empty, Rule, Scope, VisibilityConfig, WebAcl};
use crate::rules::{self, Exemption, RateRule, RuleSet};

/// What an exemption does to the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exempted {
    /// The exemption's name.
    pub exemption: String,
    /// The rules that leave its path out; the others never see that path, so they need no condition.
    pub rules: Vec<String>,
}

/// Rules as AWS shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The web ACL; where rules join somebody else's, its name and our rules. Its statements call the sets by name, see [`super::Arn`].
    pub web_acl: WebAcl,
    /// The IP sets that it refers to, and those of other testers: by network, IPv4 first.
    pub ip_sets: Vec<NetworkSet>,
    /// What becomes of each exemption, in the order of the rule set.
    pub exempted: Vec<Exempted>,
    /// What it uses and costs.
    pub budget: Budget,
}

/// Translates rules into a web ACL and its IP sets.
///
/// # Errors
/// When AWS WAF would refuse them, or when we cannot say them in its terms; see [`Error`].
pub fn translate(set: &RuleSet) -> Result<Translated, Error> {
    let name = set.web_acl.name();
    let scope = match set.scope {
        rules::Scope::CloudFront => Scope::CloudFront,
        rules::Scope::Regional { .. } => Scope::Regional,
    };
    check_name("a rule set", &set.name)?;
    check_rules(name, &set.rules)?;
    let answers = Answers::new(set)?;
    let ip_sets = ip_sets(set, scope)?;
    let mut exempted: Vec<Exempted> = set
        .exemptions
        .iter()
        .map(|exemption| Exempted { exemption: exemption.name.clone(), rules: Vec::new() })
        .collect();
    let mut by_priority: Vec<&RateRule> = set.rules.iter().collect();
    by_priority.sort_by_key(|rule| rule.priority);
    let mut rules = Vec::with_capacity(by_priority.len());
    for rule in by_priority {
        let mut left_out: Vec<&Exemption> = Vec::new();
        for (exemption, exempted) in set.exemptions.iter().zip(&mut exempted) {
            if meets(rule, exemption) {
                left_out.push(exemption);
                exempted.rules.push(rule.name.clone());
            }
        }
        let path = rule.route.spelling.transformations();
        let Aggregation { kind, forwarded, custom_keys } = Aggregation::of(&rule.key, path);
        rules.push(Rule {
            name: rule.name.clone(),
            priority: rule.priority,
            statement: Statement::RateBased(RateBasedStatement {
                limit: rule.limit.requests(),
                evaluation_window_sec: rule.window.seconds(),
                aggregate_key_type: kind,
                custom_keys,
                forwarded_ip_config: forwarded,
                scope_down_statement: Some(Box::new(scope_down(rule, &ip_sets, &left_out)?)),
            }),
            action: answers.action(rule),
            visibility_config: VisibilityConfig::new(&rule.name),
        });
    }
    let budget = Budget::new(&rules)?;
    let web_acl = WebAcl {
        name: name.to_owned(),
        scope,
        default_action: DefaultAction::Allow(Empty {}),
        description: Some("Rate limits, written by ratewaf emit".to_owned()),
        rules,
        visibility_config: VisibilityConfig::new(name),
        custom_response_bodies: answers.bodies,
    };
    Ok(Translated { web_acl, ip_sets, exempted, budget })
}
