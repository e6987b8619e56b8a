//! HTML report: one page that compares textures with their original.
//!
//! ```text
//! inputs → entry (figures, texels, errors) → pixels (PNG in data URIs) → page
//! ```
//!
//! The page is `page.html`, whose `{{names}}` are replaced, with `page.css` and `page.js`. Text from outside
//! is escaped.

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

pub use encoding::EncodingRecords;
pub use error::HtmlReportError;
pub use options::HtmlReportOptions;
pub use run::write_html_report;
