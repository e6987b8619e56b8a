//! The scheme of Guthe & Goesele, "GPU-based lossless volume data compression" (2016), as printed.
//!
//! A brick of 4×4×4 voxels is its minimum and maximum, and unless they are equal, the values of one of four transforms in
//! RBUC. Equal bricks are stored once. The *offset volume* holds where each brick's bytes start, all in the least number of
//! bits that holds the largest. With the second level of indirection it is itself cut into tiles of 4×4×4 bricks, of which
//! equal ones are stored once.
//!
//! What the paper leaves open is decided so: the transform stands in the upper half of the byte of c2; Haar's details
//! stay in the octant of their subband; ties go to the first transform in the order of [`Transform::ALL`]; voxels past the
//! volume's edge repeat the edge.

mod entropy;
mod offsets;
mod rbuc;
mod transform;

pub(crate) use offsets::Offsets;
pub use transform::Transform;

use crate::{DecodeError, Dims, ShapeError, VolumeView, Voxel};
use std::collections::HashMap;

/// Voxels along each side of a brick.
pub(crate) const SIDE: usize = 4;

/// No brick takes as many bytes: its minimum and maximum, and 64 codes of up to 35 bits in RBUC.
pub(crate) const MOST_BYTES: usize = 512;

/// A volume compressed by the paper's scheme, in memory.
#[derive(Clone, Debug)]
pub struct Compressed {
    dims: Dims,
    /// Where each brick starts in `payload`, bit-packed.
    offsets: Offsets,
    payload: Vec<u8>,
    statistics: Statistics,
}

/// How many bricks went which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All bricks.
    pub bricks: u64,
    /// Bricks of one value.
    pub constant: u64,
    /// Bricks whose bytes another brick has already stored, the constant ones left out.
    pub duplicate: u64,
    /// Bricks by transform, in the order of [`Transform::ALL`]; constant ones are in none.
    pub transforms: [u64; 4],
}

impl Compressed {
    /// Compresses `volume`; with `second_level`, equal tiles of the offset volume are stored once.
    ///
    /// # Panics
    /// If voxels are more than one number of up to 32 bits.
    pub fn encode<T: Voxel>(volume: VolumeView<T>, second_level: bool) -> Self {
        assert_eq!(volume.component_count(), 1, "one number of up to 32 bits a voxel");
        Self::encode_component(volume, 0, second_level)
    }

