//! `ratewaf emit`: policy and lock to code.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::failure::{Shown, hinted};
use super::policy_file;
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::policy::{Lock, Policy, ResolveOptions, resolve};
use crate::render::{self, TerraformOptions};
use crate::stack::{Origin, Stack, Traffic};
use crate::ui::Ui;
use crate::units::count;

const RESULT: &str = "Result";

/// Turn policy and lock into Terraform.
///
/// Needs no logs: the lock beside the policy holds what they said. Rules whose limit is only a weak
/// proposal are emitted in count mode and say so; routes without a proposal get no rule and say why.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf emit --out waf.tf
  ratewaf emit --count-mode --out waf.tf     every rule counts, nothing is blocked
  ratewaf emit --check waf.tf                exit code 1 and a diff if the file is not up to date")]
pub(super) struct Arguments {
    #[command(flatten)]
    files: policy_file::Arguments,

    /// The dialect.
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT", help_heading = RESULT)]
    format: Format,

    /// Every rule counts, whatever the policy says.
    #[arg(long, help_heading = RESULT)]
    count_mode: bool,

    /// Put weak proposals to use like clear ones.
    #[arg(long, value_enum, value_name = "GRADE", help_heading = RESULT)]
    accept: Option<Accept>,

    /// Write into a file instead of standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "check", help_heading = RESULT)]
    out: Option<PathBuf>,

    /// Compare with a file and write nothing: exit code 1 and a diff if they differ.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    check: Option<PathBuf>,

    /// The date that `until` of a network is compared with; today if not given.
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = RESULT)]
    today: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// Terraform HCL, for the AWS provider 5.100 and later and 6.
    #[default]
    Terraform,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Accept {
    /// Weak ones, too.
    Weak,
}

/// Larger files are no output of ours.
const MOST_BYTES: u64 = 64 << 20;

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    if let Some(out) = &arguments.out {
        arguments.files.demand_distinct(&[("--out", out)])?;
    }
    let policy = arguments.files.demand_policy()?;
    let lock = arguments.files.read_lock()?;
    let options = ResolveOptions {
        count_mode: arguments.count_mode,
        accept_weak: arguments.accept.is_some(),
        today: Some(policy_file::today(arguments.today.as_deref())?),
    };
    let rules = resolve(&policy, lock.as_ref(), &options).map_err(Shown)?;
    for note in rules.notes.iter().chain(&rules.reminders) {
        ui.note(&format!("note: {note}"));
    }
    let files = match arguments.format {
        Format::Terraform => {
            let stack = Stack::new(&rules, origin(&policy, lock.as_ref(), flags(arguments)))?;
            render::terraform(&stack, &TerraformOptions::default())?
        }
    };
    let text: String = files.into_iter().map(|(_, text)| text).collect();
    let Some(committed) = &arguments.check else {
        policy_file::write(&text, arguments.out.as_deref(), ui)?;
        return Ok(Exit::Done);
    };
    let words: Vec<String> = std::iter::once("ratewaf emit".to_owned())
        .chain(arguments.files.flags())
        .chain(flags(arguments))
        .collect();
    let again = words.join(" ");
    let old = match fs::read_text(committed, MOST_BYTES) {
        Err(error) if error.is_missing() => {
            let hint = format!("{again} --out {} writes it", shown(committed));
            return Err(hinted(
                format!("there is no file `{}` to compare with", shown(committed)),
                hint,
            ));
        }
        other => other?,
    };
    match render::diff(&old, &text, &shown(committed)) {
        None => {
            ui.note(&format!("{} is up to date", shown(committed)));
            Ok(Exit::Done)
        }
        Some(diff) => {
            policy_file::write(&diff, None, ui)?;
            if let Some(flag) = missing_flag(arguments, &old) {
                ui.note(&format!(
                    "{} was written with {flag}: compare it with {again} {flag} --check {}",
                    shown(committed),
                    shown(committed)
                ));
                return Ok(Exit::Findings);
            }
            ui.note(&format!(
                "{} is not up to date; {again} --out {} writes it",
                shown(committed),
                shown(committed)
            ));
            Ok(Exit::Findings)
        }
    }
}

/// The flags that change what is emitted, as they were given.
fn flags(arguments: &Arguments) -> Vec<String> {
    let count_mode = arguments.count_mode.then(|| "--count-mode".to_owned());
    let accept = arguments.accept.map(|_| "--accept weak".to_owned());
    count_mode.into_iter().chain(accept).collect()
}

/// A flag that the committed file was written with, as its header says, and this run was not given: to
/// write it anew without would undo what somebody decided.
fn missing_flag(arguments: &Arguments, committed: &str) -> Option<&'static str> {
    let header: Vec<&str> = committed.lines().take_while(|line| line.starts_with('#')).collect();
    let given = flags(arguments);
    ["--accept weak", "--count-mode"].into_iter().find(|flag| {
        header.iter().any(|line| line.contains("ratewaf emit") && line.contains(flag))
            && !given.iter().any(|own| own == flag)
    })
}

/// Where the emitted rules come from. File names only: paths differ between machines.
fn origin(policy: &Policy, lock: Option<&Lock>, flags: Vec<String>) -> Origin {
    let name = std::path::Path::new(policy.file_name())
        .file_name()
        .map_or_else(|| policy.file_name().to_owned(), |name| name.to_string_lossy().into_owned());
    let mut lines = vec![format!("Policy: {name}")];
    if let Some(lock) = lock {
        let dates = match (lock.inputs.first, lock.inputs.last) {
            (Some(first), Some(last)) => {
                format!(" from {} to {}", first.date_in_words(), last.date_in_words())
            }
            _ => String::new(),
        };
        lines.push(format!(
            "Evidence: {}{dates}, fingerprint {}",
            count(lock.inputs.lines, "log line", "log lines"),
            lock.inputs.digest
        ));
    }
    let traffic = lock
        .map(|lock| &lock.inputs)
        .map(|inputs| Traffic { requests: inputs.lines, hours: inputs.hours });
    Origin { lines, flags, traffic }
}
