//! The next smaller mip level of a stack of slices.

use crate::{
    Cancelled, Dims, Task, Voxel,
    file::header::VoxelKind,
    untyped::{UntypedView, VoxelBuffer},
    with_voxel_type,
};
use brickwork_base::parallel;

/// Halves `volume` along each axis, rounding up: each voxel covers up to 2×2×2 voxels, fewer at odd edges.
/// Channels are treated separately.
pub(super) fn halve(volume: UntypedView, kind: VoxelKind, task: &Task<'_>) -> Result<VoxelBuffer, Cancelled> {
    let small = volume.dims().halved();
    let row_bytes = small.x * volume.channels() * volume.voxel_type().byte_count();
    let mut out = VoxelBuffer::zeroed(row_bytes * small.y * small.z);
    let fill = |(z, out): (usize, &mut [u8])| {
        for (y, row) in out.chunks_exact_mut(row_bytes).enumerate() {
            task.check()?;
            with_voxel_type!(volume.voxel_type(), T => halve_row::<T>(volume, kind, y, z, row));
        }
        Ok::<_, Cancelled>(())
    };
    parallel::try_map(task, out.bytes_mut().chunks_exact_mut(row_bytes * small.y).enumerate(), fill)?;
    Ok(out)
}

/// Fills `out` with row (y, z) of the smaller mip level.
fn halve_row<T: Voxel>(volume: UntypedView, kind: VoxelKind, y: usize, z: usize, out: &mut [u8]) {
    let (dims, channels) = (volume.dims(), volume.channels());
    let Dims { x: width, .. } = dims;
    let all: &[T] = bytemuck::cast_slice(volume.bytes());
    let out: &mut [T] = bytemuck::cast_slice_mut(out);
    // The rows that it covers, one to four.
    let mut rows: [&[T]; 4] = [&[]; 4];
    let mut row_count = 0;
    for z in 2 * z..(2 * z + 2).min(dims.z) {
        for y in 2 * y..(2 * y + 2).min(dims.y) {
            rows[row_count] = &all[dims.index(0, y, z) * channels..][..width * channels];
            row_count += 1;
        }
    }
    for (x, out) in out.chunks_exact_mut(channels).enumerate() {
        for (channel, out) in out.iter_mut().enumerate() {
            let mut voxels = [T::zeroed(); 8];
            let mut count = 0;
            for row in &rows[..row_count] {
                for x in 2 * x..(2 * x + 2).min(width) {
                    voxels[count] = row[x * channels + channel];
                    count += 1;
                }
            }
            *out = match kind {
                VoxelKind::Intensity => T::mean(&voxels[..count]),
                VoxelKind::Labels => most_frequent(&mut voxels[..count]),
            };
        }
    }
}

/// Returns the most frequent of 1 to 8 voxels, by their ordinals; the smallest one breaks ties.
fn most_frequent<T: Voxel>(voxels: &mut [T]) -> T {
    let first = voxels[0].to_ordinal();
    if voxels.iter().all(|voxel| voxel.to_ordinal() == first) {
        return voxels[0];
    }
    voxels.sort_unstable_by_key(|voxel| voxel.to_ordinal());
    let (mut best, mut best_count) = (voxels[0], 0);
    for same in voxels.chunk_by(|a, b| a.to_ordinal() == b.to_ordinal()) {
        if same.len() > best_count {
            (best, best_count) = (same[0], same.len());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VolumeView;

    fn halved<T: Voxel>(voxels: &[T], dims: Dims, channels: usize, kind: VoxelKind) -> Vec<T> {
        let volume = VolumeView::interleaved(voxels, dims, channels).expect("dims that fit");
        bytemuck::cast_slice(halve(volume.untyped(), kind, &Task::new()).expect("not cancelled").bytes())
            .to_vec()
    }

    #[test]
    fn means_and_labels_at_odd_edges() {
        let dims = Dims::new(3, 1, 2);
        let voxels: [u8; 6] = [1, 2, 9, 2, 7, 9];
        assert_eq!(halved(&voxels, dims, 1, VoxelKind::Intensity), [3, 9]);
        assert_eq!(halved(&voxels, dims, 1, VoxelKind::Labels), [2, 9]);
        // In a tie, the smallest.
        assert_eq!(most_frequent(&mut [5u8, 3, 5, 3, 9]), 3);
    }

    #[test]
    fn channels_do_not_mix() {
        let voxels: [i16; 8] = [-1, 10, -3, 20, -5, 30, -7, 40];
        assert_eq!(halved(&voxels, Dims::new(2, 2, 1), 2, VoxelKind::Intensity), [-4, 25]);
    }
}
