//! The two files on disk: where they are, and how they are read.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use super::failure::{Shown, hinted};
use crate::fs::{self, shown};
use crate::policy::{Lock, Policy};
use crate::units::Timestamp;

/// Larger files are no policy and no lock.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// Where policy and lock are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
#[group(id = "files")]
pub(super) struct Arguments {
    /// The policy: what people decide.
    #[arg(long, value_name = "FILE", default_value = "ratewaf.yaml")]
    pub(super) policy: PathBuf,

    /// The lock: what the logs said. Beside the policy if not given, with .lock.json for its ending.
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,
}

impl Arguments {
    /// The lock's path.
    pub(super) fn lock_path(&self) -> PathBuf {
        self.lock.clone().unwrap_or_else(|| self.policy.with_extension("lock.json"))
    }

    /// The flags that name other files than the usual ones, for a shell.
    pub(super) fn flags(&self) -> Vec<String> {
        let policy = (self.policy != Path::new("ratewaf.yaml"))
            .then(|| format!("--policy {}", shell_word(&self.policy)));
        let lock = self.lock.as_ref().map(|lock| format!("--lock {}", shell_word(lock)));
        policy.into_iter().chain(lock).collect()
    }

    /// Refuses outputs that are one file with another file of this run: one would be lost.
    pub(super) fn demand_distinct(&self, outputs: &[(&str, &Path)]) -> Result<()> {
        let lock = self.lock_path();
        let mut files = vec![("the policy", self.policy.as_path()), ("the lock", lock.as_path())];
        files.extend(outputs);
        for (place, (what, path)) in files.iter().enumerate() {
            for (other, earlier) in &files[..place] {
                if fs::same_file(path, earlier) {
                    let message =
                        format!("{what} and {other} would be one file, `{}`", shown(path));
                    return Err(hinted(message, "give each a file of its own"));
                }
            }
        }
        Ok(())
    }

    /// The policy, or `None` if there is no such file.
    pub(super) fn read_policy(&self) -> Result<Option<Policy>> {
        let text = match fs::read_text(&self.policy, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match Policy::parse(&text, &shown(&self.policy)) {
            Ok(policy) => Ok(Some(policy)),
            Err(problems) => Err(Shown(problems).into()),
        }
    }

    /// The policy, which has to be there.
    pub(super) fn demand_policy(&self) -> Result<Policy> {
        self.read_policy()?.ok_or_else(|| {
            hinted(
                format!("there is no policy `{}`", shown(&self.policy)),
                "`ratewaf analyze LOGS` writes one to start with; --policy names another file",
            )
        })
    }

    /// As [`Self::read_policy`], but a policy that was named has to be there.
    pub(super) fn read_policy_if_there(&self) -> Result<Option<Policy>> {
        if self.policy == Path::new("ratewaf.yaml") {
            self.read_policy()
        } else {
            self.demand_policy().map(Some)
        }
    }

    /// As [`Self::read_lock`], but a lock that was named has to be there.
    pub(super) fn read_lock_if_there(&self) -> Result<Option<Lock>> {
        match (&self.lock, self.read_lock()?) {
            (Some(lock), None) => {
                let message = format!("there is no lock `{}`", shown(lock));
                Err(hinted(message, "`ratewaf analyze LOGS` writes one"))
            }
            (_, lock) => Ok(lock),
        }
    }

    /// The lock, or `None` if there is no such file.
    pub(super) fn read_lock(&self) -> Result<Option<Lock>> {
        let path = self.lock_path();
        let text = match fs::read_text(&path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Lock::parse(&text, &shown(&path))?))
    }
}

/// A path as one word of a command for a shell; below this folder, from here.
pub(super) fn shell_word(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let text =
        shown(path.strip_prefix(&here).ok().filter(|rest| *rest != Path::new("")).unwrap_or(path));
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "_-./:=@%+,".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `--today`, or today.
pub(super) fn today(given: Option<&str>) -> Result<Timestamp> {
    let Some(text) = given else {
        let now = std::time::SystemTime::now();
        let seconds = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        return Ok(Timestamp((seconds as i64).div_euclid(86_400) * 86_400));
    };
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().flatten();
    let date = (next(), next(), next());
    match date {
        (Some(year), Some(month), Some(day))
            if text.len() == 10
                && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') =>
        {
            Timestamp::from_date(year.into(), month, day)
        }
        _ => None,
    }
    .with_context(|| {
        format!("`{}` is no date; write one like 2026-11-29", crate::units::plain(text))
    })
}

/// Writes a result to a file, or to standard output.
pub(super) fn write(text: &str, out: Option<&Path>, ui: &crate::ui::Ui) -> Result<()> {
    match out {
        Some(path) => {
            fs::replace(path, text)?;
            ui.note(&format!("wrote {}", shown(path)));
            Ok(())
        }
        None => ui.write_data(text).context("cannot write to standard output"),
    }
}
