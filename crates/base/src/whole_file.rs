//! Files that are written completely or not at all.
//!
//! A file is written under a temporary name in its own folder, flushed to the disk and only then renamed. Its
//! name therefore always belongs to the old file or to the complete new one. If writing fails, the temporary
//! file is removed. After a kill or a power cut, a `.brickwork-….tmp` may remain in the folder. The next
//! process that writes there removes it; it recognizes such files by their lock, which ended with the writer.
//!
//! ```
//! use brickwork_base::whole_file::{Existing, Target};
//! use std::io::Write as _;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("blocks.bin");
//! let target = Target::of(&path)?;
//! let mut file = target.create()?;
//! file.write_all(b"blocks")?;
//! assert!(!path.exists());
//! file.commit(Existing::Keep)?;
//! assert_eq!(std::fs::read(&path)?, b"blocks");
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::interrupt::{Listed, temporary_files};
use std::{
    collections::HashSet,
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use tempfile::{NamedTempFile, PersistError};

/// Start and end of the names of temporary files.
pub(crate) const PREFIX: &str = ".brickwork-";
pub(crate) const SUFFIX: &str = ".tmp";

/// Folders that were searched for temporary files of killed processes.
static SEARCHED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// Treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum Existing {
    /// The file is kept, and writing fails with [`ErrorKind::AlreadyExists`].
    Keep,
    /// The file is replaced.
    Replace,
}

/// A path to be written.
#[derive(Clone, Debug)]
pub struct Target {
    /// The path, with symbolic links resolved, so that a link remains a link.
    path: PathBuf,
    state: State,
}

/// Object at the path.
#[derive(Clone, Debug)]
enum State {
    /// A device, a pipe or another special file, which is written directly and never replaced.
    Special,
    /// A regular file with these permissions.
    File(Permissions),
    Nothing,
}

impl Target {
    /// Examines the object at `path`.
    ///
    /// # Errors
    /// If it is a folder ([`ErrorKind::IsADirectory`]) or a broken symbolic link, if its folder does not
    /// exist ([`ErrorKind::NotFound`]), or if the system denies access. The message does not repeat `path`.
    pub fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(io::Error::new(ErrorKind::IsADirectory, "is a folder; expected a file"))
            }
            Ok(metadata) if !metadata.is_file() => Ok(Self { path: path.to_owned(), state: State::Special }),
            Ok(metadata) => {
                Ok(Self { path: fs::canonicalize(path)?, state: State::File(metadata.permissions()) })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(io::Error::new(ErrorKind::NotFound, "is a symbolic link to nothing"));
                }
                let folder = folder_of(path);
                if !folder.is_dir() {
                    let reason = format!("the folder {} does not exist; create it first", folder.display());
                    return Err(io::Error::new(ErrorKind::NotFound, reason));
                }
                Ok(Self { path: path.to_owned(), state: State::Nothing })
            }
            Err(error) => Err(error),
        }
    }

    /// True if the path is a regular file.
    pub fn is_file(&self) -> bool {
        matches!(self.state, State::File(_))
    }

    /// True if the path is a device, a pipe or another special file, which is written to directly.
    pub fn is_special(&self) -> bool {
        matches!(self.state, State::Special)
    }

    /// Creates a file to write to: a temporary one, or opens the existing one if that [is
    /// special](Self::is_special).
    ///
    /// # Errors
    /// If no file can be created in the folder, or the special file cannot be opened.
    pub fn create(&self) -> io::Result<WholeFile> {
        let inner = match &self.state {
            State::Special => Inner::Special(File::options().write(true).open(&self.path)?),
            State::File(permissions) => self.create_temporary(Some(permissions.clone()))?,
            State::Nothing => self.create_temporary(None)?,
        };
        Ok(WholeFile { inner })
    }

    fn create_temporary(&self, permissions: Option<Permissions>) -> io::Result<Inner> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // Temporary files are private by default. This one gets the permissions of an ordinary file, subject
        // to the umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let folder = folder_of(&self.path);
        remove_left_over(folder);
        let create = || {
            let mut list = temporary_files();
            let file = builder.tempfile_in(folder)?;
            let listed = Listed::new(&mut list, file.path());
            // If the file system has no locks, other processes do not remove files either.
            let _ = file.as_file().lock();
            Ok((file, listed))
        };
        // Before the file was locked, another process may have removed it as a leftover.
        let created: io::Result<(NamedTempFile, Listed)> = create();
        let created = created.and_then(|made| if made.0.path().exists() { Ok(made) } else { create() });
        let (file, listed) = created.map_err(|error| {
            // The error contains the name of the temporary file, which has no meaning for the reader.
            let reason = error.get_ref().and_then(|inner| inner.source()).map(ToString::to_string);
            let reason = reason.unwrap_or_else(|| error.to_string());
            let reason = format!("cannot create a file in {}: {reason}", folder.display());
            io::Error::new(error.kind(), reason)
        })?;
        Ok(Inner::Temporary { file, target: self.path.clone(), permissions, listed })
    }
}

