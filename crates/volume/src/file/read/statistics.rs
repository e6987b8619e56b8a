//! Statistics of the bricks of a `.bwv` file: the numbers of the paper's Table 2, and the use of the bits.

use super::{
    chunk::{Chunk, ChunkCoding, SuperblockPlace},
    contents::{Body, BrickBody},
    open_file::{ChunkPart, OpenFile},
    reader::VolumeFile,
    source::ReadAt,
};
use crate::{
    Stage, Task, VolumeReadError,
    brick::{BrickBox, GROUP, MAX_VOXELS, inspect, rice_level},
    file::{
        header::Header,
        layout::ChunkGrid,
        table::{MAX_VALUES, Table},
    },
    histogram::{self, Histogram, Repeats},
    steps::Steps,
    superblock::{BRICKS, SuperblockIndex},
};
use brickwork_base::parallel;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// Maximum number of bricks whose hashes are kept at once: 140 MB, because the map doubles its capacity at
/// 3.67 million.
const MAX_BRICKS: usize = 3_500_000;

/// Counts of a file's bricks, values and bytes by kind. Each channel, and each half
/// of 64-bit numbers, has its own bricks. A value is an element of such a brick.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Bricks that hold voxels of the volume.
    pub bricks: u64,
    /// Bricks of one value, which take no bytes.
    pub constant: u64,
    /// Other bricks with the same voxels as an earlier one of the same shape.
    pub duplicate: u64,
    /// True if `duplicate` was counted, not estimated from a sample. Up to 3,500,000 different bricks are
    /// counted.
    pub duplicate_is_exact: bool,
    /// Bricks that are stored as references to a pattern table.
    pub reference: u64,
    /// Number of bricks in chunks of raw values, because coding them would not save a byte.
    pub raw: u64,
    /// Bricks by predictor (docs/volume-format.md, 5.5); constant and raw ones are in none.
    pub predictors: [u64; 16],
    /// Bricks whose values are places in their own dictionary.
    pub dictionary: u64,
    /// Bricks of 2²⁴ values and more, whose predictions wrap around.
    pub wide: u64,
    /// Label bricks (docs/volume-format.md, 5.6).
    pub label: u64,
    /// Groups of eight values by how they are coded, in bricks that are neither constant nor label bricks.
    pub groups: GroupStatistics,
    /// Order-0 entropy of the voxels in bits, the paper's "entropy". None where more than 1,048,576 different
    /// values of 65,536 and more occur.
    pub value_entropy: Option<f64>,
    /// Order-0 entropy in bits of the residuals: the codes of all bricks, with zeros for the constant ones.
    /// The first value of each brick, minus the minimum, replaces its code. `None` in the same cases as
    /// above.
    pub residual_entropy: Option<f64>,
    /// Bytes of bricks: the paper's size without offsets, minima and maxima.
    pub brick_bytes: u64,
    /// Size in bytes of the rest of the chunks: minima, ranges and lengths of bricks, lengths of superblocks.
    pub superblock_bytes: u64,
    /// Bytes of header, tables, smaller mip levels, index and footer.
    pub other_bytes: u64,
}

/// Counts of groups of eight values by coding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupStatistics {
    /// Rice level 0: all codes are zero and take no bits.
    pub zero: u64,
    /// Rice codes (t = 0).
    pub rice: u64,
    /// Rice codes half a step on (t = 1).
    pub half: u64,
}

impl Statistics {
    /// Reads the whole volume of `file`, without its smaller mip levels. Reports the chunks counted. Memory:
    /// for each thread, a chunk and, for 32-bit values, two counts of values of at most 40 MB; and at most
    /// 140 MB for finding equal bricks.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the file is damaged or of another profile than
    /// [`Profile::Bricks`](crate::Profile::Bricks), or from its source.
    pub fn of<S: ReadAt>(file: &VolumeFile<S>, task: &Task<'_>) -> Result<Self, VolumeReadError> {
        let mut statistics = Self::of_open(file.as_open(), task)?;
        statistics.other_bytes = file.file_bytes() - statistics.brick_bytes - statistics.superblock_bytes;
        Ok(statistics)
    }

    /// Works like [`of`](Self::of), without the other bytes.
    fn of_open(file: OpenFile, task: &Task<'_>) -> Result<Self, VolumeReadError> {
        let Body::Bricks(body) = file.body else { return Err(VolumeReadError::Profile) };
        let chunks = &body.index.mip_levels[0].chunks;
        let chunk_bytes: u64 = chunks.iter().map(|chunk| u64::from(chunk.part.byte_count)).sum();
        let grid = ChunkGrid::new(file.header, 0);
        let (next, repeats) = (AtomicUsize::new(0), Mutex::new(Repeats::new(MAX_BRICKS)));
        let steps = Steps::new(task, Stage::Analyzing, chunks.len() as u64);
        // Each worker takes the next chunk that no other has taken.
        let work = || -> Result<Tally, VolumeReadError> {
            let mut tally = Tally::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= chunks.len() {
                    return Ok(tally);
                }
                steps.check()?;
                tally.chunk(file, body, body.chunk_of(grid, 0, number), &repeats).inspect_err(|_| {
                    // The others can stop.
                    next.store(chunks.len(), Ordering::Relaxed);
                })?;
                steps.add(1);
            }
        };
        let tallies = parallel::try_each_thread(task, chunks.len(), work)?;

