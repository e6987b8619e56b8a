//! Bricks of a volume that is compressed in memory.

use super::{
    bricks::{DisplayBricks, OrdinalExtent, brick_dims, has_known_range},
    display::Display,
    parallel,
};
use crate::{Dims, ResidentVolume};

/// The bricks of a [`ResidentVolume`], decoded as they are asked for; their ranges come from its index. Where
/// it keeps a file's larger bricks, each of these is decoded for every 4×4×4 voxels of it that are asked for.
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
        let bricks = brick_dims(volume.dims());
        let unscaled = Self { volume, display: Display::new(voxel_type, kind, 0.0, 0.0) };
        let layers = parallel::map(bricks.z, |z| {
            let mut extent = OrdinalExtent::default();
            for i in 0..bricks.x * bricks.y {
                let place = [i % bricks.x, i / bricks.x, z];
                let ordinals = volume.ordinals_of_four(place);
                if volume.lower().is_some() || !extent.add_range(ordinals, voxel_type) {
                    extent.add(&unscaled.whole_brick(place), voxel_type);
                }
            }
            extent
        });
        let all = layers.into_iter().fold(OrdinalExtent::default(), OrdinalExtent::join);
        Self { volume, display: all.finish(voxel_type).display(voxel_type, kind) }
    }

    /// The ordinals of a brick (of 64 bits as [`Display::narrow`] makes them), with voxels outside that
    /// repeat the edge.
    fn whole_brick(&self, place: [usize; 3]) -> [u32; 64] {
        let mut ordinals = [0; 64];
        self.volume.read_whole_four(place, &mut ordinals);
        self.narrow(&mut ordinals, |lower, ordinals| lower.read_whole_four(place, ordinals));
        ordinals
    }

    /// Where there are lower words, joins them to the upper ones.
    fn narrow(&self, upper: &mut [u32; 64], read: impl Fn(&ResidentVolume, &mut [u32; 64])) {
        if let Some(volume) = self.volume.lower() {
            let mut lower = [0; 64];
            read(volume, &mut lower);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                *upper = self.display.narrow(u64::from(*upper) << 32 | u64::from(lower));
            }
        }
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
        if self.volume.lower().is_none() {
            let [least, largest] = self.volume.ordinals_of_four(place);
            let range = self.display.range(least, largest);
            if range != [0, u16::MAX] {
                return range;
            }
        }
        // Nothing is known without the voxels.
        self.whole_brick(place).iter().fold([u16::MAX, 0], |[least, largest], &ordinal| {
            let value = self.display.display(ordinal);
            [least.min(value), largest.max(value)]
        })
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let mut ordinals = [0; 64];
        let place = brick.map(|place| place as usize);
        self.volume.read_four(place, &mut ordinals);
        self.narrow(&mut ordinals, |lower, ordinals| lower.read_four(place, ordinals));
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}
