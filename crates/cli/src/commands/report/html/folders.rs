//! From two folders to a page.
//!
//! All pairs are read twice: first for the figures, by which they are sorted, then for the pictures of those
//! that fit into the page. Pairs with reduced pictures are read again if other pairs left space. The texels
//! of one pair are in memory at a time.

use super::{
    HtmlReportError, HtmlReportOptions,
    compared::Compared,
    comparison::Comparison,
    encoding::{EncodedFile, EncodingRecord},
    folders_page::{FoldersPage, Row, section},
    run::{NO_RECORD, write},
};
use crate::{
    batch::{FileId, Output},
    folder_pairs::{FilePair, FolderPairs},
    report::{FileEntry, FileError, HtmlFoldersReport, HtmlReportPair},
};
use brickwork_base::{ErrorKind, Stage, Task, whole_file::Existing};
use brickwork_image::image_file::ImageWriteError;
use brickwork_toolkit::{report::path_text, texture::TextureJobError};
use std::slice;

/// Length of a picture's longer side, in texels, below which it is not reduced further.
const MIN_SIDE: u32 = 64;

/// Bytes of a page that remain free for the sentence that counts the pairs without pictures.
const SPARE_BYTES: u64 = 512;

/// A pair that was measured.
struct Measured<'a> {
    files: &'a FilePair,
    row: Row,
    record: Option<EncodingRecord>,
    /// The section as HTML; empty without pictures.
    section: String,
}

/// Compares the files of two folders in pairs, and writes a page that shows them: a table of all pairs, the
/// worst one first, and for each pair what [`write_html_report`](super::write_html_report) shows. `failed`
/// receives the error of each pair that cannot be compared and returns the entry of the page and the report;
/// the other pairs are compared. The task reports the bytes read, the blocks decoded and the pictures made of
/// one pair after another.
///
/// The pair with the lowest PSNR is the worst one: that of colours, for BC1 with transparent texels that of
/// visible ones, or that of alpha if it is lower.
///
/// The page is not larger than the options allow: the space is divided among the pairs, and pictures are
/// reduced. Space that small pairs leave is that of the others, the worst ones first. If there is no space
/// for the smallest pictures of all pairs, the last ones have no pictures.
///
/// # Errors
/// [`HtmlReportError`] if the page cannot be written or is too large without pictures, or if the task is
/// cancelled. An existing output is then unchanged.
pub fn write_html_folders_report(
    found: &FolderPairs,
    output: &Output,
    options: &HtmlReportOptions,
    existing: Existing,
    max_memory: u64,
    failed: &mut dyn FnMut(TextureJobError) -> FileError,
    task: &Task<'_>,
) -> Result<HtmlFoldersReport, HtmlReportError> {
    let inputs = found.pairs.iter().flat_map(|pair| &pair.inputs);
    let ids: Vec<_> = inputs.filter_map(FileId::of_input).collect();
    output.check(existing, &ids)?;
    let made = |error: ImageWriteError| TextureJobError::WritePng { output: output.name(), error };
    // The inner error is that of the pair; the outer one ends the run.
    let read = |pair: &FilePair| -> Result<Result<Compared, TextureJobError>, HtmlReportError> {
        task.check().map_err(|cancelled| made(cancelled.into()))?;
        let [original, texture] = &pair.inputs;
        let textures = slice::from_ref(texture);
        match Compared::read(original, textures, &options.compare, max_memory, task) {
            Err(error) if error.kind() == ErrorKind::Cancelled => Err(error.into()),
            compared => Ok(compared),
        }
    };

    let mut measured: Vec<Measured<'_>> = Vec::new();
    let mut failures = Vec::new();
    for pair in &found.pairs {
        match read(pair)? {
            Ok(compared) => measured.extend(Measured::new(pair, compared, measured.len())),
            Err(error) => failures.push(failed(error)),
        }
    }
    measured.sort_by(|a, b| b.badness().total_cmp(&a.badness()));
    let notes = add_records(&mut measured, options);

    // Rows with links are not shorter than those without. The notes of a pair are in the list of the page or
    // in its section.
    let mut rows: Vec<Row> = measured.iter().map(|pair| pair.row.clone()).collect();
    rows.iter_mut().for_each(|row| row.pair.reduction = Some(1));
    let without =
        FoldersPage { found, rows: &rows, failures: &failures, notes: &notes, sections: "", options };
    let notes_bytes = rows.iter().map(Row::notes_bytes).sum::<u64>();
    let limit = options.max_page_bytes;
    let needed = without.html().len() as u64 + notes_bytes + SPARE_BYTES;
    if needed > limit {
        return Err(HtmlReportError::TableSize { output: output.name(), needed, limit });
    }
    let mut left = limit - needed;
    let count = measured.len();
    let mut pairs = Vec::with_capacity(count);
    let mut is_full = false;
    for (index, mut pair) in measured.into_iter().enumerate() {
        if !is_full {
            let compared = match read(pair.files)? {
                Ok(compared) => compared,
                // The file has changed since.
                Err(error) => {
                    failures.push(failed(error));
                    continue;
                }
            };
            let own = pair.row.notes_bytes();
            let share = left / (count - index) as u64;
            match pair.drawn(compared, [share + own, left + own], options, task).map_err(made)? {
                Some((html, factor)) => {
                    left += own;
                    left -= html.len() as u64;
                    pair.section = html;
                    pair.row.pair.reduction = Some(factor);
                }
                None => is_full = true,
            }
        }
        pairs.push(pair);
    }
    // Small pairs have left space to larger ones before them.
    for pair in &mut pairs {
        let own = pair.section.len() as u64;
        // A pair is read again only if its section may grow by half.
        if pair.row.pair.reduction.is_none_or(|factor| factor == 1) || left < own / 2 {
            continue;
        }
        // The pictures that were drawn remain if the file has changed since.
        let Ok(compared) = read(pair.files)? else { continue };
        let all = left + own;
        if let Some((html, factor)) = pair.drawn(compared, [all; 2], options, task).map_err(made)? {
            left = all - html.len() as u64;
            pair.section = html;
            pair.row.pair.reduction = Some(factor);
        }
    }
    let sections: String = pairs.iter().map(|pair| pair.section.as_str()).collect();
    let rows: Vec<Row> = pairs.into_iter().map(|pair| pair.row).collect();
    let page =
        FoldersPage { found, rows: &rows, failures: &failures, notes: &notes, sections: &sections, options };
    let html = page.html();
    let needed = html.len() as u64;
    if needed > limit {
        return Err(HtmlReportError::TableSize { output: output.name(), needed, limit });
    }
    let file_bytes = write(&html, output, existing)?;
    let [a, b] = found.folders.each_ref().map(|folder| path_text(folder));
    let [only_in_a, only_in_b] = found.unpaired.clone();
    let [left_out_in_a, left_out_in_b] = found.left_out;
    let without_pictures = rows.iter().filter(|row| row.pair.reduction.is_none()).count();
    let failures = failures.into_iter().map(|error| FileEntry::Failed { error });
    Ok(HtmlFoldersReport {
        command: "report",
        output: output.name(),
        file_bytes,
        a,
        b,
        pairs: failures.chain(rows.into_iter().map(|row| FileEntry::Done(row.pair))).collect(),
        only_in_a,
        only_in_b,
        left_out_in_a,
        left_out_in_b,
        without_pictures,
        notes,
    })
}

