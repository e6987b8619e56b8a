//! The web site that is installed with the program.

use std::{env, fs, path::PathBuf};

/// Returns the folder of the web site that belongs to this program: `share/brickwork/site` beside the folder
/// of the executable, which is usually `bin`. Returns `None` if no such folder has an `index.html`.
#[must_use]
pub fn installed_site() -> Option<PathBuf> {
    let program = env::current_exe().and_then(fs::canonicalize).ok()?;
    let folder = program.parent()?.parent()?.join("share/brickwork/site");
    folder.join("index.html").is_file().then_some(folder)
}
