//! A volume compressed by the paper's scheme, in memory.

use super::{
    brick::{SIDE, coded_values, decode_brick},
    encode::encode_brick,
    offsets::Offsets,
    transform::Transform,
};
use crate::{
    BwvError, Cancelled, Dims, ShapeError, Stage, Task, VolumeView, VolumeWriteError, Voxel,
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
    voxel_bytes: usize,
}

/// Bricks encoded between two reports, some milliseconds of work.
const BRICKS_PER_REPORT: usize = 1 << 12;

/// A brick as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodedBrick {
    /// Position of its first byte among the bytes of all bricks. Equal bricks have the same position, and
    /// each brick that differs from all before it has a higher position than they.
    pub start: u64,
    /// The transform; `None` if all voxels are equal.
    pub transform: Option<Transform>,
    /// The transform's values, in Morton order; zeros without a transform.
    pub values: [u64; 64],
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
            encode_brick(&ordinals, voxel_bytes, &mut bytes);
            let start = match known.get(bytes.as_slice()) {
                Some(&start) => start,
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
        Ok(Self { dims, offsets: Offsets::pack(&starts, bricks, second_level), payload, voxel_bytes })
    }

    /// Returns the voxels of the brick in column `x`, row `y`, layer `z` of bricks, x fastest.
    ///
    /// # Errors
    /// [`ShapeError::NoSuchBrick`]; [`BwvError::Value`] if the bytes break the format's rules, which those of
    /// [`encode`](Self::encode) never do.
    pub fn brick<T: Voxel>(&self, x: usize, y: usize, z: usize) -> Result<[T; 64], BwvError> {
        let ordinals = self.stored((x, y, z), T::TYPE.byte_count(), decode_brick)?.1;
        Ok(ordinals.map(|ordinal| T::from_ordinal(ordinal.into())))
    }

    /// Returns the brick in column `x`, row `y`, layer `z` of bricks as it is stored.
    ///
    /// # Errors
    /// As [`brick`](Self::brick).
    pub fn coded_brick(&self, x: usize, y: usize, z: usize) -> Result<CodedBrick, BwvError> {
        let (start, (transform, values)) = self.stored((x, y, z), self.voxel_bytes, coded_values)?;
        Ok(CodedBrick { start, transform, values })
    }

    /// Returns the position of a brick's bytes and what `read` returns for them, given the size of a voxel.
    fn stored<R>(
        &self,
        (x, y, z): (usize, usize, usize),
        voxel_bytes: usize,
        read: impl Fn(&[u8], usize) -> Option<R>,
    ) -> Result<(u64, R), BwvError> {
        let bricks = self.dims.covered_by(Dims::cube(SIDE));
        if !bricks.contains((x, y, z)) {
            return Err(ShapeError::NoSuchBrick { place: [x, y, z], bricks }.into());
        }
        let start = self.offsets.start(bricks, x, y, z);
        let bytes = usize::try_from(start).ok().and_then(|start| self.payload.get(start..));
        let have = self.payload.len() as u64;
        let read = bytes.and_then(|bytes| read(bytes, voxel_bytes));
        let read = read.ok_or(BwvError::Value { part: "a brick", offset: start.min(have), value: start })?;
        Ok((start, read))
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

    /// Returns the volume's dims.
    pub const fn dims(&self) -> Dims {
        self.dims
    }
}
