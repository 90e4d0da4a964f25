//! Things that are made from the program itself: schemas, completions, the man page.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use super::policy_file::write;
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::Ui;
use crate::{policy, report};

/// Print a JSON Schema: of the policy for editors, or of the JSON that a command writes.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  ratewaf schema > ratewaf.schema.json       editors complete and check ratewaf.yaml with it")]
pub(super) struct SchemaArguments {
    /// Which schema.
    #[arg(value_enum, default_value_t)]
    of: Schema,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Schema {
    /// ratewaf.yaml.
    #[default]
    Policy,
    /// The output of `analyze --format json`.
    Analysis,
    /// The output of `replay --format json`.
    Replay,
    /// The output of `explain --format json`.
    Explain,
    /// The output of `layers --format json`.
    Layers,
    /// The output of `check --format json`.
    Check,
}

pub(super) fn schema(arguments: &SchemaArguments, ui: &Ui) -> Result<Exit> {
    let text = match arguments.of {
        Schema::Policy => policy::SCHEMA.to_owned(),
        Schema::Analysis => report::schema(),
        Schema::Replay => report::replay_schema(),
        Schema::Explain => report::explain_schema(),
        Schema::Layers => report::placement_schema(),
        Schema::Check => crate::checks::output::schema(),
    };
    write(&text, None, ui)?;
    Ok(Exit::Done)
}

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  ratewaf completions bash > ~/.local/share/bash-completion/completions/ratewaf")]
pub(super) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

pub(super) fn completions(arguments: &CompletionsArguments, ui: &Ui) -> Result<Exit> {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "ratewaf", &mut bytes);
    write(&String::from_utf8(bytes).context("completions are text")?, None, ui)?;
    Ok(Exit::Done)
}

/// Print the man page, or write one page a command into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf man | man -l -
  ratewaf man --out /usr/local/share/man/man1")]
pub(super) struct ManArguments {
    /// A folder for ratewaf.1, ratewaf-analyze.1 and so on.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(super) fn man(arguments: &ManArguments, ui: &Ui) -> Result<Exit> {
    let mut command = super::command();
    command.build();
    let Some(folder) = &arguments.out else {
        write(&page(&command)?, None, ui)?;
        return Ok(Exit::Done);
    };
    fs::create_folder(folder)?;
    fs::replace(&folder.join("ratewaf.1"), &page(&command)?)?;
    for sub in command.get_subcommands() {
        let name = format!("ratewaf-{}", sub.get_name());
        let sub = sub.clone().name(name.clone());
        fs::replace(&folder.join(format!("{name}.1")), &page(&sub)?)?;
    }
    ui.note(&format!("wrote the man pages into {}", shown(folder)));
    Ok(Exit::Done)
}

fn page(command: &clap::Command) -> Result<String> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut bytes)?;
    String::from_utf8(bytes).context("a man page is text")
}
