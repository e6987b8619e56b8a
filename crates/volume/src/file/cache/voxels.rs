//! From a brick's values to voxels of the file's type.

use super::record_head::Minimum;
use crate::{
    ShapeError, VolumeReadError, Voxel,
    file::{
        read::{BrickBody, ChunkPart, OpenFile, Ordinals},
        table::Table,
    },
};

/// Checks that `voxels` has room for exactly `count` bricks, and returns the bytes of one.
pub(super) fn check_length(file: OpenFile, count: usize, voxels: &[u8]) -> Result<usize, ShapeError> {
    let (dims, each) = (file.header.brick.dims(), file.header.voxel_type.byte_count());
    let length = file.header.brick.voxel_count() * each;
    if Some(voxels.len()) != count.checked_mul(length) {
        return Err(ShapeError::Length {
            dims,
            expected: count.saturating_mul(length) / each,
            actual: voxels.len() / each,
        });
    }
    Ok(length)
}

/// Returns the ordinals of the values of a brick with this minimum, in a chunk.
#[inline]
pub(super) fn ordinals<'t>(
    file: OpenFile<'t>,
    body: &'t BrickBody,
    part: ChunkPart,
    minimum: Minimum,
) -> Result<Ordinals<'t>, VolumeReadError> {
    match minimum {
        Minimum::Ordinal(min) => Ok(Ordinals::From(min)),
        Minimum::Rank { min, range } => {
            Ok(Ordinals::new(file.table(body, part)?.and_then(Table::lookup), min, range))
        }
    }
}

/// Writes 64 values of one word, with a minimum that is an ordinal, to `voxels`.
#[inline(always)]
pub(super) fn add<T: Voxel>(voxels: &mut [u8], values: &[u16; 64], min: u32) {
    let voxels: &mut [T] = bytemuck::cast_slice_mut(voxels);
    for (voxel, &value) in voxels.iter_mut().zip(values) {
        *voxel = T::from_ordinal(min.wrapping_add(value.into()).into());
    }
}

/// Writes the ordinals of some values to this word of `voxels`.
pub(super) fn fill<T: Voxel>(
    voxels: &mut [u8],
    word: usize,
    values: &[impl Copy + Into<u32>],
    ordinals: Ordinals,
) {
    let voxels: &mut [T] = bytemuck::cast_slice_mut(voxels);
    let values = values.iter().map(|&value| value.into());
    match ordinals {
        Ordinals::From(base) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, base.wrapping_add(value));
            }
        }
        Ordinals::Of(min, lookup) => {
            for (voxel, value) in voxels.iter_mut().zip(values) {
                *voxel = voxel.with_word(word, lookup[usize::from(min.wrapping_add(value) as u16)]);
            }
        }
    }
}
