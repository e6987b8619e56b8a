//! What the bricks of a `.bwv` file are made of: the numbers of the paper's Table 2, and where the bits go.

use crate::{
    DecodeError, Dims, ReadAt, ReadError, Region, VolumeFile, VolumeView, Voxel,
    brick::{GROUP, decode::PADDING, inspect, level},
    file::GROUP_SIDE,
    histogram::{self, Histogram, Repeats},
    superblock::{self, BRICKS, Index},
    voxel::dispatch,
};
use std::{
    io,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Most bricks whose hashes are kept at once: 140 MB, as the map doubles its room at 3.67 million.
const MOST_BRICKS: usize = 3_500_000;

/// How many bricks, values and bytes of a file are of which kind.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Bricks that hold voxels of the volume.
    pub bricks: u64,
    /// Bricks of one value, which take no bytes of their own.
    pub constant: u64,
    /// Other bricks whose voxels are those of an earlier one; what lies past the volume's edge repeats the edge. The format
    /// stores them again.
    pub duplicate: u64,
    /// Whether `duplicate` was counted, not estimated from a sample: up to 3,500,000 different bricks are told apart.
    pub duplicate_is_exact: bool,
    /// Bricks by predictor (docs/volume-format.md, 5.5); constant ones are in none.
    pub predictors: [u64; 16],
    /// Bricks whose values are ranks in a palette of their own.
    pub palette: u64,
    /// Bricks of 2²⁴ values and more, whose predictions wrap around.
    pub wide: u64,
    /// Groups of eight values by how they are coded, in bricks that are not constant.
    pub eights: Eights,
    /// Order-0 entropy of the voxels in bits, the paper's "entropy". None where more than 1,048,576 different values of 65,536
    /// and more occur.
    pub value_entropy: Option<f64>,
    /// Order-0 entropy in bits of what is left after prediction: the codes of all bricks, with zeros for the constant ones, and
    /// with the first value of each, less the minimum, in place of its code. None as above.
    pub residual_entropy: Option<f64>,
    /// Bytes of bricks: the paper's size without offsets, minima and maxima.
    pub brick_bytes: u64,
    /// Bytes of the groups beside these: minima, ranges and lengths of bricks, lengths of superblocks.
    pub superblock_bytes: u64,
    /// Bytes of header, rank tables, index and footer.
    pub other_bytes: u64,
}

/// How groups of eight values are coded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eights {
    /// Level 0: all codes are zero and take no bits.
    pub zero: u64,
    /// Rice codes (t = 0).
    pub rice: u64,
    /// Rice codes half a step on (t = 1).
    pub half: u64,
}

impl Statistics {
    /// Reads the whole `.bwv` file `source`. `progress` is called with the groups done and the groups in all, from several
    /// threads. Memory: for each thread a group, the file's index, and two counts of values of 40 MB at most, of voxels of 32
    /// bits; 140 MB at most for telling bricks apart.
    ///
    /// # Errors
    /// [`ReadError`] if the file is damaged, or from `source`.
    pub fn of<S: ReadAt>(source: &S, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Self, ReadError> {
        let file = VolumeFile::new(source)?;
        let group_count = file.counts().0;
        let (next, repeats) = (AtomicUsize::new(0), Mutex::new(Repeats::new(MOST_BRICKS)));
        // Each worker takes the next group that nobody has.
        let work = || {
            let kept = Kept { source, last: Mutex::default() };
            let mut worker = Worker { kept: &kept, file: VolumeFile::new(&kept)?, tally: Tally::new() };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= group_count {
                    return Ok(worker.tally);
                }
                let voxel_type = worker.file.header().voxel_type;
                dispatch!(voxel_type, T => worker.group::<T>(number, &repeats)).inspect_err(|_| {
                    // The others need not go on.
                    next.store(group_count, Ordering::Relaxed);
                })?;
                progress(number as u64 + 1, group_count as u64);
            }
        };
        #[cfg(feature = "rayon")]
        let tallies: Result<Vec<Tally>, ReadError> = {
            use rayon::prelude::*;
            let workers = rayon::current_num_threads().min(group_count);
            (0..workers).into_par_iter().with_max_len(1).map(|_| work()).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let tallies = work().map(|tally| vec![tally]);

        let mut all = Tally::new();
        tallies?.into_iter().for_each(|tally| all.merge(tally));
        let mut statistics = all.counts;
        statistics.value_entropy = all.values.entropy();
        statistics.residual_entropy = all.residuals.entropy();
        let repeats = repeats.into_inner().unwrap_or_else(PoisonError::into_inner);
        (statistics.duplicate, statistics.duplicate_is_exact) = repeats.finish();
        statistics.superblock_bytes = file.group_bytes() - statistics.brick_bytes;
        statistics.other_bytes = file.file_bytes() - file.group_bytes();
        Ok(statistics)
    }
}

/// What one thread has counted.
struct Tally {
    counts: Statistics,
    values: Histogram,
    residuals: Histogram,
}

impl Tally {
    fn new() -> Self {
        Self { counts: Statistics::default(), values: Histogram::new(), residuals: Histogram::new() }
    }

    fn merge(&mut self, other: Self) {
        let (counts, more) = (&mut self.counts, other.counts);
        counts.bricks += more.bricks;
        counts.constant += more.constant;
        for (count, more) in counts.predictors.iter_mut().zip(more.predictors) {
            *count += more;
        }
        counts.palette += more.palette;
        counts.wide += more.wide;
        counts.eights.zero += more.eights.zero;
        counts.eights.rice += more.eights.rice;
        counts.eights.half += more.eights.half;
        counts.brick_bytes += more.brick_bytes;
        self.values.merge(other.values);
        self.residuals.merge(other.residuals);
    }
}

/// A source that keeps what was read last, and from where: after a region of one group was read and verified, the group's
/// bytes.
struct Kept<'a, S> {
    source: &'a S,
    last: Mutex<(u64, Vec<u8>)>,
}

