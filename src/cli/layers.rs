//! `ratewaf layers`: which layer for which problem, at what price.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::failure::hinted;
use super::{policy_file, style, targets};
use crate::exit::Exit;
use crate::fs;
use crate::placement::{LayerPrices, advise};
use crate::report;
use crate::ui::Ui;

const RESULT: &str = "Result";

/// Say which layer should count each route of the policy, why, and what each layer costs a month.
///
/// AWS WAF stops abuse by address. Fairness between clients and rules of the business belong behind it; webhooks
/// and health checks must not be limited at all. Figures are those of the lock. Reads policy and lock, and
/// writes neither; `ratewaf emit --layer` writes what the policy has under `layers`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  ratewaf layers
  ratewaf layers --env stage
  ratewaf layers --price redis-node=0.034 --price redis-nodes=3
  ratewaf layers --format markdown --out layers.md             for a pull request

Prices are in US dollars: waf-web-acl, waf-rule, redis-node (an hour); waf-requests, gateway-requests,
edge-invocations, edge-compute (GB-seconds), dynamodb-writes, dynamodb-reads (a million each);
dynamodb-storage (a GB and month). redis-nodes and edge-milliseconds are numbers.")]
pub(super) struct Arguments {
    #[command(flatten)]
    files: policy_file::Arguments,

    /// The environment of the policy to look at.
    #[arg(long, value_name = "NAME")]
    env: Option<String>,

    /// A price in place of the one that ratewaf knows. May be given more than once.
    #[arg(long = "price", value_name = "NAME=USD", help_heading = RESULT)]
    prices: Vec<String>,

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
    /// For programs: schema/layers.schema.json.
    Json,
    /// For a pull request.
    Markdown,
}

pub(super) fn run(arguments: &Arguments, ui: &Ui) -> Result<Exit> {
    let mut prices = LayerPrices::default();
    for text in &arguments.prices {
        prices
            .set(text)
            .map_err(|error| hinted(error.to_string(), "ratewaf layers --help lists them"))?;
    }
    let out = arguments.out.as_deref();
    let outputs: Vec<_> = out.map(|out| ("--out", out)).into_iter().collect();
    arguments.files.demand_distinct(&outputs)?;
    targets::demand_other("--out", out, &[])?;
    out.map(fs::check_target).transpose()?;
    let policy = arguments.files.demand_policy()?;
    let lock = arguments.files.read_lock_if_there()?;
    let policy = match &arguments.env {
        Some(name) => {
            policy.in_environment(name).map_err(|error| hinted(error.to_string(), error.hint()))?
        }
        None => &policy,
    };
    let placement = advise(policy, lock.as_ref(), &prices);
    let text = match arguments.format {
        Format::Text => report::placement_text(&placement, &style(ui), ui.width()),
        Format::Json => report::placement_json(&placement),
        Format::Markdown => report::placement_markdown(&placement),
    };
    policy_file::write(&text, out, ui)?;
    Ok(Exit::Done)
}
