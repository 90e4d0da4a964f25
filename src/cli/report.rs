//! `ratewaf report`: a page to look at, or its charts as files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::analyze::{self, look};
use super::failure::hinted;
use super::{input, networks, policy_file, targets};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::policy::Lock;
use crate::report::{self, Drift, ProposalWords};
use crate::rules::Route;
use crate::ui::Ui;
use crate::units::{Window, plain};

const LOOKING: &str = "What to look at";
const RESULT: &str = "Result";

/// Read logs and write one page that shows the peaks, the gap and the limit, with a slider that moves it.
///
/// The page is one HTML file that fetches nothing, opens on a phone and prints. The routes are those of the
/// policy, or of --route. Writes neither policy nor lock. With --compare it also holds the week against an
/// older lock, and ends with exit code 1 if somebody has to look: for a scheduled job.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf report logs/ --out report.html                                  the routes of ratewaf.yaml
  ratewaf report logs/ --route 'GET /oauth/token' --out report.html
  ratewaf report logs/ --no-addresses --out report.html                   for people outside of the team
  ratewaf report logs/ --format svg --out charts/                         the charts as files
  ratewaf report logs/ --compare ratewaf.lock.json --out report.html      1 if the limit does not fit any more")]
pub(super) struct Arguments {
    #[command(flatten)]
    input: input::Arguments,

    /// A route to look at, in place of the policy's: '[METHODS ][host]/path' as of ratewaf analyze. May be
    /// given more than once.
    #[arg(long = "route", value_name = "ROUTE", help_heading = LOOKING)]
    routes: Vec<Route>,

    /// Evaluation window in seconds for --route: 60, 120, 300 (if not given) or 600. A policy has its own.
    #[arg(long, value_name = "SECONDS", help_heading = LOOKING)]
    window: Option<Window>,

    /// A lock of an earlier week: what changed since, and exit code 1 if the limit in force is not well
    /// inside the gap any more.
    #[arg(long, value_name = "LOCK", help_heading = LOOKING)]
    compare: Option<PathBuf>,

    #[command(flatten)]
    networks: networks::Arguments,

    #[command(flatten)]
    files: policy_file::Arguments,

    /// What to write.
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = RESULT)]
    format: Format,

    /// The file of the page (standard output if not given), or the folder of the charts.
    #[arg(long, value_name = "PATH", help_heading = RESULT, required_if_eq_any([("format", "svg"), ("format", "png")]))]
    out: Option<PathBuf>,

    /// Write client-0001 and so on in place of addresses, for a page that others read.
    #[arg(long, visible_alias = "anonymize", help_heading = RESULT)]
    no_addresses: bool,

    /// The date that `until` of a network is compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = LOOKING)]
    today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One page.
    #[default]
    Html,
    /// A file for each chart of each route.
    Svg,
    /// The same as pictures, twice as large; only in a build with --features png.
    Png,
}

pub(super) fn run(arguments: Arguments, ui: &Ui) -> Result<Exit> {
    let Arguments { format, compare, out, .. } = &arguments;
    let (format, compare, out) = (*format, compare.clone(), out.clone());
    if format == Format::Png && cfg!(not(feature = "png")) {
        let hint =
            "--format svg has the same charts; cargo install --path . --features png adds PNG";
        return Err(hinted("this program was built without PNG", hint));
    }
    if out.is_none() && ui.settings().out_on_terminal {
        let hint = "--out report.html, and open that in a browser";
        return Err(hinted("the page would go to the terminal", hint));
    }
    let outputs: Vec<(&str, &Path)> = out.iter().map(|out| ("--out", out.as_path())).collect();
    arguments.files.demand_distinct(&outputs)?;
    let old = compare.iter().map(|old| ("--compare", old.as_path()));
    let read: Vec<_> = old.chain(arguments.input.files()).collect();
    targets::demand_other("--out", out.as_deref(), &read)?;
    let old = compare.as_deref().map(read_lock).transpose()?;
    let file = out.as_deref().filter(|_| format == Format::Html);
    if let Some(out) = file {
        fs::check_target(out)?;
    }
    let looked = look(&arguments.looking(), &file.into_iter().collect::<Vec<_>>(), ui)?;
    let drift = old.as_ref().map(|old| report::drift(&looked, old));
    match (format, &out) {
        (Format::Svg | Format::Png, Some(folder)) => {
            fs::create_folder(folder)?;
            let files = report::svg_files(&looked, &ProposalWords);
            for (name, svg) in &files {
                write_chart(&folder.join(name), svg, format)?;
            }
            ui.note(&format!("wrote {} charts into {}", files.len(), shown(folder)));
        }
        _ => {
            let page = report::html(&looked, &ProposalWords, drift.as_ref());
            policy_file::write(&page, file, ui)?;
        }
    }
    Ok(drift.map_or(Exit::Done, |drift| tell(&drift, ui)))
}

impl Arguments {
    /// As `analyze` would be asked, with nothing to write.
    fn looking(self) -> analyze::Arguments {
        let Self { input, routes, window, networks, files, no_addresses, today, .. } = self;
        analyze::Arguments {
            input,
            routes,
            window,
            survey: false,
            rules: Vec::new(),
            networks,
            files,
            format: analyze::Format::default(),
            out: None,
            no_write: true,
            no_addresses,
            keep_addresses: false,
            today,
        }
    }
}

#[cfg(feature = "png")]
fn write_chart(path: &Path, svg: &str, format: Format) -> Result<()> {
    match format {
        Format::Png => fs::replace(&path.with_extension("png"), report::png(svg)?)?,
        _ => fs::replace(path, svg)?,
    }
    Ok(())
}

#[cfg(not(feature = "png"))]
fn write_chart(path: &Path, svg: &str, _: Format) -> Result<()> {
    Ok(fs::replace(path, svg)?)
}

fn read_lock(path: &Path) -> Result<Lock> {
    let text = match fs::read_text(path, policy_file::MOST_BYTES) {
        Ok(text) => text,
        Err(error) if error.is_missing() => {
            let hint = "ratewaf analyze writes ratewaf.lock.json; git show HEAD~1:ratewaf.lock.json > old.lock.json brings an older one";
            return Err(hinted(format!("there is no lock `{}`", shown(path)), hint));
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Lock::parse(&text, &shown(path))?)
}

/// The findings for whoever reads the job's log.
fn tell(drift: &Drift, ui: &Ui) -> Exit {
    for route in &drift.routes {
        let name = plain(&route.route);
        for finding in &route.findings {
            ui.warn(&format!("{name}: {}: {}", finding.id, plain(&finding.text)));
        }
        ui.note(&format!("{name}: {}", plain(&route.summary)));
    }
    if drift.has_findings() { Exit::Findings } else { Exit::Done }
}
