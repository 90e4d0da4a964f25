//! `ratewaf status`: what the live rules do.

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::super::policy_file;
use super::arguments::{Format, Status};
use super::session::{Intent, Session, now};
use crate::changes::{ChangeSet, Field, Live, Mode, Options, compare, mode_of};
use crate::cloud::live::{self, AlarmState, Figures, Question};
use crate::exit::Exit;
use crate::ui::Ui;
use crate::units::{Timestamp, count, plain, thousands};

const DAY: i64 = 86_400;
/// Days in count after which somebody should decide.
const LONG: i64 = 14;

/// A rule as it is live.
struct Row {
    name: String,
    /// What it does; `None`: an action that this version does not know.
    mode: Option<Mode>,
    /// What the policy wants; `None`: the policy has no such rule.
    wanted: Option<Mode>,
    since: Option<Timestamp>,
    figures: Figures,
    alarm: Option<(String, AlarmState)>,
    /// What differs from the policy but for the action.
    fields: Vec<Field>,
    edited: Option<String>,
    notes: Vec<String>,
}

pub(in super::super) fn run(arguments: &Status, ui: &Ui) -> Result<Exit> {
    let today = arguments.today.as_deref();
    let intent = Intent::read(&arguments.files, &arguments.target, Options::default(), today, ui)?;
    let session = Session::open(&intent.policy, &arguments.target, &arguments.login, ui)?;
    let live = ui.asking(|| session.read())?;
    let now = now(today)?;
    let from = Timestamp(now.0 - i64::from(arguments.hours) * 3_600);
    let set = compare(&intent.wanted, &live, Options::default()).map_err(live::Error::from)?;
    let taken = compare(&intent.wanted, &live, Options { take_over: true, ..Options::default() });
    let taken = taken.map_err(live::Error::from)?;
    let owner = &intent.wanted.owner;
    let alarms = session.account.alarm_states(&format!("{owner}-"))?;
    let mut rows = Vec::new();
    let rules = live.acl.iter().flat_map(|acl| &acl.rules);
    for rule in rules.filter(|rule| rule.is_rate_based()) {
        let wanted = intent.wanted.rules.iter().find(|own| own.name == rule.name);
        let record = live.record(owner, &rule.name);
        if wanted.is_none() && record.is_none() {
            continue;
        }
        let Some(question) = question(&session, &live, &rule.name, from, now) else { continue };
        let mode = mode_of(&rule.json);
        let alarm = format!("{}-over-limit", rule.name);
        let mut row = Row {
            name: rule.name.clone(),
            mode,
            wanted: wanted.and_then(|rule| mode_of(&rule.json)),
            since: record.filter(|record| Some(record.mode) == mode).map(|record| record.since),
            figures: session.account.figures(&question)?,
            alarm: alarms.get(&alarm).map(|state| (alarm, state.clone())),
            fields: fields_of(&taken, &rule.name),
            edited: set
                .drift
                .iter()
                .find(|one| one.what == format!("rule {}", rule.name))
                .map(|one| one.why.clone()),
            notes: Vec::new(),
        };
        row.notes = notes(&row, now, arguments.hours);
        rows.push(row);
    }
    let missing = missing(&intent, &live);
    let text = match arguments.format {
        Format::Text => text(&set, &rows, &missing, now, arguments.hours),
        Format::Json => told_as_json(&set, &rows, &missing, now, arguments.hours)?,
    };
    policy_file::write(&text, None, ui)?;
    Ok(Exit::Done)
}

/// What to ask about a rule that is live.
pub(super) fn question(
    session: &Session,
    live: &Live,
    rule: &str,
    from: Timestamp,
    to: Timestamp,
) -> Option<Question> {
    let acl = live.acl.as_ref()?;
    let json = &acl.rule(rule)?.json;
    let metric =
        json.pointer("/VisibilityConfig/MetricName").and_then(Json::as_str).unwrap_or(rule);
    Some(Question {
        scope: session.sought.scope,
        region: acl.arn.split(':').nth(3).unwrap_or_default().to_owned(),
        web_acl: acl.name.clone(),
        id: acl.id.clone(),
        arn: acl.arn.clone(),
        rule: rule.to_owned(),
        metric: metric.to_owned(),
        from,
        to,
    })
}

/// Rules of the policy that are not live.
fn missing(intent: &Intent, live: &Live) -> Vec<String> {
    let has = |name: &str| live.acl.as_ref().is_some_and(|acl| acl.rule(name).is_some());
    intent.wanted.rules.iter().map(|rule| rule.name.clone()).filter(|name| !has(name)).collect()
}

fn fields_of(set: &ChangeSet, rule: &str) -> Vec<Field> {
    let changes = set.steps.iter().filter_map(|step| match step {
        crate::changes::Step::UpdateWebAcl { rules, .. } => Some(rules),
        _ => None,
    });
    let change = changes.flatten().find(|change| change.name == rule);
    let fields = change.map(|change| change.fields.clone()).unwrap_or_default();
    fields.into_iter().filter(|field| !field.is_of_action()).collect()
}

