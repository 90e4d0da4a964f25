//! `ratewaf check`: what is about to be deployed, against what AWS accepts and what the logs said.

pub(super) mod inputs;
mod live;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use super::failure::hinted;
use super::{policy_file, targets};
use crate::checks::locate::{Locator, Source};
use crate::checks::output::{self, Report};
use crate::checks::{self, About, CHECKS, Check, Context, Severity, model, read, suppress};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::policy::PricingPlan;
use crate::ui::Ui;

const RESULT: &str = "Result";
const WHAT: &str = "What is checked";
/// Larger files are no list of suppressions.
const IGNORE_BYTES: u64 = 1 << 20;

/// Check what is about to be deployed: rate limits and what stands around them.
///
/// Reads Terraform plans, folders of .tf files, CloudFormation templates, web ACLs as the API prints them, and
/// with --live those of an account. Needs no logs and no policy; where a policy and a lock are there, limits are held against what
/// the logs said. A plan knows most: make one if you can.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  terraform show -json plan.tfplan | ratewaf check -
  ratewaf check plan.json --source infra/    findings with the lines of the .tf files
  ratewaf check infra/                       without a plan: what cannot be known is said
  ratewaf check waf.yaml --before old.yaml   a template, and what it changes
  ratewaf check stage=stage.json prod=prod.json
  ratewaf check --live                       what is deployed now, with its alarms and logs
  ratewaf check --live --distribution E2EXAMPLE123
  ratewaf check plan.json --format markdown  a comment for a pull request
  ratewaf check plan.json --fail-on error

A finding that has been looked at: `# ratewaf: ignore[CHECK] REASON until YYYY-MM-DD` above it, or an
entry in .ratewaf-ignore.yaml. `ratewaf explain-check CHECK` says what a check is about.

Exit codes: 0 nothing as bad as --fail-on, 1 something is, 2 an input cannot be read.")]
pub(super) struct Arguments {
    /// Plans (terraform show -json), folders with .tf files, templates, or API JSON; `-` is standard
    /// input. ENVIRONMENT= before it tells inputs of several environments apart.
    #[arg(value_name = "[ENVIRONMENT=]INPUT", default_value = ".")]
    inputs: Vec<String>,

    /// What is deployed now: a folder, a template or API JSON. Plans know it themselves.
    #[arg(long, value_name = "INPUT", help_heading = WHAT)]
    before: Option<String>,

    /// The folder with the .tf files that a plan was made of, to find lines in; the folder of the plan if
    /// not given.
    #[arg(long, value_name = "FOLDER", help_heading = WHAT)]
    source: Option<PathBuf>,

    #[command(flatten)]
    looking: live::Arguments,

    #[command(flatten)]
    files: policy_file::Arguments,

    /// How CloudFront is paid, if no policy says so.
    #[arg(long, value_name = "PLAN", help_heading = WHAT)]
    pricing_plan: Option<Plan>,

    /// Run only this check; may be given several times.
    #[arg(long, value_name = "CHECK", help_heading = WHAT)]
    only: Vec<String>,

    /// The suppressions that stand in a file; .ratewaf-ignore.yaml if it is there.
    #[arg(long, value_name = "FILE", help_heading = WHAT)]
    ignore_file: Option<PathBuf>,

    /// The form.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = RESULT)]
    format: Format,

    /// Write into a file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    out: Option<PathBuf>,

    /// The mildest finding that makes the exit code 1.
    #[arg(long, value_enum, default_value_t, value_name = "SEVERITY", help_heading = RESULT)]
    fail_on: FailOn,