impl<S: ReadAt> ReadAt for Kept<'_, S> {
    fn byte_count(&self) -> io::Result<u64> {
        self.source.byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.source.read_exact_at(buffer, offset)?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.0 = offset;
        last.1.clear();
        last.1.extend_from_slice(buffer);
        Ok(())
    }
}

/// What one thread works with.
struct Worker<'a, S> {
    kept: &'a Kept<'a, S>,
    file: VolumeFile<&'a Kept<'a, S>>,
    tally: Tally,
}

impl<S: ReadAt> Worker<'_, S> {
    /// Counts what group `number` holds.
    fn group<T: Voxel>(&mut self, number: usize, repeats: &Mutex<Repeats>) -> Result<(), ReadError> {
        let region = self.region(number);
        let voxels = self.file.read::<T>(&region)?;
        let view = VolumeView::new(&voxels, region.dims())?;
        let ordinals: Vec<u32> = voxels.iter().map(|voxel| voxel.to_ordinal()).collect();
        self.tally.values.add(&ordinals);
        let (offset, mut bytes) = {
            let mut last = self.kept.last.lock().unwrap_or_else(PoisonError::into_inner);
            (last.0, std::mem::take(&mut last.1))
        };
        let end = bytes.len();
        bytes.resize(end + PADDING, 0);
        let mut hashes = Vec::new();
        // It was decoded just now, so nothing can be wrong with it.
        self.superblocks(view, &bytes, end, &mut hashes)
            .ok_or_else(|| DecodeError::Structure { part: format!("group {number}"), offset })?;
        let mut repeats = repeats.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.into_iter().for_each(|hash| repeats.add(hash));
        Ok(())
    }

    /// The voxels of a group.
    fn region(&self, number: usize) -> Region {
        let (dims, side) = (self.file.dims(), self.file.slab_depth());
        let groups = dims.covered_by(side);
        let part = |i: usize, whole: usize| i * side..whole.min((i + 1) * side);
        Region {
            x: part(number % groups.x, dims.x),
            y: part(number / groups.x % groups.y, dims.y),
            z: part(number / groups.x / groups.y, dims.z),
        }
    }

    /// Counts what the superblocks of a group of the voxels `view` hold, whose bytes end at `end` (docs/volume-format.md, 3).
    fn superblocks<T: Voxel>(
        &mut self,
        view: VolumeView<T>,
        bytes: &[u8],
        end: usize,
        hashes: &mut Vec<u128>,
    ) -> Option<()> {
        let side = self.file.header().brick.side() * superblock::SIDE;
        let corners = corners(view.dims(), GROUP_SIDE, side, (0, 0, 0));
        let mut start = 4 * (corners.len() - 1);
        for (i, &(_, corner)) in corners.iter().enumerate() {
            let end = match bytes.get(4 * i..4 * i + 4) {
                Some(length) if i + 1 < corners.len() => {
                    start.checked_add(u32::from_le_bytes(length.try_into().ok()?) as usize)?
                }
                _ => end,
            };
            let index = Index::read(bytes, start, end)?;
            self.bricks(view, corner, bytes, &index, hashes)?;
            start = end;
        }
        Some(())
    }

    /// Counts what the bricks of the superblock at `corner` hold.
    fn bricks<T: Voxel>(
        &mut self,
        view: VolumeView<T>,
        corner: (usize, usize, usize),
        bytes: &[u8],
        index: &Index,
        hashes: &mut Vec<u128>,
    ) -> Option<()> {
        let side = self.file.header().brick.side();
        let (mut values, mut codes) = ([0; 512], [0; 512]);
        let (values, codes) = (&mut values[..side.pow(3)], &mut codes[..side.pow(3)]);
        let counts = &mut self.tally.counts;
        counts.brick_bytes += u64::from(index.starts[BRICKS] - index.starts[0]);
        for (i, corner) in corners(view.dims(), superblock::SIDE, side, corner) {
            counts.bricks += 1;
            if index.ranges[i] == 0 {
                counts.constant += 1;
                codes.fill(0);
            } else {
                index.brick(bytes, i, side, values)?;
                let start = index.starts[i] as usize;
                let found = inspect::brick(bytes, start, index.ranges[i], side, values, codes);
                counts.predictors[found.predictor] += 1;
                counts.palette += u64::from(found.has_palette);
                counts.wide += u64::from(found.is_wide);
                for &level in &found.levels[..values.len() / GROUP] {
                    match level {
                        0 => counts.eights.zero += 1,
                        level if level::split(level).1 == 0 => counts.eights.rice += 1,
                        _ => counts.eights.half += 1,
                    }
                }
                view.cube(side, corner, values);
                hashes.push(histogram::hash(values));
            }
            self.tally.residuals.add(codes);
        }
        Some(())
    }
}

/// Of `count`³ cubes of `side` voxels from `first` on, those that lie in `dims`: number and corner.
fn corners(
    dims: Dims,
    count: usize,
    side: usize,
    first: (usize, usize, usize),
) -> Vec<(usize, (usize, usize, usize))> {
    let place = |i: usize| {
        let (x, y, z) = (i % count, i / count % count, i / count / count);
        (first.0 + side * x, first.1 + side * y, first.2 + side * z)
    };
    let all = (0..count.pow(3)).map(|i| (i, place(i)));
    all.filter(|&(_, (x, y, z))| x < dims.x && y < dims.y && z < dims.z).collect()
}

#[cfg(test)]
mod tests;
