//! Doing a change set: one write after the other, each against what was just read.

use std::thread::sleep;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::account::Account;
use super::error::Error;
use super::pace::LOOKS;
use super::read::Sought;
use crate::changes::{ChangeSet, Live, Refusal, Step};
use crate::units::Timestamp;

/// A write that was done.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// When AWS had answered.
    pub time: String,
    /// The action of IAM.
    pub action: &'static str,
    /// What it did.
    pub what: String,
}

/// Who is told, and asked.
pub trait Told {
    /// What has to be done, seen from what is live now.
    ///
    /// # Errors
    /// When there is no way.
    fn plan(&self, live: &Live) -> Result<ChangeSet, Refusal>;

    /// Before the first write: keeps what is there, so that it can be put back.
    ///
    /// # Errors
    /// When it cannot be kept; then nothing is written.
    fn keep(&self, live: &Live, changes: &ChangeSet) -> Result<(), crate::fs::Error>;

    /// One write is done.
    fn written(&self, audit: &Audit);

    /// Something that happened and did not stop the work.
    fn note(&self, text: &str);

    /// Whether to stop after this write.
    fn stop(&self) -> bool;
}

/// Newer versions that are met before somebody else must be at work.
const ROUNDS: u32 = 8;

/// Does what has to be done, if it still means what was agreed to. Gives the number of writes.
///
/// What AWS refuses because somebody was faster is read and compared anew: so also a write whose answer got
/// lost is seen to be done.
///
/// # Errors
/// When AWS refuses, or what is live now asks for something else.
pub fn execute(
    account: &Account,
    sought: &Sought,
    agreed: &ChangeSet,
    told: &dyn Told,
) -> Result<usize, Error> {
    let mut written = 0;
    let mut is_kept = false;
    'rounds: for _ in 0..ROUNDS {
        let mut live = account.read(sought)?;
        let changes = told.plan(&live)?;
        if let Some(what) = changes.departs_from(agreed) {
            return Err(Error::Departed(what));
        }
        if changes.is_done() {
            return Ok(written);
        }
        if !is_kept {
            told.keep(&live, &changes)?;
            is_kept = true;
        }
        for step in &changes.steps {
            if told.stop() {
                let so_far = crate::units::count(written as u64, "write", "writes");
                return Err(Error::Stopped(so_far));
            }
            if written > 0 {
                sleep(account.pace.write);
            }
            match patiently(account, step, sought, &mut live) {
                Ok(()) => {}
                Err(error) if error.is_stale() => {
                    told.note(&format!("{error}; reading and comparing anew"));
                    sleep(account.pace.write);
                    continue 'rounds;
                }
                Err(error) => return Err(error),
            }
            written += 1;
            told.written(&Audit {
                time: now().to_string(),
                action: step.action(),
                what: step.in_words(),
            });
            if let Step::CreateWebAcl { .. } = step {
                live.acl = Some(new_acl(account, sought)?);
            }
        }
        return Ok(written);
    }
    Err(Error::Contested(ROUNDS))
}

/// A write, again and again while what it refers to, or what refers to it, is not known everywhere.
fn patiently(
    account: &Account,
    step: &Step,
    sought: &Sought,
    live: &mut Live,
) -> Result<(), Error> {
    let mut look = 0;
    loop {
        match account.write(step, sought, live, now()) {
            Err(error) if look < LOOKS && (error.is_unseen() || error.is_in_use()) => {
                sleep(account.pace.before_look(look));
                look += 1;
            }
            other => return other,
        }
    }
}

/// A web ACL that was just made, as soon as it is to be seen.
fn new_acl(account: &Account, sought: &Sought) -> Result<crate::changes::LiveAcl, Error> {
    for look in 0..LOOKS {
        let read = account.read(&Sought { distribution: None, ..sought.clone() })?;
        if let Some(acl) = read.acl {
            return Ok(acl);
        }
        sleep(account.pace.before_look(look));
    }
    Err(Refusal::Missing(sought.web_acl.clone()).into())
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Timestamp(i64::try_from(since).unwrap_or(0))
}
