//! Bricks of raw voxels.

use super::{
    Display, RenderError,
    bricks::{BRICK, DisplayBricks, brick_dims, nearest, ranges_by_layer},
    extent::{Extent, OrdinalExtent, has_known_range},
    narrowing::Narrowing,
};
use crate::{
    AnyVoxels, Cancelled, Dims, ShapeError, Stage, Task, VolumeView, Voxel, VoxelKind,
    steps::Steps,
    untyped::{UntypedView, VoxelBuffer},
};
use brickwork_base::parallel;
use std::{fmt, sync::Arc};

/// Bricks cut from one channel of raw voxels in memory, which they share. The range of each brick is kept, 4
/// bytes per brick.
#[derive(Clone)]
pub struct RawBricks {
    voxels: Arc<AnyVoxels>,
    dims: Dims,
    channels: usize,
    channel: usize,
    narrowing: Narrowing,
    display: Display,
    bricks: Dims,
    ranges: Vec<[u16; 2]>,
}

impl fmt::Debug for RawBricks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawBricks")
            .field("dims", &self.dims)
            .field("channel", &self.channel)
            .finish_non_exhaustive()
    }
}

impl RawBricks {
    /// Returns the bricks of channel `channel` of `voxels`: `dims` of them with `channels` numbers each,
    /// which run fastest. Reads every voxel, in parallel: for the range of each brick, and for the display
    /// values of types wider than 16 bits.
    ///
    /// # Errors
    /// [`RenderError::Shape`] if the shape is impossible, there is no such channel, or `voxels` has another
    /// length, or has more than 2³² − 1 labels of 64 bits; [`RenderError::Cancelled`].
    pub fn new(
        voxels: impl Into<Arc<AnyVoxels>>,
        dims: Dims,
        channels: usize,
        channel: usize,
        kind: VoxelKind,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let voxels: Arc<AnyVoxels> = voxels.into();
        let voxel_type = voxels.voxel_type();
        let view = UntypedView::new(voxels.bytes(), voxel_type, dims, channels)?;
        check_channel(channel, channels)?;
        let (bricks, display) = (brick_dims(dims), Display::new(voxel_type, kind, 0.0, 0.0));
        let narrowing = Narrowing::new(
            voxel_type,
            kind,
            bricks.z,
            |z, labels| {
                for y in 0..bricks.y {
                    task.check()?;
                    let row = (0..bricks.x).flat_map(|x| wide_ordinals(&view, channel, [x, y, z]));
                    row.for_each(|label| labels.add(label));
                }
                Ok(())
            },
            task,
        )?;
        let ranges = Vec::new();
        let mut found = Self { voxels, dims, channels, channel, narrowing, display, bricks, ranges };
        let voxel_type = display.voxel_type();
        let has_known_range = has_known_range(voxel_type, kind);
        let passes = if has_known_range { 1 } else { 2 };
        let steps = Steps::new(task, Stage::Preparing, passes * bricks.z as u64);
        if !has_known_range {
            let mut extent = found.extent(&steps)?;
            extent.leave_out_outliers(dims, voxel_type, |place| found.ordinals(place), task)?;
            found.display = extent.display(voxel_type, kind);
        }
        found.ranges =
            ranges_by_layer(bricks, &steps, |z, layer| found.layer_ranges(z as u32, layer, &steps))?;
        Ok(found)
    }

