//! Bricks of a volume that is compressed in memory.

use super::{
    RenderError,
    bricks::{DisplayBricks, brick_dims, nearest, ranges_by_layer},
    display::{Display, DisplayRule},
    extent::{OrdinalExtent, has_known_range},
    narrowing::Narrowing,
};
use crate::{Cancelled, Dims, ResidentVolume, Stage, Task, steps::Steps};
use brickwork_base::parallel;
use std::sync::Arc;

/// The bricks of a [`ResidentVolume`], decoded when they are needed. Where it keeps a file's larger bricks,
/// each of these is decoded for every 4×4×4 voxels of it that are needed.
#[derive(Clone, Debug)]
pub struct ResidentBricks {
    volume: Arc<ResidentVolume>,
    narrowing: Narrowing,
    display: Display,
    bricks: Dims,
    /// The range of each brick where the volume's index does not tell it: for hashed labels, floats and
    /// numbers that are narrowed. Else none.
    ranges: Vec<[u16; 2]>,
}

impl ResidentBricks {
    /// Returns the bricks of a volume. Where display values depend on the smallest and the largest number,
    /// these come from the index; bricks with numbers that do not count, such as NaN, are decoded, as are
    /// all bricks of 64-bit numbers.
    ///
    /// # Errors
    /// [`RenderError::Shape`] if there are more than 2³² − 1 labels of 64 bits; [`RenderError::Memory`];
    /// [`RenderError::Cancelled`].
    pub fn new(volume: Arc<ResidentVolume>, task: &Task<'_>) -> Result<Self, RenderError> {
        let (voxel_type, kind) = (volume.voxel_type(), volume.kind());
        let (bricks, display) = (brick_dims(volume.dims()), Display::new(voxel_type, kind, 0.0, 0.0));
        let narrowing = Narrowing::new(
            voxel_type,
            kind,
            bricks.z,
            |z, labels| {
                for y in 0..bricks.y {
                    task.check()?;
                    let row = (0..bricks.x).filter_map(|x| wide_ordinals(&volume, [x, y, z]));
                    row.flatten().for_each(|label| labels.add(label));
                }
                Ok(())
            },
            task,
        )?;
        let mut found = Self { volume, narrowing, display, bricks, ranges: Vec::new() };
        let voxel_type = display.voxel_type();
        let total = 2 * bricks.z as u64;
        let steps = Steps::new(task, Stage::Preparing, total);
        if !has_known_range(voxel_type, kind) {
            let layers = parallel::try_map(task, 0..bricks.z, |z| found.layer_extent(z, &steps))?;
            let all = layers.into_iter().fold(OrdinalExtent::default(), OrdinalExtent::join);
            let mut extent = all.finish(voxel_type);
            let dims = found.volume.dims();
            extent.leave_out_outliers(dims, voxel_type, |place| found.whole_brick(place), task)?;
            found.display = extent.display(voxel_type, kind);
        }
        let is_in_order =
            matches!(found.display.rule(), DisplayRule::Flip { flip: 0 } | DisplayRule::Shift { .. });
        if !is_in_order || found.volume.lower().is_some() {
            found.ranges = ranges_by_layer(bricks, &steps, |z, layer| found.layer_ranges(z, layer, &steps))?;
        }
        task.report(Stage::Preparing, total, total);
        Ok(found)
    }

    /// Returns an ordinal as the ray casters know it, except one of 64 bits.
    fn narrow(&self, ordinal: u32) -> u32 {
        let is_rendered = self.narrowing.from().is_rendered();
        if is_rendered { ordinal } else { self.narrowing.narrow(ordinal.into()) }
    }

    fn layer_extent(&self, z: usize, steps: &Steps<'_>) -> Result<OrdinalExtent, Cancelled> {
        let voxel_type = self.display.voxel_type();
        let mut extent = OrdinalExtent::default();
        for y in 0..self.bricks.y {
            steps.check()?;
            for x in 0..self.bricks.x {
                let ordinals = self.volume.ordinals_of_four([x, y, z]).map(|ordinal| self.narrow(ordinal));
                if self.volume.lower().is_some() || !extent.add_range(ordinals, voxel_type) {
                    extent.add(&self.whole_brick([x, y, z]), voxel_type);
                }
            }
        }
        steps.add(1);
        Ok(extent)
    }

    fn layer_ranges(&self, z: usize, layer: &mut [[u16; 2]], steps: &Steps<'_>) -> Result<(), Cancelled> {
        for (y, row) in layer.chunks_exact_mut(self.bricks.x).enumerate() {
            steps.check()?;
            for (x, range) in row.iter_mut().enumerate() {
                *range = self.find_range([x, y, z]);
            }
        }
        Ok(())
    }

    /// Returns the range of a brick: from the index, or from its voxels if the index does not have it.
    fn find_range(&self, place: [usize; 3]) -> [u16; 2] {
        if self.volume.lower().is_none() {
            let [least, largest] = self.volume.ordinals_of_four(place).map(|ordinal| self.narrow(ordinal));
            let range = self.display.range(least, largest);
            if range != [0, u16::MAX] {
                return range;
            }
        }
        self.whole_brick(place).iter().fold([u16::MAX, 0], |[least, largest], &ordinal| {
            let value = self.display.display(ordinal);
            [least.min(value), largest.max(value)]
        })
    }

    /// Returns the ordinals of a brick, with voxels outside that repeat the edge; those of 64 bits are
    /// narrowed.
    fn whole_brick(&self, place: [usize; 3]) -> [u32; 64] {
        if let Some(ordinals) = wide_ordinals(&self.volume, place) {
            return ordinals.map(|ordinal| self.narrowing.narrow(ordinal));
        }
        let mut ordinals = [0; 64];
        self.volume.read_whole_four(place, &mut ordinals);
        ordinals.map(|ordinal| self.narrow(ordinal))
    }

    /// Returns the volume.
    pub const fn volume(&self) -> &Arc<ResidentVolume> {
        &self.volume
    }
}

/// Returns the ordinals of a brick of 64-bit numbers, with voxels outside that repeat the edge; `None` for
/// others.
fn wide_ordinals(volume: &ResidentVolume, place: [usize; 3]) -> Option<[u64; 64]> {
    let [mut upper, mut lower] = [[0; 64]; 2];
    volume.lower()?.read_whole_four(place, &mut lower);
    volume.read_whole_four(place, &mut upper);
    Some(std::array::from_fn(|i| u64::from(upper[i]) << 32 | u64::from(lower[i])))
}

impl DisplayBricks for ResidentBricks {
    fn dims(&self) -> Dims {
        self.volume.dims()
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, brick: [u32; 3]) -> [u16; 2] {
        let [x, y, z] = nearest(self.bricks, brick);
        match self.ranges.get(self.bricks.index(x, y, z)) {
            Some(range) => *range,
            None => self.find_range([x, y, z]),
        }
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let mut ordinals = [0; 64];
        let place = nearest(self.bricks, brick);
        match wide_ordinals(&self.volume, place) {
            Some(wide) => ordinals = wide.map(|ordinal| self.narrowing.narrow(ordinal)),
            None => {
                self.volume.read_four(place, &mut ordinals);
                ordinals = ordinals.map(|ordinal| self.narrow(ordinal));
            }
        }
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}
