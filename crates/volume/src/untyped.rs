//! Voxels whose type is known only at run time. The code for them is compiled once, in this library.
//!
//! The public functions take voxels as Rust types and pass them on as bytes. If the type matters,
//! [`with_voxel_type!`] selects a short loop.

use crate::{Dims, ShapeError, Voxel, VoxelType, with_voxel_type};
use std::collections::TryReserveError;

/// Borrowed voxels: the counterpart of [`VolumeView`](crate::VolumeView) for types known only at run time.
#[derive(Clone, Copy)]
pub(crate) struct UntypedView<'a> {
    bytes: &'a [u8],
    voxel_type: VoxelType,
    dims: Dims,
    channels: usize,
}

impl<'a> UntypedView<'a> {
    /// Returns a view of the bytes of voxels, as in memory and aligned for their type. Channels run fastest,
    /// then x, y, z.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero, the number of channels is not supported, or `bytes` has a different
    /// length than these require.
    pub fn new(
        bytes: &'a [u8],
        voxel_type: VoxelType,
        dims: Dims,
        channels: usize,
    ) -> Result<Self, ShapeError> {
        let expected = dims.number_count(channels)?;
        let actual = bytes.len() / voxel_type.byte_count();
        if actual != expected {
            return Err(ShapeError::Length { dims, expected, actual });
        }
        Ok(Self { bytes, voxel_type, dims, channels })
    }

    /// Returns the bytes of all voxels.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the type of the voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the shape.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the number of channels.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of components that are coded separately: each word of each channel.
    pub const fn component_count(&self) -> usize {
        self.channels * self.voxel_type.word_count()
    }

    /// Copies component `component` of the ordinals of the box of `part` voxels whose first corner is
    /// `corner`, x fastest. Voxels past the edge of the volume repeat the edge.
    ///
    /// # Panics
    /// If the corner is outside, or `ordinals` is shorter than the box.
    pub fn copy_box(
        &self,
        component: usize,
        part: Dims,
        corner: (usize, usize, usize),
        ordinals: &mut [u32],
    ) {
        with_voxel_type!(self.voxel_type, T => self.copy_typed_box::<T>(component, part, corner, ordinals));
    }

    /// Copies component `component` of the ordinals of the whole brick of 4³ whose first corner is `corner`,
    /// in Morton order. The voxels are `T`.
    ///
    /// # Panics
    /// If the brick is not inside, or the voxels are of another type.
    #[inline(always)]
    pub fn copy_four<T: Voxel>(
        &self,
        component: usize,
        (x, y, z): (usize, usize, usize),
        ordinals: &mut [u32; 64],
    ) {
        let voxels: &[T] = bytemuck::cast_slice(self.bytes);
        let (channel, word) = (component / T::TYPE.word_count(), component % T::TYPE.word_count());
        let step = self.channels;
        for dz in 0..4 {
            for dy in 0..4 {
                let start = self.dims.index(x, y + dy, z + dz) * step + channel;
                let row = &voxels[start..start + 3 * step + 1];
                // Pairs along x, in blocks of 2×2×2.
                let at = 32 * (dz / 2) + 16 * (dy / 2) + 4 * (dz % 2) + 2 * (dy % 2);
                ordinals[at] = row[0].word(word);
                ordinals[at + 1] = row[step].word(word);
                ordinals[at + 8] = row[2 * step].word(word);
                ordinals[at + 9] = row[3 * step].word(word);
            }
        }
    }

    /// Works like [`copy_box`](Self::copy_box) for voxels that are `T`.
    pub fn copy_typed_box<T: Voxel>(
        &self,
        component: usize,
        part: Dims,
        (x, y, z): (usize, usize, usize),
        ordinals: &mut [u32],
    ) {
        let dims = self.dims;
        let voxels: &[T] = bytemuck::cast_slice(self.bytes);
        assert!(dims.contains((x, y, z)) && ordinals.len() >= part.x * part.y * part.z);
        let (channel, word) = (component / T::TYPE.word_count(), component % T::TYPE.word_count());
        let mut rows = ordinals.chunks_exact_mut(part.x);
        for dz in 0..part.z {
            for dy in 0..part.y {
                let start = dims.index(x, (y + dy).min(dims.y - 1), (z + dz).min(dims.z - 1));
                let row = &voxels[start * self.channels..][..part.x.min(dims.x - x) * self.channels];
                let filled = rows.next().unwrap_or_default();
                let (inside, outside) = filled.split_at_mut(row.len() / self.channels);
                if self.channels == 1 {
                    match inside.len() {
                        4 => copy_row::<T, 4>(row, word, inside),
                        8 => copy_row::<T, 8>(row, word, inside),
                        16 => copy_row::<T, 16>(row, word, inside),
                        _ => {
                            for (ordinal, voxel) in inside.iter_mut().zip(row) {
                                *ordinal = voxel.word(word);
                            }
                        }
                    }
                } else {
                    let voxels = row.iter().skip(channel).step_by(self.channels);
                    for (ordinal, voxel) in inside.iter_mut().zip(voxels) {
                        *ordinal = voxel.word(word);
                    }
                }
                outside.fill(inside[inside.len() - 1]);
            }
        }
    }
}

