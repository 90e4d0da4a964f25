//! `ratewaf plan`: what apply would change.

use anyhow::Result;

use super::super::policy_file;
use super::arguments::{Format, Plan};
use super::session::{Intent, Session};
use crate::changes::{ChangeSet, Live, Options, Wanted, compare, rules_to_check};
use crate::cloud::live::{self, Account};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::Ui;

pub(in super::super) fn run(arguments: &Plan, ui: &Ui) -> Result<Exit> {
    if let Some(out) = &arguments.out {
        arguments.files.demand_distinct(&[("--out", out)])?;
        fs::check_target(out)?;
    }
    let options = arguments.wish.options();
    let intent =
        Intent::read(&arguments.files, &arguments.target, options, arguments.today.as_deref(), ui)?;
    let session = Session::open(&intent.policy, &arguments.target, &arguments.login, ui)?;
    let live = ui.asking(|| session.read())?;
    let set = planned(&session.account, &intent.wanted, &live, options)?;
    if let Some(out) = &arguments.out {
        fs::replace(out, set.to_json())?;
        ui.note(&format!("wrote {}", shown(out)));
    }
    let text = match arguments.format {
        Format::Text => set.in_words(),
        Format::Json => set.to_json(),
    };
    policy_file::write(&text, None, ui)?;
    let is_quiet = set.is_done() && set.drift.is_empty();
    Ok(if arguments.detailed_exitcode && !is_quiet { Exit::Findings } else { Exit::Done })
}

/// The change set, with the capacity that AWS tells.
pub(super) fn planned(
    account: &Account,
    wanted: &Wanted,
    live: &Live,
    options: Options,
) -> Result<ChangeSet, live::Error> {
    let mut set = compare(wanted, live, options)?;
    if let Some(rules) = rules_to_check(live, &set.steps, wanted.scope.api_name()) {
        match account.capacity(rules)? {
            Ok(capacity) => {
                set.capacity.wcu_after = capacity;
                set.capacity.told_by_aws = true;
            }
            Err(reason) => set.notes.push(format!("the capacity is estimated: {reason}")),
        }
    }
    Ok(set)
}
