//! The next smaller mip level of a stack of slices.

use crate::{
    AnyView, AnyVoxels, Cancelled, Dims, Task, VolumeWriteError, Voxel,
    file::header::VoxelKind,
    untyped::{UntypedView, VoxelBuffer},
    with_voxel_type,
};
use brickwork_base::parallel;

/// Halves x, y and z where `axes` is true, rounding up: each voxel covers up to 2×2×2 voxels, fewer at odd
/// edges and along other axes. It is their mean ([`Voxel::mean`]), or for labels the most frequent of them,
/// the smallest one in a tie. Channels are treated separately. Memory: the result; a copy of `volume` if it
/// is not dense or not aligned for its type.
///
/// # Errors
/// [`VolumeWriteError::Memory`] and [`VolumeWriteError::Cancelled`].
pub fn halve_axes(
    volume: &AnyView<'_>,
    axes: [bool; 3],
    kind: VoxelKind,
    task: &Task<'_>,
) -> Result<AnyVoxels, VolumeWriteError> {
    let voxel_type = volume.voxel_type();
    let mut copy = VoxelBuffer::default();
    let dense = match volume.as_dense() {
        Some(dense) => dense,
        None => {
            volume.copy_slices(0..volume.dims().z, &mut copy, task)?;
            UntypedView::new(copy.bytes(), voxel_type, volume.dims(), volume.channels())?
        }
    };
    Ok(AnyVoxels { voxel_type, buffer: halve(dense, axes, kind, task)? })
}

/// Works like [`halve_axes`].
pub(super) fn halve(
    volume: UntypedView,
    axes: [bool; 3],
    kind: VoxelKind,
    task: &Task<'_>,
) -> Result<VoxelBuffer, Cancelled> {
    let [x, y, z] = axes.map(|is_halved| 1 + usize::from(is_halved));
    let covered = Dims::new(x, y, z);
    let small = volume.dims().covered_by(covered);
    let row_bytes = small.x * volume.channels() * volume.voxel_type().byte_count();
    let mut out = VoxelBuffer::zeroed(row_bytes * small.y * small.z);
    let fill = |(z, out): (usize, &mut [u8])| {
        for (y, row) in out.chunks_exact_mut(row_bytes).enumerate() {
            task.check()?;
            with_voxel_type!(volume.voxel_type(), T => halve_row::<T>(volume, covered, kind, y, z, row));
        }
        Ok::<_, Cancelled>(())
    };
    parallel::try_map(task, out.bytes_mut().chunks_exact_mut(row_bytes * small.y).enumerate(), fill)?;
    Ok(out)
}

/// Fills `out` with row (y, z) of the smaller volume, whose voxels cover `covered` voxels each.
fn halve_row<T: Voxel>(
    volume: UntypedView,
    covered: Dims,
    kind: VoxelKind,
    y: usize,
    z: usize,
    out: &mut [u8],
) {
    let (dims, channels) = (volume.dims(), volume.channels());
    let Dims { x: width, .. } = dims;
    let all: &[T] = bytemuck::cast_slice(volume.bytes());
    let out: &mut [T] = bytemuck::cast_slice_mut(out);
    // The rows that it covers, one to four.
    let mut rows: [&[T]; 4] = [&[]; 4];
    let mut row_count = 0;
    for z in covered.z * z..(covered.z * (z + 1)).min(dims.z) {
        for y in covered.y * y..(covered.y * (y + 1)).min(dims.y) {
            rows[row_count] = &all[dims.index(0, y, z) * channels..][..width * channels];
            row_count += 1;
        }
    }
    for (x, out) in out.chunks_exact_mut(channels).enumerate() {
        for (channel, out) in out.iter_mut().enumerate() {
            let mut voxels = [T::zeroed(); 8];
            let mut count = 0;
            for row in &rows[..row_count] {
                for x in covered.x * x..(covered.x * (x + 1)).min(width) {
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
    use crate::{VolumeView, VoxelType};

    fn halved<T: Voxel>(voxels: &[T], dims: Dims, channels: usize, kind: VoxelKind) -> Vec<T> {
        let volume = VolumeView::interleaved(voxels, dims, channels).expect("dims that fit");
        let halved = halve(volume.untyped(), [true; 3], kind, &Task::new()).expect("not cancelled");
        bytemuck::cast_slice(halved.bytes()).to_vec()
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

    /// Each set of axes, against means and labels of boxes that are collected voxel by voxel.
    #[test]
    fn some_axes_are_halved() {
        let (dims, channels) = (Dims::new(5, 4, 3), 2);
        let numbers: Vec<u16> = (0..120u32).map(|i| (i * i % 7 * 9000) as u16).collect();
        // Not aligned.
        let bytes = [&[0], bytemuck::cast_slice(&numbers)].concat();
        let view = AnyView::new(&bytes[1..], VoxelType::U16, dims, channels).expect("120 numbers");
        for axes in 0..8 {
            let axes = [axes & 1 > 0, axes & 2 > 0, axes & 4 > 0];
            for kind in [VoxelKind::Intensity, VoxelKind::Labels] {
                let halved = halve_axes(&view, axes, kind, &Task::new()).expect("memory");
                let mut boxes = std::collections::BTreeMap::<_, Vec<u32>>::new();
                for (index, &number) in numbers.iter().enumerate() {
                    let (voxel, channel) = (index / 2, index % 2);
                    let at = [voxel % 5, voxel / 5 % 4, voxel / 20];
                    let [x, y, z] = [0, 1, 2].map(|axis| if axes[axis] { at[axis] / 2 } else { at[axis] });
                    boxes.entry((z, y, x, channel)).or_default().push(number.into());
                }
                let wanted = boxes.into_values().map(|numbers| match kind {
                    VoxelKind::Intensity => {
                        let mean = numbers.iter().sum::<u32>() as f64 / numbers.len() as f64;
                        (mean + 0.5).floor() as u16
                    }
                    VoxelKind::Labels => {
                        let count = |of: u32| numbers.iter().filter(|&&number| number == of).count();
                        let best = numbers.iter().map(|&of| (count(of), std::cmp::Reverse(of))).max();
                        best.expect("a voxel").1.0 as u16
                    }
                });
                let wanted: Vec<u16> = wanted.collect();
                assert_eq!(halved.as_slice::<u16>(), Some(&wanted[..]), "{axes:?} {kind:?}");
            }
        }
    }
}
