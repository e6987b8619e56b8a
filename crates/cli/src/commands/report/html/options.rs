//! Options of HTML reports.

use super::EncodingRecords;
use crate::commands::compare::CompareOptions;

/// Options of [`write_html_report`](super::write_html_report).
#[derive(Clone, Debug)]
pub struct HtmlReportOptions {
    compare: CompareOptions,
    command: Option<String>,
    max_page_bytes: u64,
    encodings: EncodingRecords,
}

impl HtmlReportOptions {
    /// Default limit of a page's size in bytes: 64 MiB.
    pub const MAX_PAGE_BYTES: u64 = 64 << 20;

    /// Returns the defaults.
    pub fn new() -> Self {
        Self {
            compare: CompareOptions::new(),
            command: None,
            max_page_bytes: Self::MAX_PAGE_BYTES,
            encodings: EncodingRecords::new(),
        }
    }

    /// Sets the options of the comparisons. Default: [`CompareOptions::new`].
    #[must_use]
    pub fn with_compare_options(self, compare: CompareOptions) -> Self {
        Self { compare, ..self }
    }

    /// Sets the command line that the page names. Default: none.
    #[must_use]
    pub fn with_command(self, command: Option<String>) -> Self {
        Self { command, ..self }
    }

    /// Sets the limit of the page's size in bytes. Pictures are reduced until the page is within it. Default:
    /// [`MAX_PAGE_BYTES`](Self::MAX_PAGE_BYTES).
    #[must_use]
    pub fn with_max_page_bytes(self, max_page_bytes: u64) -> Self {
        Self { max_page_bytes, ..self }
    }

    /// Sets records of how textures were encoded. Default: none.
    #[must_use]
    pub fn with_encodings(self, encodings: EncodingRecords) -> Self {
        Self { encodings, ..self }
    }

    /// Returns the options of the comparisons.
    pub fn compare_options(&self) -> &CompareOptions {
        &self.compare
    }

    /// Returns the command line that the page names.
    pub fn command(&self) -> Option<&str> {
        self.command.as_deref()
    }

    /// Returns the limit of the page's size in bytes.
    pub fn max_page_bytes(&self) -> u64 {
        self.max_page_bytes
    }

    /// Returns records of how textures were encoded.
    pub fn encodings(&self) -> &EncodingRecords {
        &self.encodings
    }
}

impl Default for HtmlReportOptions {
    fn default() -> Self {
        Self::new()
    }
}
