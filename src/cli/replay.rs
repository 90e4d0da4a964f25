//! `ratewaf replay`: what rules would have done to the requests of the logs.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::failure::{Shown, hinted};
use super::{input, networks, policy_file};
use crate::counts::Selection;
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::limiters::Algorithm;
use crate::policy::{LimitChoice, Policy, ResolveOptions, resolve};
use crate::replay::{NotReplayed, Rule, Settings, own_routes, replay};
use crate::report::{self, Style};
use crate::rules::{
    Action, AggregationKey, Exemption, Network, NetworkKind, RateRule, Role, Route, RuleSet,
};
use crate::ui::Ui;
use crate::units::{Limit, Window};

const RULES: &str = "Rules";
const RESULT: &str = "Result";

/// Run rules over logs as AWS WAF would: who is limited, when, and what else that costs.
///
/// The rules are those of policy and lock; --limit puts another number in place of the main rules', and
/// --route looks at a route without any policy. WAF looks at the rates every 10 s and knows of a request
/// some time later: what goes through until then is told. Its real rate is an estimate, so think in
/// minutes, not in seconds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf replay logs/                                         the rules of ratewaf.yaml
  ratewaf replay logs/ --limit 500                             with another limit
  ratewaf replay logs/ --route 'GET /oauth/token' --limit 300  a rule that is nowhere yet
  ratewaf replay logs/ --algorithm token-bucket                as a limiter behind WAF would do it
  ratewaf replay logs/ --format markdown > comment.md")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: input::Arguments,

    /// A route to replay a rule on, with --limit, in place of the policy's rules: '[METHODS ][host]/path'
    /// as of ratewaf analyze. May be given more than once.
    #[arg(long = "route", value_name = "ROUTE", help_heading = RULES, requires = "limit")]
    routes: Vec<Route>,

    /// Requests per window, in place of the limit of every main rule.
    #[arg(long, value_name = "REQUESTS", help_heading = RULES, value_parser = limit)]
    limit: Option<Limit>,

    /// Evaluation window in seconds for --route: 60, 120, 300 (if not given) or 600. A policy has its own.
    #[arg(long, value_name = "SECONDS", help_heading = RULES, requires = "routes")]
    window: Option<Window>,

    /// As which limiter: waf, or one that an application may have.
    #[arg(long, value_name = "NAME", help_heading = RULES, default_value = "waf", value_parser = algorithm())]
    algorithm: Algorithm,

    /// Seconds until WAF knows of a request, a multiple of 10. AWS names no figure; half a minute is usual.
    #[arg(long, value_name = "SECONDS", help_heading = RULES, default_value_t = 30, value_parser = lag)]
    lag: u32,

    #[command(flatten)]
    networks: networks::Arguments,

    #[command(flatten)]
    files: policy_file::Arguments,

    /// The environment of the policy whose rules are replayed.
    #[arg(long, value_name = "NAME", help_heading = RULES, conflicts_with = "routes")]
    env: Option<String>,

    /// How to tell the result.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    format: Format,

    /// Write the result into a file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    out: Option<PathBuf>,

    /// The date that `until` of a network is compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RULES)]
    today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For programs: docs/replay.md.
    Json,
    /// For a pull request.
    Markdown,
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

fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| {
        let named = Algorithm::ALL.into_iter().find(|own| own.name() == name);
        named.ok_or_else(|| format!("`{name}` is no algorithm"))
    })
}

