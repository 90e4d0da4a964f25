//! `ratewaf replay`: what rules would have done to the requests of the logs.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::failure::{UNREADABLE, hinted};
use super::style;
use super::{days_out, held_rules, input, policy_file, targets};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::limiters::Algorithm;
use crate::replay::{Settings, replay};
use crate::report;
use crate::ui::Ui;

const RULES: &str = "Rules";
const RESULT: &str = "Result";

/// Run rules over logs as AWS WAF would: who is limited, when, and what else that costs.
///
/// The rules are those of policy and lock; --limit puts another number in place of the main rules',
/// --route looks at a route without any policy, and --rules at the rules of any web ACL. WAF looks at the rates every 10 s and knows of a request
/// some time later: what goes through until then is told. Its real rate is an estimate, so think in
/// minutes, not in seconds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf replay logs/                                         the rules of ratewaf.yaml
  ratewaf replay logs/ --limit 500                             with another limit
  ratewaf replay logs/ --route 'GET /oauth/token' --limit 300  a rule that is nowhere yet
  ratewaf replay logs/ --rules infra/                          those of Terraform, a plan or a live web ACL
  ratewaf replay logs/ --algorithm token-bucket                as a limiter behind WAF would do it
  ratewaf replay logs/ --format markdown > comment.md")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: input::Arguments,

    #[command(flatten)]
    rules: held_rules::Arguments,

    /// As which limiter: waf, or one that an application may have.
    #[arg(long, value_name = "NAME", help_heading = RULES, default_value = "waf", value_parser = algorithm())]
    algorithm: Algorithm,

    /// Also hold each UTC day against the limit that all other days propose: whether the limit hangs on
    /// one day. Reads the logs twice more for each day.
    #[arg(long, help_heading = RULES)]
    leave_one_day_out: bool,

    /// How to tell the result.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    format: Format,

    /// Write the result into a file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    out: Option<PathBuf>,
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

fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| {
        let named = Algorithm::ALL.into_iter().find(|own| own.name() == name);
        named.ok_or_else(|| format!("`{name}` is no algorithm"))
    })
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let Some(plan) = held_rules::plan(&arguments.rules, ui)? else {
        let policy = shown(&arguments.rules.files.policy);
        return Err(hinted(
            format!("there is no policy `{policy}`, and no --route"),
            "name a route and a limit, --route 'GET /path' --limit 300, or rules, --rules infra/, or run ratewaf analyze first",
        ));
    };
    if let (true, Some((name, why))) = (plan.rules.is_empty(), plan.left_out.first()) {
        return Err(hinted(
            format!("no rule can be replayed; `{name}`: {}", why.in_words()),
            "ratewaf replay --route 'GET /path' --limit N counts by the address that connected",
        ));
    }
    if arguments.leave_one_day_out && arguments.input.is_piped() {
        let hint = "write the logs into a file";
        return Err(hinted("--leave-one-day-out reads the logs again, and - cannot be", hint));
    }
    if arguments.leave_one_day_out && plan.is_of_web_acl() {
        return Err(hinted(
            "--leave-one-day-out asks what other days propose for a route, and --rules names none",
            "name the route and the limit: --route 'GET /path' --limit 300 --leave-one-day-out",
        ));
    }
    let out = arguments.out.as_deref();
    let outputs: Vec<_> = out.into_iter().collect();
    arguments
        .rules
        .files
        .demand_distinct(&out.map(|out| ("--out", out)).into_iter().collect::<Vec<_>>())?;
    let inputs: Vec<_> = arguments.rules.inputs().chain(arguments.input.files()).collect();
    targets::demand_other("--out", out, &inputs)?;
    outputs.iter().try_for_each(|out| fs::check_target(out))?;
    let selection = plan.selection()?;
    let counts = arguments.input.count(&selection, &outputs, ui)?;
    arguments.rules.networks.tell_strangers(&counts, &plan.networks, ui)?;
    let settings = Settings { algorithm: arguments.algorithm, lag: arguments.rules.lag };
    let coverage = counts.coverage;
    let given = plan.rules.clone();
    let mut rules = replay(plan.rules, counts.parts, &settings).context(UNREADABLE)?;
    if rules.iter().all(|rule| rule.outcome.requests == 0) {
        let lines = crate::units::count(coverage.lines, "request", "requests");
        return Err(hinted(
            format!("not one of the {lines} is for any of the rules"),
            "check the folder and the routes; ratewaf analyze --survey shows what is in these logs",
        ));
    }
    if arguments.leave_one_day_out {
        let held = days_out::Held {
            input: &arguments.input,
            selection: &selection,
            routes: &plan.routes,
            networks: &plan.networks,
            settings: &settings,
        };
        let days = days_out::days_out(&held, &given, &coverage, ui)?;
        for (rule, days) in given.iter().zip(days) {
            let own = rules.iter_mut().find(|one| one.rule.name == rule.name);
            own.into_iter().for_each(|one| one.outcome.days.clone_from(&days));
        }
    }
    let found = report::Replay {
        coverage,
        algorithm: settings.algorithm,
        lag: settings.lag,
        networks: plan.networks,
        rules,
        left_out: plan.left_out,
    };
    let text = match arguments.format {
        Format::Text => report::replay_text(&found, &style(ui), ui.width()),
        Format::Json => report::replay_json(&found),
        Format::Markdown => report::replay_markdown(&found),
    };
    policy_file::write(&text, out, ui)?;
    Ok(Exit::Done)
}
