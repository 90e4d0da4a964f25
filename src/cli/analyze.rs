//! `ratewaf analyze`: logs to routes, peaks, the gap and the limit.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use super::failure::{UNREADABLE, hinted};
use super::style;
use super::{enforced, evidence, input, networks, policy_file, targets};
use crate::counts::{Counts, Coverage, Selection};
use crate::exit::Exit;
use crate::fs::{self, Existing, Staged, shown};
use crate::policy::{LimitChoice, Policy};
use crate::profile::{self, Labels, Names, build_all};
use crate::proposal::propose_route;
use crate::report::{self, Analysis, Kept, ProposalWords, RouteAnalysis};
use crate::rules::{Network, Route};
use crate::survey::{Survey, survey};
use crate::ui::Ui;
use crate::units::{Limit, Timestamp, Window, count, plain, thousands};

const LOOKING: &str = "What to look at";
const RESULT: &str = "Result";

/// Read logs, find each client's peak, and propose a limit with its evidence.
///
/// Without a route and without a policy it surveys everything and proposes a limit for each of the
/// first ten routes. The first run writes a commented policy to start with; every run writes the lock
/// beside it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf analyze logs/                                 look at everything, write a policy to start with
  ratewaf analyze logs/ --route 'GET /oauth/token'      one route
  ratewaf analyze logs/ --route 'POST /api/*' --window 60
  ratewaf analyze logs/ --exempt qa-runner=203.0.113.10/32 --good 198.51.100.7
  ratewaf analyze 'logs/E123.2026-09-*.gz' --format markdown --no-write > comment.md
  zcat old/*.gz | ratewaf analyze - --route '/feed*'
  ratewaf analyze s3://my-logs/cf/ --from 2026-09-08 --to 2026-09-15

With a policy, --route, --survey and labels on the command line only look: what the lock says
always follows from the policy.")]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) input: input::Arguments,

    /// A route to look at: '[METHODS ][host]/path'. The path is the whole path; /api/* is a
    /// beginning, *.php an end, */report/* a part, ~^/v[0-9]+/login$ an expression. May be given
    /// more than once.
    #[arg(long = "route", value_name = "ROUTE", help_heading = LOOKING)]
    pub(super) routes: Vec<Route>,

    /// Evaluation window in seconds for --route and the survey: 60, 120, 300 (if not given) or 600. A
    /// policy has its own.
    #[arg(long, value_name = "SECONDS", help_heading = LOOKING)]
    pub(super) window: Option<Window>,

    /// Look at everything, although the policy names routes. Only looks.
    #[arg(long, conflicts_with = "routes", help_heading = LOOKING)]
    pub(super) survey: bool,

    /// Of AWS WAF logs: tell only what this rule of the web ACL did, whether it is rate-based or not;
    /// all rate-based ones if not given. May be given more than once.
    #[arg(long = "rule", value_name = "NAME", help_heading = LOOKING)]
    pub(super) rules: Vec<String>,

    #[command(flatten)]
    pub(super) networks: networks::Arguments,

    #[command(flatten)]
    pub(super) files: policy_file::Arguments,

    /// How to tell the result.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    pub(super) format: Format,

    /// Write the result into a file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    pub(super) out: Option<PathBuf>,

    /// Only look: write neither policy nor lock.
    #[arg(long, help_heading = RESULT)]
    pub(super) no_write: bool,

    /// Write client-0001 and so on in place of addresses, for a result that others read.
    #[arg(long, conflicts_with = "keep_addresses", help_heading = RESULT)]
    pub(super) no_addresses: bool,

    /// Keep the addresses of near misses in the lock. They are personal data, and the lock is
    /// committed.
    #[arg(long, help_heading = RESULT)]
    pub(super) keep_addresses: bool,

    /// The date that `until` of a network is compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = LOOKING)]
    pub(super) today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Format {
    /// For a terminal: one screen a route.
    #[default]
    Text,
    /// For programs: docs/json-output.md.
    Json,
    /// For a pull request.
    Markdown,
}

/// What is looked at, and what is written afterwards.
struct Plan {
    routes: Vec<(Route, Window)>,
    selection: Selection,
    /// The policy's networks, changed and added to by the command line.
    networks: Vec<Network>,
    writes: Writes,
    policy: Option<Policy>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    Nothing,
    Lock,
    PolicyAndLock,
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let plan = plan(arguments, ui)?;
    if arguments.no_addresses && plan.routes.is_empty() {
        let hint = "name the routes with --route";
        return Err(hinted("a survey cannot be told without addresses", hint));
    }
    let lock_path = arguments.files.lock_path();
    let outputs = targets(arguments, &plan, &lock_path)?;
    let counts = arguments.input.count(&plan.selection, &outputs, ui)?;
    arguments.networks.tell_strangers(&counts, &plan.networks, ui).context(UNREADABLE)?;
    let analysis = analyse(counts, &plan, arguments)?;
    demand_requests(&analysis, arguments, ui)?;
    let staged = stage(arguments, &plan, &analysis)?;
    let style = style(ui);
    let words = &ProposalWords;
    let text = match arguments.format {
        Format::Text => report::text(&analysis, words, &style, ui.width()),
        Format::Json => report::json(&analysis, words),
        Format::Markdown => report::markdown(&analysis, words),
    };
    // Nothing takes its place before everything is known to fit.
    let result = arguments.out.as_deref().map(|out| fs::stage(out, &text, Existing::Replaced));
    let result = result.transpose()?;
    if result.is_none() {
        policy_file::write(&text, None, ui)?;
    }
    for (staged, note) in staged {
        staged.commit()?;
        ui.note(&note);
    }
    if let (Some(result), Some(out)) = (result, &arguments.out) {
        result.commit()?;
        ui.note(&format!("wrote {}", shown(out)));
    }
    Ok(Exit::Done)
}

/// Reads and analyses for another command, which writes `outputs` and nothing else.
pub(super) fn look(arguments: &Arguments, outputs: &[&Path], ui: &Ui) -> Result<Analysis> {
    let plan = plan(arguments, ui)?;
    let counts = arguments.input.count(&plan.selection, outputs, ui)?;
    arguments.networks.tell_strangers(&counts, &plan.networks, ui).context(UNREADABLE)?;
    let mut analysis = analyse(counts, &plan, arguments)?;
    if let Some(survey) = analysis.survey.take() {
        analysis.routes = of_survey(survey, &analysis.coverage, arguments.no_addresses);
        let why = match analysis.routes.len() {
            0 => {
                return Err(hinted(
                    format!(
                        "no route to look at: no --route, none in `{}`, and nothing in these logs that is worth a limit",
                        shown(&arguments.files.policy)
                    ),
                    "ratewaf analyze LOGS --survey shows what is called; --route 'GET /path' looks at one route",
                ));
            }
            1 => "the route that a survey found".to_owned(),
            several => format!("the {several} routes that a survey found"),
        };
        ui.note(&format!(
            "no --route and no policy: shows {why}; --route 'GET /path' shows another"
        ));
    }
    demand_requests(&analysis, arguments, ui)?;
    Ok(analysis)
}

/// Routes of a survey that are shown where it proposes no limit for any.
const SHOWN_WITHOUT_LIMIT: usize = 3;

/// What a survey says of the routes that it proposes a limit for; of the first ones, if there is none.
fn of_survey(survey: Survey, coverage: &Coverage, no_addresses: bool) -> Vec<RouteAnalysis> {
    let analysed = survey.groups.into_iter().filter_map(|group| group.analysis);
    let mut all: Vec<_> = analysed.collect();
    if all.iter().any(|(_, found)| found.proposal.limit.is_some()) {
        all.retain(|(_, found)| found.proposal.limit.is_some());
    } else {
        all.truncate(SHOWN_WITHOUT_LIMIT);
    }
    let shown = all.into_iter().map(|(mut profile, mut proposal)| {
        if no_addresses {
            profile::anonymise(&mut profile);
            proposal = propose_route(&profile, coverage);
        }
        RouteAnalysis { profile, proposal, pinned: None }
    });
    shown.collect()
}

/// The files that will be written, after a look whether they can be: a week of logs takes its time, and
/// a typo should not wait for its end.
fn targets<'a>(
    arguments: &'a Arguments,
    plan: &Plan,
    lock_path: &'a Path,
) -> Result<Vec<&'a Path>> {
    let out = arguments.out.as_deref();
    arguments
        .files
        .demand_distinct(&out.map(|out| ("--out", out)).into_iter().collect::<Vec<_>>())?;
    let read: Vec<_> = arguments.input.files().collect();
    targets::demand_other("--out", out, &read)?;
    let mut targets: Vec<&Path> = out.into_iter().collect();
    if plan.writes != Writes::Nothing {
        targets::demand_lock(lock_path)?;
        targets.push(lock_path);
    }
    if plan.writes == Writes::PolicyAndLock {
        targets.push(&arguments.files.policy);
    }
    for target in &targets {
        fs::check_target(target)?;
    }
    Ok(targets)
}

fn plan(arguments: &Arguments, ui: &Ui) -> Result<Plan> {
    let policy = arguments.files.read_policy()?;
    let today = policy_file::today(arguments.today.as_deref())?;
    if let (Some(window), true) = (arguments.window, policy_decides(arguments, policy.as_ref())) {
        let hint = "set `window:` there, or look at one route with --route";
        let file = shown(&arguments.files.policy);
        return Err(hinted(
            format!("--window {} has no effect: {file} has its own", window.seconds()),
            hint,
        ));
    }
    let known =
        policy.as_ref().map(|policy| current_networks(policy, today, ui)).unwrap_or_default();
    let networks = arguments.networks.apply(known.clone())?;
    let relabelled = networks != known;
    let never = policy.as_ref().map(|policy| policy.never_limited.clone()).unwrap_or_default();
    let routes = routes(arguments, policy.as_ref());
    let selection = if routes.is_empty() {
        Selection::survey(&never)?
    } else {
        let routes: Vec<Route> = routes.iter().map(|(route, _)| route.clone()).collect();
        Selection::routes(&routes, &never)?
    };
    let selection = selection.with_rules(arguments.rules.iter().cloned());
    let writes = writes(arguments, policy.as_ref(), relabelled, ui);
    Ok(Plan { routes, selection, networks, writes, policy })
}

/// The routes to look at with their windows; none for a survey.
fn routes(arguments: &Arguments, policy: Option<&Policy>) -> Vec<(Route, Window)> {
    match policy {
        Some(policy) if policy_decides(arguments, Some(policy)) => {
            policy.routes.iter().map(|route| (route.route.clone(), route.window)).collect()
        }
        _ => {
            let window = arguments.window.unwrap_or_default();
            arguments.routes.iter().map(|route| (route.clone(), window)).collect()
        }
    }
}

/// What the lock says must follow from the policy and the logs alone: with a policy, anything that
/// the command line adds makes the run one that only looks.
fn writes(arguments: &Arguments, policy: Option<&Policy>, relabelled: bool, ui: &Ui) -> Writes {
    let Some(policy) = policy else {
        return if arguments.no_write { Writes::Nothing } else { Writes::PolicyAndLock };
    };
    if arguments.no_write {
        return Writes::Nothing;
    }
    let file = shown(&arguments.files.policy);
    let why = if relabelled {
        format!(
            "labels on the command line are not in {file}; add them under `networks:` to keep them"
        )
    } else if !arguments.routes.is_empty() {
        format!("{file} is there already, and --route is not in it")
    } else if arguments.survey || policy.routes.is_empty() {
        format!("{file} is there already, and a survey looks at routes that are not in it")
    } else {
        return Writes::Lock;
    };
    ui.note(&format!("this run only looks, and writes nothing: {why}"));
    Writes::Nothing
}

/// Whether routes and windows are the policy's.
fn policy_decides(arguments: &Arguments, policy: Option<&Policy>) -> bool {
    let has_routes = policy.is_some_and(|policy| !policy.routes.is_empty());
    has_routes && arguments.routes.is_empty() && !arguments.survey
}

/// The networks that are still treated specially today; the others are named.
fn current_networks(policy: &Policy, today: Timestamp, ui: &Ui) -> Vec<Network> {
    let today = today.date_text();
    let mut current = policy.networks.clone();
    current.retain(|network| {
        let Some(until) = network.until.as_ref().filter(|until| **until < today) else {
            return true;
        };
        ui.warn(&format!(
            "the network `{}` expired on {until}: its clients count like everybody else",
            network.name
        ));
        false
    });
    current
}

/// Logs in which nobody calls the routes are the wrong logs: no verdict, and above all no lock, may
/// come of them.
fn demand_requests(analysis: &Analysis, arguments: &Arguments, ui: &Ui) -> Result<()> {
    let (silent, heard): (Vec<&RouteAnalysis>, Vec<&RouteAnalysis>) =
        analysis.routes.iter().partition(|route| route.profile.requests == 0);
    if silent.is_empty() {
        return Ok(());
    }
    let lines = count(analysis.coverage.lines, "request", "requests");
    let names: Vec<String> = silent.iter().map(|route| nearly(route)).collect();
    if !heard.is_empty() {
        for name in names {
            ui.warn(&format!("not one of the {lines} is for {name}"));
        }
        return Ok(());
    }
    let kept =
        if arguments.files.lock_path().exists() { ", and the lock was left as it was" } else { "" };
    Err(hinted(
        format!("not one of the {lines} is for {}: nothing was written{kept}", names.join(" or ")),
        "check the folder and the route; --survey shows what is in these logs",
    ))
}

/// A route nobody called, with what came close.
fn nearly(route: &RouteAnalysis) -> String {
    let traffic = &route.profile.traffic;
    let mut near: Vec<String> = traffic
        .other_methods
        .iter()
        .map(|(method, requests)| format!("{} by {method}", thousands(*requests)))
        .collect();
    if traffic.missed_spellings > 0 {
        near.push(format!("{} in other spellings", thousands(traffic.missed_spellings)));
    }
    if traffic.other_hosts > 0 {
        near.push(format!("{} on other hosts", thousands(traffic.other_hosts)));
    }
    if traffic.exempted > 0 {
        near.push(format!("{} that never_limited takes out", thousands(traffic.exempted)));
    }
    let near = if near.is_empty() { String::new() } else { format!(" (but {})", near.join(", ")) };
    format!("`{}`{near}", plain(&route.profile.route.to_string()))
}

/// The limit that the policy pins for a route.
fn pinned(policy: Option<&Policy>, route: &Route) -> Option<Limit> {
    let own = policy?.routes.iter().find(|own| own.route == *route)?;
    match own.limit {
        LimitChoice::Pinned(limit) => Some(limit),
        LimitChoice::Auto => None,
    }
}

fn analyse(counts: Counts, plan: &Plan, arguments: &Arguments) -> Result<Analysis> {
    let labels = Labels::new(plan.networks.clone());
    let Counts { mut coverage, traffic, parts, groups, agents, rule_hits } = counts;
    let built = build_all(&plan.routes, parts, &labels, Names::OfLists).context(UNREADABLE)?;
    coverage.masked_clients += built.masked_clients;
    let mut profiles = built.into_profiles(traffic, &agents);
    let told = enforced::Told { coverage: &coverage, hits: rule_hits };
    let mut rules = enforced::records(told, &profiles, plan.policy.as_ref(), arguments)?;
    if arguments.no_addresses {
        enforced::anonymise(&mut profiles, rules.as_deref_mut().unwrap_or_default());
    }
    let routes = profiles
        .into_iter()
        .map(|profile| {
            let route = &profile.route;
            let pinned = pinned(plan.policy.as_ref(), route);
            let proposal = propose_route(&profile, &coverage);
            RouteAnalysis { profile, proposal, pinned }
        })
        .collect();
    let survey = groups
        .map(|groups| {
            let window = arguments.window.unwrap_or_default();
            survey(groups, &labels, &coverage, window)
        })
        .transpose()
        .context(UNREADABLE)?;
    let analysis = Analysis { coverage, routes, survey, rules, kept: Kept::Written };
    let kept = kept(arguments, plan, &analysis);
    Ok(Analysis { kept, ..analysis })
}

/// What `emit` will read of it, and what the policy lacks for that.
fn kept(arguments: &Arguments, plan: &Plan, analysis: &Analysis) -> Kept {
    match &plan.policy {
        _ if plan.writes != Writes::Nothing => Kept::Written,
        None => Kept::NotWritten,
        Some(policy) => {
            let yaml = evidence::additions(analysis, &plan.networks, policy);
            // The policy has it all: only --no-write was in the way.
            if yaml.is_empty() && arguments.no_write && !arguments.survey {
                return Kept::NotWritten;
            }
            Kept::Missing { policy: shown(&arguments.files.policy), yaml }
        }
    }
}

/// Policy and lock, on disk beside their places, each with the words to say when it has taken it. The
/// lock goes first: killed between the two, a run leaves a lock that the next one replaces.
fn stage(arguments: &Arguments, plan: &Plan, analysis: &Analysis) -> Result<Vec<(Staged, String)>> {
    let (policy, lock) = match plan.writes {
        Writes::Nothing => return Ok(Vec::new()),
        Writes::Lock => (None, evidence::lock(analysis, &plan.networks)),
        Writes::PolicyAndLock => {
            let (policy, lock) = evidence::starter_and_lock(analysis, &plan.networks);
            (Some(policy), lock)
        }
    };
    let path = arguments.files.lock_path();
    let text = lock.to_json(arguments.keep_addresses);
    let note = format!("wrote {}: what the logs said, to be committed", shown(&path));
    let mut staged = vec![(fs::stage(&path, &text, Existing::Replaced)?, note)];
    if let Some(policy) = policy {
        let path = &arguments.files.policy;
        let note = format!("wrote {}: the policy, yours to edit and to be committed", shown(path));
        staged.push((fs::stage(path, &policy, Existing::Kept)?, note));
    }
    Ok(staged)
}
