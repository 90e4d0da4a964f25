//! One file a command: what was typed, what it means, what is printed. Nobody uses this module.

mod acl_rules;
mod analyze;
mod check;
mod days_out;
mod demo_logs;
mod emit;
mod emitted;
mod emitted_layer;
mod enforced;
mod evidence;
mod explain;
mod failure;
mod generate;
mod geo;
mod held_rules;
mod input;
mod layers;
mod live;
mod memory;
mod networks;
mod period;
mod policy_file;
mod replay;
mod report;
mod s3;
mod signals;
mod targets;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::exit::Exit;
use crate::report::Style;
use crate::ui::{Color, Ui, Verbosity};
use crate::units::plain;

/// Turns a week of CloudFront logs into an AWS WAF rate limit that can be defended in a pull request.
///
/// Start with `ratewaf analyze LOGS/`: it shows who calls what and how hard, where the gap between
/// normal and abusive clients lies, and the limit that fits into it. It writes ratewaf.yaml (yours to
/// edit) and ratewaf.lock.json (what the logs said). `ratewaf emit` turns the two into Terraform, and
/// `ratewaf apply` writes them to AWS: counting first with --count-mode, then `status` and `promote`.
#[derive(Debug, Parser)]
#[command(name = "ratewaf", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 findings or differences, 2 bad input, usage or environment,\n130 and 143 stopped by Ctrl-C or SIGTERM."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colours, and bars in a result; NO_COLOR is respected.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: When,

    /// Say more on standard error.
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,

    /// Say nothing on standard error but warnings and errors.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(Box<analyze::Arguments>),
    Emit(emit::Arguments),
    Replay(Box<replay::Arguments>),
    Report(Box<report::Arguments>),
    Explain(Box<explain::Arguments>),
    Layers(layers::Arguments),
    Check(Box<check::Arguments>),
    ExplainCheck(check::ExplainArguments),
    Plan(Box<live::Plan>),
    Apply(Box<live::Apply>),
    Status(Box<live::Status>),
    Promote(Box<live::Promote>),
    Rollback(Box<live::Rollback>),
    Demote(Box<live::Demote>),
    DemoLogs(demo_logs::Arguments),
    Schema(generate::SchemaArguments),
    Completions(generate::CompletionsArguments),
    Man(generate::ManArguments),
}

/// Runs the program with these arguments, the program's name first.
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let color = match cli.color {
        When::Auto => Color::Auto,
        When::Always => Color::Always,
        When::Never => Color::Never,
    };
    let verbosity = match (cli.quiet, cli.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    let ui = Ui::new(color, verbosity);
    let done = match cli.command {
        Command::Analyze(arguments) => analyze::run(&arguments, &ui),
        Command::Emit(arguments) => emit::run(&arguments, &ui),
        Command::Replay(arguments) => replay::run(&arguments, &ui),
        Command::Report(arguments) => report::run(*arguments, &ui),
        Command::Explain(arguments) => explain::run(&arguments, &ui),
        Command::Layers(arguments) => layers::run(&arguments, &ui),
        Command::Check(arguments) => check::run(&arguments, &ui),
        Command::ExplainCheck(arguments) => check::explain(&arguments, &ui),
        Command::Plan(arguments) => live::plan(&arguments, &ui),
        Command::Apply(arguments) => live::apply(&arguments, &ui),
        Command::Status(arguments) => live::status(&arguments, &ui),
        Command::Promote(arguments) => live::promote(&arguments, &ui),
        Command::Rollback(arguments) => live::rollback(&arguments, &ui),
        Command::Demote(arguments) => live::demote(&arguments, &ui),
        Command::DemoLogs(arguments) => demo_logs::run(&arguments, &ui),
        Command::Schema(arguments) => generate::schema(&arguments, &ui),
        Command::Completions(arguments) => generate::completions(&arguments, &ui),
        Command::Man(arguments) => generate::man(&arguments, &ui),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            failure::tell(&error, &ui);
            signals::exit_after(&error).into()
        }
    }
}

/// Help and version go to standard output and are success; anything else is bad usage.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // What was typed stands in the message: it must not run in the terminal.
        let ui = Ui::new(Color::Auto, Verbosity::Normal);
        let text = error.to_string();
        let lines: Vec<_> = text.lines().map(plain).collect();
        ui.rendered(&lines.join("\n"));
        return Exit::Failure.into();
    }
    match error.print() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Exit::Failure.into(),
        _ => Exit::Done.into(),
    }
}

/// How results look on standard output. Whoever asks for colours in a file or a pipe wants to see what a
/// terminal shows.
fn style(ui: &Ui) -> Style {
    let settings = ui.settings();
    Style::new(settings.out_colours, settings.out_colours || settings.out_on_terminal)
}

/// The command tree, for help pages, completions and tests.
fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}
