//! Properties of a file that change with its contents.

use super::{BatchError, BatchFault};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// Time in which a file system may give two versions of a file the same times, in nanoseconds. FAT's
/// resolution is the coarsest.
const RESOLUTION: i64 = 2_000_000_000;

/// Size, times and number of a file. If they are the same, so are almost certainly the contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileState {
    pub size: u64,
    /// Time of the last change of the contents, in nanoseconds since 1970.
    modified: i64,
    /// Time of the last change of the contents or the properties, which no program can set. 0 if the system
    /// has none.
    changed: i64,
    /// Number of the file in its file system; 0 if the system has none.
    number: u64,
}

impl FileState {
    /// Returns the state of the file at `path`, through symbolic links.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let modified = metadata.modified().map_or(0, nanoseconds);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let changed =
                metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
            Ok(Self { size: metadata.len(), modified, changed, number: metadata.ino() })
        }
        #[cfg(not(unix))]
        Ok(Self { size: metadata.len(), modified, changed: 0, number: 0 })
    }

    /// True if a later change of the file also changes its state. A file that was written shortly before
    /// `time` may change within the resolution of its times.
    pub fn is_settled_at(&self, time: i64) -> bool {
        self.modified.max(self.changed).saturating_add(RESOLUTION) < time
    }
}

/// Returns the time in nanoseconds since 1970.
pub(super) fn now() -> i64 {
    nanoseconds(SystemTime::now())
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// Checks that files still have their states.
///
/// # Errors
/// [`BatchFault::Changed`], or the fault of a file that cannot be found.
pub(super) fn check_states(states: &[(PathBuf, FileState)]) -> Result<(), BatchError> {
    for (path, state) in states {
        let fault = match FileState::of(path) {
            Ok(found) if found == *state => continue,
            Ok(_) => BatchFault::Changed,
            Err(error) => BatchFault::of_metadata(error),
        };
        return Err(BatchError::new(path.display(), fault));
    }
    Ok(())
}
