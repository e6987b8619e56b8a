//! HTML report: one page that compares textures with their original.
//!
//! ```text
//! inputs → entry (figures, texels, errors) → pixels (PNG in data URIs) → page
//! ```
//!
//! The page is `page.html`, whose `{{names}}` are replaced, with `page.css` and `page.js`. `style.css` and
//! `theme.js` are those of all pages. Text from outside is escaped.

mod encoding;
mod entry;
mod error;
mod escape;
mod figures;
mod options;
mod page;
mod pictures;
mod pixels;
mod run;
#[cfg(test)]
mod tests;

pub(super) use escape::{escaped, filled};

/// Styles of all pages: themes, text, tables.
pub(super) const STYLE: &str = include_str!("style.css");

/// Script of the button `#theme` of all pages.
pub(super) const THEME: &str = include_str!("theme.js");

pub use encoding::EncodingRecords;
pub use error::HtmlReportError;
pub use options::HtmlReportOptions;
pub use run::write_html_report;
