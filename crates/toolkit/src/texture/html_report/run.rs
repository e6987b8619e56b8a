//! From files to a page.

use super::{
    HtmlReportError, HtmlReportOptions,
    entry::{Context, Entry, Original},
    page::Page,
};
use crate::{
    batch::{BatchError, Input, Output},
    report::HtmlReport,
    texture::{CompareInput, TextureJobError},
};
use brickwork_base::{Stage, Task, whole_file::Existing};
use std::mem;

/// Bytes of memory per texel and texture: displayed texels, mip levels, errors and modes.
const TEXTURE_BYTES: u64 = 4 + 2 + 1 + 7;

/// Bytes of memory per texel for the original as displayed, and for the copies that a comparison needs.
const ORIGINAL_BYTES: u64 = 4 + 2 * 16;

/// Lowest number of bytes of a page per texel and picture, by experience. A page that would be too large even
/// with this number is not made.
const LEAST_BYTES: f64 = 0.05;

/// Note if reports of `encode` have no record of any texture.
const NO_RECORD: &str = "the encode reports have no record of a texture with this name, format and size; \
    files that were up to date have none";

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
    let ids: Vec<_> = [original].into_iter().chain(textures).filter_map(Input::id).collect();
    output.check(existing, &ids)?;
    if textures.is_empty() {
        return Err(HtmlReportError::NoTexture);
    }
    let compare = options.compare_options();
    let read = CompareInput::read(original, compare, max_memory, task)?;
    let texel_count = u64::from(read.width()) * u64::from(read.height());
    let needed = texel_count.saturating_mul(ORIGINAL_BYTES + TEXTURE_BYTES * textures.len() as u64);
    if needed > max_memory {
        let input = original.name();
        return Err(TextureJobError::Memory { input, needed, limit: max_memory }.into());
    }
    let context = Context { original: &read, options: compare, max_memory };
    let mut originals: Vec<Original> = Vec::new();
    let mut entries = Vec::with_capacity(textures.len());
    let mut notes: Vec<String> = read.notes().iter().map(ToString::to_string).collect();
    for input in textures {
        let mut entry = Entry::read(input, &context, &mut originals, task)?;
        notes.append(&mut mem::take(&mut entry.notes));
        entries.push(entry);
    }
    let files: Vec<_> = entries.iter().map(Entry::encoded_file).collect();
    let encodings = options.encodings().of_textures(&files);
    if options.encodings().has_reports() && encodings.iter().all(Option::is_none) {
        notes.push(NO_RECORD.to_owned());
    }
    entries.iter_mut().zip(encodings).for_each(|(entry, encoding)| entry.encoding = encoding);
    let original_report = read.report();
    let page =
        Page { original: &original_report, originals: &originals, entries: &entries, notes: &notes, options };
    let pictures = (originals.len() + 2 * entries.len()) as f64;
    let limit = options.max_page_bytes();
    let mut factor = 1u32;
    let html = loop {
        let least = texel_count as f64 / f64::from(factor).powi(2) * pictures * LEAST_BYTES;
        let is_smallest = factor >= read.width().max(read.height());
        if least <= limit as f64 || is_smallest {
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
    let file_bytes = output.write(existing, |sink| {
        sink.write_all(html.as_bytes())
            .map_err(|error| HtmlReportError::from(BatchError::io(output.name(), error)))
    })?;
    let reports = entries.iter().map(Entry::report).collect();
    Ok(HtmlReport {
        command: "report",
        output: output.name(),
        file_bytes,
        original: original_report,
        textures: reports,
        reduction: factor,
        notes,
    })
}
