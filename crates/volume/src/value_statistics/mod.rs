//! Statistics of the values of a volume and of the values inside labels, from streams of voxels.
//!
//! | file | contents |
//! |---|---|
//! | `error.rs`, `result.rs` | errors; results |
//! | `source.rs`, `blocks.rs` | streams that are read several times, in blocks of pieces |
//! | `numbers.rs` | numbers of a piece as ordinals and values |
//! | `moments.rs` | count, mean and deviation, merged in a fixed order |
//! | `narrow.rs` | everything about integers of 8 and 16 bits, from the count of each |
//! | `labels.rs` | runs of equal labels; box, centre and moments of each label |
//! | `bins.rs` | bins of a histogram |
//! | `select.rs` | exact percentiles by radix selection |
//!
//! The first pass finds moments, extents and all that follows from the counts of narrow numbers. Percentiles
//! of wider numbers and of labels take one more pass for each 16 bits of a number. If a pass would count too
//! many values ([`select`]), groups are divided among more passes.
//!
//! Pieces have a fixed size and are merged in order: the numbers are the same with any number of threads.

mod bins;
mod blocks;
mod error;
mod labels;
mod moments;
mod narrow;
mod numbers;
mod result;
mod select;
mod source;
#[cfg(test)]
mod tests;

pub use error::StatisticsError;
pub use result::{FiniteStatistics, LabelStatistics, PartStatistics, ValueHistogram, ValueStatistics};
pub use source::VoxelSource;

use crate::{Header, Rescaling, ShapeError, Task, VoxelKind};
use bins::Bins;
use blocks::{Block, Blocks, Piece};
use brickwork_base::parallel;
use labels::{LabelTable, LocalLabels};
use moments::Moments;
use narrow::Counts;
use numbers::{Numbers, Scale};
use select::{Group, Selection};
use std::ops::Range;

/// Maximum number of percentiles.
const MAX_PERCENTILES: usize = 1 << 10;

/// Maximum number of bins.
const MAX_BINS: usize = 1 << 20;

/// Maximum number of labels of all frames and channels, times 16 plus the number of percentiles of each.
const MAX_LABEL_NUMBERS: usize = if cfg!(test) { 1 << 12 } else { 1 << 26 };

/// Settings of [`value_statistics`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueStatisticsOptions {
    /// Percentiles, 0 to 100, interpolated linearly between two values, as NumPy does by default. At most
    /// 1024. Default: 1, 5, 25, 50, 75, 95 and 99.
    pub percentiles: Vec<f64>,
    /// Number of bins of a histogram, at most 2²⁰. Default: `None`, no histogram.
    pub bins: Option<usize>,
    /// Range of the histogram. Default: `None`, which means from the minimum to the maximum.
    pub range: Option<[f64; 2]>,
    /// True for stored numbers. Default: false, which means physical values if the header states how to
    /// compute them.
    pub stored_values: bool,
    /// Frames. Default: `None`, all.
    pub frames: Option<Range<usize>>,
    /// A single channel. Default: `None`, all.
    pub channel: Option<usize>,
}

impl Default for ValueStatisticsOptions {
    fn default() -> Self {
        let percentiles = vec![1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0];
        let (bins, range, stored_values, frames, channel) = (None, None, false, None, None);
        Self { percentiles, bins, range, stored_values, frames, channel }
    }
}