        let mut all = Tally::new();
        tallies.into_iter().for_each(|tally| all.merge(tally));
        let mut statistics = all.counts;
        statistics.value_entropy = all.values.entropy();
        statistics.residual_entropy = all.residuals.entropy();
        let repeats = repeats.into_inner().unwrap_or_else(PoisonError::into_inner);
        (statistics.duplicate, statistics.duplicate_is_exact) = repeats.finish();
        statistics.superblock_bytes = chunk_bytes - statistics.brick_bytes;
        Ok(statistics)
    }
}

/// Per-thread counts.
struct Tally {
    counts: Statistics,
    values: Histogram,
    residuals: Histogram,
}

impl Tally {
    fn new() -> Self {
        Self { counts: Statistics::default(), values: Histogram::default(), residuals: Histogram::default() }
    }

    fn merge(&mut self, other: Self) {
        let (counts, more) = (&mut self.counts, other.counts);
        counts.bricks += more.bricks;
        counts.constant += more.constant;
        counts.raw += more.raw;
        counts.reference += more.reference;
        for (count, more) in counts.predictors.iter_mut().zip(more.predictors) {
            *count += more;
        }
        counts.dictionary += more.dictionary;
        counts.wide += more.wide;
        counts.label += more.label;
        counts.groups.zero += more.groups.zero;
        counts.groups.rice += more.groups.rice;
        counts.groups.half += more.groups.half;
        counts.brick_bytes += more.brick_bytes;
        self.values.merge(other.values);
        self.residuals.merge(other.residuals);
    }

    /// Counts the contents of a chunk.
    fn chunk(
        &mut self,
        file: OpenFile,
        body: &BrickBody,
        part: ChunkPart,
        repeats: &Mutex<Repeats>,
    ) -> Result<(), VolumeReadError> {
        let lookup = file.table(body, part)?.and_then(Table::lookup);
        let chunk = file.chunk(body, part)?;
        let mut hashes = Vec::new();
        let counted = self.superblocks(file.header, chunk, lookup, &mut hashes);
        counted.ok_or_else(|| part.broken())?;
        let mut repeats = repeats.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.into_iter().for_each(|hash| repeats.add(hash));
        Ok(())
    }

    /// Counts the contents of a chunk's superblocks.
    fn superblocks(
        &mut self,
        header: &Header,
        chunk: Chunk,
        lookup: Option<&[u32; MAX_VALUES]>,
        hashes: &mut Vec<u128>,
    ) -> Option<()> {
        let (mut values, mut codes) = ([0; MAX_VOXELS], [0; MAX_VOXELS]);
        let values = &mut values[..header.brick.voxel_count()];
        let ChunkCoding::Superblocks(superblocks) = &chunk.coding else {
            for (corner, part) in chunk.plain_bricks() {
                let codes = &mut codes[..part.count()];
                let (min, range) = chunk.plain_brick(corner, part, values);
                if range == 0 {
                    self.counts.constant += 1;
                } else {
                    self.counts.raw += 1;
                    self.counts.brick_bytes += (part.count() * header.value_bytes()) as u64;
                }
                pick(part, values, codes);
                self.residuals.add(codes);
                self.brick(part, min, range, lookup, codes, hashes);
            }
            return Some(());
        };
        let bytes = &chunk.bytes;
        for &SuperblockPlace { part, start, end, .. } in superblocks {
            let mut index = SuperblockIndex::ZEROS;
            index.read(bytes, start, end, part, chunk.patterns.as_ref())?;
            self.counts.brick_bytes += u64::from(index.brick_bytes);
            for i in 0..BRICKS {
                let Some(part) = part.brick(i) else { continue };
                let codes = &mut codes[..part.count()];
                index.brick(bytes, i, part, values)?;
                if index.ranges[i] == 0 {
                    self.counts.constant += 1;
                    codes.fill(0);
                } else {
                    let start = index.starts[i] as usize;
                    let found = inspect::brick(bytes, start, index.ranges[i], part, values, codes)?;
                    self.count(&found, codes.len().div_ceil(GROUP));
                    self.counts.reference += u64::from(index.is_reference(i, end));
                }
                self.residuals.add(codes);
                pick(part, values, codes);
                self.brick(part, index.minima[i], index.ranges[i], lookup, codes, hashes);
            }
        }
        Some(())
    }

    /// Counts a brick. `values` are its values inside, without their minimum; they are overwritten.
    fn brick(
        &mut self,
        part: BrickBox,
        min: u32,
        range: u32,
        lookup: Option<&[u32; MAX_VALUES]>,
        values: &mut [u32],
        hashes: &mut Vec<u128>,
    ) {
        self.counts.bricks += 1;
        for value in values.iter_mut() {
            let rank = min.wrapping_add(*value);
            *value = lookup.map_or(rank, |lookup| lookup[usize::from(rank as u16)]);
        }
        self.values.add(values);
        if range > 0 {
            hashes.push(histogram::hash(part.inside(), values));
        }
    }

    fn count(&mut self, found: &inspect::Inspected, group_count: usize) {
        let counts = &mut self.counts;
        counts.predictors[found.predictor] += 1;
        counts.dictionary += u64::from(found.has_dictionary);
        counts.wide += u64::from(found.is_wide);
        if found.is_label_brick {
            counts.label += 1;
            return;
        }
        for &rice_level in &found.rice_levels[..group_count] {
            match rice_level {
                0 => counts.groups.zero += 1,
                level if rice_level::split(level).1 == 0 => counts.groups.rice += 1,
                _ => counts.groups.half += 1,
            }
        }
    }
}

/// Copies the values inside the volume to `inside`.
fn pick(part: BrickBox, values: &[u32], inside: &mut [u32]) {
    for (inside, place) in inside.iter_mut().zip(part.places(false)) {
        *inside = values[usize::from(place)];
    }
}

#[cfg(test)]
mod tests;
