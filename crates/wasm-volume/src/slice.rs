//! Slices as images.

use crate::{failure::Failure, request::Request};
use brickwork_toolkit::volume::{SliceColors, SlicePlane};
use brickwork_volume::{Dims, Header, Region, Task, VoxelKind, render::DisplayBricks};

/// A slice of a volume.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    plane: SlicePlane,
    /// Number of the slice along the plane's normal.
    pub index: usize,
    count: usize,
}

impl Slice {
    /// Returns the slice that a request names: `axis` (x, y, z, or axial, coronal, sagittal; default z) and
    /// `index` (default: the middle). The header is that of the volume.
    pub fn new(request: &Request, header: &Header) -> Result<Self, Failure> {
        let stored = |axis| SlicePlane::stored(axis).upright(header);
        let [axial, coronal, sagittal] = SlicePlane::anatomical(header);
        let planes = [
            ("x", stored(0)),
            ("y", stored(1)),
            ("z", stored(2)),
            ("axial", axial),
            ("coronal", coronal),
            ("sagittal", sagittal),
        ];
        let plane = request.choice("axis", &planes)?.unwrap_or(stored(2));
        let count = plane.count(header.dims);
        let index = request.count("index")?.unwrap_or(count as u64 / 2);
        if index >= count as u64 {
            return Err(Failure::argument(format!(
                "index is {index}; there are {count} slices, counted from 0"
            )));
        }
        Ok(Self { plane, index: index as usize, count })
    }

    /// Returns the voxels of the slice in a volume of these dims.
    pub fn region(&self, dims: Dims) -> Region {
        let mut region = Region::all(dims);
        let side = match self.plane.normal {
            0 => &mut region.x,
            1 => &mut region.y,
            _ => &mut region.z,
        };
        *side = self.index..self.index + 1;
        region
    }

    /// Returns the image of slice `index` of `bricks`: width, height, index and number of slices as words,
    /// the distances of voxels to the right and down as doubles, then four bytes per pixel.
    pub fn image(
        &self,
        bricks: &dyn DisplayBricks,
        index: usize,
        header: &Header,
        colors: SliceColors,
    ) -> Result<Vec<u8>, Failure> {
        let task = Task::new();
        let values = self.plane.read(bricks, index, &task)?;
        let pixels = values.colors(&bricks.display(), colors, &task)?;
        let mut output = Vec::with_capacity(32 + 4 * pixels.len());
        for number in [values.width, values.height, self.index, self.count] {
            output.extend((number as u32).to_le_bytes());
        }
        for distance in self.plane.spacing(header.spacing) {
            output.extend(distance.to_le_bytes());
        }
        output.extend(pixels.as_flattened());
        Ok(output)
    }
}

/// Returns the colours of a slice: those of labels, or the `window` of the request, or else the given one.
pub fn colors(
    request: &Request,
    kind: VoxelKind,
    window: impl FnOnce() -> Result<[f64; 2], Failure>,
) -> Result<SliceColors, Failure> {
    Ok(match (kind, request.numbers::<2>("window")?) {
        (VoxelKind::Labels, _) => SliceColors::Labels,
        (_, Some(window)) => SliceColors::Window(window),
        (_, None) => SliceColors::Window(window()?),
    })
}