impl ValueStatisticsOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Checks the options for a volume.
    ///
    /// # Errors
    /// [`StatisticsError`] if a percentile, the histogram, a frame or the channel does not exist.
    pub fn check(&self, header: &Header) -> Result<(), StatisticsError> {
        if let Some(&percent) = self.percentiles.iter().find(|percent| !(0.0..=100.0).contains(*percent)) {
            return Err(StatisticsError::Percentile(percent));
        }
        if self.percentiles.len() > MAX_PERCENTILES {
            return Err(StatisticsError::Percentiles(self.percentiles.len()));
        }
        if let Some(bins) = self.bins.filter(|bins| !(1..=MAX_BINS).contains(bins)) {
            return Err(StatisticsError::Bins(bins));
        }
        match self.range {
            Some([low, high]) if !(low < high && (high - low).is_finite()) => {
                return Err(StatisticsError::Range([low, high]));
            }
            Some(_) if self.bins.is_none() => return Err(StatisticsError::RangeWithoutBins),
            _ => {}
        }
        self.places(header)?;
        Ok(())
    }

    /// True if one pass over the voxels is enough, so that they may come from a pipe. `has_labels` is true if
    /// labels of another volume are measured.
    pub fn needs_one_pass(&self, header: &Header, has_labels: bool) -> bool {
        let rescaling = self.rescaling(header);
        let scale = |frame| Scale::of_frame(header, rescaling.as_ref(), frame);
        let frames = self.frames.clone().unwrap_or(0..header.frames);
        let has_wide =
            (frames.start..frames.end.min(header.frames)).any(|frame| !scale(frame).is_narrow(header));
        let has_percentiles = !self.percentiles.is_empty();
        let needs_extent = self.bins.is_some() && self.range.is_none();
        !(has_wide && (has_percentiles || needs_extent) || has_labels && has_percentiles)
    }

    /// Returns the frames and channels.
    fn places(&self, header: &Header) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        let (frames, channel) = (self.frames.clone(), self.channel);
        crate::Selection { mip_level: 0, frames, channel }.check(header)
    }

    fn rescaling(&self, header: &Header) -> Option<Rescaling> {
        if self.stored_values || header.kind == VoxelKind::Labels { None } else { header.rescaling() }
    }
}

/// Returns the statistics of each frame and channel, frame by frame. If `labels` is given, the values inside
/// each label are measured, too. A volume whose kind is labels has its own: their values are not measured
/// then. Label 0 is the background, and is left out.
///
/// Labels are stored numbers of any type without a fraction. Their volume has the same dims, one channel, and
/// as many frames, or one for all frames.
///
/// Numbers of 64 bits are rounded to f64, except where they are compared. Memory: up to 64 MiB for voxels,
/// 512 KiB for each channel and thread, 160 MiB for counts, and 460 bytes for each label; if there are
/// percentiles, 900 bytes, and 130 for each of them (measured with a million labels). Reports the bytes read,
/// in all passes.
///
/// # Errors
/// [`StatisticsError`] if the options or the labels do not fit the volume, or a stream cannot be read, or
/// cannot be read again (see [`ValueStatisticsOptions::needs_one_pass`]).
pub fn value_statistics<'a>(
    voxels: VoxelSource<'a>,
    labels: Option<VoxelSource<'a>>,
    options: &ValueStatisticsOptions,
    task: &Task<'_>,
) -> Result<Vec<PartStatistics>, StatisticsError> {
    let header = voxels.header().clone();
    options.check(&header)?;
    if let Some(labels) = &labels {
        labels.check_labels(&header)?;
    }
    let is_own = labels.is_none() && header.kind == VoxelKind::Labels;
    let (frames, channels) = options.places(&header)?;
    let mut blocks = Blocks::new(voxels, labels, frames.clone())?;
    let rescaling = options.rescaling(&header);
    let part = |(frame, channel)| Part {
        frame,
        channel,
        scale: Scale::of_frame(&header, rescaling.as_ref(), frame),
        counts: None,
        values: None,
        moments: Moments::default(),
        bins: options.bins.zip(options.range).and_then(|(bins, range)| Bins::new(bins, range)),
        labels: LabelTable::default(),
    };
    let places = frames.flat_map(|frame| channels.clone().map(move |channel| (frame, channel)));
    let parts = places.map(part).collect();
    let mut measure = Measure { header: &header, options, is_own, channels, parts, label_count: 0 };
    let has_more = !options.needs_one_pass(&header, blocks.has_labels());
    blocks.expect_passes(if has_more { 2 } else { 1 });
    blocks.pass(task, |block| measure.first(block, task))?;
    measure.finish_first();
    let mut selection = Selection::new(measure.groups());
    let mut binned = measure.open_bins();
    while binned || !selection.is_done() {
        blocks.expect_passes(selection.passes_left().max(usize::from(binned)));
        selection.start();
        blocks.pass(task, |block| measure.next(block, binned, &mut selection, task))?;
        selection.finish_pass();
        binned = false;
    }
    Ok(measure.finish(selection))
}

