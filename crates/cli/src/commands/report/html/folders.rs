//! From two folders to a page.
//!
//! Pairs are read side by side, once: each is measured and drawn in an equal share of the page. Then they are
//! sorted, and the worst ones keep their pictures until the page is full. With reports of `encode`, whose
//! records are known only after all files are, pairs are read a second time to be drawn. Pairs with reduced
//! pictures are read again if small pairs left space.

use super::{
    HtmlReportError, HtmlReportOptions,
    compared::Compared,
    comparison::Comparison,
    encoding::{EncodedFile, EncodingRecord},
    folders_page::{FoldersPage, Row, section},
    run::{NO_RECORD, write},
    thumbnail::{ThumbnailError, thumbnail},
    verdict,
};
use crate::{
    batch::{FileId, Job, Output, examine},
    folder_pairs::{FilePair, FolderPairs},
    report::{FileEntry, FileError, HtmlFoldersReport, HtmlReportPair},
};
use brickwork_base::{Cancelled, ErrorKind, Stage, Task, parallel, whole_file::Existing};
use brickwork_image::image_file::ImageWriteError;
use brickwork_texture::ImageView;
use brickwork_toolkit::{batch::InputGroup, report::path_text, texture::TextureJobError};

/// Length of a picture's longer side, in texels, below which it is not reduced further.
const MIN_SIDE: u32 = 64;

/// Bytes of a page that remain free for the sentence that counts the pairs without pictures.
const SPARE_BYTES: u64 = 512;

/// Result of the work for a pair.
type OfPair<T> = Result<T, TextureJobError>;

/// A pair that was measured.
struct Measured<'a> {
    files: &'a FilePair,
    row: Row,
    /// Paths of both folders.
    folders: &'a [String; 2],
    record: Option<EncodingRecord>,
    /// None without pictures.
    section: Option<Section>,
}

/// The section of a pair.
struct Section {
    html: String,
    /// Factor by which its pictures are reduced.
    factor: u32,
}