fn notes(row: &Row, now: Timestamp, hours: u32) -> Vec<String> {
    let mut out = Vec::new();
    let days = row.since.map(|since| (now.0 - since.0).max(0) / DAY);
    if let (Some(Mode::Count), Some(days)) = (row.mode, days.filter(|days| *days >= LONG)) {
        out.push(format!("counting for {days} days: promote or remove"));
    }
    if row.wanted.is_none() {
        out.push("the policy has no such rule any more: apply removes it".to_owned());
    }
    if row.mode.is_none() {
        out.push("its action is one that this ratewaf does not know".to_owned());
    }
    if row.since.is_none() {
        out.push("nobody knows since when: apply did not write it so".to_owned());
    }
    let is_seen = row.figures.over_limit.as_ref().is_some_and(|over| !over.is_empty())
        || !row.figures.sampled.is_empty();
    if !row.figures.has_metric {
        out.push(if is_seen {
            "there is no metric with its dimensions though it acts: an alarm on them would never fire".to_owned()
        } else {
            format!("no metric carries its dimensions yet: nobody was over the limit, or not in {hours} hours")
        });
    }
    if let Some((name, alarm)) = &row.alarm
        && !alarm.tells
    {
        out.push(format!("the alarm {name} tells nobody: its actions are off"));
    }
    out
}

fn limit_of(row: &Row) -> String {
    row.figures.over_limit.as_ref().map_or_else(
        || "AWS does not tell who".to_owned(),
        |over| format!("{} over the limit now", count(over.len() as u64, "client", "clients")),
    )
}

fn text(set: &ChangeSet, rows: &[Row], missing: &[String], now: Timestamp, hours: u32) -> String {
    let target = &set.target;
    let mut out =
        format!("Web ACL {} ({}, {})\n", plain(&target.web_acl), target.scope, target.region);
    if target.arn.is_none() {
        out.push_str("\nIt is not there: `ratewaf apply` makes it.\n");
        return out;
    }
    for row in rows {
        let verb = row.mode.map_or("acts", Mode::verb);
        let since = row.since.map_or_else(String::new, |since| {
            let days = ((now.0 - since.0).max(0) / DAY) as u64;
            format!(", since {since} ({})", count(days, "day", "days"))
        });
        out.push_str(&format!("\n{}: {verb}{since}\n", plain(&row.name)));
        if let Some(wanted) = row.wanted.filter(|wanted| Some(*wanted) != row.mode) {
            let how = if row.mode == Some(Mode::Count) { "promote" } else { "apply" };
            out.push_str(&format!("  the policy says: {} (`ratewaf {how}`)\n", wanted.as_str()));
        }
        let requests: Vec<String> = row
            .figures
            .requests
            .iter()
            .map(|(name, number)| format!("{} {}", thousands(*number), words_of(name)))
            .collect();
        let requests = if requests.is_empty() {
            "no request acted on".to_owned()
        } else {
            requests.join(", ")
        };
        let sampled = count(row.figures.sampled.len() as u64, "client", "clients");
        out.push_str(&format!(
            "  last {hours} hours: {requests}; {}; {sampled} in samples\n",
            limit_of(row)
        ));
        if let Some((name, alarm)) = &row.alarm {
            out.push_str(&format!("  alarm {}: {}\n", plain(name), plain(&alarm.state)));
        }
        if let Some(why) = &row.edited {
            out.push_str(&format!("  drift: {why}\n"));
        }
        for field in &row.fields {
            let side = |value: &Json| plain(&value.to_string()).into_owned();
            let (is, says) = (side(&field.from), side(&field.to));
            out.push_str(&format!(
                "  {}: {is} live, {says} in the policy\n",
                field.name_in_words()
            ));
        }
        for note in &row.notes {
            out.push_str(&format!("  note: {}\n", plain(note)));
        }
    }
    if !missing.is_empty() {
        out.push_str(&format!("\nIn the policy and not live: {}\n", missing.join(", ")));
    }
    out
}

fn words_of(metric: &str) -> &'static str {
    match metric {
        "CountedRequests" => "counted",
        "BlockedRequests" => "blocked",
        "ChallengeRequests" => "challenged",
        _ => "given a CAPTCHA",
    }
}

fn told_as_json(
    set: &ChangeSet,
    rows: &[Row],
    missing: &[String],
    now: Timestamp,
    hours: u32,
) -> Result<String> {
    let one = |row: &Row| {
        json!({
            "rule": row.name, "mode": row.mode, "wanted": row.wanted,
            "since": row.since.map(|since| since.to_string()),
            "days": row.since.map(|since| (now.0 - since.0).max(0) / DAY),
            "requests": row.figures.requests, "has_metric": row.figures.has_metric,
            "clients_over_limit": row.figures.over_limit, "clients_sampled": row.figures.sampled,
            "alarm": row.alarm.as_ref().map(|(name, alarm)| json!({ "name": name, "state": alarm.state, "tells": alarm.tells })),
            "drift": row.edited, "differences": row.fields, "notes": row.notes,
        })
    };
    let rows: Vec<Json> = rows.iter().map(one).collect();
    let whole = json!({
        "version": 1, "web_acl": set.target.web_acl, "arn": set.target.arn, "scope": set.target.scope,
        "region": set.target.region, "hours": hours, "rules": rows, "not_live": missing,
    });
    let mut text = serde_json::to_string_pretty(&whole)?;
    text.push('\n');
    Ok(text)
}
