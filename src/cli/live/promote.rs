//! `ratewaf promote`: count to what the policy says, if the evidence agrees.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::json;

use super::super::policy_file;
use super::arguments::{Format, Promote};
use super::demote::check_names;
use super::session::{Intent, Session, now};
use super::status::question;
use super::writing::{Job, carry_out, check_undo, folder_of};
use crate::changes::{
    Change, Evidence, Live, Mode, Options, Prediction, Reason, Step, Target, compare, mode_of,
    reasons,
};
use crate::cloud::live;
use crate::exit::Exit;
use crate::policy::Lock;
use crate::rules::{Network, NetworkKind, RateRule, Role};
use crate::ui::Ui;
use crate::units::Timestamp;

const DAY: i64 = 86_400;
/// Most days that figures are asked for: more hours do not fit into one answer of CloudWatch.
const MOST_DAYS: i64 = 14;

pub(in super::super) fn run(arguments: &Promote, ui: &Ui) -> Result<Exit> {
    check_undo(&arguments.writing, Some(&arguments.files), &[])?;
    let options = Options { accept_weak: arguments.accept.is_some(), ..Options::default() };
    let intent =
        Intent::read(&arguments.files, &arguments.target, options, arguments.today.as_deref(), ui)?;
    let session = Session::open(&intent.policy, &arguments.target, &arguments.login, ui)?;
    let live = ui.asking(|| session.read())?;
    let owner = intent.wanted.owner.as_str();
    check_names(&arguments.rules, owner, &live)?;
    let names = chosen(&intent, &live, &arguments.rules);
    let now = now(arguments.today.as_deref())?;
    let mut refused: BTreeMap<&str, Vec<Reason>> = BTreeMap::new();
    for name in &names {
        let mut held = reasons(&evidence(arguments, &intent, &session, &live, name, now)?);
        held.retain(|reason| !arguments.force.iter().any(|forced| forced == reason.id));
        if !held.is_empty() {
            refused.insert(name, held);
        }
    }
    if !refused.is_empty() {
        tell(&refused, arguments.writing.format, ui)?;
        return Ok(Exit::Findings);
    }
    let target = |live: &Live| Target {
        web_acl: intent.wanted.web_acl.clone(),
        arn: live.acl.as_ref().map(|acl| acl.arn.clone()),
        scope: intent.wanted.scope.api_name().to_owned(),
        region: intent.wanted.region.clone(),
        distribution: None,
    };
    let plan = |live: &Live| intent.wanted.promoted(&target(live), live, &names);
    let agreed = plan(&live).map_err(live::Error::from)?;
    let job = Job {
        session: &session,
        owner,
        writing: &arguments.writing,
        folder: folder_of(&arguments.files.policy),
        plan: Box::new(plan),
    };
    carry_out(&job, &agreed, ui)
}

/// The rules that are named, or all that count and should not. Those of a run that was cut off are among
/// them: their alarms or tags may be missing.
fn chosen(intent: &Intent, live: &Live, named: &[String]) -> Vec<String> {
    let rules = intent.wanted.rules.iter().filter(|rule| {
        let is_named = named.is_empty() || named.contains(&rule.name);
        let acl = live.acl.as_ref();
        let has = acl.and_then(|acl| acl.rule(&rule.name)).map(|rule| mode_of(&rule.json));
        is_named && has.is_some() && mode_of(&rule.json) != Some(Mode::Count)
    });
    rules.map(|rule| rule.name.clone()).collect()
}

