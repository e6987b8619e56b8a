//! The folder of files that can be made again.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Brickwork's folder among the user's caches, if the user has any: `$XDG_CACHE_HOME/brickwork` or
/// `~/.cache/brickwork`, `~/Library/Caches/brickwork` on macOS, `%LOCALAPPDATA%\brickwork` on Windows.
/// Compiled kernels are kept there. The folder is created when something is written to it.
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
