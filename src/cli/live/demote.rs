//! `ratewaf demote`: block to count.

use anyhow::Result;

use super::super::failure::hinted;
use super::arguments::Demote;
use super::session::{Session, home, policy};
use super::writing::{Job, carry_out, check_undo, folder_of};
use crate::changes::{Live, Target, demoted};
use crate::cloud::live;
use crate::exit::Exit;
use crate::ui::Ui;
use crate::units::plain;

pub(in super::super) fn run(arguments: &Demote, ui: &Ui) -> Result<Exit> {
    check_undo(&arguments.writing, Some(&arguments.files), &[])?;
    let policy = policy(&arguments.files, &arguments.target)?;
    let session = Session::open(&policy, &arguments.target, &arguments.login, ui)?;
    let (scope, region) = home(&policy);
    let target = |live: &Live| Target {
        web_acl: policy.web_acl.name().to_owned(),
        arn: live.acl.as_ref().map(|acl| acl.arn.clone()),
        scope: scope.api_name().to_owned(),
        region: region.clone(),
        distribution: None,
    };
    let plan = |live: &Live| demoted(&target(live), &policy.name, live, &arguments.rules);
    let live = ui.asking(|| session.read())?;
    check_names(&arguments.rules, &policy.name, &live)?;
    let agreed = plan(&live).map_err(live::Error::from)?;
    let job = Job {
        session: &session,
        owner: &policy.name,
        writing: &arguments.writing,
        folder: folder_of(&arguments.files.policy),
        plan: Box::new(plan),
    };
    carry_out(&job, &agreed, ui)
}

/// Refuses names that no rule of ours has.
pub(super) fn check_names(names: &[String], owner: &str, live: &Live) -> Result<()> {
    let prefix = format!("{owner}-");
    let rules = live.acl.iter().flat_map(|acl| &acl.rules);
    let ours: Vec<&str> = rules
        .filter(|rule| rule.is_rate_based() && rule.name.starts_with(&prefix))
        .map(|rule| rule.name.as_str())
        .collect();
    match names.iter().find(|name| !ours.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let known = if ours.is_empty() {
                "there are none".to_owned()
            } else {
                format!("there are {}", ours.join(", "))
            };
            let message = format!("the web ACL has no rule `{}` of ours", plain(name));
            Err(hinted(message, plain(&known).into_owned()))
        }
    }
}