/// A file that is being written. If it is dropped before [`commit`](Self::commit), nothing changes, except
/// for [special](Target::is_special) files.
#[derive(Debug)]
pub struct WholeFile {
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Special(File),
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
        /// Permissions of the file that it replaces.
        permissions: Option<Permissions>,
        /// Dropped after the file.
        listed: Listed,
    },
}

impl WholeFile {
    /// Returns the temporary file's path, for tests.
    #[cfg(test)]
    pub(crate) fn temporary_path(&self) -> Option<&Path> {
        match &self.inner {
            Inner::Special(_) => None,
            Inner::Temporary { file, .. } => Some(file.path()),
        }
    }

    fn file_mut(&mut self) -> &mut File {
        match &mut self.inner {
            Inner::Special(file) => file,
            Inner::Temporary { file, .. } => file.as_file_mut(),
        }
    }

    /// Flushes the file to the disk and gives it its final name.
    ///
    /// # Errors
    /// I/O errors. Everything is then unchanged.
    pub fn commit(self, existing: Existing) -> io::Result<()> {
        // The first binding is dropped last, so an interrupt finds the file until it is gone.
        let Inner::Temporary { listed, file, target, permissions } = self.inner else { return Ok(()) };
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        match existing {
            Existing::Replace => file.persist(&target).map_err(|error| error.error)?,
            Existing::Keep => match file.persist_noclobber(&target) {
                Ok(file) => file,
                Err(PersistError { error, .. }) if error.kind() == ErrorKind::AlreadyExists => {
                    return Err(error);
                }
                // Some file systems support neither hard links nor a rename that refuses to replace.
                Err(PersistError { file, .. }) => file.persist(&target).map_err(|error| error.error)?,
            },
        };
        drop(listed);
        // Syncing the folder writes the rename itself to the disk. The file is complete and in place even if
        // this fails, and some file systems do not support it.
        #[cfg(unix)]
        let _ = File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file_mut().flush()
    }
}

/// Removes the temporary files of killed processes, which are those without a lock. Searches each folder
/// once. Files that cannot be removed remain.
pub(crate) fn remove_left_over(folder: &Path) {
    let Ok(path) = folder.canonicalize() else { return };
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if searched.get_or_insert_default().insert(path) {
        remove_unlocked(folder);
    }
}

pub(crate) fn remove_unlocked(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || !name.ends_with(SUFFIX) {
            continue;
        }
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        let opened = if kind.is_dir() {
            File::open(&path)
        } else if kind.is_file() {
            File::options().write(true).open(&path)
        } else {
            continue;
        };
        let Ok(file) = opened else { continue };
        // The lock is held until the file is gone. A process that created it in the meantime waits, notices
        // this, and creates another.
        if file.try_lock().is_ok() {
            let _ = if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

/// Returns the folder of a path: `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
        let mut file = Target::of(path)?.create()?;
        file.write_all(bytes)?;
        file.commit(existing)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_old_or_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dds");
        write(&path, b"old", Existing::Keep).unwrap();
        let mut dropped = Target::of(&path).unwrap().create().unwrap();
        dropped.write_all(b"half").unwrap();
        assert_eq!(
            dropped.temporary_path().and_then(Path::parent),
            Some(&*folder.path().canonicalize().unwrap())
        );
        assert_eq!(names(folder.path()).len(), 2);
        drop(dropped);
        assert_eq!(write(&path, b"new", Existing::Keep).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, b"new", Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.dds"]);
    }

    #[test]
    fn files_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dds");
        let left_over = folder.path().join(".brickwork-killed.tmp");
        fs::write(&left_over, b"half").unwrap();
        fs::write(folder.path().join(".brickwork-other"), b"whole").unwrap();
        // The first write to the folder finds them.
        let target = Target::of(&path).unwrap();
        let mut file = target.create().unwrap();
        assert!(!left_over.exists());
        file.write_all(b"new").unwrap();
        // Files that this or another process is writing are not removed.
        let second = Target::of(&folder.path().join("b.dds")).unwrap().create().unwrap();
        remove_unlocked(folder.path());
        assert!(file.temporary_path().unwrap().exists() && second.temporary_path().unwrap().exists());
        file.commit(Existing::Keep).unwrap();
        drop(second);
        assert_eq!(names(folder.path()), [".brickwork-other", "a.dds"]);
    }

    #[test]
    fn targets_that_take_no_file_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path| Target::of(path).unwrap_err().to_string();
        assert_eq!(error(folder.path()), "is a folder; expected a file");
        assert!(error(&folder.path().join("none/a.dds")).ends_with("none does not exist; create it first"));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("nothing", &link).unwrap();
            assert_eq!(error(&link), "is a symbolic link to nothing");
            // A link to a file remains a link.
            fs::write(folder.path().join("nothing"), b"old").unwrap();
            write(&link, b"new", Existing::Replace).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(folder.path().join("nothing")).unwrap(), b"new");
            write(Path::new("/dev/null"), b"gone", Existing::Keep).unwrap();
        }
    }
}
