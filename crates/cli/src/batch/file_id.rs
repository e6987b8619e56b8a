//! The identity of a file behind its paths.

use brickwork_toolkit::batch::Input;
use std::path::Path;

/// The file to which a path leads, through any symbolic and hard links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
    #[cfg(not(unix))]
    canonical: std::path::PathBuf,
}

impl FileId {
    /// Returns the file at `path`, if there is one.
    pub fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let metadata = std::fs::metadata(path).ok()?;
            Some(Self { device_and_inode: (metadata.dev(), metadata.ino()) })
        }
        #[cfg(not(unix))]
        Some(Self { canonical: std::fs::canonicalize(path).ok()? })
    }

    /// Returns the file of an input, if there is one.
    pub fn of_input(input: &Input) -> Option<Self> {
        input.path().and_then(Self::of)
    }
}