/// State of all frames and channels.
struct Measure<'a> {
    header: &'a Header,
    options: &'a ValueStatisticsOptions,
    /// True if the voxels are labels themselves.
    is_own: bool,
    channels: Range<usize>,
    parts: Vec<Part<'a>>,
    label_count: usize,
}

/// State of a frame and channel.
struct Part<'a> {
    frame: usize,
    channel: usize,
    scale: Scale<'a>,
    /// The counts of narrow numbers, until the frame ends.
    counts: Option<Counts>,
    values: Option<ValueStatistics>,
    moments: Moments,
    bins: Option<Bins>,
    labels: LabelTable,
}

impl Part<'_> {
    /// Prepares so many bins from the minimum to the maximum, unless there are some. Returns true if they are
    /// new.
    fn open_bins(&mut self, count: Option<usize>) -> bool {
        let extent = self.values.as_ref().and_then(ValueStatistics::extent);
        let is_new = self.bins.is_none();
        if is_new {
            self.bins = count.zip(extent).and_then(|(count, extent)| Bins::new(count, extent));
        }
        is_new && self.bins.is_some()
    }
}

impl Measure<'_> {
    /// Returns the place of the first part of a frame.
    fn place(&self, frame: usize) -> usize {
        (frame - self.parts[0].frame) * self.channels.len()
    }

    /// Measures a block in the first pass.
    fn first(&mut self, block: &Block<'_>, task: &Task<'_>) -> Result<(), StatisticsError> {
        let place = self.place(block.frame);
        for index in place..place + self.channels.len() {
            let part = &mut self.parts[index];
            let (channel, scale, is_own, bins) = (part.channel, &part.scale, self.is_own, part.bins.as_ref());
            let is_narrow = scale.is_narrow(self.header);
            let measure_labels = block.labels.is_some() || is_own;
            if is_narrow {
                let counts = part.counts.get_or_insert_with(|| Counts::new(self.header.voxel_type));
                counts.add(block, channel, task)?;
            }
            if !is_narrow || measure_labels {
                let found = parallel::try_map(task, block.pieces(), |piece| {
                    task.check()?;
                    let needs_numbers = !is_narrow || !is_own;
                    let numbers = needs_numbers.then(|| Numbers::of(block, &piece, channel, scale));
                    let all = numbers.as_ref().filter(|_| !is_narrow);
                    let labels = if measure_labels {
                        let labels = LocalLabels::of(block, &piece, is_own.then_some(channel))?;
                        Some(labels.measured(block, &piece, numbers.as_ref().filter(|_| !is_own)))
                    } else {
                        None
                    };
                    let binned = all.zip(bins).map(|(all, bins)| bins.count(&all.values));
                    Ok::<_, StatisticsError>((all.map(Numbers::moments), binned, labels))
                })?;
                for (moments, binned, labels) in found {
                    part.moments.merge(&moments.unwrap_or_default());
                    if let (Some(binned), Some(bins)) = (binned, &mut part.bins) {
                        bins.add(&binned);
                    }
                    if let Some(labels) = labels {
                        self.label_count += part.labels.merge(labels);
                    }
                }
                let percentiles = if is_own { 0 } else { self.options.percentiles.len() };
                let labels = MAX_LABEL_NUMBERS / (16 + percentiles);
                if self.label_count > labels {
                    return Err(StatisticsError::TooManyLabels { labels, percentiles });
                }
            }
            if block.ends_frame
                && let Some(counts) = part.counts.take()
            {
                let line = scale.line();
                part.values = Some(counts.statistics(line, &self.options.percentiles));
                part.open_bins(self.options.bins);
                if let Some(bins) = &mut part.bins {
                    counts.add_to(bins, line);
                }
            }
        }
        Ok(())
    }

    /// Takes the results of the first pass.
    fn finish_first(&mut self) {
        for part in &mut self.parts {
            part.labels.sort();
            if part.values.is_none() {
                part.values = Some(part.moments.statistics());
            }
        }
    }

    /// Returns the groups of values whose percentiles are unknown, part by part: of a wide part all values
    /// first, then each label.
    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        if self.options.percentiles.is_empty() {
            return groups;
        }
        for (index, part) in self.parts.iter().enumerate() {
            let keys = (part.scale.key_bits(self.header), part.scale.is_reversed());
            let percentiles = &self.options.percentiles;
            if !part.scale.is_narrow(self.header) {
                groups.extend(Group::new((index, None), part.moments.count, keys, percentiles));
            }
            if !self.is_own {
                let labels = part.labels.records().iter().enumerate();
                groups.extend(labels.filter_map(|(label, record)| {
                    Group::new((index, Some(label)), record.moments.count, keys, percentiles)
                }));
            }
        }
        groups
    }

    /// Prepares the bins of wide numbers, whose range is known after the first pass. Returns false if there
    /// are none.
    fn open_bins(&mut self) -> bool {
        let mut any = false;
        for part in &mut self.parts {
            any |= part.open_bins(self.options.bins);
        }
        any
    }

    /// Measures a block in a later pass.
    fn next(
        &mut self,
        block: &Block<'_>,
        binned: bool,
        selection: &mut Selection,
        task: &Task<'_>,
    ) -> Result<(), StatisticsError> {
        let place = self.place(block.frame);
        for index in place..place + self.channels.len() {
            let part = &mut self.parts[index];
            let is_narrow = part.scale.is_narrow(self.header);
            let bins = part.bins.as_ref().filter(|_| binned && !is_narrow);
            let units = selection.of_part(index);
            if units.is_empty() && bins.is_none() {
                continue;
            }
            let found = parallel::try_map(task, block.pieces(), |piece| {
                task.check()?;
                let numbers = Numbers::of(block, &piece, part.channel, &part.scale);
                let mut codes = Vec::new();
                units.add(None, &numbers, 0..piece.count, &mut codes);
                if units.has_labels() {
                    let labels = LocalLabels::of(block, &piece, None)?;
                    let places = labels.places(&part.labels);
                    for run in &labels.runs {
                        if let Some(label) = places[run.label as usize] {
                            let range = run.first..run.first + run.count;
                            units.add(Some(label), &numbers, range, &mut codes);
                        }
                    }
                }
                let binned = bins.map(|bins| bins.count(&numbers.values));
                Ok::<_, StatisticsError>((select::counted(codes), binned))
            })?;
            for (codes, counts) in found {
                selection.merge(codes);
                if let (Some(counts), Some(bins)) = (counts, &mut part.bins) {
                    bins.add(&counts);
                }
            }
        }
        Ok(())
    }

    fn finish(self, selection: Selection) -> Vec<PartStatistics> {
        let Self { header, is_own, mut parts, .. } = self;
        let mut labels: Vec<Vec<LabelStatistics>> = parts
            .iter()
            .map(|part| {
                part.labels.records().iter().map(|record| record.statistics(header, is_own)).collect()
            })
            .collect();
        for group in selection.into_groups() {
            let (part, label) = group.key;
            let scale = &parts[part].scale;
            let percentiles = group.percentiles(|key| scale.value(header.voxel_type, key));
            let values = match label {
                None => parts[part].values.as_mut(),
                Some(label) => labels[part][label].values.as_mut(),
            };
            if let Some(finite) = values.and_then(|values| values.finite.as_mut()) {
                finite.percentiles = percentiles;
            }
        }
        let finished = parts.drain(..).zip(labels).map(|(part, labels)| PartStatistics {
            frame: part.frame,
            channel: part.channel,
            values: part.values.unwrap_or_default(),
            histogram: part.bins.map(Bins::into_histogram),
            labels,
        });
        finished.collect()
    }
}

/// Returns the percentile of sorted values between the two at `below` and `below + 1`: NumPy's method
/// `linear`, in its order of operations.
fn interpolated([low, high]: [f64; 2], share: f64) -> f64 {
    let difference = high - low;
    let between = if share < 0.5 { low + difference * share } else { high - difference * (1.0 - share) };
    if low == high { low } else { between }
}

/// Returns the rank below a percentile of `count` sorted values, and the share of the next one.
fn rank(percent: f64, count: u64) -> (u64, f64) {
    let place = (count - 1) as f64 * (percent / 100.0);
    let below = (place.floor() as u64).min(count - 1);
    (below, place - below as f64)
}
