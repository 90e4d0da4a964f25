//! What apply, promote, rollback and demote have in common: ask, keep, write, tell.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::super::failure::hinted;
use super::super::signals::Signals;
use super::super::{policy_file, targets};
use super::arguments::{Format, Writing};
use super::session::{Session, now};
use crate::changes::{ChangeSet, Live, Refusal, Undo};
use crate::cloud::live::{Audit, Told, execute};
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::{self, Ui};
use crate::units::count;

/// A command that writes.
pub(super) struct Job<'a> {
    pub(super) session: &'a Session,
    pub(super) owner: &'a str,
    pub(super) writing: &'a Writing,
    /// Where the undo file goes.
    pub(super) folder: PathBuf,
    /// What has to be done, seen from what is live.
    #[expect(clippy::type_complexity, reason = "said once")]
    pub(super) plan: Box<dyn Fn(&Live) -> Result<ChangeSet, Refusal> + 'a>,
}

struct Teller<'a> {
    job: &'a Job<'a>,
    ui: &'a Ui,
    signals: Signals,
    undo: RefCell<Option<PathBuf>>,
    written: RefCell<Vec<Audit>>,
}

impl Told for Teller<'_> {
    fn plan(&self, live: &Live) -> Result<ChangeSet, Refusal> {
        (self.job.plan)(live)
    }

    fn keep(&self, live: &Live, changes: &ChangeSet) -> Result<(), fs::Error> {
        let text = Undo::of(self.job.owner, live, changes).to_json();
        let path = kept(self.job, &text)?;
        self.ui.note(&format!("what is there now is kept in {}", shown(&path)));
        *self.undo.borrow_mut() = Some(path);
        Ok(())
    }

    fn written(&self, audit: &Audit) {
        self.ui.note(&format!("{} {}: {}", audit.time, audit.action, audit.what));
        self.written.borrow_mut().push(audit.clone());
    }

    fn note(&self, text: &str) {
        self.ui.note(text);
    }

    fn stop(&self) -> bool {
        self.signals.came()
    }
}

/// Refuses an undo file that would be one of the files that the command reads, that is there already, or that has no
/// folder: before AWS is asked anything.
pub(super) fn check_undo(
    writing: &Writing,
    files: Option<&policy_file::Arguments>,
    inputs: &[(&str, &Path)],
) -> Result<()> {
    let Some(undo) = writing.undo.as_deref() else { return Ok(()) };
    if let Some(files) = files {
        files.demand_distinct(&[("--undo", undo)])?;
    }
    targets::demand_other("--undo", Some(undo), inputs)?;
    if undo.exists() {
        let message = format!("`{}` is there already, and --undo replaces nothing", shown(undo));
        return Err(hinted(message, "name a file that is not there yet, or leave --undo out"));
    }
    Ok(fs::check_target(undo)?)
}

/// Writes the undo file where it was asked for, or under a name that nobody has.
fn kept(job: &Job<'_>, text: &str) -> Result<PathBuf, fs::Error> {
    if let Some(path) = &job.writing.undo {
        fs::create_durably(path, text)?;
        return Ok(path.clone());
    }
    const MOST: usize = 100;
    let time = now(None).map_or_else(|_| String::new(), |now| now.to_string());
    let time: String =
        time.chars().filter(|character| *character != '-' && *character != ':').collect();
    let mut number = 1;
    loop {
        // An underscore sorts after the dot: a list of names is in the order of time.
        let again = if number == 1 { String::new() } else { format!("_{number:02}") };
        let path = job.folder.join(format!("ratewaf-undo-{time}{again}.json"));
        match fs::create_durably(&path, text) {
            Err(error) if error.is_taken() && number < MOST => number += 1,
            other => return other.map(|()| path),
        }
    }
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

/// Shows a change set, asks, does it, and tells what was done.
pub(super) fn carry_out(job: &Job<'_>, agreed: &ChangeSet, ui: &Ui) -> Result<Exit> {
    let is_json = job.writing.format == Format::Json;
    if !is_json {
        policy_file::write(&agreed.in_words(), None, ui)?;
    }
    let end = if agreed.drift.is_empty() { Exit::Done } else { Exit::Findings };
    if agreed.is_done() {
        if is_json {
            tell_json(agreed, None, &[], ui)?;
        }
        return Ok(end);
    }
    if !job.writing.yes {
        if !ui::input_is_terminal() {
            let message = "nobody is there to agree to it: standard input is no terminal";
            return Err(hinted(message, "look at the change set, and say --yes"));
        }
        let number = count(agreed.steps.len() as u64, "write", "writes");
        if !ui.confirm(&format!("Do it ({number})?"))? {
            ui.note("nothing was written");
            return Ok(Exit::Done);
        }
    }
    let teller = Teller {
        job,
        ui,
        signals: Signals::watch()?,
        undo: RefCell::default(),
        written: RefCell::default(),
    };
    let done = execute(&job.session.account, &job.session.sought, agreed, &teller);
    let undo = teller.undo.borrow().clone();
    if let Some(undo) = &undo {
        ui.note(&format!("`ratewaf rollback {}` puts it back", shown(undo)));
    }
    let written = teller.written.borrow();
    match done {
        Ok(_) if is_json => tell_json(agreed, undo.as_deref(), &written, ui)?,
        Ok(_) => {}
        Err(error) => return Err(teller.signals.explain(error)),
    }
    Ok(end)
}

fn tell_json(changes: &ChangeSet, undo: Option<&Path>, written: &[Audit], ui: &Ui) -> Result<()> {
    let changes: Json = serde_json::from_str(&changes.to_json())?;
    let told = json!({ "changes": changes, "undo": undo.map(shown), "written": written });
    let mut text = serde_json::to_string_pretty(&told)?;
    text.push('\n');
    policy_file::write(&text, None, ui)
}
