//! `ratewaf apply`: executes a change set.

use anyhow::Result;

use super::super::failure::hinted;
use super::arguments::Apply;
use super::plan::planned;
use super::session::{Intent, Session};
use super::writing::{Job, carry_out, check_undo, folder_of};
use crate::changes::{ChangeSet, compare};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::Ui;

/// Larger files are no change sets.
const MOST_BYTES: u64 = 64 << 20;

pub(in super::super) fn run(arguments: &Apply, ui: &Ui) -> Result<Exit> {
    let saved = arguments.change_set.iter().map(|path| ("--change-set", path.as_path()));
    check_undo(&arguments.writing, Some(&arguments.files), &saved.collect::<Vec<_>>())?;
    let saved = match &arguments.change_set {
        None => None,
        Some(path) => {
            let text = fs::read_text(path, MOST_BYTES)?;
            let saved = ChangeSet::parse(&text).map_err(|what| {
                hinted(format!("`{}`: {what}", shown(path)), "`ratewaf plan --out FILE` writes one")
            })?;
            Some(saved)
        }
    };
    let options = saved.as_ref().map_or_else(|| arguments.wish.options(), |saved| saved.options);
    let intent =
        Intent::read(&arguments.files, &arguments.target, options, arguments.today.as_deref(), ui)?;
    let session = Session::open(&intent.policy, &arguments.target, &arguments.login, ui)?;
    let live = ui.asking(|| session.read())?;
    let fresh = planned(&session.account, &intent.wanted, &live, options)?;
    if let Some(saved) = &saved
        && let Some(what) = fresh.departs_from(saved)
    {
        return Err(hinted(
            format!("the change set does not hold any more: it does not have this step: {what}"),
            "the policy, the lock or the web ACL changed since: plan anew",
        ));
    }
    let job = Job {
        session: &session,
        owner: &intent.wanted.owner,
        writing: &arguments.writing,
        folder: folder_of(&arguments.files.policy),
        plan: Box::new(|live| compare(&intent.wanted, live, options)),
    };
    carry_out(&job, &fresh, ui)
}
