//! Agreement of two volumes about the place of their voxels.

use brickwork_volume::{Header, VoxelType};

/// Largest difference of places that is rounding, as a share of the smallest distance of voxels.
const TOLERANCE: f64 = 0.1;

/// Returns the largest distance in millimetres between places that two volumes of the same dims state for one
/// voxel, if it is more than a tenth of the smallest distance of voxels. `None` also if one of the volumes
/// states no geometry.
pub fn geometry_difference(a: &Header, b: &Header) -> Option<f64> {
    if !has_geometry(a) || !has_geometry(b) {
        return None;
    }
    let sides = [a.dims.x, a.dims.y, a.dims.z].map(|side| side.saturating_sub(1) as f64);
    // The difference of two affine maps is largest at a corner.
    let corners =
        (0..8).map(|corner| [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { sides[axis] } else { 0.0 }));
    let distance = |at: [f64; 3]| {
        let (a, b) = (a.world_position(at), b.world_position(at));
        [0, 1, 2].map(|axis| (a[axis] - b[axis]).powi(2)).iter().sum::<f64>().sqrt()
    };
    let largest = corners.map(distance).fold(0.0, f64::max);
    let spacing = a.spacing.x.min(a.spacing.y).min(a.spacing.z);
    (largest > TOLERANCE * spacing).then_some(largest)
}

fn has_geometry(header: &Header) -> bool {
    let plain = Header::new(VoxelType::U8, header.dims);
    let of = |header: &Header| (header.spacing, header.origin, header.orientation);
    of(header) != of(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, Spacing};

    #[test]
    fn places_differ_by_more_than_rounding() {
        let spacing = Spacing { x: 1.0, y: 1.0, z: 2.0 };
        let a = Header::new(VoxelType::U8, Dims::new(11, 11, 11)).with(|h| h.spacing = spacing);
        let moved = |by: f64| a.clone().with(|h| h.origin = [0.0, by, 0.0]);
        assert_eq!(geometry_difference(&a, &moved(0.09)), None);
        assert_eq!(geometry_difference(&a, &moved(0.5)), Some(0.5));
        // The last of eleven slices is 2 mm away.
        let wider = a.clone().with(|h| h.spacing.z = 2.2);
        let far = geometry_difference(&a, &wider).expect("a difference");
        assert!((far - 2.0).abs() < 1e-9, "{far}");
        // A file without geometry agrees with all.
        assert_eq!(geometry_difference(&Header::new(VoxelType::U8, a.dims), &moved(9.0)), None);
    }
}
