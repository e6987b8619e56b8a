//! Numbers of 64 bits as numbers of 32.

use super::Display;
use crate::{AnyVoxels, Voxel, VoxelKind, VoxelType, untyped::VoxelBuffer, with_voxel_type};

/// What pictures show of numbers of 64 bits, as numbers of 32, of which GPUs make pictures, too: intensities
/// and floats rounded to f32; integer labels as u32, those below 2³² as they are, larger ones as a mixture of
/// both halves. Other numbers stay as they are.
pub fn narrowed(voxels: AnyVoxels, kind: VoxelKind) -> AnyVoxels {
    let voxel_type = voxels.voxel_type();
    if voxel_type.word_count() == 1 {
        return voxels;
    }
    let display = Display::new(voxel_type, kind, 0.0, 0.0);
    let is_u32 = kind == VoxelKind::Labels && voxel_type != VoxelType::F64;
    // The ordinal of a label 0 is that of its type.
    let zero = if voxel_type == VoxelType::I64 { 1 << 31 } else { 0 };
    let mut buffer = VoxelBuffer::zeroed(voxels.bytes().len() / 2);
    let narrow = |ordinal: u64| match display.narrow(ordinal) {
        label if is_u32 => label ^ zero,
        ordinal => f32::from_ordinal(ordinal.into()).to_bits(),
    };
    let numbers = bytemuck::cast_slice_mut::<u8, u32>(buffer.bytes_mut());
    with_voxel_type!(voxel_type, T => {
        for (number, voxel) in numbers.iter_mut().zip(bytemuck::cast_slice::<u8, T>(voxels.bytes())) {
            *number = narrow(voxel.to_ordinal());
        }
    });
    AnyVoxels { voxel_type: if is_u32 { VoxelType::U32 } else { VoxelType::F32 }, buffer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dims, Task,
        render::{DisplayBricks, RawBricks},
    };
    use std::sync::Arc;

    fn any<T: Voxel>(voxels: &[T]) -> AnyVoxels {
        let mut buffer = VoxelBuffer::default();
        buffer.extend(bytemuck::cast_slice(voxels));
        AnyVoxels { voxel_type: T::TYPE, buffer }
    }

    /// The display values are those of the numbers as they were.
    fn assert_same_display<T: Voxel>(voxels: &[T], kind: VoxelKind) -> Arc<AnyVoxels> {
        let dims = Dims::new(voxels.len(), 1, 1);
        let display = |voxels: &Arc<AnyVoxels>| {
            let bricks =
                RawBricks::new(Arc::clone(voxels), dims, 1, 0, kind, &Task::new()).expect("a channel");
            let mut values = Vec::new();
            for x in 0..voxels.bytes().len() / voxels.voxel_type().byte_count() / 4 {
                let mut brick = [0; 64];
                bricks.brick([x as u32, 0, 0], &mut brick);
                values.extend(brick);
            }
            values
        };
        let narrow = Arc::new(narrowed(any(voxels), kind));
        assert_eq!(narrow.voxel_type().byte_count(), 4);
        assert_eq!(display(&narrow), display(&Arc::new(any(voxels))), "{} {kind:?}", T::TYPE);
        narrow
    }

    #[test]
    fn narrow_numbers_are_shown_as_wide_ones() {
        for kind in [VoxelKind::Intensity, VoxelKind::Labels] {
            assert_same_display(&[0u64, 1, 7, 1 << 32, u64::MAX, 1 << 31, 12345678901, 3], kind);
            assert_same_display(&[0i64, -1, 7, 1 << 32, i64::MIN, i64::MAX, -12345678901, 3], kind);
            let floats = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, -1e300, 3e-300, -7.25];
            assert_same_display(&floats, kind);
        }
        let labels = assert_same_display(&[5u64, 0, 4_000_000_000, 2], VoxelKind::Labels);
        assert_eq!(labels.as_slice::<u32>(), Some(&[5, 0, 4_000_000_000, 2][..]));
        let floats = narrowed(any(&[5i64, -3, 0, 2]), VoxelKind::Intensity);
        assert_eq!(floats.as_slice::<f32>(), Some(&[5.0, -3.0, 0.0, 2.0][..]));
        assert_eq!(narrowed(any(&[7u8]), VoxelKind::Labels).as_slice::<u8>(), Some(&[7][..]));
    }
}