    /// The date that ages and last days are compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// For people, with the lines that findings are about.
    #[default]
    Text,
    /// For programs; `ratewaf schema check` describes it.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// JUnit XML, which GitLab and others show.
    Junit,
    /// A comment for a pull request: what changes, what the logs say to that, and the findings.
    Markdown,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum FailOn {
    /// Only errors: AWS refuses it, or it does not do its work.
    Error,
    /// Warnings, too: it works, but not as people expect.
    #[default]
    Warning,
    /// Any finding.
    Note,
    /// No finding.
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Plan {
    /// Pay as you go.
    Payg,
    /// The flat-rate plan Free.
    Free,
    /// The flat-rate plan Pro.
    Pro,
    /// The flat-rate plan Business.
    Business,
    /// The flat-rate plan Premium.
    Premium,
}

impl From<Plan> for PricingPlan {
    fn from(plan: Plan) -> Self {
        match plan {
            Plan::Payg => Self::Payg,
            Plan::Free => Self::Free,
            Plan::Pro => Self::Pro,
            Plan::Business => Self::Business,
            Plan::Premium => Self::Premium,
        }
    }
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    if let Some(out) = &arguments.out {
        arguments.files.demand_distinct(&[("--out", out)])?;
    }
    arguments.looking.check()?;
    let today = policy_file::today(arguments.today.as_deref())?;
    let chosen = chosen(&arguments.only)?;
    // Which suppressions are of use is known only when every check has run.
    let is_of_all = arguments.only.iter().any(|id| id == suppress::ABOUT.id);
    let run = if is_of_all { CHECKS } else { &chosen };
    let policy = arguments.files.read_policy_if_there()?;
    let lock = arguments.files.read_lock_if_there()?;
    let mut loaded = if arguments.looking.live {
        live::load(&arguments.looking, policy.as_ref(), ui)?
    } else {
        inputs::load(&arguments.inputs, arguments.source.as_deref())?
    };
    let mut read = loaded.read.clone();
    if let Some(before) = &arguments.before {
        let was = inputs::before(before)?;
        loaded.found = read::compare(loaded.found, &was.found);
        read.extend(was.read);
    }
    let (ignored, ignore_source) = suppressions(arguments)?;
    if let Some(out) = &arguments.out {
        read.extend(arguments.ignore_file.clone());
        read.push(PathBuf::from(suppress::FILE));
        let read: Vec<_> = read.iter().map(|path| ("check", path.as_path())).collect();
        targets::demand_other("--out", Some(out), &read)?;
    }
    let mut deployment = model::build(std::mem::take(&mut loaded.found));
    deployment.blind.splice(0..0, std::mem::take(&mut loaded.blind));
    deployment.unread = std::mem::take(&mut loaded.unread);
    loaded.named.iter().for_each(|item| deployment.name(item));
    let context = Context {
        deployment: &deployment,
        policy: policy.as_ref(),
        lock: lock.as_ref(),
        today,
        pricing_plan: arguments
            .pricing_plan
            .map(PricingPlan::from)
            .or_else(|| policy.as_ref().map(|policy| policy.pricing_plan)),
    };
    let findings = checks::run(run, &context);
    let is_told = findings.iter().any(|one| one.check == "web-acl-absent");
    if deployment.acls.is_empty() && !arguments.looking.live && !is_told {
        ui.note("note: no web ACL and no rule of one was found: is this the folder or the plan that has it?");
    }
    if !findings.is_empty() {
        // Only what is found has to be placed.
        for unread in loaded.read_beside() {
            ui.note(&format!("note: no line of it can be named: {unread}"));
        }
    }
    let places: Vec<&checks::Place> = findings
        .iter()
        .flat_map(|one| std::iter::once(&one.place).chain(one.related.iter().map(|(it, _)| it)))
        .collect();
    let locator = Locator::new(&loaded.sources, &loaded.root, &places);
    let (all, ran) = (ids(CHECKS), ids(run));
    let known = suppress::Known { all: &all, run: &ran };
    let mut sorted =
        suppress::sort(findings.clone(), &locator, &loaded.sources, &ignored, &known, today);
    if is_of_all {
        let is_chosen =
            |one: &suppress::Located| arguments.only.iter().any(|id| id == one.finding.check);
        sorted.told.retain(is_chosen);
        sorted.suppressed.retain(|(one, _)| is_chosen(one));
    }
    let mut abouts: Vec<&'static About> = chosen.iter().map(|check| check.about()).collect();
    abouts.push(&suppress::ABOUT);
    let mut sources = loaded.sources.clone();
    sources.extend(ignore_source);
    let report = Report { context, sorted: &sorted, checks: &abouts, sources: &sources };
    let color = arguments.out.is_none() && ui.settings().out_colours;
    let text = match arguments.format {
        Format::Text => output::text(&report, color),
        Format::Json => output::json(&report),
        Format::Sarif => output::sarif(&report),
        Format::Github => output::github(&report),
        Format::Junit => output::junit(&report),
        Format::Markdown => output::markdown(&report),
    };
    policy_file::write(&text, arguments.out.as_deref(), ui)?;
    let worst = sorted.told.iter().map(|one| one.finding.severity).max();
    let mildest = match arguments.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Note => Severity::Note,
        FailOn::Never => return Ok(Exit::Done),
    };
    Ok(if worst.is_some_and(|worst| worst >= mildest) { Exit::Findings } else { Exit::Done })
}

/// The checks that run.
fn chosen(only: &[String]) -> Result<Vec<&'static dyn Check>> {
    if only.is_empty() {
        return Ok(CHECKS.to_vec());
    }
    only.iter().filter(|id| *id != suppress::ABOUT.id).map(|id| by_id(id)).collect()
}

fn ids(checks: &[&'static dyn Check]) -> Vec<&'static str> {
    checks.iter().map(|check| check.about().id).collect()
}

fn by_id(id: &str) -> Result<&'static dyn Check> {
    CHECKS.iter().copied().find(|check| check.about().id == id).ok_or_else(|| {
        hinted(
            format!("no check is called `{}`", crate::units::plain(id)),
            "`ratewaf explain-check` lists them",
        )
    })
}

/// The file with suppressions: the one that was named has to be there, the usual one need not.
fn suppressions(arguments: &Arguments) -> Result<(Vec<suppress::Suppression>, Option<Source>)> {
    let usual = PathBuf::from(suppress::FILE);
    let path = arguments.ignore_file.as_ref().unwrap_or(&usual);
    let text = match fs::read_text(path, IGNORE_BYTES) {
        Ok(text) => text,
        Err(error) if error.is_missing() && arguments.ignore_file.is_none() => {
            return Ok((Vec::new(), None));
        }
        Err(error) => return Err(error.into()),
    };
    let name = inputs::portable(path);
    let list = suppress::read_file(&name, &text)
        .map_err(|reason| anyhow::anyhow!("`{}` {reason}", shown(path)))?;
    Ok((list, Some(Source { path: name, text, is_hcl: false })))
}

/// Say what a check is about: why it matters, a bad and a good example. Without a check, list all.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf explain-check
  ratewaf explain-check alarm-region")]
pub(super) struct ExplainArguments {
    /// The id of the check.
    #[arg(value_name = "CHECK")]
    check: Option<String>,
}

pub(super) fn explain(arguments: &ExplainArguments, ui: &Ui) -> Result<Exit> {
    let text = match arguments.check.as_deref() {
        None => {
            let mut all: Vec<&'static About> = CHECKS.iter().map(|check| check.about()).collect();
            all.push(&suppress::ABOUT);
            all.sort_by_key(|about| about.id);
            output::list(&all)
        }
        Some(id) if id == suppress::ABOUT.id => output::explained(&suppress::ABOUT),
        Some(id) => output::explained(by_id(id)?.about()),
    };
    ui.write_data(&text).context("cannot write to standard output")?;
    Ok(Exit::Done)
}
