//! The rules that logs are held against: those of policy and lock, or of the command line.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::acl_rules::{self, AclRules};
use super::check::inputs::named;
use super::failure::{Shown, hinted};
use super::{networks, policy_file};
use crate::counts::Selection;
use crate::fs::shown;
use crate::policy::{LimitChoice, Policy, ResolveOptions, resolve};
use crate::replay::{NotReplayed, Rule, own_routes};
use crate::rules::{
    Action, AggregationKey, Condition, Exemption, Network, NetworkKind, RateRule, Role, Route,
    RuleSet,
};
use crate::ui::Ui;
use crate::units::{Limit, Window, plain};

const RULES: &str = "Rules";

/// Which rules.
#[derive(Debug, Args)]
#[group(id = "held-rules")]
pub(super) struct Arguments {
    /// A route to replay a rule on, with --limit, in place of the policy's rules: '[METHODS ][host]/path'
    /// as of ratewaf analyze. May be given more than once.
    #[arg(long = "route", value_name = "ROUTE", help_heading = RULES)]
    routes: Vec<Route>,

    /// Rules of a web ACL in place of the policy's: a folder with .tf files, a plan (terraform show -json), a
    /// template, or what aws wafv2 get-web-acl prints. May be given more than once, for its IP sets.
    #[arg(long, value_name = "INPUT", help_heading = RULES, conflicts_with_all = ["routes", "env", "window"])]
    rules: Vec<String>,

    /// Which web ACL of --rules, where it holds several.
    #[arg(long, value_name = "NAME", help_heading = RULES, requires = "rules")]
    web_acl: Option<String>,

    /// Requests per window, in place of the limit of every main rule; twins that are a multiple of it follow.
    #[arg(long, value_name = "REQUESTS", help_heading = RULES, value_parser = limit)]
    limit: Option<Limit>,

    /// Evaluation window in seconds for --route: 60, 120, 300 (if not given) or 600. A policy has its own.
    #[arg(long, value_name = "SECONDS", help_heading = RULES, requires = "routes")]
    window: Option<Window>,

    /// Seconds until WAF knows of a request, a multiple of 10. AWS names no figure; half a minute is usual.
    #[arg(long, value_name = "SECONDS", help_heading = RULES, default_value_t = 30, value_parser = lag)]
    pub(super) lag: u32,

    #[command(flatten)]
    pub(super) networks: networks::Arguments,

    #[command(flatten)]
    pub(super) files: policy_file::Arguments,

    /// The environment of the policy whose rules are replayed.
    #[arg(long, value_name = "NAME", help_heading = RULES, conflicts_with = "routes")]
    env: Option<String>,

    /// The date that `until` of a network is compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RULES)]
    today: Option<String>,
}

impl Arguments {
    /// Files and folders that rules are read from.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        self.rules.iter().map(|input| ("--rules", named(input).1))
    }
}

fn limit(text: &str) -> Result<Limit, String> {
    let number = text.parse::<u64>().map_err(|_| format!("`{text}` is no number of requests"))?;
    Limit::new(number).map_err(|error| error.to_string())
}

/// AWS WAF is known to be minutes late at worst.
const LONGEST_LAG: u32 = 600;

fn lag(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(seconds) if seconds <= LONGEST_LAG && seconds.is_multiple_of(10) => Ok(seconds),
        _ => Err(format!("a lag is 0, 10, 20 and so on up to {LONGEST_LAG} seconds")),
    }
}

/// What is replayed, on what is counted.
pub(super) struct Plan {
    pub(super) routes: Vec<Route>,
    pub(super) never: Vec<Exemption>,
    pub(super) rules: Vec<Rule>,
    pub(super) left_out: Vec<(String, NotReplayed)>,
    pub(super) networks: Vec<Network>,
    /// What the rules of a web ACL count; then there are no routes.
    conditions: Vec<Condition>,
}

