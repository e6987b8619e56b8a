//! Temporary files and folders of an interrupted process.
//!
//! A [`WholeFile`](crate::whole_file::WholeFile) or [`WholeFolder`](crate::whole_folder::WholeFolder) removes
//! its temporary file when it is dropped. A process that ends immediately, as programs do at Ctrl-C, drops
//! nothing. Its handler calls [`remove_temporary_files`].

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Temporary files and folders that this process is writing.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every temporary file and folder that this process is writing. Afterwards, calls that create or
/// rename such a file wait forever. End the process immediately.
pub fn remove_temporary_files() {
    let temporary = temporary_files();
    for path in &*temporary {
        remove(path);
    }
    // The lock is never released, so that no other temporary file can appear.
    std::mem::forget(temporary);
}

/// Removes a file, or a folder to which other threads may be writing.
fn remove(path: &Path) {
    if fs::remove_file(path).is_ok() {
        return;
    }
    // While a folder is emptied, other threads may put files into it by its path, which would keep it from
    // being removed. They fail once it has another name. A later run also removes folders with that name.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let removed = path.with_file_name(format!(".brickwork-removed-{}.tmp", name.trim_start_matches('.')));
    let path = if fs::rename(path, &removed).is_ok() { &removed } else { path };
    for _ in 0..1000 {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => return,
        }
    }
}

/// Locks the list of temporary files. An interrupt waits while it is locked.
pub(crate) fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder on the list. It leaves the list when it is dropped.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Listed {
    /// Adds `path` to the list.
    pub(crate) fn new(list: &mut Vec<PathBuf>, path: &Path) -> Self {
        list.push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        temporary_files().retain(|path| *path != self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        whole_file::{Existing, Target},
        whole_folder::WholeFolder,
    };
    use std::{thread, time::Duration};

    #[test]
    fn temporary_files_are_listed_while_they_are_written() {
        let around = tempfile::tempdir().unwrap();
        let listed = |path: &Path| temporary_files().iter().any(|listed| listed == path);
        let target = Target::of(&around.path().join("a")).unwrap();
        for is_committed in [false, true] {
            let file = target.create().unwrap();
            let path = file.temporary_path().unwrap().to_owned();
            assert!(path.exists() && listed(&path));
            if is_committed {
                file.commit(Existing::Keep).unwrap()
            } else {
                drop(file)
            }
            assert!(!path.exists() && !listed(&path));
        }
        let folder = WholeFolder::create(&around.path().join("slices")).unwrap();
        let path = folder.path().to_owned();
        assert!(listed(&path));
        drop(folder);
        assert!(!listed(&path));
    }

    #[test]
    fn an_interrupt_and_a_folder_s_name_wait_for_each_other() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("slices");
        let folder = WholeFolder::create(&path).unwrap();
        fs::write(folder.path().join("a"), b"1").unwrap();
        // Simulates an interrupt.
        let list = temporary_files();
        assert!(list.iter().any(|path| path == folder.path()));
        let committing = thread::spawn(|| folder.commit());
        thread::sleep(Duration::from_millis(100));
        assert!(!path.exists());
        drop(list);
        committing.join().expect("no panic").unwrap();
        assert_eq!(fs::read(path.join("a")).unwrap(), b"1");
    }

    #[test]
    fn a_folder_is_removed_although_files_are_put_into_it() {
        for _ in 0..20 {
            let around = tempfile::tempdir().unwrap();
            let path = around.path().join("slices");
            fs::create_dir(&path).unwrap();
            let inner = path.clone();
            let writing = thread::spawn(move || {
                (0..).take_while(|i| fs::write(inner.join(i.to_string()), b"1").is_ok()).count()
            });
            while fs::read_dir(&path).unwrap().count() < 50 {}
            remove(&path);
            assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
            writing.join().expect("no panic");
        }
    }
}
