//! File access whose errors name the path, and writes that are all or nothing.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}", path = path.display())]
pub struct Error {
    /// `read`, `write`, `list` …
    pub action: &'static str,
    /// The file or folder concerned.
    pub path: PathBuf,
    /// What the operating system said.
    #[source]
    pub source: io::Error,
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
    let mut text = String::new();
    open(path)?
        .take(most + 1)
        .read_to_string(&mut text)
        .map_err(|source| Error::new("read", path, source))?;
    if text.len() as u64 > most {
        let source = io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {most} bytes, which no such file needs"),
        );
        return Err(Error::new("read", path, source));
    }
    Ok(text)
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
    paths.sort();
    Ok(paths)
}

/// Size and kind of a path, symbolic links followed.
///
/// # Errors
/// With the path, when there is nothing or it may not be seen.
pub fn metadata(path: &Path) -> Result<fs::Metadata, Error> {
    fs::metadata(path).map_err(|source| Error::new("read", path, source))
}

/// Replaces a file as a whole: the text goes to a temporary file beside it, is flushed to disk and
/// renamed over it. Whoever looks sees the old file or the new one, never a part.
///
/// # Errors
/// With the path, when it cannot be written; the old file is then untouched.
pub fn replace(path: &Path, text: &str) -> Result<(), Error> {
    // A link is written through, as an editor would, not replaced by a file.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let fail = |source| Error::new("write", path, source);
    let mut temporary = beside(&target).map_err(fail)?;
    temporary.write_all(text.as_bytes()).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    temporary.persist(&target).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Writes a file that must not exist yet, as a whole.
///
/// # Errors
/// With the path, when it exists already or cannot be written.
pub fn create(path: &Path, text: &str) -> Result<(), Error> {
    let fail = |source| Error::new("create", path, source);
    let mut temporary = beside(path).map_err(fail)?;
    temporary.write_all(text.as_bytes()).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    temporary.persist_noclobber(path).map_err(|error| fail(error.error))?;
    Ok(())
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
        let mode = fs::metadata(target).map_or(0o666, |old| old.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder)
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

    #[test]
    fn an_error_names_the_path() {
        let error = read_text(Path::new("/nowhere/at/all"), 1).unwrap_err();
        assert!(error.is_missing());
        assert_eq!(error.to_string(), "cannot read /nowhere/at/all");
    }
}
