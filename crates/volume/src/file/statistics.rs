//! What the bricks of a `.bwv` file are made of: the numbers of the paper's Table 2, and where the bits go.

use super::{
    ReadAt, VolumeFile,
    group::Group,
    index::groups,
    reader::{Body, broken},
    table::Table,
};
use crate::{
    Dims, ReadError,
    brick::{GROUP, inspect, level},
    histogram::{self, Histogram, Repeats},
    superblock::{self, BRICKS, Index},
};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// Most bricks whose hashes are kept at once: 140 MB, as the map doubles its room at 3.67 million.
const MOST_BRICKS: usize = 3_500_000;

/// How many bricks, values and bytes of a file are of which kind. Channels have bricks of their own, of numbers of 64 bits each
/// half has; values are what such bricks hold.
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
    /// Bytes of header, rank tables, smaller levels, index and footer.
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
    /// Reads the whole volume of `file`, without its smaller levels. `progress` is called with the groups done and the groups in
    /// all, from several threads. Memory: for each thread a group and two counts of values of 40 MB at most, of values of 32
    /// bits; 140 MB at most for telling bricks apart.
    ///
    /// # Errors
    /// [`ReadError`] if the file is damaged or of another profile than [`Profile::Bricks`](crate::Profile::Bricks), or from its
    /// source.
    pub fn of<S: ReadAt>(
        file: &VolumeFile<S>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Self, ReadError> {
        let Body::Bricks { index, .. } = &file.body else { return Err(ReadError::Profile) };
        let group_count = index.levels[0].groups.len();
        let group_bytes: u64 = index.levels[0].groups.iter().map(|group| u64::from(group.byte_count)).sum();
        let (next, repeats) = (AtomicUsize::new(0), Mutex::new(Repeats::new(MOST_BRICKS)));
        // Each worker takes the next group that nobody has.
        let work = || -> Result<Tally, ReadError> {
            let mut tally = Tally::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= group_count {
                    return Ok(tally);
                }
                tally.group(file, number, &repeats).inspect_err(|_| {
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
        statistics.superblock_bytes = group_bytes - statistics.brick_bytes;
        statistics.other_bytes = file.file_bytes() - group_bytes;
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

    /// Counts what group `number` holds.
    fn group<S: ReadAt>(
        &mut self,
        file: &VolumeFile<S>,
        number: usize,
        repeats: &Mutex<Repeats>,
    ) -> Result<(), ReadError> {
        let (group, lookup) = file.volume_group(number)?;
        let mut hashes = Vec::new();
        let header = file.header();
        let counted = self.superblocks(header.dims, header.brick.side(), group, lookup, &mut hashes);
        counted.ok_or_else(|| file.broken_group(number))?;
        let mut repeats = repeats.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.into_iter().for_each(|hash| repeats.add(hash));
        Ok(())
    }

    /// Counts what the superblocks of a group hold.
    fn superblocks(
        &mut self,
        dims: Dims,
        side: usize,
        group: Group,
        lookup: Option<&[u32; 1 << 16]>,
        hashes: &mut Vec<u128>,
    ) -> Option<()> {
        let (bytes, superblocks) = group.into_parts();
        let (mut values, mut codes) = ([0; 512], [0; 512]);
        let (values, codes) = (&mut values[..side.pow(3)], &mut codes[..side.pow(3)]);
        for (corner, start, end) in superblocks {
            let index = Index::read(&bytes, start, end)?;
            self.counts.brick_bytes += u64::from(index.starts[BRICKS] - index.starts[0]);
            for (i, corner) in corners(dims, superblock::SIDE, side, corner) {
                self.counts.bricks += 1;
                index.brick(&bytes, i, side, values)?;
                if index.ranges[i] == 0 {
                    self.counts.constant += 1;
                    codes.fill(0);
                } else {
                    let start = index.starts[i] as usize;
                    let found = inspect::brick(&bytes, start, index.ranges[i], side, values, codes);
                    self.count(&found, values.len() / GROUP);
                }
                self.residuals.add(codes);
                for value in values.iter_mut() {
                    let rank = index.minima[i].wrapping_add(*value);
                    *value = lookup.map_or(rank, |lookup| lookup[usize::from(rank as u16)]);
                }
                if index.ranges[i] > 0 {
                    hashes.push(histogram::hash(values));
                }
                for (place, &value) in values.iter().enumerate() {
                    let (x, y, z) = (place % side, place / side % side, place / side / side);
                    if corner.0 + x < dims.x && corner.1 + y < dims.y && corner.2 + z < dims.z {
                        self.values.add(&[value]);
                    }
                }
            }
        }
        Some(())
    }

    fn count(&mut self, found: &inspect::Inspected, eights: usize) {
        let counts = &mut self.counts;
        counts.predictors[found.predictor] += 1;
        counts.palette += u64::from(found.has_palette);
        counts.wide += u64::from(found.is_wide);
        for &level in &found.levels[..eights] {
            match level {
                0 => counts.eights.zero += 1,
                level if level::split(level).1 == 0 => counts.eights.rice += 1,
                _ => counts.eights.half += 1,
            }
        }
    }
}

impl<S: ReadAt> VolumeFile<S> {
    /// A group of the volume itself, verified, and the ordinals of its ranks.
    fn volume_group(&self, number: usize) -> Result<(Group, Option<&[u32; 1 << 16]>), ReadError> {
        let Body::Bricks { index, .. } = &self.body else { return Err(ReadError::Profile) };
        let groups = groups(&self.header, 0);
        let (x, y) = (number % groups.x, number / groups.x % groups.y);
        let layer = number / groups.x / groups.y;
        let components = self.header.component_count();
        let (component, slab) = (layer % components, layer / components);
        let lookup = self.table(0, slab, component)?.and_then(Table::lookup);
        let group = self.group(0, number, index.levels[0].groups[number], (x, y, slab % groups.z))?;
        Ok((group, lookup))
    }

    fn broken_group(&self, number: usize) -> ReadError {
        match &self.body {
            Body::Bricks { index, .. } => broken(0, number, index.levels[0].groups[number]),
            Body::Guthe2016(_) => ReadError::Profile,
        }
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
