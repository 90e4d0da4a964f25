//! `ratewaf demo-logs`: a labelled week of logs, to try the tool and to measure it.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::policy_file;
use super::signals::Signals;
use crate::demo::{self, Format, Plan, TRUTH};
use crate::exit::Exit;
use crate::fs::shown;
use crate::ui::Ui;
use crate::units::{Timestamp, count, thousands};

/// Make a labelled week of CloudFront logs, to try the tool without logs of your own.
///
/// A shop with visitors, offices, crawlers, monitors, a test runner and clients in a loop on
/// GET /oauth/token, in gzip files as CloudFront writes them. truth.json beside them says who is who,
/// which limits are acceptable, and every figure that the tool has to find. The same seed makes the
/// same bytes.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  ratewaf demo-logs --lines 200000 --out demo
  ratewaf analyze demo --route 'GET /oauth/token' --exempt qa-runner=203.0.113.10/32 --exempt qa-runner=2001:db8:7::10/128")]
pub(super) struct Arguments {
    /// An empty or new folder.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Lines in all files, exactly.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    lines: u64,

    /// Days from the start on.
    #[arg(long, value_name = "N", default_value_t = 7)]
    days: u32,

    /// The last day; 2026-09-13 if not given and --days is 7. A limit from logs that are old is told as
    /// such by ratewaf check: yesterday's date makes a week that is not.
    #[arg(long, value_name = "YYYY-MM-DD")]
    end: Option<String>,

    /// Another seed makes another week.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Distinct addresses; one for 80 lines if not given. More than the shop has visitors belong to an
    /// attacker who uses each of them once.
    #[arg(long, value_name = "N")]
    clients: Option<u64>,

    /// The format of the files, named and laid out as in a bucket. The requests are the same in each.
    #[arg(long, value_name = "FORMAT", default_value = "v1", value_parser = formats())]
    format: Format,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let described = |format: Format| PossibleValue::new(format.as_str()).help(format.describe());
    PossibleValuesParser::new(Format::ALL.map(described)).try_map(|name| name.parse::<Format>())
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let mut plan = Plan {
        lines: arguments.lines,
        days: arguments.days,
        seed: arguments.seed,
        clients: arguments.clients,
        format: arguments.format,
        ..Plan::default()
    };
    if let Some(end) = &arguments.end {
        let last = policy_file::today(Some(end))?;
        plan.start = Timestamp(last.0 + 86_400 * (1 - i64::from(plan.days)));
    }
    let progress = ui.lines_progress(plan.lines);
    let signals = Signals::watch()?;
    let made = demo::generate(&plan, &arguments.out, &|lines| {
        progress.add(lines);
        !signals.came()
    });
    progress.finish();
    let made = made.map_err(|error| signals.explain(error))?;
    let folder = shown(&arguments.out);
    ui.note(&format!(
        "wrote {} into {folder}: {} in {} ({} MB), and {TRUTH}, what is true of them",
        count(made.truth.lines, "line", "lines"),
        count(made.truth.clients, "client of the route", "clients of the route"),
        count(made.truth.files, "file", "files"),
        thousands(made.packed.div_ceil(1_000_000)),
    ));
    let route = format!("{} {}", made.truth.route.method, made.truth.route.path);
    let exempt: String =
        made.truth.labels.exempt.iter().map(|cidr| format!(" --exempt qa-runner={cidr}")).collect();
    let flags = plan.format.reading_flags(&folder);
    ui.note(&format!("try: ratewaf analyze {folder} --route '{route}'{exempt}{flags}"));
    Ok(Exit::Done)
}
