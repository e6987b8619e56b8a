//! Options of HTML reports.

use super::EncodingRecords;
use crate::commands::compare::{CompareOptions, MeasureLimit};

/// Options of [`write_html_report`](super::write_html_report).
#[derive(Clone, Debug)]
pub struct HtmlReportOptions {
    /// Options of the comparisons. Default: [`CompareOptions::default`].
    pub compare: CompareOptions,
    /// Limits on measures of each texture. Default: none.
    pub limits: Vec<MeasureLimit>,
    /// Command line that the page names. Default: none.
    pub command: Option<String>,
    /// Limit of the page's size in bytes. Pictures are reduced until the page is within it. Default:
    /// [`MAX_PAGE_BYTES`](Self::MAX_PAGE_BYTES).
    pub max_page_bytes: u64,
    /// Records of how textures were encoded. Default: none.
    pub encodings: EncodingRecords,
}

impl HtmlReportOptions {
    /// Default limit of a page's size in bytes: 64 MiB.
    pub const MAX_PAGE_BYTES: u64 = 64 << 20;

    /// Returns the default limit of a page of two folders in bytes: 768 KiB for each pair, but at least 8 MiB
    /// and at most [`MAX_PAGE_BYTES`](Self::MAX_PAGE_BYTES).
    pub fn max_folders_page_bytes(pair_count: usize) -> u64 {
        (pair_count as u64).saturating_mul(768 << 10).clamp(8 << 20, Self::MAX_PAGE_BYTES)
    }
}

impl Default for HtmlReportOptions {
    fn default() -> Self {
        Self {
            compare: CompareOptions::default(),
            limits: Vec::new(),
            command: None,
            max_page_bytes: Self::MAX_PAGE_BYTES,
            encodings: EncodingRecords::new(),
        }
    }
}
