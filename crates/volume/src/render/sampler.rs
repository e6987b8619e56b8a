//! A thread's cached bricks: decoded ones, and the cells that samples are taken from.
//!
//! A cell is copied once from up to eight bricks, 5×5×5 values, so that all eight corners of each of its
//! samples are side by side. Decoded bricks and cells are kept in tables with one position for each.

use super::{
    bricks::{DisplayBricks, brick_dims},
    sample::{place, trilinear},
    space::CELL_BITS,
};
use std::ops::AddAssign;

/// Bits of the number of cells kept: 2 MiB per thread; fewer are slower where a ray meets many.
const CELL_SLOTS_LOG2: u32 = 12;

/// Bits of the number of decoded bricks kept: 256 KiB per thread.
const BRICK_SLOTS_LOG2: u32 = 11;

/// The cost of a rendering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderStatistics {
    /// Samples taken: of labels voxels, of shading six per sample that shows.
    pub samples: u64,
    /// Samples whose cell, or brick of labels, was not among those kept.
    pub misses: u64,
    /// Bricks looked up when cells were cut, except for those of one value.
    pub brick_lookups: u64,
    /// Number of bricks that were read, and decoded if they were compressed, because they were not in the
    /// cache.
    pub brick_reads: u64,
    /// Bricks of the volume.
    pub bricks: u64,
}

impl RenderStatistics {
    /// Returns the share of samples whose voxels were in the cache.
    pub fn hit_rate(&self) -> f64 {
        1.0 - self.misses as f64 / self.samples.max(1) as f64
    }

    /// Returns the share of voxels, eight per sample, that were in cached bricks: the hit rate of Guthe &
    /// Goesele 2016, for kernels, which sample bricks themselves.
    pub fn voxel_hit_rate(&self) -> f64 {
        1.0 - self.brick_reads as f64 / (8 * self.samples).max(1) as f64
    }

    /// Returns the number of times that the volume was decoded: bricks read divided by bricks of the volume.
    pub fn volumes_decoded(&self) -> f64 {
        self.brick_reads as f64 / self.bricks.max(1) as f64
    }
}

impl AddAssign for RenderStatistics {
    /// Adds the statistics of another rendering, or of another thread for the same volume.
    fn add_assign(&mut self, other: Self) {
        self.samples += other.samples;
        self.misses += other.misses;
        self.brick_lookups += other.brick_lookups;
        self.brick_reads += other.brick_reads;
        self.bricks = self.bricks.max(other.bricks);
    }
}

/// Values of a cell: 5×5×5, x fastest.
type Cell = [u16; 125];

/// Key of no cell and no brick.
const NONE: u64 = u64::MAX;

pub struct Sampler<'a> {
    bricks: &'a dyn DisplayBricks,
    /// Bricks along each axis.
    sides: [u32; 3],
    /// The place of the last voxel.
    last: [i32; 3],
    cells: Vec<Cell>,
    cell_keys: Vec<u64>,
    /// The cell of the last sample, and where it is kept.
    key: u64,
    slot: usize,
    decoded: Vec<[u16; 64]>,
    brick_keys: Vec<u64>,
    pub statistics: RenderStatistics,
}

/// Returns a brick or cell as one number.
#[inline(always)]
fn key([x, y, z]: [u32; 3]) -> u64 {
    u64::from(x) | u64::from(y) << 16 | u64::from(z) << 32
}

