//! Folders that are written completely or not at all.
//!
//! As in [`whole_file`](crate::whole_file), the files are written to a folder with a temporary name. It is
//! renamed when all of them are on the disk.

use crate::interrupt::{Listed, temporary_files};
use crate::whole_file::{PREFIX, SUFFIX, folder_of, remove_left_over};
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A folder that is being written. If it is dropped before [`commit`](Self::commit), nothing changes.
#[derive(Debug)]
pub struct WholeFolder {
    temporary: TempDir,
    target: PathBuf,
    /// Lock of the folder while it is written, if the system can lock folders. Otherwise, other processes do
    /// not remove it either.
    _lock: Option<File>,
    /// Dropped after the folder.
    _listed: Listed,
}

impl WholeFolder {
    /// Checks that a folder can be written at `path`: there is nothing, or an empty folder.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if there is a file or a folder with files, [`ErrorKind::NotFound`] if the
    /// parent folder does not exist. The message does not repeat `path`.
    pub fn check(path: &Path) -> io::Result<()> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(io::Error::new(ErrorKind::AlreadyExists, "is a file; expected a folder"));
            }
            Ok(_) if fs::read_dir(path)?.next().is_some() => {
                return Err(io::Error::new(ErrorKind::AlreadyExists, "the folder is not empty"));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let around = folder_of(path);
        if around.is_dir() {
            return Ok(());
        }
        let reason = format!("the folder {} does not exist", around.display());
        Err(io::Error::new(ErrorKind::NotFound, reason))
    }

    /// Creates a folder to write to, which will become `path`.
    ///
    /// # Errors
    /// As [`check`](Self::check), and if no folder can be created there.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::check(path)?;
        let around = folder_of(path);
        remove_left_over(around);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // The permissions of an ordinary folder, subject to the umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let create = || {
            let mut list = temporary_files();
            let temporary = builder.tempdir_in(around)?;
            let listed = Listed::new(&mut list, temporary.path());
            let lock = File::open(temporary.path()).ok().filter(|lock| lock.lock().is_ok());
            Ok::<_, io::Error>((temporary, lock, listed))
        };
        // Before the folder was locked, another process may have removed it as a leftover.
        let created = create().and_then(|made| if made.0.path().exists() { Ok(made) } else { create() });
        let (temporary, _lock, _listed) = created.map_err(|error| {
            let reason = format!("cannot create a folder in {}: {}", around.display(), error.kind());
            io::Error::new(error.kind(), reason)
        })?;
        Ok(Self { temporary, target: path.to_owned(), _lock, _listed })
    }

    /// Returns the temporary folder, into which files are written before the commit.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Flushes all files to the disk and gives the folder its final name.
    ///
    /// # Errors
    /// I/O errors. Everything is then unchanged.
    pub fn commit(self) -> io::Result<()> {
        sync(self.path())?;
        // Some systems do not replace an empty folder by themselves.
        #[cfg(not(unix))]
        let _ = fs::remove_dir(&self.target);
        // An interrupt waits: if it emptied the folder during the rename, the final folder would be empty.
        let mut list = temporary_files();
        fs::rename(self.path(), &self.target).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty => {
                io::Error::new(ErrorKind::AlreadyExists, "the folder is not empty")
            }
            _ => error,
        })?;
        // Nothing is left to remove.
        list.retain(|path| path != self.temporary.path());
        drop(list);
        let _ = self.temporary.keep();
        #[cfg(unix)]
        let _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Flushes the files of a folder and of its subfolders to the disk, and their names.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync(&entry.path())?;
        } else {
            File::options().write(true).open(entry.path())?.sync_all()?;
        }
    }
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_there_with_all_its_files_or_not() {
        let around = tempfile::tempdir().unwrap();
        let target = around.path().join("slices");
        let folder = WholeFolder::create(&target).unwrap();
        fs::write(folder.path().join("a"), b"1").unwrap();
        let temporary = folder.path().to_owned();
        drop(folder);
        assert!(!target.exists() && !temporary.exists());
        // An empty folder is replaced.
        fs::create_dir(&target).unwrap();
        let folder = WholeFolder::create(&target).unwrap();
        fs::write(folder.path().join("a"), b"1").unwrap();
        fs::create_dir_all(folder.path().join("b/c")).unwrap();
        fs::write(folder.path().join("b/c/d"), b"2").unwrap();
        folder.commit().unwrap();
        assert_eq!(fs::read(target.join("a")).unwrap(), b"1");
        assert_eq!(fs::read(target.join("b/c/d")).unwrap(), b"2");
        let error = WholeFolder::create(&target).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::AlreadyExists, "the folder is not empty".to_owned())
        );
        assert_eq!(
            WholeFolder::check(&target.join("a")).unwrap_err().to_string(),
            "is a file; expected a folder"
        );
        assert!(
            WholeFolder::check(&around.path().join("none/x"))
                .unwrap_err()
                .to_string()
                .ends_with("none does not exist")
        );
        assert_eq!(fs::read_dir(around.path()).unwrap().count(), 1);
    }

    /// A folder may appear during the work.
    #[test]
    fn a_folder_that_appears_is_kept() {
        let around = tempfile::tempdir().unwrap();
        let target = around.path().join("slices");
        let folder = WholeFolder::create(&target).unwrap();
        fs::write(folder.path().join("a"), b"ours").unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(target.join("b"), b"theirs").unwrap();
        assert!(folder.commit().is_err());
        let names: Vec<_> = fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["b"]);
        assert_eq!(fs::read_dir(around.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn folders_of_killed_processes_are_removed() {
        let around = tempfile::tempdir().unwrap();
        let left_over = around.path().join(".brickwork-killed.tmp");
        fs::create_dir(&left_over).unwrap();
        fs::write(left_over.join("a"), b"half").unwrap();
        let folder = WholeFolder::create(&around.path().join("slices")).unwrap();
        assert!(!left_over.exists());
        // A folder that is being written is not removed.
        crate::whole_file::remove_unlocked(around.path());
        assert!(folder.path().exists());
    }
}
