//! `ratewaf rollback`: puts back what an undo file holds.

use anyhow::Result;

use super::super::failure::hinted;
use super::arguments::Rollback;
use super::session::{Session, open_account};
use super::writing::{Job, carry_out, check_undo, folder_of};
use crate::changes::Undo;
use crate::cloud::live::{self, Sought};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::Ui;
use crate::wafv2::Scope;

/// Larger files are no undo files.
const MOST_BYTES: u64 = 64 << 20;

pub(in super::super) fn run(arguments: &Rollback, ui: &Ui) -> Result<Exit> {
    check_undo(&arguments.writing, None, &[("rollback", &arguments.file)])?;
    let text = fs::read_text(&arguments.file, MOST_BYTES).map_err(|error| {
        if error.is_missing() {
            let hint = "apply, promote and demote write undo files beside the policy: ratewaf-undo-TIME.json";
            hinted(error.to_string(), hint)
        } else {
            error.into()
        }
    })?;
    let undo = Undo::parse(&text).map_err(|what| {
        hinted(
            format!("`{}`: {what}", shown(&arguments.file)),
            "apply, promote and demote write undo files, and say so",
        )
    })?;
    let target = undo.target();
    let scope = if target.scope == Scope::Regional.api_name() {
        Scope::Regional
    } else {
        Scope::CloudFront
    };
    let session = Session {
        account: open_account(&arguments.login, scope, &target.region, &target.web_acl, ui)?,
        sought: Sought {
            scope,
            web_acl: target.web_acl.clone(),
            arn: target.arn.clone(),
            owner: undo.owner().to_owned(),
            distribution: None,
        },
    };
    let agreed = undo.way_back(&ui.asking(|| session.read())?).map_err(live::Error::from)?;
    let job = Job {
        session: &session,
        owner: undo.owner(),
        writing: &arguments.writing,
        folder: folder_of(&arguments.file),
        plan: Box::new(|live| undo.way_back(live)),
    };
    carry_out(&job, &agreed, ui)
}
