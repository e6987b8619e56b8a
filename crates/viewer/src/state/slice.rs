//! Slices through a volume along its axes.

use crate::volume::Volume;
use brickwork_volume::{
    Dims, Header,
    render::{DisplayBricks as _, label_color},
};
use rayon::prelude::*;

/// The three planes of a patient: across the body, along it from side to side, and from front to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    Axial,
    Coronal,
    Sagittal,
}

impl Plane {
    /// Every plane.
    pub const ALL: [Self; 3] = [Self::Axial, Self::Coronal, Self::Sagittal];

    /// As the window has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axial => "Axial",
            Self::Coronal => "Coronal",
            Self::Sagittal => "Sagittal",
        }
    }

    /// The axes of the world that go through the plane, to the right, and down or up.
    const fn axes(self) -> (usize, usize, (usize, bool)) {
        match self {
            Self::Axial => (2, 0, (1, false)),
            Self::Coronal => (1, 0, (2, true)),
            Self::Sagittal => (0, 1, (2, true)),
        }
    }
}

/// An axis of the volume, and whether pictures show it backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceAxis {
    pub axis: usize,
    pub is_flipped: bool,
}

/// Which axes of a volume are those of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlicePlane {
    /// The axis along which slices lie.
    pub normal: usize,
    /// To the right.
    pub across: SliceAxis,
    /// Down.
    pub down: SliceAxis,
}

impl SlicePlane {
    /// The planes of a volume: its axes count as those of the world that they are nearest to.
    pub fn all(header: &Header) -> [Self; 3] {
        let nearest = nearest_axes(&header.orientation);
        Plane::ALL.map(|plane| {
            let (normal, across, (down, is_up)) = plane.axes();
            let [normal, across, mut down] = [normal, across, down].map(|axis| nearest[axis]);
            down.is_flipped ^= is_up;
            Self { normal: normal.axis, across, down }
        })
    }

    /// Pixels of a slice: voxels to the right and down.
    pub fn size(&self, dims: Dims) -> [usize; 2] {
        let sides = [dims.x, dims.y, dims.z];
        [sides[self.across.axis], sides[self.down.axis]]
    }

    /// The voxel of a pixel.
    pub fn voxel(&self, dims: Dims, index: usize, pixel: [usize; 2]) -> [usize; 3] {
        let mut voxel = [index; 3];
        for (axis, (pixel, side)) in [self.across, self.down].iter().zip(pixel.iter().zip(self.size(dims))) {
            voxel[axis.axis] = if axis.is_flipped { side - 1 - pixel } else { *pixel };
        }
        voxel
    }

    /// The display values of a slice, decoded from the bricks that it cuts.
    pub fn read(&self, volume: &Volume, index: usize) -> SliceValues {
        let dims = volume.dims();
        let [width, height] = self.size(dims);
        let sides = [dims.x, dims.y, dims.z];
        let mut values = vec![0; width * height];
        // Rows of bricks, in the order of the volume; flips come last.
        values.par_chunks_mut(4 * width).enumerate().for_each(|(row, values)| {
            let mut brick = [index / 4; 3];
            brick[self.down.axis] = row;
            for column in 0..sides[self.across.axis].div_ceil(4) {
                brick[self.across.axis] = column;
                let mut found = [0; 64];
                volume.bricks.brick(brick.map(|place| place as u32), &mut found);
                for (y, line) in values.chunks_exact_mut(width).enumerate() {
                    for (x, value) in line[4 * column..].iter_mut().take(4).enumerate() {
                        let mut at = [index % 4; 3];
                        (at[self.across.axis], at[self.down.axis]) = (x, y);
                        *value = found[at[0] + 4 * at[1] + 16 * at[2]];
                    }
                }
            }
        });
        if self.across.is_flipped {
            values.chunks_exact_mut(width).for_each(<[u16]>::reverse);
        }
        if self.down.is_flipped {
            let rows: Vec<_> = values.chunks_exact(width).rev().collect();
            values = rows.concat();
        }
        SliceValues { width, height, values }
    }
}

