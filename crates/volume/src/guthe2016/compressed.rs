//! A volume compressed by the paper's scheme, in memory.

use super::{
    brick::{SIDE, decode_brick},
    encode::encode_brick,
    offsets::Offsets,
};
use crate::{
    BwvError, Cancelled, Dims, ShapeError, Stage, Task, VolumeReadError, VolumeView, VolumeWriteError, Voxel,
    untyped::UntypedView,
};
use std::collections::HashMap;

/// A volume compressed by the paper's scheme, in memory.
#[derive(Clone, Debug)]
pub struct Compressed {
    dims: Dims,
    /// The start of each brick in `payload`, bit-packed.
    offsets: Offsets,
    payload: Vec<u8>,
    statistics: TransformStatistics,
}

/// Bricks encoded between two reports, some milliseconds of work.
const BRICKS_PER_REPORT: usize = 1 << 12;

/// Counts of bricks by their coding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransformStatistics {
    /// Number of all bricks.
    pub bricks: u64,
    /// Bricks of one value.
    pub constant: u64,
    /// Bricks whose bytes another brick has already stored, the constant ones left out.
    pub duplicate: u64,
    /// Bricks by transform, in the order of `Transform::ALL`; constant ones are in none.
    pub transforms: [u64; 4],
}

impl Compressed {
    /// Compresses `volume`; with `second_level`, equal tiles of the offset volume are stored once.
    /// Reports the bricks encoded.
    ///
    /// # Errors
    /// [`ShapeError::PaperVoxels`] if voxels are more than one number of up to 32 bits;
    /// [`VolumeWriteError::Cancelled`].
    pub fn encode<T: Voxel>(
        volume: VolumeView<T>,
        second_level: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeWriteError> {
        let volume = volume.untyped();
        if volume.component_count() != 1 {
            return Err(ShapeError::PaperVoxels.into());
        }
        Ok(Self::encode_component(volume, 0, second_level, task)?)
    }

    /// Compresses one component.
    pub(crate) fn encode_component(
        volume: UntypedView,
        component: usize,
        second_level: bool,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let voxel_bytes = volume.voxel_type().word_bits() as usize / 8;
        let dims = volume.dims();
        let bricks = dims.covered_by(Dims::cube(SIDE));
        let mut payload = Vec::new();
        let mut starts = Vec::with_capacity(bricks.x * bricks.y * bricks.z);
        let mut known: HashMap<Box<[u8]>, u64> = HashMap::new();
        let mut statistics = TransformStatistics::default();
        let mut bytes = Vec::new();
        let count = bricks.x * bricks.y * bricks.z;
        for i in 0..count {
            if i % BRICKS_PER_REPORT == 0 {
                task.check()?;
                task.report(Stage::Encoding, i as u64, count as u64);
            }
            let (x, y, z) = bricks.position(i);
            let mut ordinals = [0; 64];
            volume.copy_box(component, Dims::cube(SIDE), (SIDE * x, SIDE * y, SIDE * z), &mut ordinals);
            bytes.clear();
            let transform = encode_brick(&ordinals, voxel_bytes, &mut bytes);
            statistics.bricks += 1;
            match transform {
                Some(transform) => statistics.transforms[transform as usize] += 1,
                None => statistics.constant += 1,
            }
            let start = match known.get(bytes.as_slice()) {
                Some(&start) => {
                    statistics.duplicate += u64::from(transform.is_some());
                    start
                }
                None => {
                    let start = payload.len() as u64;
                    payload.extend_from_slice(&bytes);
                    known.insert(bytes.as_slice().into(), start);
                    start
                }
            };
            starts.push(start);
        }
        task.report(Stage::Encoding, count as u64, count as u64);
        Ok(Self { dims, offsets: Offsets::pack(&starts, bricks, second_level), payload, statistics })
    }

    /// Decodes all voxels. Works on the calling thread. Reports bricks.
    ///
    /// # Errors
    /// [`VolumeReadError::Format`] if the bytes break the format's rules, which those of
    /// [`encode`](Self::encode) never do; [`VolumeReadError::Cancelled`].
    pub fn decode<T: Voxel>(&self, task: &Task<'_>) -> Result<Vec<T>, VolumeReadError> {
        let dims = self.dims;
        dims.byte_count(size_of::<T>())?;
        let mut voxels = vec![T::zeroed(); dims.voxel_count()?];
        let bricks = dims.covered_by(Dims::cube(SIDE));
        let count = bricks.x * bricks.y * bricks.z;
        for i in 0..count {
            if i % BRICKS_PER_REPORT == 0 {
                task.check()?;
                task.report(Stage::Decoding, i as u64, count as u64);
            }
            let (x, y, z) = bricks.position(i);
            let brick = self.brick::<T>(x, y, z)?;
            let (x, y, z) = (SIDE * x, SIDE * y, SIDE * z);
            for (dy, dz) in (0..16).map(|row| (row % 4, row / 4)) {
                if y + dy >= dims.y || z + dz >= dims.z {
                    continue;
                }
                let start = dims.index(x, y + dy, z + dz);
                let count = SIDE.min(dims.x - x);
                let row = SIDE * (dy + SIDE * dz);
                voxels[start..start + count].copy_from_slice(&brick[row..row + count]);
            }
        }
        Ok(voxels)
    }

    /// Returns the voxels of the brick in column `x`, row `y`, layer `z` of bricks, x fastest.
    ///
    /// # Errors
    /// [`ShapeError::NoSuchBrick`]; else as [`decode`](Self::decode).
    pub fn brick<T: Voxel>(&self, x: usize, y: usize, z: usize) -> Result<[T; 64], BwvError> {
        let ordinals = self.ordinals((x, y, z), T::TYPE.byte_count())?;
        Ok(ordinals.map(|ordinal| T::from_ordinal(ordinal.into())))
    }

    /// Returns the ordinals of a brick of voxels of `voxel_bytes` bytes.
    fn ordinals(&self, (x, y, z): (usize, usize, usize), voxel_bytes: usize) -> Result<[u32; 64], BwvError> {
        let bricks = self.dims.covered_by(Dims::cube(SIDE));
        if !bricks.contains((x, y, z)) {
            return Err(ShapeError::NoSuchBrick { place: [x, y, z], bricks }.into());
        }
        let start = self.offsets.start(bricks, x, y, z);
        let bytes = usize::try_from(start).ok().and_then(|start| self.payload.get(start..));
        let ordinals = bytes.and_then(|bytes| decode_brick(bytes, voxel_bytes));
        let have = self.payload.len() as u64;
        ordinals.ok_or(BwvError::Value { part: "a brick", offset: start.min(have), value: start })
    }

    /// Returns the number of bytes of the bricks, without the offset volume.
    pub fn payload_bytes(&self) -> u64 {
        self.payload.len() as u64
    }

    /// Returns the number of bytes of the offset volume, both levels together.
    pub fn offset_bytes(&self) -> u64 {
        let tiles = self.offsets.tiles.as_ref().map_or(0, |(_, numbers)| numbers.len());
        (self.offsets.packed.len() + tiles) as u64
    }

    /// Returns the offset volume and the bricks.
    pub(crate) fn parts(&self) -> (&Offsets, &[u8]) {
        (&self.offsets, &self.payload)
    }

    /// Returns the counts of bricks by their coding.
    pub const fn statistics(&self) -> TransformStatistics {
        self.statistics
    }

    /// Returns the volume's dims.
    pub const fn dims(&self) -> Dims {
        self.dims
    }
}