/// Returns the position of a key in a table.
#[inline(always)]
fn slot(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

impl<'a> Sampler<'a> {
    pub fn new(bricks: &'a dyn DisplayBricks) -> Self {
        let dims = bricks.dims();
        let sides = brick_dims(dims);
        let brick_count = (sides.x * sides.y * sides.z) as u64;
        Self {
            bricks,
            sides: [sides.x, sides.y, sides.z].map(|side| side as u32),
            last: [dims.x, dims.y, dims.z].map(|side| ((side - 1) << 16) as i32),
            cells: vec![[0; 125]; 1 << CELL_SLOTS_LOG2],
            cell_keys: vec![NONE; 1 << CELL_SLOTS_LOG2],
            key: NONE,
            slot: 0,
            decoded: vec![[0; 64]; 1 << BRICK_SLOTS_LOG2],
            brick_keys: vec![NONE; 1 << BRICK_SLOTS_LOG2],
            statistics: RenderStatistics { bricks: brick_count, ..RenderStatistics::default() },
        }
    }

    /// Returns the place of the volume's last voxel.
    pub const fn last(&self) -> [i32; 3] {
        self.last
    }

    /// Returns the sample at a position.
    #[inline(always)]
    pub fn sample(&mut self, position: [i32; 3]) -> u32 {
        self.sample_at(place(position, self.last))
    }

    /// Returns the sample at a place between voxels' centres.
    #[inline(always)]
    pub fn sample_at(&mut self, place: [u32; 3]) -> u32 {
        let key = key(place.map(|place| place >> CELL_BITS));
        if key != self.key {
            self.enter(key);
        }
        self.statistics.samples += 1;
        let [x, y, z] = place.map(|place| (place >> 16 & 3) as usize);
        let at = x + 5 * y + 25 * z;
        // With the length known and `at` at most 93, no index is checked.
        let cell = &self.cells[self.slot];
        let corners = [
            cell[at],
            cell[at + 1],
            cell[at + 5],
            cell[at + 6],
            cell[at + 25],
            cell[at + 26],
            cell[at + 30],
            cell[at + 31],
        ];
        trilinear(corners, place)
    }

    /// Returns the change of samples along each axis: the difference between those one voxel after and one
    /// voxel before.
    #[inline]
    pub fn gradient(&mut self, position: [i32; 3]) -> [i32; 3] {
        std::array::from_fn(|axis| {
            let mut sample = |by: i32| {
                let mut moved = position;
                moved[axis] += by << 16;
                self.sample(moved) as i32
            };
            sample(1) - sample(-1)
        })
    }

    /// Returns the voxel at a place without interpolation.
    #[inline]
    pub fn voxel(&mut self, voxel: [u32; 3]) -> u16 {
        self.statistics.samples += 1;
        let brick = voxel.map(|place| place >> 2);
        let slot = match self.constant(brick) {
            Ok(value) => return value,
            Err(()) => {
                let reads = self.statistics.brick_reads;
                let slot = self.decode(brick);
                self.statistics.misses += self.statistics.brick_reads - reads;
                slot
            }
        };
        let [x, y, z] = voxel.map(|place| (place & 3) as usize);
        self.decoded[slot][x + 4 * y + 16 * z]
    }

    #[cold]
    fn enter(&mut self, key: u64) {
        self.key = key;
        self.slot = slot(key, CELL_SLOTS_LOG2);
        if self.cell_keys[self.slot] == key {
            return;
        }
        self.statistics.misses += 1;
        self.cell_keys[self.slot] = key;
        let corner = [key as u32 & 0xffff, (key >> 16) as u32 & 0xffff, (key >> 32) as u32];
        for part in 0..8 {
            let after = [part & 1, part >> 1 & 1, part >> 2];
            let brick: [u32; 3] = std::array::from_fn(|axis| corner[axis] + after[axis]);
            // Voxels outside the volume have no weight.
            if (0..3).all(|axis| brick[axis] < self.sides[axis]) {
                self.copy(brick, after.map(|after| after as usize));
            }
        }
    }

    /// Returns the value of a brick of which all voxels are equal.
    #[inline]
    fn constant(&self, brick: [u32; 3]) -> Result<u16, ()> {
        let [least, largest] = self.bricks.range(brick);
        if least == largest { Ok(least) } else { Err(()) }
    }

    /// Copies the values of a brick that are in the cell of this place. `after` states the axes along which
    /// the brick is the next one; along these only its first values are copied.
    fn copy(&mut self, brick: [u32; 3], after: [usize; 3]) {
        let counts = after.map(|after| if after == 0 { 4 } else { 1 });
        let start = 4 * (after[0] + 5 * after[1] + 25 * after[2]);
        let constant = self.constant(brick);
        let from = if constant.is_err() { self.decode(brick) } else { 0 };
        let cell = &mut self.cells[self.slot];
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                let row = &mut cell[start + 5 * y + 25 * z..][..counts[0]];
                match constant {
                    Ok(value) => row.fill(value),
                    Err(()) => row.copy_from_slice(&self.decoded[from][4 * y + 16 * z..][..counts[0]]),
                }
            }
        }
    }

    /// Returns the position of a brick among the decoded ones.
    #[inline]
    fn decode(&mut self, brick: [u32; 3]) -> usize {
        let key = key(brick);
        let slot = slot(key, BRICK_SLOTS_LOG2);
        self.statistics.brick_lookups += 1;
        if self.brick_keys[slot] != key {
            self.statistics.brick_reads += 1;
            self.brick_keys[slot] = key;
            self.bricks.brick(brick, &mut self.decoded[slot]);
        }
        slot
    }
}