    /// Compresses one component.
    pub(crate) fn encode_component<T: Voxel>(
        volume: VolumeView<T>,
        component: usize,
        second_level: bool,
    ) -> Self {
        let voxel_bytes = T::TYPE.plane_bits() as usize / 8;
        let dims = volume.dims();
        let bricks = dims.covered_by(SIDE);
        let mut payload = Vec::new();
        let mut starts = Vec::with_capacity(bricks.x * bricks.y * bricks.z);
        let mut known: HashMap<Box<[u8]>, u64> = HashMap::new();
        let mut statistics = Statistics::default();
        let mut bytes = Vec::new();
        for z in 0..bricks.z {
            for y in 0..bricks.y {
                for x in 0..bricks.x {
                    let mut ordinals = [0; 64];
                    volume.cube(component, SIDE, (SIDE * x, SIDE * y, SIDE * z), &mut ordinals);
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
            }
        }
        Self { dims, offsets: Offsets::pack(&starts, bricks, second_level), payload, statistics }
    }

    /// All voxels.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes break the format's rules, which those of [`encode`](Self::encode) never do.
    pub fn decode<T: Voxel>(&self) -> Result<Vec<T>, DecodeError> {
        let dims = self.dims;
        dims.byte_count(size_of::<T>())?;
        let mut voxels = vec![T::zeroed(); dims.voxel_count()?];
        let bricks = dims.covered_by(SIDE);
        for z in 0..bricks.z {
            for y in 0..bricks.y {
                for x in 0..bricks.x {
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
            }
        }
        Ok(voxels)
    }

    /// The voxels of the brick in column `x`, row `y`, layer `z` of bricks, x fastest.
    ///
    /// # Errors
    /// [`ShapeError::Outside`] if there is no such brick; else as [`decode`](Self::decode).
    pub fn brick<T: Voxel>(&self, x: usize, y: usize, z: usize) -> Result<[T; 64], DecodeError> {
        let bricks = self.dims.covered_by(SIDE);
        if x >= bricks.x || y >= bricks.y || z >= bricks.z {
            let region = crate::Region { x: x..x + 1, y: y..y + 1, z: z..z + 1 };
            return Err(ShapeError::Outside { region, dims: bricks }.into());
        }
        let start = self.offsets.start(bricks, x, y, z);
        let bytes = usize::try_from(start).ok().and_then(|start| self.payload.get(start..));
        let ordinals = bytes.and_then(|bytes| decode_brick(bytes, T::TYPE.byte_count()));
        let have = self.payload.len() as u64;
        let ordinals =
            ordinals.ok_or(DecodeError::Value { part: "a brick", offset: start.min(have), value: start })?;
        Ok(ordinals.map(|ordinal| T::from_ordinal(ordinal.into())))
    }

    /// Bytes of the bricks, without the offset volume.
    pub fn payload_bytes(&self) -> u64 {
        self.payload.len() as u64
    }

    /// Bytes of the offset volume, both levels together.
    pub fn offset_bytes(&self) -> u64 {
        let tiles = self.offsets.tiles.as_ref().map_or(0, |(_, numbers)| numbers.len());
        (self.offsets.packed.len() + tiles) as u64
    }

    /// The offset volume and the bricks.
    pub(crate) fn parts(&self) -> (&Offsets, &[u8]) {
        (&self.offsets, &self.payload)
    }

    /// How many bricks went which way.
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The volume's dims.
    pub const fn dims(&self) -> Dims {
        self.dims
    }
}

/// The transform used, or none if the brick is constant.
fn encode_brick(ordinals: &[u32; 64], voxel_bytes: usize, out: &mut Vec<u8>) -> Option<Transform> {
    let min = ordinals.iter().fold(u32::MAX, |min, &v| min.min(v));
    let max = ordinals.iter().fold(0, |max, &v| max.max(v));
    out.extend_from_slice(&min.to_le_bytes()[..voxel_bytes]);
    out.extend_from_slice(&max.to_le_bytes()[..voxel_bytes]);
    if min == max {
        return None;
    }
    let (raw, range) = (ordinals.map(|v| i64::from(v - min)), i64::from(max - min));
    let mut best = (usize::MAX, Transform::SubtractMin, [0; 64]);
    for transform in Transform::ALL {
        let codes = to_morton(&transform.forward(&raw, range));
        let byte_count = rbuc::byte_count(&codes);
        if byte_count < best.0 {
            best = (byte_count, transform, codes);
        }
    }
    rbuc::encode(&best.2, best.1 as u8, out);
    Some(best.1)
}

pub(crate) fn decode_brick(bytes: &[u8], voxel_bytes: usize) -> Option<[u32; 64]> {
    let (min, rest) = bytes.split_at_checked(voxel_bytes)?;
    let (max, rest) = rest.split_at_checked(voxel_bytes)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    let (min, max) = (number(min), number(max));
    if min == max {
        return Some([min; 64]);
    }
    let range = i64::from(max.checked_sub(min)?);
    let (codes, tag) = rbuc::decode(rest)?;
    let transform = *Transform::ALL.get(usize::from(tag))?;
    let raw = transform.inverse(&from_morton(&codes), range);
    if raw.iter().any(|v| !(0..=range).contains(v)) {
        return None;
    }
    Some(raw.map(|v| min + v as u32))
}

/// The raster index of each place in Morton order: x in bits 0 and 3, y in 1 and 4, z in 2 and 5.
const MORTON: [usize; 64] = {
    let mut table = [0; 64];
    let mut m = 0;
    while m < 64 {
        let x = (m & 1) | (m >> 2 & 2);
        let y = (m >> 1 & 1) | (m >> 3 & 2);
        let z = (m >> 2 & 1) | (m >> 4 & 2);
        table[m] = x + 4 * y + 16 * z;
        m += 1;
    }
    table
};

fn to_morton(raster: &[u64; 64]) -> [u64; 64] {
    MORTON.map(|i| raster[i])
}

fn from_morton(codes: &[u64; 64]) -> [u64; 64] {
    let mut raster = [0; 64];
    for (code, i) in codes.iter().zip(MORTON) {
        raster[i] = *code;
    }
    raster
}
