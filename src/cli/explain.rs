//! `ratewaf explain`: one client's time in the logs.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::failure::hinted;
use super::{geo, held_rules, input, policy_file, style, targets};
use crate::counts::{Selection, Study, Whom};
use crate::exit::Exit;
use crate::explain::explain;
use crate::fs;
use crate::limiters::Algorithm;
use crate::replay::{Settings, replay_client};
use crate::report;
use crate::ui::Ui;
use crate::units::{Client, plain};

const RESULT: &str = "Result";

/// Show one client's week: when it came, how hard, for what, as what, and what it looks like.
///
/// Before a block is called an attack, look whose address it is. With a policy, or a --route with a
/// --limit, it also tells what each rule would have done to the client.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf explain 198.51.100.7 logs/
  ratewaf explain 2001:db8:7::/64 logs/                    a whole network as one client
  ratewaf explain 198.51.100.7 logs/ --route 'GET /oauth/token' --limit 300
  ratewaf explain 198.51.100.7 logs/ --from 2026-09-08 --format json")]
pub(super) struct Arguments {
    /// An address, a network such as 2001:db8:7::/64, the name of a network of the policy, or what the log
    /// has in place of an address.
    #[arg(value_name = "CLIENT")]
    client: String,

    #[command(flatten)]
    input: input::Arguments,

    #[command(flatten)]
    rules: held_rules::Arguments,

    /// A database in MaxMind's format (.mmdb) on this machine that tells where an address is or whose. May
    /// be given more than once.
    #[arg(long, value_name = "FILE", help_heading = RESULT)]
    geo: Vec<PathBuf>,

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
    /// For programs: docs/explain.md.
    Json,
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let plan = held_rules::plan(&arguments.rules, ui)?;
    let whom = whom(arguments, ui)?;
    let out = arguments.out.as_deref();
    let outputs: Vec<_> = out.map(|out| ("--out", out)).into_iter().collect();
    arguments.rules.files.demand_distinct(&outputs)?;
    let databases = arguments.geo.iter().map(|path| ("--geo", path.as_path()));
    let inputs: Vec<_> =
        databases.chain(arguments.rules.inputs()).chain(arguments.input.files()).collect();
    targets::demand_other("--out", out, &inputs)?;
    out.map(fs::check_target).transpose()?;
    let selection = match &plan {
        Some(plan) => plan.selection()?,
        None => Selection::routes(&[], &[])?,
    };
    if selection.len() > Study::MOST_ROUTES {
        let message = format!("one client is looked at on at most {} routes", Study::MOST_ROUTES);
        return Err(hinted(message, "name fewer of them with --route"));
    }
    let outputs: Vec<_> = out.into_iter().collect();
    let located = match &whom {
        Whom::Address(address) => geo::locate(&arguments.geo, *address)?,
        Whom::Network(_) | Whom::Text(_) => Vec::new(),
    };
    let study = arguments.input.study(&whom, &selection, &outputs, ui)?;
    let client = match &whom {
        Whom::Address(address) => Client::from_address(*address),
        Whom::Network(network) => Client::Text(network.to_string().into()),
        Whom::Text(text) => Client::Text(text.as_str().into()),
    };
    let (rules, networks) = plan.map(|plan| (plan.rules, plan.networks)).unwrap_or_default();
    // A network is many clients, each with a count of its own.
    let rules = if matches!(whom, Whom::Network(_)) { Vec::new() } else { rules };
    let settings = Settings { algorithm: Algorithm::Waf, lag: arguments.rules.lag };
    let replayed = replay_client(rules, &client, &study.events(selection.len()), &settings);
    let Some(mut found) = explain(client, &study, &networks, replayed) else {
        let lines = crate::units::count(study.coverage.lines, "request", "requests");
        return Err(hinted(
            format!("not one of the {lines} is of `{}`", plain(&arguments.client)),
            "write the address as ratewaf analyze shows it; a network works, too: 198.51.100.0/24",
        ));
    };
    found.located = located;
    let around = whom.around().map(|network| network.to_string());
    let text = match arguments.format {
        Format::Text => report::explain_text(&found, around, &style(ui), ui.width()),
        Format::Json => report::explain_json(&found, around),
    };
    policy_file::write(&text, out, ui)?;
    Ok(Exit::Done)
}

/// Whom the text means: an address, a network, the name of a network of the policy, or what the log has in place
/// of an address. Told before a log is read: a week of them takes its time.
fn whom(arguments: &Arguments, ui: &Ui) -> Result<Whom> {
    let text = arguments.client.as_str();
    let whom = Whom::from_text(text);
    if !matches!(whom, Whom::Text(_)) {
        return Ok(whom);
    }
    let policy = arguments.rules.files.read_policy()?;
    let networks = policy.map(|policy| policy.networks).unwrap_or_default();
    if let Some(network) = networks.iter().find(|network| network.name == text) {
        let cidrs: Vec<String> = network.cidrs.iter().map(ToString::to_string).collect();
        return match network.cidrs.as_slice() {
            [only] if only.prefix_len() == only.max_prefix_len() => Ok(Whom::Address(only.addr())),
            [only] => Ok(Whom::Network(*only)),
            _ => Err(hinted(
                format!("the network `{}` has several parts: {}", plain(text), cidrs.join(", ")),
                "name one of them in its place",
            )),
        };
    }
    let shown = plain(text);
    let swapped = arguments.input.first_address();
    if Path::new(text).exists() || text.starts_with("s3://") || swapped.is_some() {
        let client = swapped.unwrap_or("198.51.100.7");
        return Err(hinted(
            format!("`{shown}` is no address: the client comes first, then the logs"),
            format!("ratewaf explain {} {shown}", plain(client)),
        ));
    }
    // Only addresses are written like this; a hash in place of one has other characters.
    let is_like_an_address = text.contains(['.', ':'])
        && text.chars().all(|one| one.is_ascii_hexdigit() || ".:/".contains(one));
    if is_like_an_address {
        return Err(hinted(
            format!("`{shown}` is no address and no network"),
            "write 198.51.100.7, 198.51.100.0/24, 2001:db8:7::1 or the name of a network of the policy",
        ));
    }
    let names: Vec<&str> = networks.iter().map(|network| network.name.as_str()).collect();
    let known = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    ui.note(&format!(
        "note: `{shown}` is neither an address nor a network of the policy{known}: looks for logs that have it in place of an address"
    ));
    Ok(whom)
}