/// Copies a row of a brick. (A loop over a count that is known takes few instructions.)
#[inline(always)]
fn copy_row<T: Voxel, const WIDTH: usize>(row: &[T], word: usize, ordinals: &mut [u32]) {
    if let (Some(row), Some(ordinals)) = (row.first_chunk::<WIDTH>(), ordinals.first_chunk_mut::<WIDTH>()) {
        for (ordinal, voxel) in ordinals.iter_mut().zip(row) {
            *ordinal = voxel.word(word);
        }
    }
}

/// Numbers of voxels whose type is known at run time.
#[derive(Debug)]
pub struct AnyVoxels {
    pub(crate) voxel_type: VoxelType,
    pub(crate) buffer: VoxelBuffer,
}

impl AnyVoxels {
    /// Creates an empty list with the type `voxel_type`.
    pub fn new(voxel_type: VoxelType) -> Self {
        Self { voxel_type, buffer: VoxelBuffer::default() }
    }

    /// Returns the type.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the voxels' bytes as in memory: in this machine's byte order, aligned for every type.
    pub fn bytes(&self) -> &[u8] {
        self.buffer.bytes()
    }

    /// Returns the numbers, if they are `T`.
    pub fn as_slice<T: Voxel>(&self) -> Option<&[T]> {
        (T::TYPE == self.voxel_type).then(|| bytemuck::cast_slice(self.bytes()))
    }
}

/// Bytes of voxels that grow, aligned for every type.
#[derive(Debug, Default)]
pub(crate) struct VoxelBuffer {
    words: Vec<u64>,
    byte_count: usize,
}

impl VoxelBuffer {
    /// Returns a buffer of `byte_count` zeros.
    pub fn zeroed(byte_count: usize) -> Self {
        Self { words: vec![0; byte_count.div_ceil(size_of::<u64>())], byte_count }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.byte_count]
    }

    /// Returns the bytes, mutably.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.byte_count]
    }

    /// Appends bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        let start = self.byte_count;
        self.byte_count += bytes.len();
        let word_count = self.byte_count.div_ceil(size_of::<u64>());
        if word_count > self.words.len() {
            self.words.resize(word_count, 0);
        }
        self.bytes_mut()[start..].copy_from_slice(bytes);
    }

    /// Appends some of at most `most` bytes. The memory grows with the appended bytes, not with `most`.
    ///
    /// # Errors
    /// An error if there is not enough memory.
    pub fn try_extend(&mut self, bytes: &[u8], most: usize) -> Result<(), TryReserveError> {
        let need = (self.byte_count + bytes.len()).div_ceil(size_of::<u64>());
        if need > self.words.capacity() {
            let doubled = (2 * self.words.capacity()).min(most.div_ceil(size_of::<u64>()));
            self.words.try_reserve_exact(need.max(doubled) - self.words.len())?;
        }
        self.extend(bytes);
        Ok(())
    }

    /// Reserves address space for `byte_count` bytes. The system provides memory when bytes are set.
    ///
    /// # Errors
    /// An error if there is not enough memory.
    pub fn reserve(&mut self, byte_count: usize) -> Result<(), TryReserveError> {
        let word_count = byte_count.div_ceil(size_of::<u64>());
        self.words.try_reserve_exact(word_count.saturating_sub(self.words.len()))
    }

    /// Sets the number of bytes; their values are unspecified. Keeps the memory.
    ///
    /// # Errors
    /// An error if there is not enough memory.
    pub fn resize(&mut self, byte_count: usize) -> Result<(), TryReserveError> {
        self.reserve(byte_count)?;
        self.words.resize(byte_count.div_ceil(size_of::<u64>()), 0);
        self.byte_count = byte_count;
        Ok(())
    }

    /// Drops the bytes and keeps the memory.
    pub const fn clear(&mut self) {
        self.byte_count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_hold_what_they_were_given_last() {
        let mut buffer = VoxelBuffer::default();
        buffer.extend(&[1, 2, 3]);
        buffer.extend(&[4; 9]);
        assert_eq!(buffer.bytes(), [1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
        buffer.clear();
        buffer.extend(&[5; 8]);
        assert_eq!(bytemuck::cast_slice::<u8, u64>(buffer.bytes()), [0x0505_0505_0505_0505]);
        assert_eq!(VoxelBuffer::zeroed(3).bytes(), [0; 3]);
        buffer.resize(11).expect("memory");
        assert_eq!((buffer.bytes().len(), buffer.bytes_mut().len()), (11, 11));
        assert!(buffer.resize(usize::MAX - 7).is_err());
    }

    #[test]
    fn cubes_repeat_the_edge_and_take_one_component() {
        let voxels: Vec<u64> = (0..3 * 2 * 2).map(|i| i << 32 | (100 + i)).collect();
        let bytes = bytemuck::cast_slice(&voxels);
        let view = UntypedView::new(bytes, VoxelType::U64, Dims::new(3, 2, 1), 2).expect("twelve numbers");
        assert_eq!(view.component_count(), 4);
        let mut ordinals = [0; 8];
        // The upper words of the first channel, then the lower ones of the second.
        view.copy_box(0, Dims::cube(2), (2, 0, 0), &mut ordinals);
        assert_eq!(ordinals, [4, 4, 10, 10, 4, 4, 10, 10]);
        view.copy_box(3, Dims::cube(2), (1, 1, 0), &mut ordinals);
        assert_eq!(ordinals, [109, 111, 109, 111, 109, 111, 109, 111]);
        let short = UntypedView::new(&bytes[..88], VoxelType::U64, Dims::new(3, 2, 1), 2);
        assert!(matches!(short, Err(ShapeError::Length { expected: 12, actual: 11, .. })));
    }
}