    /// Copies channel `channel` of borrowed voxels, and returns its bricks as [`new`](Self::new) does.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn copy_of<T: Voxel>(
        voxels: &VolumeView<'_, T>,
        channel: usize,
        kind: VoxelKind,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let (dims, channels) = (voxels.dims(), voxels.channels());
        check_channel(channel, channels)?;
        let mut buffer = VoxelBuffer::zeroed(dims.byte_count(size_of::<T>())?);
        let copied: &mut [T] = bytemuck::cast_slice_mut(buffer.bytes_mut());
        let pieces = copied.chunks_mut(PIECE).zip(voxels.voxels().chunks(PIECE * channels));
        for (copied, voxels) in pieces {
            task.check()?;
            for (copied, voxel) in copied.iter_mut().zip(voxels.iter().skip(channel).step_by(channels)) {
                *copied = *voxel;
            }
        }
        Self::new(AnyVoxels { voxel_type: T::TYPE, buffer }, dims, 1, 0, kind, task)
    }

    fn voxels(&self) -> UntypedView<'_> {
        let (bytes, voxel_type) = (self.voxels.bytes(), self.voxels.voxel_type());
        UntypedView::new(bytes, voxel_type, self.dims, self.channels).expect("checked by `new`")
    }

    /// Returns the ordinals of a brick; those of 64 bits are narrowed.
    #[inline]
    fn ordinals(&self, place: [usize; 3]) -> [u32; 64] {
        let voxels = self.voxels();
        if voxels.voxel_type().word_count() == 2 {
            return wide_ordinals(&voxels, self.channel, place).map(|label| self.narrowing.narrow(label));
        }
        let ordinals = ordinals_of(&voxels, self.channel, place);
        match voxels.voxel_type().is_rendered() {
            true => ordinals,
            false => ordinals.map(|ordinal| self.narrowing.narrow(ordinal.into())),
        }
    }

    fn layer_ranges(&self, z: u32, layer: &mut [[u16; 2]], steps: &Steps<'_>) -> Result<(), Cancelled> {
        for (y, row) in (0..).zip(layer.chunks_exact_mut(self.bricks.x)) {
            steps.check()?;
            for (x, range) in (0..).zip(row) {
                // Voxels outside repeat the edge, so they do not matter.
                let mut values = [0; 64];
                self.brick([x, y, z], &mut values);
                *range =
                    values.iter().fold([u16::MAX, 0], |[least, largest], &v| [least.min(v), largest.max(v)]);
            }
        }
        Ok(())
    }

    /// Returns the numbers that decide on the display values.
    fn extent(&self, steps: &Steps<'_>) -> Result<Extent, Cancelled> {
        let voxel_type = self.display.voxel_type();
        let layers = parallel::try_map(steps.task(), 0..self.bricks.z, |z| {
            let mut extent = OrdinalExtent::default();
            for y in 0..self.bricks.y {
                steps.check()?;
                for x in 0..self.bricks.x {
                    extent.add(&self.ordinals([x, y, z]), voxel_type);
                }
            }
            steps.add(1);
            Ok(extent)
        })?;
        let all = layers.into_iter().fold(OrdinalExtent::default(), OrdinalExtent::join);
        Ok(all.finish(voxel_type))
    }
}

/// Voxels copied between two checks for cancellation.
const PIECE: usize = 1 << 20;

fn check_channel(index: usize, count: usize) -> Result<(), ShapeError> {
    if index < count { Ok(()) } else { Err(ShapeError::Selected { what: "channel", index, count }) }
}

/// Returns the ordinals of a component of a brick; voxels outside the volume repeat its edge.
#[inline]
fn ordinals_of(voxels: &UntypedView<'_>, component: usize, place: [usize; 3]) -> [u32; 64] {
    let [x, y, z] = place.map(|place| 4 * place);
    let mut ordinals = [0; 64];
    voxels.copy_box(component, BRICK, (x, y, z), &mut ordinals);
    ordinals
}

/// Returns the ordinals of a channel of a brick of 64-bit numbers.
#[inline]
fn wide_ordinals(voxels: &UntypedView<'_>, channel: usize, place: [usize; 3]) -> [u64; 64] {
    let [upper, lower] = [0, 1].map(|word| ordinals_of(voxels, 2 * channel + word, place));
    std::array::from_fn(|i| u64::from(upper[i]) << 32 | u64::from(lower[i]))
}

impl DisplayBricks for RawBricks {
    fn dims(&self) -> Dims {
        self.dims
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, brick: [u32; 3]) -> [u16; 2] {
        let [x, y, z] = nearest(self.bricks, brick);
        self.ranges[self.bricks.index(x, y, z)]
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let ordinals = self.ordinals(nearest(self.bricks, brick));
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}
