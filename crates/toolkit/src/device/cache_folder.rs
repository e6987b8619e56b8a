//! Folder for files that can be regenerated.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Returns Brickwork's folder in the user's caches, if the user has any: `$XDG_CACHE_HOME/brickwork` or
/// `~/.cache/brickwork`, `~/Library/Caches/brickwork` on macOS, `%LOCALAPPDATA%\brickwork` on Windows.
///
/// It contains compiled kernels. The folder is created when something is written to it.
pub fn cache_folder() -> Option<PathBuf> {
    let folder = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::home_dir().filter(|path| path.is_absolute());
    let caches = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_vendor = "apple") {
        home().map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| home().map(|home| home.join(".cache")))
    };
    caches.as_deref().map(|caches: &Path| caches.join("brickwork"))
}
