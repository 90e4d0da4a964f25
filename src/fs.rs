//! File access whose errors name the path, and writes that are all or nothing.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::units::plain;

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}", path = shown(path))]
pub struct Error {
    /// `read`, `write`, `list` …
    pub action: &'static str,
    /// The file or folder concerned.
    pub path: PathBuf,
    /// What the operating system said.
    #[source]
    pub source: io::Error,
}

/// A path for a message: on one line, whatever its name holds.
#[must_use]
pub fn shown(path: &Path) -> String {
    plain(&path.display().to_string()).into_owned()
}

impl Error {
    fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_owned(), source }
    }

    /// Whether the file is simply not there.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotFound
    }

    /// Whether another file has the name.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.source.kind() == io::ErrorKind::AlreadyExists
    }
}

/// Opens a file for reading.
///
/// # Errors
/// With the path, when it cannot be opened.
pub fn open(path: &Path) -> Result<File, Error> {
    File::open(path).map_err(|source| Error::new("read", path, source))
}

/// The text of a file, at most `most` bytes of it.
///
/// # Errors
/// With the path, when it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    let text = String::from_utf8(read_bytes(path, most)?).map_err(|error| {
        let wrong = error.utf8_error().valid_up_to();
        let what = format!("it is no UTF-8 text (byte {} is wrong); save it as UTF-8", wrong + 1);
        Error::new("read", path, io::Error::new(io::ErrorKind::InvalidData, what))
    })?;
    Ok(text)
}

/// The bytes of a file, at most `most` of them.
///
/// # Errors
/// With the path, when it cannot be read or is larger.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    open(path)?
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| Error::new("read", path, source))?;
    if bytes.len() as u64 > most {
        let source = io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {most} bytes, which no such file needs"),
        );
        return Err(Error::new("read", path, source));
    }
    Ok(bytes)
}

/// The names in a folder, sorted.
///
/// # Errors
/// With the path, when the folder cannot be listed.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let fail = |source| Error::new("list", folder, source);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    // Paths that differ in the name only: to compare them component by component takes far longer.
    paths.sort_by(|one, two| one.file_name().cmp(&two.file_name()));
    Ok(paths)
}

/// Size and kind of a path, symbolic links followed.
///
/// # Errors
/// With the path, when there is nothing or it may not be seen.
pub fn metadata(path: &Path) -> Result<fs::Metadata, Error> {
    fs::metadata(path).map_err(|source| Error::new("read", path, source))
}

/// What to do where a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced.
    Replaced,
    /// It stays, and the new file is refused.
    Kept,
}

/// A text on disk beside its target, ready to take its place. Dropped, it leaves nothing.
#[derive(Debug)]
pub struct Staged {
    /// As it was given, for messages.
    path: PathBuf,
    how: How,
}

#[derive(Debug)]
enum How {
    /// A temporary file that is renamed to the target, links followed.
    Rename { temporary: tempfile::NamedTempFile, target: PathBuf, existing: Existing },
    /// The target is a device or a pipe: written in place.
    InPlace(Vec<u8>),
}

/// Writes a text to disk beside its target, so that several files can take their places together, once
/// all of them are known to fit.
///
/// # Errors
/// With the path, when it is a folder or cannot be written.
pub fn stage(path: &Path, text: impl AsRef<[u8]>, existing: Existing) -> Result<Staged, Error> {
    let text = text.as_ref();
    let action = if existing == Existing::Kept { "create" } else { "write" };
    let fail = |source| Error::new(action, path, source);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
        }
        // `/dev/stdout`, a named pipe: nothing that a file may be put in the place of.
        Ok(metadata) if !metadata.is_file() => {
            return Ok(Staged { path: path.to_owned(), how: How::InPlace(text.to_vec()) });
        }
        _ => {}
    }
    let target = behind_links(path);
    let mut temporary = beside(&target).map_err(fail)?;
    temporary.write_all(text).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    Ok(Staged { path: path.to_owned(), how: How::Rename { temporary, target, existing } })
}

impl Staged {
    /// Takes its place.
    ///
    /// # Errors
    /// With the path, when it cannot; what stood there is then untouched.
    pub fn commit(self) -> Result<(), Error> {
        match self.how {
            How::Rename { temporary, target, existing: Existing::Replaced } => {
                temporary.persist(&target).map(drop).map_err(|error| error.error)
            }
            How::Rename { temporary, target, existing: Existing::Kept } => {
                temporary.persist_noclobber(&target).map(drop).map_err(|error| error.error)
            }
            How::InPlace(text) => File::options()
                .write(true)
                .open(&self.path)
                .and_then(|mut file| file.write_all(&text)),
        }
        .map_err(|source| Error::new("write", &self.path, source))
    }
}

/// Replaces a file as a whole: the text goes to a temporary file beside it, is flushed to disk and
/// renamed over it. Whoever looks sees the old file or the new one, never a part. Links are written
/// through, devices and pipes written in place.
///
/// # Errors
/// With the path, when it cannot be written; the old file is then untouched.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    stage(path, text, Existing::Replaced)?.commit()
}

