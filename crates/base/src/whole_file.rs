//! Files that are written as a whole or not at all.
//!
//! A file is written under a temporary name in its own folder, flushed to the disk and only then renamed, so
//! that its name always belongs to the old file or to the whole new one. The temporary file is removed if
//! writing fails; after a kill or a power cut, a `.brickwork-….tmp` may be left in the folder, and the next
//! process that writes there removes it. It is known by its lock, which ended with its writer.
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

/// Folders that were looked through for temporary files of killed processes.
static SEARCHED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// The treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum Existing {
    /// It is left as it is, and writing fails with [`ErrorKind::AlreadyExists`].
    Keep,
    /// It is replaced.
    Replace,
}

/// A path to be written.
#[derive(Clone, Debug)]
pub struct Target {
    /// With symbolic links resolved, so that a link stays a link.
    path: PathBuf,
    state: State,
}

/// The object at the path.
#[derive(Clone, Debug)]
enum State {
    /// A device, a pipe or another special file: written to directly, never replaced.
    Special,
    /// A regular file with these permissions.
    File(Permissions),
    Nothing,
}

impl Target {
    /// Looks up what is at `path`.
    ///
    /// # Errors
    /// If it is a folder ([`ErrorKind::IsADirectory`]) or a symbolic link to nothing, or its folder does not
    /// exist ([`ErrorKind::NotFound`]), or the system denies access. The message does not repeat `path`.
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
                    let reason = format!("the folder {} does not exist", folder.display());
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

    /// A file to write to: a temporary one, or the existing one if that [is special](Self::is_special).
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
        // Temporary files are private by default; this one is to get the permissions of an ordinary file,
        // subject to the umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let folder = folder_of(&self.path);
        remove_left_over(folder);
        let create = || {
            let mut list = temporary_files();
            let file = builder.tempfile_in(folder)?;
            let listed = Listed::new(&mut list, file.path());
            // Where files have no locks, none is removed by others either.
            let _ = file.as_file().lock();
            Ok((file, listed))
        };
        // Before it was locked, another process may have taken it for one that was left over.
        let created: io::Result<(NamedTempFile, Listed)> = create();
        let created = created.and_then(|made| if made.0.path().exists() { Ok(made) } else { create() });
        let (file, listed) = created.map_err(|error| {
            // The name of the temporary file, which the error contains, would mean nothing to the reader.
            let reason = error.get_ref().and_then(|inner| inner.source()).map(ToString::to_string);
            let reason = reason.unwrap_or_else(|| error.to_string());
            let reason = format!("cannot create a file in {}: {reason}", folder.display());
            io::Error::new(error.kind(), reason)
        })?;
        Ok(Inner::Temporary { file, target: self.path.clone(), permissions, listed })
    }
}

/// A file being written. If dropped before [`commit`](Self::commit), it leaves everything as it was, except
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
        /// The permissions of the file that it replaces.
        permissions: Option<Permissions>,
        /// Dropped after the file.
        listed: Listed,
    },
}

impl WholeFile {
    /// The temporary file's path, for tests.
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

    /// Flushes the file to the disk and gives it its name.
    ///
    /// # Errors
    /// I/O errors; everything is then as it was before.
    pub fn commit(self, existing: Existing) -> io::Result<()> {
        // (What is bound first is dropped last: an interrupt finds the file until it is gone.)
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
                // Some file systems have neither a rename that refuses to replace nor hard links.
                Err(PersistError { file, .. }) => file.persist(&target).map_err(|error| error.error)?,
            },
        };
        drop(listed);
        // The rename itself reaches the disk with the folder. The file is in place and complete whether or
        // not this succeeds, and some file systems cannot do it.
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

/// Removes the temporary files of processes that were killed: those that nobody has locked. Looks through a
/// folder once; what cannot be removed stays.
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
        // Held until the file is gone: who created it in the meantime waits, sees it, and creates another.
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
        // Found by the first write to the folder.
        let target = Target::of(&path).unwrap();
        let mut file = target.create().unwrap();
        assert!(!left_over.exists());
        file.write_all(b"new").unwrap();
        // What is being written is not: neither by this process nor by another.
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
        assert!(error(&folder.path().join("none/a.dds")).ends_with("none does not exist"));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("nothing", &link).unwrap();
            assert_eq!(error(&link), "is a symbolic link to nothing");
            // A link to a file stays a link.
            fs::write(folder.path().join("nothing"), b"old").unwrap();
            write(&link, b"new", Existing::Replace).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(folder.path().join("nothing")).unwrap(), b"new");
            write(Path::new("/dev/null"), b"gone", Existing::Keep).unwrap();
        }
    }
}