/// For each axis of the world the axis of the volume that is nearest to it, each one once.
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

/// The display values of a slice, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceValues {
    pub width: usize,
    pub height: usize,
    pub values: Vec<u16>,
}

/// How a slice is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coloring {
    /// Black at the first number, white at the second.
    Window([f64; 2]),
    /// Labels in their colours.
    Labels,
}

impl SliceValues {
    /// The colours of all pixels.
    pub fn colors(&self, volume: &Volume, coloring: Coloring) -> Vec<[u8; 4]> {
        match coloring {
            Coloring::Window([low, high]) => {
                let display = volume.display();
                let [low, high] = [low, high].map(|value| display.of_value(value));
                let span = (high - low).max(1e-9);
                let grey =
                    |value: u16| ((f64::from(value) - low) / span * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
                self.values.iter().map(|&value| [grey(value), grey(value), grey(value), 255]).collect()
            }
            Coloring::Labels => {
                let color = |label: u16| {
                    let [red, green, blue] = if label == 0 { [0; 3] } else { label_color(label) };
                    [red, green, blue, 255]
                };
                self.values.iter().map(|&label| color(label)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::of_voxels;
    use brickwork_volume::VoxelType;

    const DIMS: Dims = Dims::new(7, 6, 5);

    fn volume(orientation: [f64; 9]) -> Volume {
        let voxels: Vec<u16> = (0..210).collect();
        let header = Header::new(VoxelType::U16, DIMS).with(|header| header.orientation = orientation);
        of_voxels(&voxels, header).expect("a volume")
    }

    fn turned() -> [f64; 9] {
        // x of the volume is y of the world, y is −z, z is −x, all a little askew.
        [0.1, 0.99, 0.0, 0.0, 0.1, -0.99, -0.99, 0.1, 0.1]
    }

    #[test]
    fn slices_are_the_voxels() {
        for orientation in [Header::new(VoxelType::U8, DIMS).orientation, turned()] {
            let volume = volume(orientation);
            for plane in SlicePlane::all(&volume.header) {
                for index in 0..[DIMS.x, DIMS.y, DIMS.z][plane.normal] {
                    let slice = plane.read(&volume, index);
                    assert_eq!([slice.width, slice.height], plane.size(DIMS));
                    for (i, &value) in slice.values.iter().enumerate() {
                        let pixel = [i % slice.width, i / slice.width];
                        let [x, y, z] = plane.voxel(DIMS, index, pixel);
                        assert_eq!(usize::from(value), DIMS.index(x, y, z), "{plane:?} {index} {pixel:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn planes_are_those_of_the_patient() {
        let axis = |axis, is_flipped| SliceAxis { axis, is_flipped };
        let [axial, coronal, sagittal] = SlicePlane::all(&volume(turned()).header);
        assert_eq!(axial, SlicePlane { normal: 1, across: axis(2, true), down: axis(0, false) });
        assert_eq!(coronal, SlicePlane { normal: 0, across: axis(2, true), down: axis(1, false) });
        assert_eq!(sagittal, SlicePlane { normal: 2, across: axis(0, false), down: axis(1, false) });
        let broken = SlicePlane::all(&volume([f64::NAN; 9]).header);
        let mut normals = broken.map(|plane| plane.normal);
        normals.sort_unstable();
        assert_eq!(normals, [0, 1, 2]);
    }

    #[test]
    fn windows_and_labels_have_colours() {
        let volume = volume(Header::new(VoxelType::U8, DIMS).orientation);
        let slice = SliceValues { width: 4, height: 1, values: vec![0, 50, 100, 60000] };
        let greys = slice.colors(&volume, Coloring::Window([50.0, 150.0]));
        assert_eq!(greys.iter().map(|c| c[0]).collect::<Vec<_>>(), [0, 0, 128, 255]);
        let colors = slice.colors(&volume, Coloring::Labels);
        assert_eq!(colors[0], [0, 0, 0, 255]);
        assert_ne!(colors[1], colors[2]);
    }
}
