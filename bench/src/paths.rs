//! Paths in the workspace.

use brickwork_texture::BlockFormat;
use std::path::{Path, PathBuf};

/// Returns the workspace.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns a page of measured tables.
pub fn page_of_tables(page: &str) -> PathBuf {
    root().join(format!("docs/measured/{page}.md"))
}

/// Returns the page of a block format's tables.
pub fn page_of_format(format: BlockFormat) -> PathBuf {
    page_of_tables(match format {
        BlockFormat::Bc3 | BlockFormat::Bc4Unorm | BlockFormat::Bc5Unorm => "bc3-bc4-bc5",
        BlockFormat::Astc(_) => "astc",
        format if format.is_mobile() => "etc2",
        format => format.name(),
    })
}
