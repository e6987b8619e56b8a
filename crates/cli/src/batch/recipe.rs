//! Records of the options with which outputs were written.
//!
//! An output does not state its options. Each record is therefore a separate file in the user's caches, named
//! after the output's path. The oldest records are removed: their outputs are then up to date by their times.

use brickwork_toolkit::device::cache_folder;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Folder of the records among the user's caches.
const FOLDER: &str = "outputs";

/// Maximum number of records. A record takes a block of the file system, mostly 4 KiB.
const MAX_RECORDS: usize = 16_384;

/// Number of records that a process writes between two removals of old ones. Each removal lists all records.
const RECORDS_BETWEEN: usize = 1024;

/// Options of a job as a number. Equal options have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe(u64);

impl Recipe {
    /// Returns the recipe of options that are described by `text`.
    pub fn of(text: &str) -> Self {
        Self(hash(text.as_bytes()))
    }

    /// Records that `output` was written with these options. Without a record, the next run decides by times.
    pub(super) fn record(self, output: &Path) {
        /// Number of records that this process wrote.
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        if let Some(caches) = cache_folder() {
            self.record_in(&caches, output);
            if WRITTEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(RECORDS_BETWEEN) {
                prune(&caches.join(FOLDER), MAX_RECORDS);
            }
        }
    }

    /// Records that `output` has these options, unless the record states it already.
    pub(super) fn confirm(self, output: &Path) {
        if cache_folder().is_some_and(|caches| !self.is_recorded_in(&caches, output)) {
            self.record(output);
        }
    }

    /// True if `output` was written with other options.
    pub(super) fn differs(self, output: &Path) -> bool {
        cache_folder().is_some_and(|caches| self.differs_in(&caches, output))
    }

    fn record_in(self, caches: &Path, output: &Path) {
        let Some(path) = record_of(caches, output) else { return };
        if let Some(folder) = path.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = fs::write(path, self.text());
    }

    fn differs_in(self, caches: &Path, output: &Path) -> bool {
        recorded(caches, output).is_some_and(|text| text != self.text())
    }

    fn is_recorded_in(self, caches: &Path, output: &Path) -> bool {
        recorded(caches, output).is_some_and(|text| text == self.text())
    }

    fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Returns the text of a record.
fn recorded(caches: &Path, output: &Path) -> Option<String> {
    record_of(caches, output).and_then(|path| fs::read_to_string(path).ok())
}

fn record_of(caches: &Path, output: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(output).ok()?;
    let name = format!("{:016x}", hash(path.as_os_str().as_encoded_bytes()));
    Some(caches.join(FOLDER).join(name))
}

/// Removes the oldest records, so that at most `max_records` remain. Errors are ignored, because other
/// processes may do the same.
fn prune(folder: &Path, max_records: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let time = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut records: Vec<_> = entries.flatten().filter_map(time).collect();
    let Some(surplus) = records.len().checked_sub(max_records).filter(|&surplus| surplus > 0) else { return };
    records.select_nth_unstable(surplus - 1);
    for (_, path) in &records[..surplus] {
        let _ = fs::remove_file(path);
    }
}

/// Returns the FNV-1a hash, which is the same in all versions of the program.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn other_options_differ_and_unknown_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.dds", "b.dds"].map(|name| folder.path().join(name));
        fs::write(&a, "").unwrap();
        fs::write(&b, "").unwrap();
        let (fast, best) = (Recipe::of("fast"), Recipe::of("best"));
        let differs = |recipe: Recipe, output: &Path| recipe.differs_in(folder.path(), output);
        assert!(!differs(fast, &a));
        fast.record_in(folder.path(), &a);
        assert!(!differs(fast, &a) && differs(best, &a) && !differs(best, &b));
        let is_recorded = |recipe: Recipe, output: &Path| recipe.is_recorded_in(folder.path(), output);
        assert!(is_recorded(fast, &a) && !is_recorded(best, &a) && !is_recorded(fast, &b));
        best.record_in(folder.path(), &a);
        assert!(differs(fast, &a) && !differs(best, &a));
    }

    #[test]
    fn the_oldest_records_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for age in [3, 1, 4, 0, 2] {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 - age);
            let file = fs::File::create(folder.path().join(age.to_string())).unwrap();
            file.set_modified(time).unwrap();
        }
        let names = || {
            let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        prune(folder.path(), 5);
        assert_eq!(names(), ["0", "1", "2", "3", "4"]);
        prune(folder.path(), 3);
        assert_eq!(names(), ["0", "1", "2"]);
        prune(&folder.path().join("missing"), 3);
    }
}
