//! Whether two paths lead to one file.

use std::path::Path;

/// Which file a path leads to, whatever symbolic or hard links lie between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
    #[cfg(not(unix))]
    canonical: std::path::PathBuf,
}

impl FileId {
    /// The file at `path`, if there is one.
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
}
