//! HTML report: one page that compares textures with their original, or the files of two folders.
//!
//! ```text
//! inputs → entry (figures, texels, errors) → pixels (PNG in data URIs) → comparison → page
//! ```
//!
//! The page is `page.html`, whose `{{names}}` are replaced, with `page.css` and `page.js`. Its main part is
//! `comparison.html`. `folders.html`, the page of two folders, has a table and one such part for each pair.
//! All pages have `style.css` and `theme.js`; tables of files have `table.css` and `sort.js`. Text from
//! outside is escaped.

mod compared;
mod comparison;
mod encoding;
mod entry;
mod error;
mod figures;
mod folders;
mod folders_page;
mod kind;
mod options;
mod page;
mod pictures;
mod pixels;
mod run;
#[cfg(test)]
mod tests;
mod thumbnail;
mod verdict;

pub use brickwork_toolkit::report::{escaped, filled};

/// Styles of all pages: themes, text, tables.
pub const STYLE: &str = include_str!("style.css");

/// Script of the button `#theme` of all pages.
pub const THEME: &str = include_str!("theme.js");

/// Styles of tables of files, which have the class `files`.
pub const TABLE: &str = include_str!("table.css");

/// Script that sorts such a table.
pub const SORT: &str = include_str!("sort.js");

pub use comparison::below;
pub use encoding::EncodingRecords;
pub use error::HtmlReportError;
pub use folders::write_html_folders_report;
pub use options::HtmlReportOptions;
pub use run::write_html_report;
pub use thumbnail::{SIDE, ThumbnailError, thumbnail};
