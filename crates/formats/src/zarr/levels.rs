//! The axes that are halved from level to level.

use brickwork_volume::Header;
use std::f64::consts::SQRT_2;

/// Returns how many times x, y and z are halved for each of `header.mip_levels` levels.
///
/// A step halves the axes whose spacing is below √2 times the finest, which is that of an axis with several
/// voxels. Voxels become as isotropic as halving can make them, and isotropic ones stay so. BigDataViewer's
/// `ProposeMipmaps` has the bound 2; ome-zarr-py keeps z unless its caller passes factors.
pub fn halvings(header: &Header) -> Vec<[u32; 3]> {
    let spacings = [header.spacing.x, header.spacing.y, header.spacing.z];
    let sides = [header.dims.x, header.dims.y, header.dims.z];
    let mut levels = vec![[0u32; 3]];
    let mut counts = [0; 3];
    for _ in 1..header.mip_levels {
        let spacing = |axis: usize| spacings[axis] * 2f64.powi(counts[axis] as i32);
        let has_several =
            |axis: &usize| sides[*axis] > 1usize.checked_shl(counts[*axis]).unwrap_or(usize::MAX);
        let finest = (0..3).filter(has_several).map(spacing).fold(f64::INFINITY, f64::min);
        counts = [0, 1, 2].map(|axis| counts[axis] + u32::from(spacing(axis) < SQRT_2 * finest));
        levels.push(counts);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, Spacing, VoxelType};

    fn of(sides: [usize; 3], spacing: [f64; 3], mip_levels: usize) -> Vec<[u32; 3]> {
        let [x, y, z] = sides;
        halvings(&Header::new(VoxelType::U8, Dims::new(x, y, z)).with(|header| {
            header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
            header.mip_levels = mip_levels;
        }))
    }

    #[test]
    fn the_finest_axes_are_halved() {
        let cube = [64; 3];
        assert_eq!(of(cube, [0.5; 3], 3), [[0; 3], [1; 3], [2; 3]]);
        // 0.4 and 1, 0.8 and 1: then all.
        assert_eq!(of(cube, [0.2, 0.2, 1.0], 4), [[0; 3], [1, 1, 0], [2, 2, 0], [3, 3, 1]]);
        assert_eq!(of(cube, [0.2, 0.2, 0.4], 3), [[0; 3], [1, 1, 0], [2, 2, 1]]);
        assert_eq!(of(cube, [3.0, 1.0, 2.0], 4), [[0; 3], [0, 1, 0], [0, 2, 1], [1, 3, 2]]);
        assert_eq!(of(cube, [1.0, 1.0, 1.4], 2), [[0; 3], [1; 3]]);
        assert_eq!(of(cube, [1.0, 1.0, 1.5], 3), [[0; 3], [1, 1, 0], [2, 2, 1]]);
    }

    #[test]
    fn an_axis_of_one_voxel_does_not_hold_others_up() {
        assert_eq!(of([64, 64, 1], [1.0, 1.0, 0.001], 2), [[0; 3], [1; 3]]);
        // After two steps, z has one voxel.
        let levels = of([64, 64, 4], [1.0, 1.0, 0.01], 4);
        assert_eq!(levels, [[0; 3], [0, 0, 1], [0, 0, 2], [1, 1, 3]]);
    }
}
