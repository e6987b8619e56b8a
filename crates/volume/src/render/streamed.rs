//! The bricks of a [`StreamedVolume`], as far as the file's index describes them.

use super::{
    Display, DisplayBricks,
    bricks::{brick_dims, nearest},
    extent::{OrdinalExtent, has_known_range},
};
use crate::{
    Dims, VoxelKind, VoxelType,
    resident::{StreamError, StreamedVolume},
};

/// The bricks of a volume whose pages are read when rays need them. Each has the range of its chunk. Their
/// voxels are not known: all of a brick have its smallest value.
#[derive(Clone, Debug)]
pub struct StreamedBricks {
    dims: Dims,
    bricks: Dims,
    display: Display,
    /// Voxels along each side of a chunk.
    chunk: Dims,
    /// Chunks along each axis.
    grid: Dims,
    ranges: Vec<[u16; 2]>,
}

impl StreamedBricks {
    /// Returns the bricks of a volume of this kind. Display values are those of the loaded volume, with two
    /// exceptions: outliers are not left out, and values of u16 that lost their sign count as large, because
    /// only the voxels show the loss.
    ///
    /// # Errors
    /// [`StreamError::NotFinite`].
    pub fn new(volume: &StreamedVolume, kind: VoxelKind) -> Result<Self, StreamError> {
        let (dims, voxel_type) = (volume.dims(), volume.voxel_type());
        let mut display = Display::new(voxel_type, kind, 0.0, 0.0);
        if !has_known_range(voxel_type, kind) {
            let mut extent = OrdinalExtent::default();
            let is_known = volume.ordinals().iter().all(|range| extent.add_range(*range, voxel_type));
            if is_known {
                display = extent.finish(voxel_type).display(voxel_type, kind);
            } else if voxel_type != VoxelType::U16 {
                return Err(StreamError::NotFinite);
            }
        }
        let ranges =
            volume.ordinals().iter().map(|&[least, largest]| display.range(least, largest)).collect();
        let [chunk, grid] = volume.chunk_grid();
        Ok(Self { dims, bricks: brick_dims(dims), display, chunk, grid, ranges })
    }

    /// Returns the bricks of a volume of boxes, whose values are not known: each may have any. `display` is
    /// that of a smaller mip level.
    pub fn of_boxes(volume: &StreamedVolume, display: Display) -> Self {
        let ([chunk, grid], dims) = (volume.chunk_grid(), volume.dims());
        let ranges = vec![[0, u16::MAX]; grid.x * grid.y * grid.z];
        Self { dims, bricks: brick_dims(dims), display, chunk, grid, ranges }
    }
}

impl DisplayBricks for StreamedBricks {
    fn dims(&self) -> Dims {
        self.dims
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, brick: [u32; 3]) -> [u16; 2] {
        let [x, y, z] = nearest(self.bricks, brick);
        let Dims { x: width, y: height, z: depth } = self.chunk;
        self.ranges[self.grid.index(4 * x / width, 4 * y / height, 4 * z / depth)]
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        values.fill(self.range(brick)[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResidentOptions, ResidentVolume, Task, VolumeFile, render::ResidentBricks};
    use std::{fs, path::Path, sync::Arc};

    fn test_file(name: &str) -> VolumeFile<Vec<u8>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../test-data/bwv/{name}.bwv"));
        VolumeFile::new(fs::read(path).expect("a file")).expect("a sound file")
    }

    #[test]
    fn ranges_of_chunks_bound_those_of_bricks() {
        let (options, task) = (ResidentOptions::default(), Task::new());
        for name in ["u8", "u32", "f32-decimals", "labels-levels", "i32-eight", "labels-eight"] {
            let file = test_file(name);
            let volume = StreamedVolume::new(&file, &options, &task).expect("suited");
            let streamed = StreamedBricks::new(&volume, file.header().kind).expect("finite numbers");
            let volume = ResidentVolume::from_file(&file, &options, &task).expect("a sound file");
            let resident = ResidentBricks::new(Arc::new(volume), &task).expect("a small volume");
            assert_eq!(streamed.display(), resident.display(), "{name}");
            let bricks = brick_dims(streamed.dims());
            for i in 0..bricks.x * bricks.y * bricks.z {
                let (x, y, z) = bricks.position(i);
                let brick = [x, y, z].map(|place| place as u32);
                let ([low, high], [least, largest]) = (streamed.range(brick), resident.range(brick));
                assert!(low <= least && largest <= high, "{name}, {brick:?}");
            }
        }
    }

    #[test]
    fn what_only_voxels_tell_is_refused() {
        let (options, task) = (ResidentOptions::default(), Task::new());
        let of = |name: &str| StreamedVolume::new(&test_file(name), &options, &task);
        let not_finite = StreamedBricks::new(&of("f32").expect("suited"), VoxelKind::Intensity);
        assert!(matches!(not_finite, Err(StreamError::NotFinite)));
        assert!(matches!(of("u16-flat-slices"), Err(StreamError::Bricks)));
        assert!(matches!(of("u64"), Err(StreamError::Words)));
        assert!(matches!(of("guthe2016"), Err(StreamError::Read(_))));
    }
}