/// Compares the files of two folders in pairs, and writes a page that shows them: a table of all pairs, the
/// worst one first, and for each pair what [`write_html_report`](super::write_html_report) shows. `failed`
/// receives the error of each pair that cannot be compared and returns the entry of the page and the report;
/// the other pairs are compared. Pairs are compared side by side, and share `max_memory` bytes. The task
/// reports [`Stage::Batch`] in finished pairs.
///
/// The pair with the lowest PSNR is the worst one ([`psnr`](crate::commands::compare::Measure::Psnr)).
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
    let stopped = |cancelled: Cancelled| HtmlReportError::from(made(cancelled.into()));
    let hidden = task.without_progress();
    let read = |pair: &FilePair, max_memory: u64| Compared::read_pair(pair, options, max_memory, &hidden);
    let limit = options.max_page_bytes;
    let folders = found.folders.each_ref().map(|folder| path_text(folder));
    let count = found.pairs.len() as u64;
    let empty = FoldersPage { found, rows: &[], failures: &[], notes: &[], sections: "", options };
    let space = limit.saturating_sub(empty.html().len() as u64);
    // The row of a pair is part of its share.
    let share = space / count.max(1);
    let has_records = options.encodings.has_reports();

    let mut results: Vec<OfPair<Measured<'_>>> = Vec::new();
    task.report(Stage::Batch, 0, count);
    let measure = |number: usize, max_memory: u64| {
        let pair = &found.pairs[number];
        let compared = read(pair, max_memory)?;
        let mut measured = Measured::new(pair, &folders, &compared, number + 1, &hidden)
            .map_err(|error| error.of(pair.inputs[0].name()))?;
        if !has_records {
            let share = share.saturating_sub(measured.row.bytes());
            measured.draw(compared, [share, limit], options, &hidden).map_err(made)?;
        }
        Ok(measured)
    };
    let done = |result| {
        results.push(result);
        leave_out_surplus(&mut results, limit);
        task.report(Stage::Batch, results.len() as u64, count);
    };
    for_pairs(found.pairs.iter(), max_memory, measure, done, task).map_err(stopped)?;
    let (mut measured, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(pair) => measured.push(pair),
            Err(error) => failures.push(failed(error)),
        }
    }
    measured.sort_by(|a, b| b.badness().total_cmp(&a.badness()));
    let mut notes = add_records(&mut measured, options);
    // Thumbnails take at most a quarter of the page; the rest is for pictures.
    let thumbnails: u64 = measured.iter().map(|pair| pair.row.thumbnail.len() as u64).sum();
    if thumbnails > limit / 4 {
        measured.iter_mut().for_each(|pair| pair.row.thumbnail.clear());
        notes.push(format!("{}: no space for thumbnails; --max-page-size raises the limit", output.name()));
    }
    if has_records {
        let draw = |number: usize, max_memory: u64| {
            let pair: &Measured<'_> = &measured[number];
            let compared = read(pair.files, max_memory)?;
            let share = share.saturating_sub(pair.row.bytes());
            pair.drawn(compared, [share, limit], options, &hidden).map_err(made)
        };
        let mut drawn = Vec::new();
        let files = measured.iter().map(|pair| pair.files);
        for_pairs(files, max_memory, draw, |result| drawn.push(result), task).map_err(stopped)?;
        let mut pairs = Vec::new();
        for (mut pair, drawn) in measured.into_iter().zip(drawn) {
            match drawn {
                Ok(drawn) => {
                    pair.keep(drawn);
                    pairs.push(pair);
                }
                // The file has changed since.
                Err(error) => failures.push(failed(error)),
            }
        }
        measured = pairs;
    }

    // Rows with links are not shorter than those without. The notes of a pair are in the list of the page or
    // in its section.
    let mut rows: Vec<Row> = measured.iter().map(|pair| pair.row.clone()).collect();
    rows.iter_mut().for_each(|row| row.pair.reduction = Some(1));
    let without =
        FoldersPage { found, rows: &rows, failures: &failures, notes: &notes, sections: "", options };
    let notes_bytes = rows.iter().map(Row::notes_bytes).sum::<u64>();
    let needed = without.html().len() as u64 + notes_bytes + SPARE_BYTES;
    if needed > limit {
        return Err(HtmlReportError::TableSize { output: output.name(), needed, limit });
    }
    let mut left = limit - needed;
    let mut is_full = false;
    for pair in &mut measured {
        let (bytes, own) = (pair.bytes(), pair.row.notes_bytes());
        is_full |= pair.section.is_none() || bytes > left + own;
        if is_full {
            pair.keep(None);
        } else {
            left = left + own - bytes;
        }
    }
    // Small pairs have left space to larger ones.
    let mut is_full = false;
    for pair in &mut measured {
        let all = left + pair.bytes();
        let is_reduced = |section: &Section| section.factor > 1;
        if is_full || !pair.section.as_ref().is_some_and(is_reduced) {
            continue;
        }
        task.check().map_err(stopped)?;
        match read(pair.files, max_memory) {
            Ok(compared) => {
                let drawn = pair.drawn(compared, [all; 2], options, &hidden).map_err(made)?;
                is_full = drawn.is_none();
                if let Some(drawn) = drawn {
                    left = all - drawn.bytes();
                    pair.keep(Some(drawn));
                }
            }
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error.into()),
            // The pictures that were drawn remain if the file has changed since.
            Err(_) => {}
        }
    }
    let sections: String = measured
        .iter()
        .filter_map(|pair| pair.section.as_ref())
        .map(|section| section.html.as_str())
        .collect();
    let rows: Vec<Row> = measured.into_iter().map(|pair| pair.row).collect();
    let page =
        FoldersPage { found, rows: &rows, failures: &failures, notes: &notes, sections: &sections, options };
    let html = page.html();
    let needed = html.len() as u64;
    if needed > limit {
        return Err(HtmlReportError::TableSize { output: output.name(), needed, limit });
    }
    task.report(Stage::Writing, 0, needed);
    task.check().map_err(stopped)?;
    let file_bytes = write(&html, output, existing)?;
    task.report(Stage::Writing, needed, needed);
    let textures = rows.iter().map(|row| (&row.pair.texture, &row.verdict));
    let violations = verdict::failures(textures, &options.limits);
    let [a, b] = folders;
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
        failures: violations,
        notes,
    })
}

/// Calls `work` with the number of each pair and the bytes of memory that it may use, on several threads.
/// `done` receives the results in order.
fn for_pairs<'a, T: Send>(
    pairs: impl Iterator<Item = &'a FilePair>,
    max_memory: u64,
    work: impl Fn(usize, u64) -> OfPair<T> + Sync,
    done: impl FnMut(OfPair<T>) + Send,
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    let groups = pairs.enumerate().map(|(number, pair)| {
        let mut group = InputGroup::new(pair.inputs.to_vec());
        group.number = number;
        Ok(group)
    });
    let needs_more = |error: &TextureJobError| error.kind() == ErrorKind::Limit;
    let work = |job: &Job, max_memory: u64| work(job.number, max_memory);
    examine(groups.collect(), parallel::thread_count(task), max_memory, needs_more, work, done, task)
}

