//! Where copies of objects lie: in a cache that the next run finds, or in a temporary folder from which
//! they go as soon as they are read. No name of a file in it comes from S3.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempDir, TempPath};

use super::error::Error;
use super::listing::Object;

/// Where to keep copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// In this folder, for the next run.
    Cache(PathBuf),
    /// Nowhere: in a temporary folder in this one, each until it is read.
    Temporary(PathBuf),
}

/// Copies that no run has used for so long are removed.
const LONGEST_UNUSED: Duration = Duration::from_secs(30 * 86_400);
/// Beyond so many bytes, those that were used least recently are removed.
const MOST_BYTES: u64 = 64 << 30;
/// Halves of downloads that a killed run has left.
const LONGEST_PARTIAL: Duration = Duration::from_secs(86_400);
/// A copy's time of use need not be right to the minute.
const COARSE: Duration = Duration::from_secs(6 * 3_600);

/// Tells backups that the folder can be filled again (see bford.info/cachedir).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of ratewaf; it can be removed at any time.\n";

/// An open store.
pub(super) struct Shelf {
    kind: Kind,
    /// Which S3 the copies come from.
    place: String,
}

enum Kind {
    Cache { objects: PathBuf, partial: PathBuf },
    Temporary(TempDir),
}

/// A whole copy.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    /// Removes the file with itself.
    pub(super) temporary: Option<TempPath>,
}

impl Shelf {
    pub(super) fn open(store: &Store, place: &str) -> Result<Self, Error> {
        let kind = match store {
            Store::Temporary(folder) => {
                let made = tempfile::Builder::new().prefix("ratewaf-s3-").tempdir_in(folder);
                Kind::Temporary(made.map_err(|source| disk(folder, false, 0, source))?)
            }
            Store::Cache(folder) => {
                let (objects, partial) = (folder.join("objects"), folder.join("partial"));
                let made = make_private(folder)
                    .and_then(|()| fs::create_dir_all(&objects))
                    .and_then(|()| fs::create_dir_all(&partial))
                    .and_then(|()| tag(folder));
                made.map_err(|source| disk(folder, true, 0, source))?;
                tidy(&objects, &partial, MOST_BYTES, SystemTime::now());
                Kind::Cache { objects, partial }
            }
        };
        Ok(Self { kind, place: place.to_owned() })
    }

    pub(super) const fn is_temporary(&self) -> bool {
        matches!(self.kind, Kind::Temporary(_))
    }

    /// The copy of an object, if there is a whole one.
    pub(super) fn find(&self, object: &Object) -> Option<Stored> {
        let path = self.path(object)?;
        let metadata = fs::symlink_metadata(&path).ok()?;
        if !metadata.is_file() || metadata.len() != object.size {
            return None;
        }
        let now = SystemTime::now();
        let used = metadata.modified().ok().and_then(|used| now.duration_since(used).ok());
        if used.is_none_or(|age| age > COARSE) {
            // A cache that cannot be written to can still be read.
            let _ = File::open(&path).and_then(|file| file.set_modified(now));
        }
        Some(Stored { path, size: object.size, temporary: None })
    }

    /// A file to write a copy into; dropped, it is gone.
    pub(super) fn begin(&self) -> Result<NamedTempFile, Error> {
        let folder = self.folder();
        tempfile::Builder::new()
            .prefix("s3-")
            .tempfile_in(folder)
            .map_err(|source| self.trouble(0, source))
    }

    /// Gives a written copy its place, as a whole.
    pub(super) fn keep(&self, mut file: NamedTempFile, object: &Object) -> Result<Stored, Error> {
        let fail = |source| self.trouble(object.size, source);
        file.flush().map_err(fail)?;
        let size = object.size;
        match self.path(object) {
            Some(path) => {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(fail)?;
                }
                file.persist(&path).map_err(|error| fail(error.error))?;
                Ok(Stored { path, size, temporary: None })
            }
            None => {
                let temporary = file.into_temp_path();
                Ok(Stored { path: temporary.to_path_buf(), size, temporary: Some(temporary) })
            }
        }
    }

    /// An error of the disk, while keeping so many bytes.
    pub(super) fn trouble(&self, needed: u64, source: io::Error) -> Error {
        disk(self.folder(), !self.is_temporary(), needed, source)
    }

    fn folder(&self) -> &Path {
        match &self.kind {
            Kind::Cache { partial, .. } => partial,
            Kind::Temporary(folder) => folder.path(),
        }
    }

    /// The place of an object's copy in the cache: a hash of where it comes from and which content it
    /// has. `None` if there is no cache, or nothing that tells contents apart.
    fn path(&self, object: &Object) -> Option<PathBuf> {
        let Kind::Cache { objects, .. } = &self.kind else { return None };
        if object.etag.is_empty() {
            return None;
        }
        let mut hasher = Sha256::new();
        for part in [self.place.as_str(), &object.bucket, &object.key, &object.etag] {
            // With their lengths, so that no two lists of parts read alike.
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.update(object.size.to_le_bytes());
        let name: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(objects.join(&name[..2]).join(&name[2..]))
    }
}

fn disk(folder: &Path, cache: bool, needed: u64, source: io::Error) -> Error {
    Error::Disk { folder: folder.to_owned(), cache, needed, source }
}