fn evidence<'a>(
    arguments: &Promote,
    intent: &'a Intent,
    session: &Session,
    live: &Live,
    name: &str,
    now: Timestamp,
) -> Result<Evidence<'a>> {
    let rule = live.acl.as_ref().and_then(|acl| acl.rule(name));
    let mode = rule.and_then(|rule| mode_of(&rule.json));
    let record =
        live.record(&intent.wanted.owner, name).filter(|record| record.mode == Mode::Count);
    let since = record.map(|record| record.since);
    if mode != Some(Mode::Count) {
        // It does what it should already; nothing is left to decide.
        return Ok(settled(name, now));
    }
    let from = since.map_or(now.0 - MOST_DAYS * DAY, |since| since.0.max(now.0 - MOST_DAYS * DAY));
    let question = question(session, live, name, Timestamp(from), now);
    let figures = match &question {
        Some(question) => session.account.figures(question)?,
        None => live::Figures::default(),
    };
    let clients = figures.over_limit.map(|mut over| {
        over.extend(figures.sampled);
        over.into_iter().collect()
    });
    let known_good: Vec<&Network> = intent
        .policy
        .networks
        .iter()
        .filter(|network| network.kind == NetworkKind::KnownGood)
        .collect();
    let own = intent.rules.rules.iter().find(|rule| rule.name == name);
    Ok(Evidence {
        rule: name.to_owned(),
        mode,
        since,
        now,
        days: arguments.days,
        clients,
        requests: figures.has_metric.then(|| figures.requests.values().sum()),
        prediction: own.and_then(|rule| prediction(rule, intent.lock.as_ref()?)),
        band: arguments.band,
        known_good,
        is_as_written: is_as_written(intent, live, name)?,
    })
}

/// Of a rule that does not count: nothing stands against it.
fn settled(name: &str, now: Timestamp) -> Evidence<'static> {
    Evidence {
        rule: name.to_owned(),
        mode: None,
        since: Some(Timestamp(0)),
        now,
        days: 0,
        clients: Some(Vec::new()),
        requests: Some(1),
        prediction: Some(Prediction { clients: 0, days: 0 }),
        band: 1.0,
        known_good: Vec::new(),
        is_as_written: true,
    }
}

/// Whether nothing but the action differs from the policy.
fn is_as_written(intent: &Intent, live: &Live, name: &str) -> Result<bool> {
    let all = compare(&intent.wanted, live, Options { take_over: true, ..Options::default() });
    let set = all.map_err(live::Error::from)?;
    let changes = set.steps.iter().filter_map(|step| match step {
        Step::UpdateWebAcl { rules, .. } => Some(rules),
        _ => None,
    });
    let change = changes.flatten().find(|change| change.name == name);
    Ok(change.is_none_or(|change| change.change == Change::Action))
}

/// What the logs say about a limit: of the lock's own limit exactly, of another one at most.
pub(super) fn prediction(rule: &RateRule, lock: &Lock) -> Option<Prediction> {
    let days = lock.inputs.days;
    if matches!(rule.role, Role::Twin { .. } | Role::SharedTwin { .. }) {
        // A twin's limit is far above all that its network ever sent.
        return Some(Prediction { clients: 0, days });
    }
    let route = lock.route(&rule.route.name)?;
    if route.limit == Some(rule.limit) && route.window == rule.window {
        return Some(Prediction { clients: route.clients_above_cut, days });
    }
    let peaks = route.distribution.get(&rule.window.seconds())?.sliding;
    let limit = rule.limit.requests();
    let shares = [(peaks.max, 0), (peaks.p99, 1), (peaks.p90, 10), (peaks.p50, 50)];
    let share = shares.iter().filter(|(peak, _)| limit >= *peak).map(|(_, share)| *share).min();
    let clients = (route.clients * share.unwrap_or(100)).div_ceil(100);
    Some(Prediction { clients, days })
}

fn tell(refused: &BTreeMap<&str, Vec<Reason>>, format: Format, ui: &Ui) -> Result<()> {
    let text = match format {
        Format::Json => {
            let mut text =
                serde_json::to_string_pretty(&json!({ "promoted": false, "reasons": refused }))?;
            text.push('\n');
            text
        }
        Format::Text => {
            let mut text = String::from("Nothing was promoted.\n\n");
            for (rule, reasons) in refused {
                text.push_str(&format!("{rule}\n"));
                for reason in reasons {
                    text.push_str(&format!(
                        "  {}: {}\n",
                        reason.id,
                        crate::units::plain(&reason.text)
                    ));
                }
            }
            text.push_str("\n--force REASON puts a reason aside, each by its name.\n");
            text
        }
    };
    policy_file::write(&text, None, ui)
}
