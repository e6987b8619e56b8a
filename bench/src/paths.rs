//! Paths in the workspace.

use std::path::{Path, PathBuf};

/// Returns the workspace.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns a page of measured tables.
pub fn page_of_tables(page: &str) -> PathBuf {
    root().join(format!("docs/measured/{page}.md"))
}
