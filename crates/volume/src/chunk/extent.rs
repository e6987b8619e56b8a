//! The part of a chunk that is not padding, and chunks of one value.

use crate::{Cancelled, Dims, Task, untyped::UntypedView};

/// Returns the sides of the smallest box at the first voxel that contains all numbers other than `fill`, the
/// bytes of a number. The sides are 0 if there is no such number.
pub(super) fn extent(voxels: UntypedView, fill: &[u8], task: &Task<'_>) -> Result<Dims, Cancelled> {
    match voxels.voxel_type().byte_count() {
        1 => extent_of::<1>(voxels, fill, task),
        2 => extent_of::<2>(voxels, fill, task),
        4 => extent_of::<4>(voxels, fill, task),
        _ => extent_of::<8>(voxels, fill, task),
    }
}

fn extent_of<const N: usize>(voxels: UntypedView, fill: &[u8], task: &Task<'_>) -> Result<Dims, Cancelled> {
    let (dims, channels) = (voxels.dims(), voxels.channels());
    let numbers = voxels.bytes().as_chunks::<N>().0;
    let line = dims.x * channels;
    let is_content = |number: &[u8; N]| number != fill;
    let mut depth = 0;
    for (z, slice) in numbers.chunks_exact(line * dims.y).enumerate().rev() {
        task.check()?;
        if slice.iter().any(is_content) {
            depth = z + 1;
            break;
        }
    }
    // Width in numbers of a line, height in lines.
    let (mut width, mut height) = (0, 0);
    for slice in numbers.chunks_exact(line * dims.y).take(depth) {
        if width == line && height == dims.y {
            break;
        }
        task.check()?;
        let mut lower = slice.chunks_exact(line).skip(height);
        if let Some(y) = lower.rposition(|line| line.iter().any(is_content)) {
            height += y + 1;
        }
        for row in slice.chunks_exact(line) {
            if let Some(x) = row[width..].iter().rposition(is_content) {
                width += x + 1;
            }
        }
    }
    Ok(Dims::new(width.div_ceil(channels), height, depth))
}

/// Returns the bytes of the first voxel if all voxels of the box of `extent` there equal it.
pub(super) fn only_voxel<'a>(
    voxels: UntypedView<'a>,
    extent: Dims,
    task: &Task<'_>,
) -> Result<Option<&'a [u8]>, Cancelled> {
    let dims = voxels.dims();
    let voxel_bytes = voxels.channels() * voxels.voxel_type().byte_count();
    let first = &voxels.bytes()[..voxel_bytes];
    let line = dims.x * voxel_bytes;
    let is_constant = |row: &[u8]| {
        // All voxels equal the first, if each equals the one before.
        row[..voxel_bytes] == *first && row[voxel_bytes..] == row[..row.len() - voxel_bytes]
    };
    for slice in voxels.bytes().chunks_exact(line * dims.y).take(extent.z) {
        task.check()?;
        let mut rows = slice.chunks_exact(line).take(extent.y);
        if !rows.all(|row| is_constant(&row[..extent.x * voxel_bytes])) {
            return Ok(None);
        }
    }
    Ok(Some(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VolumeView;

    fn extent_of(voxels: &[i16], dims: Dims, channels: usize, fill: i16) -> Dims {
        let view = VolumeView::interleaved(voxels, dims, channels).expect("voxels");
        extent(view.untyped(), &fill.to_ne_bytes(), &Task::new()).expect("not cancelled")
    }

    #[test]
    fn an_extent_ends_with_the_last_other_number() {
        let dims = Dims::new(4, 3, 2);
        for i in 0..24 {
            let mut voxels = [-1; 24];
            assert_eq!(extent_of(&voxels, dims, 1, -1), Dims::new(0, 0, 0));
            voxels[i] = 7;
            let (x, y, z) = dims.position(i);
            assert_eq!(extent_of(&voxels, dims, 1, -1), Dims::new(x + 1, y + 1, z + 1));
            // The sides come from different voxels.
            voxels[20] = 0;
            let both = Dims::new(x + 1, (y + 1).max(3), 2);
            assert_eq!(extent_of(&voxels, dims, 1, -1), both);
            assert_eq!(extent_of(&voxels, Dims::new(2, 3, 2), 2, -1).x, x / 2 + 1);
        }
    }

    #[test]
    fn one_value_is_found_within_the_extent() {
        let dims = Dims::new(4, 3, 2);
        let mut voxels = [5u8; 24];
        let only = |voxels: &[u8; 24], extent| {
            let view = VolumeView::new(voxels, dims).expect("voxels");
            only_voxel(view.untyped(), extent, &Task::new()).expect("not cancelled").map(<[u8]>::to_vec)
        };
        assert_eq!(only(&voxels, dims), Some(vec![5]));
        voxels[3] = 9;
        assert_eq!((only(&voxels, dims), only(&voxels, Dims::new(3, 3, 2))), (None, Some(vec![5])));
        voxels[12] = 9;
        assert_eq!(only(&voxels, Dims::new(3, 3, 2)), None);
    }
}