impl<'a> Measured<'a> {
    /// Keeps the figures of a pair; `index` is that of its section.
    fn new(files: &'a FilePair, compared: Compared, index: usize) -> Option<Self> {
        let entry = compared.entries.first()?;
        let (texture, psnr) = (entry.report(), entry.sorting_psnr);
        let Compared { original, notes, .. } = compared;
        let pair = HtmlReportPair { name: files.name.clone(), original, texture, reduction: None, notes };
        let row = Row { section: index + 1, pair, psnr };
        Some(Self { files, row, record: None, section: String::new() })
    }

    /// Returns the number by which pairs are sorted, larger if the difference is worse.
    fn badness(&self) -> f64 {
        -self.row.psnr.decibels
    }

    /// Returns the section and the factor by which its pictures are reduced: so that the section has at most
    /// `share` bytes, or at most `left` with the smallest pictures. `None` if it has more, or if the pair's
    /// pictures would not be larger than those that it has.
    fn drawn(
        &self,
        mut compared: Compared,
        [share, left]: [u64; 2],
        options: &HtmlReportOptions,
        task: &Task<'_>,
    ) -> Result<Option<(String, u32)>, ImageWriteError> {
        compared.entries.iter_mut().for_each(|entry| entry.encoding.clone_from(&self.record));
        let prefix = format!("pair-{}-", self.row.section);
        let rounding_rule = options.compare.rounding_rule;
        let comparison = Comparison { compared: &compared, rounding_rule, prefix: &prefix, heading: "h3" };
        let mut factor = 1u32;
        loop {
            if self.row.pair.reduction == Some(factor) {
                return Ok(None);
            }
            let is_smallest = compared.longer_side() / factor < 2 * MIN_SIDE;
            let limit = if is_smallest { left } else { share };
            if compared.least_bytes(factor) <= limit as f64 {
                task.report(Stage::Rendering, u64::from(factor.ilog2()), 0);
                let html = section(&self.row, &comparison, factor, task)?;
                if html.len() as u64 <= limit {
                    return Ok(Some((html, factor)));
                }
            }
            if is_smallest {
                return Ok(None);
            }
            factor *= 2;
        }
    }
}

/// Finds the records of the encodings. Returns a note if there are reports without any record of a texture.
fn add_records(measured: &mut [Measured<'_>], options: &HtmlReportOptions) -> Vec<String> {
    if !options.encodings.has_reports() {
        return Vec::new();
    }
    let file = |measured: &Measured<'_>| {
        let texture = &measured.row.pair.texture;
        (texture.image.file.clone(), texture.image.format.clone(), texture.file_bytes)
    };
    let files: Vec<_> = measured.iter().map(file).collect();
    let files: Vec<_> = files
        .iter()
        .map(|(name, format, file_bytes)| EncodedFile { name, format, file_bytes: *file_bytes })
        .collect();
    let records = options.encodings.of_textures(&files);
    let has_none = records.iter().all(Option::is_none);
    for (pair, record) in measured.iter_mut().zip(records) {
        pair.row.pair.texture.encode_seconds = record.as_ref().map(|record| record.seconds);
        pair.record = record;
    }
    if has_none { vec![NO_RECORD.to_owned()] } else { Vec::new() }
}