/// Writes a file that must not exist yet, as a whole.
///
/// # Errors
/// With the path, when it exists already or cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Error> {
    stage(path, text, Existing::Kept)?.commit()
}

/// Writes a file that must not exist yet, and comes back when the disk has it, name and all: a machine that
/// fails right afterwards finds it.
///
/// # Errors
/// With the path, when it exists already or cannot be written.
pub fn create_durably(path: &Path, text: &str) -> Result<(), Error> {
    create(path, text)?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // The file's bytes are there; its name is a part of the folder.
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|source| Error::new("write", path, source))
}

/// Whether a file could be written there, as far as can be told before it is: it is no folder, and the
/// folder above it is one.
///
/// # Errors
/// With the path, when it could not.
pub fn check_target(path: &Path) -> Result<(), Error> {
    let fail = |kind, what: &str| Err(Error::new("write", path, io::Error::new(kind, what)));
    if path.is_dir() {
        return fail(io::ErrorKind::IsADirectory, "it is a folder");
    }
    match behind_links(path).parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            fail(io::ErrorKind::NotFound, "there is no such folder")
        }
        _ => Ok(()),
    }
}

/// Whether two paths are one file, as far as names and links tell.
#[must_use]
pub fn same_file(one: &Path, two: &Path) -> bool {
    let real = |path: &Path| {
        let path = behind_links(path);
        fs::canonicalize(&path).unwrap_or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    real(one) == real(two)
}

/// Where a path leads, also through a link to a file that is not there (yet).
fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // As many as the system itself would follow.
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&target) else { break };
        let folder = target.parent().map(Path::to_owned).unwrap_or_default();
        target = folder.join(next);
    }
    target
}

/// Writes one of many files that can be made again: as [`create`] does, but without waiting for the
/// disk.
///
/// # Errors
/// With the path, when it exists already or cannot be written.
pub fn create_bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let fail = |source| Error::new("create", path, source);
    let mut temporary = beside(path).map_err(fail)?;
    temporary.write_all(bytes).map_err(fail)?;
    temporary.persist_noclobber(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Makes a folder, and those above it, unless it is there.
///
/// # Errors
/// With the path, when it cannot be made.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| Error::new("create", path, source))
}

/// Removes what is in a folder, folders and all. Links are removed, not what they lead to.
///
/// # Errors
/// With the path of the first that cannot be removed.
pub fn empty_folder(path: &Path) -> Result<(), Error> {
    for entry in list(path)? {
        let is_folder = fs::symlink_metadata(&entry).is_ok_and(|metadata| metadata.is_dir());
        let removed = if is_folder { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) };
        removed.map_err(|source| Error::new("remove", &entry, source))?;
    }
    Ok(())
}

/// A temporary file in the folder of `target`, with the mode that a new file (or the file that is
/// replaced) has.
fn beside(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ratewaf-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder)?;
    if let Ok(old) = fs::metadata(target) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    Ok(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_file_is_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        create(&path, "one").unwrap();
        replace(&path, "two").unwrap();
        assert_eq!(read_text(&path, 100).unwrap(), "two");
        assert_eq!(list(folder.path()).unwrap(), std::slice::from_ref(&path));
        assert!(create(&path, "three").is_err());
        assert!(create_bytes(&path, b"four").is_err());
        assert_eq!(read_text(&path, 100).unwrap(), "two");
    }

    /// Found by a hostile tester: `--out /dev/stdout` put a file in the place of the device.
    #[cfg(unix)]
    #[test]
    fn devices_and_links_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("/dev/null", at("null")).unwrap();
        replace(&at("null"), "gone").unwrap();
        assert!(!fs::metadata(at("null")).unwrap().is_file());
        std::os::unix::fs::symlink("target", at("link")).unwrap();
        replace(&at("link"), "through").unwrap();
        assert_eq!(read_text(&at("target"), 100).unwrap(), "through");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(same_file(&at("link"), &at("target")));
        assert!(same_file(&at("x"), &folder.path().join("./y/../x")) || !at("y").exists());
        assert!(replace(folder.path(), "x").is_err() && check_target(folder.path()).is_err());
        assert!(check_target(&at("no/where")).is_err() && check_target(&at("new")).is_ok());
    }

    #[test]
    fn a_staged_file_that_is_dropped_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        create(&path, "old").unwrap();
        drop(stage(&path, "new", Existing::Replaced).unwrap());
        assert_eq!(read_text(&path, 100).unwrap(), "old");
        assert_eq!(list(folder.path()).unwrap().len(), 1);
    }

    #[test]
    fn an_error_names_the_path() {
        let error = read_text(Path::new("/nowhere/at/all"), 1).unwrap_err();
        assert!(error.is_missing());
        assert_eq!(error.to_string(), "cannot read /nowhere/at/all");
    }
}