/// What is replayed, on what is counted.
struct Plan {
    routes: Vec<Route>,
    never: Vec<Exemption>,
    rules: Vec<Rule>,
    left_out: Vec<(String, NotReplayed)>,
    networks: Vec<Network>,
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let plan = plan(arguments, ui)?;
    let out = arguments.out.as_deref();
    let outputs: Vec<_> = out.into_iter().collect();
    arguments
        .files
        .demand_distinct(&out.map(|out| ("--out", out)).into_iter().collect::<Vec<_>>())?;
    outputs.iter().try_for_each(|out| fs::check_target(out))?;
    let selection = Selection::routes(&plan.routes, &plan.never)?;
    let counts = arguments.input.count(&selection, &outputs, ui)?;
    arguments.networks.tell_strangers(&counts, &plan.networks, ui)?;
    let settings = Settings { algorithm: arguments.algorithm, lag: arguments.lag };
    let coverage = counts.coverage;
    let rules = replay(plan.rules, counts.parts, &settings)
        .context("cannot read the temporary file of the requests")?;
    if rules.iter().all(|rule| rule.outcome.requests == 0) {
        let lines = crate::units::count(coverage.lines, "request", "requests");
        return Err(hinted(
            format!("not one of the {lines} is for any of the rules"),
            "check the folder and the routes; ratewaf analyze --survey shows what is in these logs",
        ));
    }
    let found = report::Replay {
        coverage,
        algorithm: settings.algorithm,
        lag: settings.lag,
        networks: plan.networks,
        rules,
        left_out: plan.left_out,
    };
    let drawn = ui.settings();
    let style = Style::new(drawn.out_colours, drawn.out_colours || drawn.out_on_terminal);
    let text = match arguments.format {
        Format::Text => report::replay_text(&found, &style, ui.width()),
        Format::Json => report::replay_json(&found),
        Format::Markdown => report::replay_markdown(&found),
    };
    policy_file::write(&text, out, ui)?;
    Ok(Exit::Done)
}

fn plan(arguments: &Arguments, ui: &Ui) -> Result<Plan> {
    let policy = arguments.files.read_policy()?;
    let known = policy.as_ref().map(|policy| policy.networks.clone()).unwrap_or_default();
    let networks = arguments.networks.apply(known)?;
    let never = policy.as_ref().map(|policy| policy.never_limited.clone()).unwrap_or_default();
    let (given, networks) = if arguments.routes.is_empty() {
        let set = of_policy(policy, arguments, ui)?;
        (set.rules, set.networks)
    } else {
        (of_routes(arguments, &networks), networks)
    };
    let mut routes: Vec<Route> = Vec::new();
    for route in given.iter().flat_map(own_routes) {
        if !routes.contains(route) {
            routes.push(route.clone());
        }
    }
    let (mut rules, mut left_out) = (Vec::new(), Vec::new());
    for rule in &given {
        match Rule::new(rule, &networks, &routes) {
            Ok(rule) => rules.push(rule),
            Err(why) => left_out.push((rule.name.clone(), why)),
        }
    }
    if let (true, Some((name, why))) = (rules.is_empty(), left_out.first()) {
        return Err(hinted(
            format!("no rule can be replayed; `{name}`: {}", why.in_words()),
            "ratewaf replay --route 'GET /path' --limit N counts by the address that connected",
        ));
    }
    Ok(Plan { routes, never, rules, left_out, networks })
}

/// The rules of policy and lock.
fn of_policy(policy: Option<Policy>, arguments: &Arguments, ui: &Ui) -> Result<RuleSet> {
    let Some(policy) = policy else {
        return Err(hinted(
            format!("there is no policy `{}`, and no --route", shown(&arguments.files.policy)),
            "name a route and a limit, --route 'GET /path' --limit 300, or run ratewaf analyze first",
        ));
    };
    let mut policy = match &arguments.env {
        Some(name) => policy.in_environment(name)?.clone(),
        None => policy,
    };
    policy.networks = arguments.networks.apply(policy.networks)?;
    if let Some(limit) = arguments.limit {
        policy.routes.iter_mut().for_each(|route| route.limit = LimitChoice::Pinned(limit));
    }
    let lock = arguments.files.read_lock()?;
    let today = Some(policy_file::today(arguments.today.as_deref())?);
    let options = ResolveOptions { count_mode: false, accept_weak: true, today };
    let set = resolve(&policy, lock.as_ref(), &options).map_err(Shown)?;
    set.notes.iter().for_each(|note| ui.note(note));
    if set.rules.is_empty() {
        return Err(hinted(
            format!("{} makes no rule", shown(&arguments.files.policy)),
            "the lock proposes no limit; try one with --limit",
        ));
    }
    Ok(set)
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
            // clap demands it beside --route.
            limit: arguments.limit.unwrap_or_else(|| Limit::saturating(0)),
            window: arguments.window.unwrap_or_default(),
            key: AggregationKey::Ip,
            action: Action::Block,
            except_networks: except_networks.clone(),
            evidence: Vec::new(),
        })
        .collect()
}