/// Removes the pictures of pairs that cannot be on the page, because worse pairs fill it, if all take twice
/// the page.
fn leave_out_surplus(results: &mut [OfPair<Measured<'_>>], limit: u64) {
    let mut pairs: Vec<_> = results.iter_mut().flatten().filter(|pair| pair.section.is_some()).collect();
    let mut total: u64 = pairs.iter().map(|pair| pair.bytes()).sum();
    if total <= limit.saturating_mul(2) {
        return;
    }
    pairs.sort_by(|a, b| a.badness().total_cmp(&b.badness()));
    for pair in pairs {
        total -= pair.bytes();
        if total < limit {
            break;
        }
        pair.keep(None);
    }
}

impl<'a> Measured<'a> {
    /// Keeps the figures of a pair; `section` is the number of its section.
    fn new(
        files: &'a FilePair,
        folders: &'a [String; 2],
        compared: &Compared,
        section: usize,
        task: &Task<'_>,
    ) -> Result<Self, ThumbnailError> {
        let entry = &compared.entries[0];
        let pair = HtmlReportPair {
            name: files.name.clone(),
            original: compared.original.clone(),
            texture: entry.report(),
            reduction: None,
            notes: compared.notes.clone(),
        };
        let texels = &compared.originals[entry.original].texels;
        let image = ImageView::new(&texels.texels, texels.width, texels.height)?;
        let thumbnail = thumbnail(&image, entry.kind, entry.channel_count, task)?;
        let (psnr, verdict) = (entry.sorting_psnr, entry.verdict.clone());
        let row = Row { section, pair, psnr, verdict, thumbnail };
        Ok(Self { files, folders, row, record: None, section: None })
    }

    /// Returns the number by which pairs are sorted, larger if the difference is worse.
    fn badness(&self) -> f64 {
        -self.row.psnr.decibels
    }

    /// Draws the pictures and keeps them.
    fn draw(
        &mut self,
        compared: Compared,
        space: [u64; 2],
        options: &HtmlReportOptions,
        task: &Task<'_>,
    ) -> Result<(), ImageWriteError> {
        let drawn = self.drawn(compared, space, options, task)?;
        self.keep(drawn);
        Ok(())
    }

    /// Keeps a section, or no pictures.
    fn keep(&mut self, section: Option<Section>) {
        self.row.pair.reduction = section.as_ref().map(|section| section.factor);
        self.section = section;
    }

    /// Returns the size of the section.
    fn bytes(&self) -> u64 {
        self.section.as_ref().map_or(0, Section::bytes)
    }

    /// Returns the section, whose pictures are reduced so that it has at most `share` bytes, or at most
    /// `left` with the smallest pictures. `None` if it has more, or if the pair's pictures would not be
    /// larger than those that it has.
    fn drawn(
        &self,
        mut compared: Compared,
        [share, left]: [u64; 2],
        options: &HtmlReportOptions,
        task: &Task<'_>,
    ) -> Result<Option<Section>, ImageWriteError> {
        compared.entries.iter_mut().for_each(|entry| entry.encoding.clone_from(&self.record));
        let prefix = format!("pair-{}-", self.row.section);
        let comparison = Comparison {
            compared: &compared,
            options: &options.compare,
            prefix: &prefix,
            heading: "h3",
            folder: &self.folders[1],
        };
        let html = |factor: u32| section(&self.row, &self.folders[0], &comparison, factor, task);
        let mut factors = factors_of(compared.longer_side());
        let current = self.row.pair.reduction;
        factors.retain(|&factor| current.is_none_or(|current| factor <= current));
        let Some(smallest) = factors.pop() else { return Ok(None) };
        let mut drawn = Section::new(html(smallest)?, smallest);
        if drawn.bytes() > left {
            return Ok(None);
        }
        let first = factors.iter().position(|&factor| drawn.expected(factor) <= share as f64);
        factors.truncate(first.map_or(factors.len(), |first| first + 1));
        // Pictures of most kinds need fewer bytes than expected, so that the next step may fit, too.
        for factor in factors.into_iter().rev() {
            let finer = Section::new(html(factor)?, factor);
            if finer.bytes() > share {
                break;
            }
            drawn = finer;
        }
        Ok((current != Some(drawn.factor)).then_some(drawn))
    }
}

impl Section {
    fn new(html: String, factor: u32) -> Self {
        Self { html, factor }
    }

    fn bytes(&self) -> u64 {
        self.html.len() as u64
    }

    /// Returns the number of bytes that are expected with larger pictures, whose bytes grow as their area.
    fn expected(&self, factor: u32) -> f64 {
        let data = self.html.split(";base64,").skip(1).map(|data| data.find('"').unwrap_or(data.len()));
        let pictures = data.sum::<usize>() as f64;
        // Beside a reduced picture is a part that is not; whole ones have none.
        let parts = if factor == 1 { 0.5 } else { 1.0 };
        let area = (f64::from(self.factor) / f64::from(factor)).powi(2);
        self.html.len() as f64 - pictures + pictures * area * parts
    }
}

/// Returns the factors by which pictures may be reduced, from 1 to that of the smallest pictures.
fn factors_of(longer_side: u32) -> Vec<u32> {
    let steps = (0..31).flat_map(|power| [2 << power, 3 << power]);
    let mut factors = vec![1];
    for factor in steps {
        if longer_side / factors[factors.len() - 1] < 2 * MIN_SIDE {
            break;
        }
        factors.push(factor);
    }
    factors
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_reduced_until_the_longer_side_is_short() {
        assert_eq!(factors_of(127), [1]);
        assert_eq!(factors_of(128), [1, 2]);
        assert_eq!(factors_of(1024), [1, 2, 3, 4, 6, 8, 12]);
        assert_eq!(factors_of(u32::MAX).last(), Some(&(1 << 25)));
    }

    /// A page of 24 pairs is not larger than 20 MB.
    #[test]
    fn the_default_limit_grows_with_the_pairs() {
        let limits = [0, 24, 1000].map(HtmlReportOptions::max_folders_page_bytes);
        assert_eq!(limits, [8 << 20, 18_874_368, 64 << 20]);
    }
}