/// Logs hold addresses: nobody else may look into the folder.
fn make_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn tag(folder: &Path) -> io::Result<()> {
    let path = folder.join("CACHEDIR.TAG");
    if path.exists() { Ok(()) } else { fs::write(path, TAG) }
}

/// Removes what nobody has used for long, and the oldest of what is too much. What cannot be removed
/// stays.
fn tidy(objects: &Path, partial: &Path, most: u64, now: SystemTime) {
    let age = |metadata: &fs::Metadata| {
        let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        now.duration_since(used).unwrap_or_default()
    };
    for (path, metadata) in files(partial) {
        if age(&metadata) > LONGEST_PARTIAL {
            let _ = fs::remove_file(path);
        }
    }
    let folders = fs::read_dir(objects).into_iter().flatten().flatten();
    let mut copies: Vec<(Duration, u64, PathBuf)> = folders
        .flat_map(|folder| files(&folder.path()))
        .map(|(path, metadata)| (age(&metadata), metadata.len(), path))
        .collect();
    copies.sort();
    let mut kept = 0_u64;
    for (age, size, path) in copies {
        kept = kept.saturating_add(size);
        if age > LONGEST_UNUSED || kept > most {
            let _ = fs::remove_file(path);
        }
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, fs::Metadata)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)))
        .filter(|(_, metadata)| metadata.is_file())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(key: &str, etag: &str, size: u64) -> Object {
        Object { bucket: "logs".into(), key: key.to_owned(), etag: etag.to_owned(), size }
    }

    fn put(shelf: &Shelf, object: &Object, content: &[u8]) -> Stored {
        let mut file = shelf.begin().unwrap();
        file.write_all(content).unwrap();
        shelf.keep(file, object).unwrap()
    }

    #[test]
    fn copies_are_found_by_place_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::Cache(folder.path().join("deep/cache"));
        let shelf = Shelf::open(&store, "").unwrap();
        let one = object("a/b.gz", "\"e1\"", 3);
        assert!(shelf.find(&one).is_none());
        let path = put(&shelf, &one, b"abc").path;
        assert_eq!(shelf.find(&one).unwrap().path, path);
        for other in [
            object("a/b.gz", "\"e2\"", 3),
            object("a/c.gz", "\"e1\"", 3),
            object("a/b.gz", "\"e1\"", 4),
        ] {
            assert!(shelf.find(&other).is_none());
        }
        assert!(Shelf::open(&store, "http://other").unwrap().find(&one).is_none());
        assert!(Shelf::open(&store, "").unwrap().find(&one).is_some());
        // Cut off by something else.
        fs::write(&path, "ab").unwrap();
        assert!(shelf.find(&one).is_none());
        // Without an ETag nothing tells contents apart.
        let unknown = object("a/b.gz", "", 3);
        assert!(
            put(&shelf, &unknown, b"abc").temporary.is_some() && shelf.find(&unknown).is_none()
        );
    }

    #[test]
    fn keys_cannot_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("cache");
        let shelf = Shelf::open(&Store::Cache(root.clone()), "").unwrap();
        for key in ["../../../etc/passwd", "/etc/passwd", "a/../../b", "\u{1b}[2J\n", "a\0b", ".."]
        {
            let path = put(&shelf, &object(key, "\"../..\"", 1), b"x").path;
            assert!(path.starts_with(root.join("objects")), "{path:?}");
            let inside = path.strip_prefix(&root).unwrap().to_str().unwrap();
            assert!(inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/'));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&root).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_temporary_copy_goes_with_its_reader() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(&Store::Temporary(folder.path().to_owned()), "").unwrap();
        let one = object("a", "\"e\"", 1);
        let stored = put(&shelf, &one, b"x");
        let path = stored.path.clone();
        assert!(path.exists() && shelf.find(&one).is_none());
        drop(stored);
        assert!(!path.exists());
        drop(shelf);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn old_and_superfluous_copies_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(&Store::Cache(folder.path().to_owned()), "").unwrap();
        let now = SystemTime::now();
        let paths: Vec<PathBuf> = [1, 2, 3, 40]
            .into_iter()
            .map(|days| {
                let path = put(&shelf, &object(&days.to_string(), "\"e\"", 4), b"abcd").path;
                let used = now - Duration::from_secs(days * 86_400);
                File::open(&path).unwrap().set_modified(used).unwrap();
                path
            })
            .collect();
        let left = || paths.iter().map(|path| path.exists()).collect::<Vec<_>>();
        let (objects, partial) = (folder.path().join("objects"), folder.path().join("partial"));
        tidy(&objects, &partial, MOST_BYTES, now);
        assert_eq!(left(), [true, true, true, false]);
        tidy(&objects, &partial, 9, now);
        assert_eq!(left(), [true, true, false, false]);
        // Used again, it is young.
        assert!(shelf.find(&object("2", "\"e\"", 4)).is_some());
        let used = fs::metadata(&paths[1]).unwrap().modified().unwrap();
        assert!(now.duration_since(used).unwrap_or_default() < COARSE);
    }

    #[test]
    fn a_full_disk_is_told_with_the_way_out() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let error = disk(Path::new("/cache"), true, 1_234_567, full());
        assert!(error.to_string().contains("`/cache`: there is no room for 1,234,567 more bytes"));
        assert!(error.hint().unwrap().contains("--cache"));
        assert!(disk(Path::new("/tmp"), false, 1, full()).hint().unwrap().contains("TMPDIR"));
    }
}