impl Plan {
    /// Whether the rules are those of a web ACL.
    pub(super) const fn is_of_web_acl(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// What has to be counted for it.
    pub(super) fn selection(&self) -> Result<Selection> {
        if self.is_of_web_acl() {
            return Ok(Selection::conditions(self.conditions.clone()));
        }
        Ok(Selection::routes(&self.routes, &self.never)?)
    }
}

/// The rules; `None` where there is neither a policy nor a route of the command line.
pub(super) fn plan(arguments: &Arguments, ui: &Ui) -> Result<Option<Plan>> {
    if arguments.limit.is_none()
        && let Some(route) = arguments.routes.first()
    {
        return Err(hinted(
            "--route needs a --limit: how many requests in a window",
            format!(
                "--limit 300, say; ratewaf analyze LOGS --route '{}' proposes one",
                plain(&route.to_string())
            ),
        ));
    }
    let policy = arguments.files.read_policy()?;
    if !arguments.rules.is_empty() {
        return of_web_acl(arguments, policy, ui).map(Some);
    }
    let known = policy.as_ref().map(|policy| policy.networks.clone()).unwrap_or_default();
    let networks = arguments.networks.apply(known)?;
    let never = policy.as_ref().map(|policy| policy.never_limited.clone()).unwrap_or_default();
    // Routes whose rules would not count if the policy decided alone.
    let blocking = policy.as_ref().map(|policy| blocking(policy, arguments));
    // Whom rules name, and whose addresses have names: the second are more.
    let (given, testers, networks) = match policy {
        _ if !arguments.routes.is_empty() => {
            (of_routes(arguments, &networks), networks.clone(), networks)
        }
        Some(policy) => {
            let (set, networks) = of_policy(policy, arguments, ui)?;
            (set.rules, set.networks, networks)
        }
        None => return Ok(None),
    };
    let blocking = blocking.unwrap_or_default();
    let mut routes: Vec<Route> = Vec::new();
    for route in given.iter().flat_map(own_routes) {
        if !routes.contains(route) {
            routes.push(route.clone());
        }
    }
    let (mut rules, mut left_out) = (Vec::new(), Vec::new());
    for rule in &given {
        match Rule::new(rule, &testers, &routes) {
            Ok(mut held) => {
                if held.action == Action::Count && blocking.contains(&rule.route.name) {
                    held.careful.push(WEAK.to_owned());
                }
                rules.push(held);
            }
            Err(why) => left_out.push((rule.name.clone(), why)),
        }
    }
    Ok(Some(Plan { routes, never, rules, left_out, networks, conditions: Vec::new() }))
}

/// The rules of a web ACL. A policy, if there is one, only gives addresses their names.
fn of_web_acl(arguments: &Arguments, policy: Option<Policy>, ui: &Ui) -> Result<Plan> {
    let web_acl = arguments.web_acl.as_deref();
    let AclRules { rules, conditions, left_out, networks } =
        acl_rules::read(&arguments.rules, web_acl, arguments.limit, ui)?;
    let known = policy.map_or(networks, |policy| policy.networks);
    let networks = arguments.networks.apply_to_names(known)?;
    let (routes, never) = (Vec::new(), Vec::new());
    Ok(Plan { routes, never, rules, left_out, networks, conditions })
}

/// Said of a rule that counts although its policy says otherwise.
const WEAK: &str = "the limit is a weak proposal, so the rule only counts until somebody accepts it: `accept: weak` in the policy, or ratewaf emit --accept weak";

/// The routes of the policy whose action is another than to count.
fn blocking(policy: &Policy, arguments: &Arguments) -> Vec<String> {
    let own = arguments.env.as_ref().and_then(|name| policy.in_environment(name).ok());
    let routes = own.unwrap_or(policy).routes.iter();
    let routes = routes.filter(|route| route.action != Action::Count);
    routes.map(|route| route.route.name.clone()).collect()
}

/// The rules of policy and lock, and all networks of the policy.
fn of_policy(policy: Policy, arguments: &Arguments, ui: &Ui) -> Result<(RuleSet, Vec<Network>)> {
    let mut policy = match &arguments.env {
        Some(name) => policy
            .in_environment(name)
            .map_err(|error| hinted(error.to_string(), error.hint()))?
            .clone(),
        None => policy,
    };
    policy.networks = arguments.networks.apply(policy.networks)?;
    if let Some(limit) = arguments.limit {
        policy.routes.iter_mut().for_each(|route| route.limit = LimitChoice::Pinned(limit));
    }
    let lock = arguments.files.read_lock()?;
    let today = Some(policy_file::today(arguments.today.as_deref())?);
    let options = ResolveOptions { count_mode: false, accept_weak: false, today };
    let set = resolve(&policy, lock.as_ref(), &options).map_err(Shown)?;
    set.notes.iter().for_each(|note| ui.note(note));
    if set.rules.is_empty() {
        return Err(hinted(
            format!("{} makes no rule", shown(&arguments.files.policy)),
            "the lock proposes no limit; try one with --limit",
        ));
    }
    Ok((set, policy.networks))
}

/// A rule for each route, with the one limit.
fn of_routes(arguments: &Arguments, networks: &[Network]) -> Vec<RateRule> {
    let testers = networks.iter().filter(|network| network.kind == NetworkKind::Tester);
    let except_networks: Vec<String> = testers.map(|network| network.name.clone()).collect();
    (arguments.routes.iter().zip(1..))
        .map(|(route, place)| RateRule {
            name: route.name.clone(),
            priority: place * 10,
            role: Role::Main,
            route: route.clone(),
            // Demanded beside --route.
            limit: arguments.limit.unwrap_or_else(|| Limit::saturating(0)),
            window: arguments.window.unwrap_or_default(),
            key: AggregationKey::Ip,
            action: Action::Block,
            except_networks: except_networks.clone(),
            evidence: Vec::new(),
        })
        .collect()
}
