//! From files to a page.

use super::{HtmlReportError, HtmlReportOptions, compared::Compared, entry::Entry, page::Page, verdict};
use crate::{
    batch::{FileId, Output},
    report::HtmlReport,
};
use brickwork_base::{Stage, Task, whole_file::Existing};
use brickwork_toolkit::{
    batch::{BatchError, Input},
    texture::TextureJobError,
};
use std::mem;

/// Note if reports of `encode` have no record of any texture.
pub(super) const NO_RECORD: &str = "the encode reports have no record of a texture with this name, format \
    and size; files that --update found up to date have none";

/// Compares textures with their original, and writes a page that shows them: a self-contained HTML file with
/// a slider, zoom, heat maps, mip levels and figures. Textures may be of any format that is read, also
/// images. The task reports the bytes read and the blocks decoded of each input, then the pages made.
///
/// Pictures are reduced until the page is not larger than the options allow.
///
/// # Errors
/// [`HtmlReportError`] if an input cannot be read, the sizes differ, more than `max_memory` bytes are needed,
/// or the page cannot be written. An existing output is then unchanged.
pub fn write_html_report(
    original: &Input,
    textures: &[Input],
    output: &Output,
    options: &HtmlReportOptions,
    existing: Existing,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<HtmlReport, HtmlReportError> {
    let ids: Vec<_> = [original].into_iter().chain(textures).filter_map(FileId::of_input).collect();
    output.check(existing, &ids)?;
    if textures.is_empty() {
        return Err(HtmlReportError::NoTexture);
    }
    let mut compared = Compared::read(original, textures, options, max_memory, task)?;
    let mut notes = mem::take(&mut compared.notes);
    let files: Vec<_> = compared.entries.iter().map(Entry::encoded_file).collect();
    let encodings = options.encodings.of_textures(&files);
    if options.encodings.has_reports() && encodings.iter().all(Option::is_none) {
        notes.push(NO_RECORD.to_owned());
    }
    compared.entries.iter_mut().zip(encodings).for_each(|(entry, encoding)| entry.encoding = encoding);
    let page = Page { compared: &compared, notes: &notes, options };
    let limit = options.max_page_bytes;
    let mut factor = 1u32;
    let html = loop {
        let is_smallest = factor >= compared.longer_side();
        if compared.least_bytes(factor) <= limit as f64 || is_smallest {
            task.report(Stage::Rendering, u64::from(factor.ilog2()), 0);
            let made = page.html(factor, task);
            let html = made.map_err(|error| TextureJobError::WritePng { output: output.name(), error })?;
            if html.len() as u64 <= limit {
                break html;
            }
            if is_smallest {
                let (output, needed) = (output.name(), html.len() as u64);
                return Err(HtmlReportError::PageSize { output, needed, limit });
            }
        }
        factor *= 2;
    };
    let file_bytes = write(&html, output, existing)?;
    let reports: Vec<_> = compared.entries.iter().map(Entry::report).collect();
    let verdicts = compared.entries.iter().map(|entry| &entry.verdict);
    let failures = verdict::failures(reports.iter().zip(verdicts), &options.limits);
    Ok(HtmlReport {
        command: "report",
        output: output.name(),
        file_bytes,
        original: compared.original,
        textures: reports,
        reduction: factor,
        failures,
        notes,
    })
}

/// Writes a page and returns its size.
pub(super) fn write(html: &str, output: &Output, existing: Existing) -> Result<u64, HtmlReportError> {
    output.write(existing, |sink| {
        sink.write_all(html.as_bytes())
            .map_err(|error| HtmlReportError::from(BatchError::io(output.name(), error)))
    })
}
