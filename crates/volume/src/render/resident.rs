//! Bricks of a volume that is compressed in memory.

use super::{
    bricks::{DisplayBricks, OrdinalExtent, has_known_range},
    display::Display,
    parallel,
};
use crate::{Dims, ResidentVolume};

/// The bricks of a [`ResidentVolume`], decoded as they are asked for; their ranges come from its index.
#[derive(Clone, Debug)]
pub struct ResidentBricks<'a> {
    volume: &'a ResidentVolume,
    display: Display,
}

impl<'a> ResidentBricks<'a> {
    /// The bricks of a volume. Where display values need the least and the largest number, these come from
    /// the index; bricks with numbers that do not count are decoded.
    pub fn new(volume: &'a ResidentVolume) -> Self {
        let (voxel_type, kind) = (volume.voxel_type(), volume.kind());
        if has_known_range(voxel_type, kind) {
            return Self { volume, display: Display::new(voxel_type, kind, 0.0, 0.0) };
        }
        let bricks = volume.bricks();
        let layers = parallel::map(bricks.z, |z| {
            let mut extent = OrdinalExtent::default();
            for i in 0..bricks.x * bricks.y {
                let place = [i % bricks.x, i / bricks.x, z];
                let ordinals = volume.brick(place).ordinals;
                if !extent.add_range(ordinals, voxel_type) {
                    let mut ordinals = [0; 64];
                    volume.read_whole_brick(place, &mut ordinals);
                    extent.add(&ordinals, voxel_type);
                }
            }
            extent
        });
        let all = layers.into_iter().fold(OrdinalExtent::default(), OrdinalExtent::join);
        Self { volume, display: all.finish(voxel_type).display(voxel_type, kind) }
    }

    /// The volume.
    pub const fn volume(&self) -> &'a ResidentVolume {
        self.volume
    }
}

impl DisplayBricks for ResidentBricks<'_> {
    fn dims(&self) -> Dims {
        self.volume.dims()
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, brick: [u32; 3]) -> [u16; 2] {
        let place = brick.map(|place| place as usize);
        let [least, largest] = self.volume.brick(place).ordinals;
        let range = self.display.range(least, largest);
        if range != [0, u16::MAX] {
            return range;
        }
        // Nothing is known without the voxels.
        let mut ordinals = [0; 64];
        self.volume.read_whole_brick(place, &mut ordinals);
        ordinals.iter().fold([u16::MAX, 0], |[least, largest], &ordinal| {
            let value = self.display.display(ordinal);
            [least.min(value), largest.max(value)]
        })
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let mut ordinals = [0; 64];
        self.volume.read_brick(brick.map(|place| place as usize), &mut ordinals);
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}
