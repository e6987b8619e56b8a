//! Planes of slices.

use brickwork_volume::{Dims, Header, Spacing};

/// An axis of the volume in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "an axis and its direction")]
pub struct SliceAxis {
    /// The axis: 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// True if the image shows the axis backwards.
    pub is_flipped: bool,
}

/// Plane of a slice, and its orientation in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "three axes of the volume")]
pub struct SlicePlane {
    /// The axis perpendicular to the slice.
    pub normal: usize,
    /// The axis that points right.
    pub across: SliceAxis,
    /// The axis that points down.
    pub down: SliceAxis,
}

/// World axes of an axial, a coronal and a sagittal plane: the normal, the axis to the right, and the axis
/// down. The bool is true if that axis points up.
const ANATOMICAL: [(usize, usize, (usize, bool)); 3] =
    [(2, 0, (1, false)), (1, 0, (2, true)), (0, 1, (2, true))];

impl SlicePlane {
    /// Returns the plane perpendicular to an axis, in storage order. x points right (y in a plane across x),
    /// and y points down (z in planes across x and y).
    pub fn stored(normal: usize) -> Self {
        let [across, down] = match normal {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let axis = |axis| SliceAxis { axis, is_flipped: false };
        Self { normal, across: axis(across), down: axis(down) }
    }

    /// Flips the plane if the scan's directions are known and the head, or in axial slices the front, would
    /// point down.
    #[must_use]
    pub fn upright(mut self, header: &Header) -> Self {
        let direction = &header.orientation[3 * self.down.axis..][..3];
        let [left, back, up] = [direction[0], direction[1], direction[2]];
        let is_vertical = up.abs() >= back.abs().max(left.abs());
        let is_down = if is_vertical { up > 0.0 } else { back.abs() >= left.abs() && back < 0.0 };
        self.down.is_flipped ^= header.is_anatomical() && is_down;
        self
    }

    /// Returns the axial, the coronal and the sagittal plane of a volume. The head points up; in the axial
    /// plane, the front does. Each axis of the volume counts as the nearest world axis.
    pub fn anatomical(header: &Header) -> [Self; 3] {
        let nearest = nearest_axes(&header.orientation);
        ANATOMICAL.map(|(normal, across, (down, is_up))| {
            let [normal, across, mut down] = [normal, across, down].map(|axis| nearest[axis]);
            down.is_flipped ^= is_up;
            Self { normal: normal.axis, across, down }
        })
    }

    /// Returns the number of voxels of a slice to the right and down.
    pub fn size(&self, dims: Dims) -> [usize; 2] {
        let sides = [dims.x, dims.y, dims.z];
        [sides[self.across.axis], sides[self.down.axis]]
    }

    /// Returns the number of slices.
    pub fn count(&self, dims: Dims) -> usize {
        [dims.x, dims.y, dims.z][self.normal]
    }

    /// Returns the distances between voxels to the right and down.
    pub fn spacing(&self, spacing: Spacing) -> [f64; 2] {
        let sides = [spacing.x, spacing.y, spacing.z];
        [sides[self.across.axis], sides[self.down.axis]]
    }

    /// Returns the voxel of a pixel of slice `index`.
    pub fn voxel(&self, dims: Dims, index: usize, pixel: [usize; 2]) -> [usize; 3] {
        let mut voxel = [index; 3];
        for (axis, (pixel, side)) in [self.across, self.down].iter().zip(pixel.iter().zip(self.size(dims))) {
            voxel[axis.axis] = if axis.is_flipped { side - 1 - pixel } else { *pixel };
        }
        voxel
    }
}

/// Returns, for each world axis, the nearest axis of the volume. Each axis occurs once.
fn nearest_axes(orientation: &[f64; 9]) -> [SliceAxis; 3] {
    let mut found = [0, 1, 2].map(|axis| SliceAxis { axis, is_flipped: false });
    let mut free: Vec<(usize, usize)> = (0..9).map(|i| (i % 3, i / 3)).collect();
    while let Some(&(world, axis)) = free.iter().max_by(|a, b| {
        let along = |&&(world, axis): &&(usize, usize)| orientation[3 * axis + world].abs();
        along(a).total_cmp(&along(b))
    }) {
        found[world] = SliceAxis { axis, is_flipped: orientation[3 * axis + world] < 0.0 };
        free.retain(|&(w, a)| w != world && a != axis);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::VoxelType;

    fn header(orientation: [f64; 9]) -> Header {
        Header::new(VoxelType::U16, Dims::new(7, 6, 5)).with(|header| header.orientation = orientation)
    }

    #[test]
    fn planes_are_those_of_the_patient() {
        // The volume's x is the world's y, its y is −z, and its z is −x, all slightly tilted.
        let turned = header([0.1, 0.99, 0.0, 0.0, 0.1, -0.99, -0.99, 0.1, 0.1]);
        let axis = |axis, is_flipped| SliceAxis { axis, is_flipped };
        let [axial, coronal, sagittal] = SlicePlane::anatomical(&turned);
        assert_eq!(axial, SlicePlane { normal: 1, across: axis(2, true), down: axis(0, false) });
        assert_eq!(coronal, SlicePlane { normal: 0, across: axis(2, true), down: axis(1, false) });
        assert_eq!(sagittal, SlicePlane { normal: 2, across: axis(0, false), down: axis(1, false) });
        let mut normals = SlicePlane::anatomical(&header([f64::NAN; 9])).map(|plane| plane.normal);
        normals.sort_unstable();
        assert_eq!(normals, [0, 1, 2]);
    }

    #[test]
    fn heads_are_up() {
        let is_flipped = |header: &Header, normal| SlicePlane::stored(normal).upright(header).down.is_flipped;
        let mut header = header([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(!is_flipped(&header, 1));
        header.metadata = "{\"dicom\":{}}".to_owned();
        // z points up, y to the back.
        assert_eq!([2, 1].map(|normal| is_flipped(&header, normal)), [false, true]);
        // y points to the front, z down.
        header.orientation = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0];
        assert_eq!([2, 1].map(|normal| is_flipped(&header, normal)), [true, false]);
        // As in sagittal slices: y points down.
        header.orientation = [0.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0];
        assert_eq!([2, 1].map(|normal| is_flipped(&header, normal)), [false, false]);
    }
}
