//! Sources of bricks for the ray caster.

use super::{Display, RenderError, narrowing::Narrowing, outliers};
use crate::{
    AnyVoxels, Cancelled, Dims, ShapeError, Stage, Task, VolumeView, Voxel, VoxelKind, VoxelType, parallel,
    steps::Steps,
    untyped::{UntypedView, VoxelBuffer},
};
use std::{fmt, sync::Arc};

/// Bricks of 4×4×4 display values. Threads share it.
pub trait DisplayBricks: Send + Sync {
    /// Returns the volume's voxels along each axis.
    fn dims(&self) -> Dims;

    /// Returns the meaning of the display values.
    fn display(&self) -> Display;

    /// Bounds of the display values of those voxels of a brick that are inside the volume: not above the
    /// smallest, not below the largest. `brick` counts bricks along x, y and z; outside the volume it is the
    /// nearest brick inside.
    fn range(&self, brick: [u32; 3]) -> [u16; 2];

    /// Writes the 64 display values of a brick, x fastest. Those outside the volume are unspecified. If
    /// `brick` is outside the volume, it means the nearest brick inside.
    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]);
}

/// The voxels of a brick.
pub(super) const BRICK: Dims = Dims::cube(4);

/// Returns the dims of a volume in bricks.
pub(super) const fn brick_dims(dims: Dims) -> Dims {
    dims.covered_by(BRICK)
}

/// Returns the position of the brick in `bricks` that is nearest to a position.
pub(super) fn nearest(bricks: Dims, place: [u32; 3]) -> [usize; 3] {
    let [x, y, z] = place.map(|place| place as usize);
    [x.min(bricks.x - 1), y.min(bricks.y - 1), z.min(bricks.z - 1)]
}

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
        ordinals_of(&voxels, self.channel, place)
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

/// Returns the ranges of all bricks. `fill` sets those of each layer. Reports the layers.
///
/// # Errors
/// [`RenderError::Memory`]; errors of `fill`.
pub(super) fn ranges_by_layer(
    bricks: Dims,
    steps: &Steps<'_>,
    fill: impl Fn(usize, &mut [[u16; 2]]) -> Result<(), Cancelled> + Sync,
) -> Result<Vec<[u16; 2]>, RenderError> {
    let (mut ranges, count) = (Vec::new(), bricks.voxel_count()?);
    let memory = |_| RenderError::Memory(count as u64 * size_of::<[u16; 2]>() as u64);
    ranges.try_reserve_exact(count).map_err(memory)?;
    ranges.resize(count, [0; 2]);
    let layers = ranges.chunks_exact_mut(bricks.x * bricks.y).enumerate();
    parallel::try_map(steps.task(), layers, |(z, layer)| {
        fill(z, layer)?;
        steps.add(1);
        Ok::<_, Cancelled>(())
    })?;
    Ok(ranges)
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

/// True if display values are known before the voxels are read.
pub(super) fn has_known_range(voxel_type: VoxelType, kind: VoxelKind) -> bool {
    voxel_type.bit_count() == 8 || voxel_type == VoxelType::I16 || kind == VoxelKind::Labels
}

/// The result of reading all voxels.
#[derive(Default)]
pub(super) struct Extent {
    /// The least and the largest finite number.
    values: Option<[f64; 2]>,
    has_wrapped_negatives: bool,
    /// True if the numbers of most bricks are much smaller than the largest.
    may_have_outliers: bool,
}

impl Extent {
    /// Returns the display values of these voxels.
    pub fn display(&self, voxel_type: VoxelType, kind: VoxelKind) -> Display {
        let Some([low, high]) = self.values else {
            let is_float = voxel_type.is_float() && kind == VoxelKind::Intensity;
            return if is_float {
                Display::of_no_numbers()
            } else {
                Display::new(voxel_type, kind, 0.0, 0.0)
            };
        };
        // A window around a single float needs display values on both sides of it.
        let is_single = low == high && voxel_type.is_float();
        let around = if is_single { low.abs().clamp(1.0, f64::from(f32::MAX) / 4.0) } else { 0.0 };
        let (low, high) = (low - around, high + around);
        let display = Display::new(voxel_type, kind, low, high);
        if self.has_wrapped_negatives && kind == VoxelKind::Intensity {
            return Display::of_wrapped_negatives();
        }
        display
    }

    /// Replaces the range of the numbers by that of all but a few, if these few are so far away that the
    /// others would have almost the same display value. `ordinals` returns the voxels of a brick.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn leave_out_outliers(
        &mut self,
        dims: Dims,
        voxel_type: VoxelType,
        ordinals: impl Fn([usize; 3]) -> [u32; 64] + Sync,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(range) = self.values.filter(|_| self.may_have_outliers) {
            self.values = Some(outliers::left_out(range, dims, voxel_type, ordinals, task)?);
        }
        Ok(())
    }
}

/// Ordinals of at most 32 bits of finite numbers.
pub(super) struct OrdinalExtent {
    least: u32,
    largest: u32,
    /// Number of bricks by the exponent of their largest number, for numbers of 32 bits.
    exponents: outliers::Exponents,
    /// True for u16 if a value is neither in the range of measured numbers nor in that of negative ones that
    /// lost their sign.
    is_between: bool,
}

impl Default for OrdinalExtent {
    fn default() -> Self {
        let exponents = outliers::Exponents::default();
        Self { least: u32::MAX, largest: 0, exponents, is_between: false }
    }
}

/// Gap between positive and wrapped negative u16 values. If no value is in this range, but some are above it,
/// the values are taken for i16: scanners measure fewer than 2¹⁴ levels, and mark unmeasured voxels by a
/// small negative number.
const BETWEEN: std::ops::Range<u32> = 1 << 14..61_440;

/// Ordinals of the smallest and the largest finite f32.
pub(super) const FINITE: std::ops::RangeInclusive<u32> = 0x0080_0000..=0xff7f_ffff;

impl OrdinalExtent {
    /// Adds voxels with these smallest and largest ordinals, if these suffice. Returns false if the ordinals
    /// between them matter.
    pub fn add_range(&mut self, [least, largest]: [u32; 2], voxel_type: VoxelType) -> bool {
        let is_enough = match voxel_type {
            VoxelType::U16 => least >= BETWEEN.start || largest < BETWEEN.end,
            VoxelType::U32 | VoxelType::I32 => true,
            _ => FINITE.contains(&least) && FINITE.contains(&largest),
        };
        if is_enough {
            let mut both = [least; 64];
            both[1] = largest;
            self.add(&both, voxel_type);
        }
        is_enough
    }

    pub fn add(&mut self, ordinals: &[u32; 64], voxel_type: VoxelType) {
        self.exponents.add(ordinals, voxel_type);
        match voxel_type {
            VoxelType::U16 => {
                for &ordinal in ordinals {
                    self.is_between |= BETWEEN.contains(&ordinal);
                    self.largest = self.largest.max(ordinal);
                }
                self.least = 0;
            }
            VoxelType::U32 | VoxelType::I32 => {
                for &ordinal in ordinals {
                    self.least = self.least.min(ordinal);
                    self.largest = self.largest.max(ordinal);
                }
            }
            _ => {
                for &ordinal in ordinals.iter().filter(|ordinal| FINITE.contains(ordinal)) {
                    self.least = self.least.min(ordinal);
                    self.largest = self.largest.max(ordinal);
                }
            }
        }
    }

    pub fn join(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            largest: self.largest.max(other.largest),
            exponents: self.exponents.join(&other.exponents),
            is_between: self.is_between || other.is_between,
        }
    }

    pub fn finish(self, voxel_type: VoxelType) -> Extent {
        let [least, largest] = [self.least, self.largest];
        let values = (least <= largest).then(|| match voxel_type {
            VoxelType::U32 | VoxelType::U16 => [least, largest].map(f64::from),
            VoxelType::I32 => [least, largest].map(|ordinal| i32::from_ordinal(ordinal.into()).into()),
            _ => [least, largest].map(|ordinal| f32::from_ordinal(ordinal.into()).into()),
        });
        let has_wrapped_negatives =
            voxel_type == VoxelType::U16 && largest >= BETWEEN.end && !self.is_between;
        let may_have_outliers = self.exponents.may_have_outliers();
        Extent { values, has_wrapped_negatives, may_have_outliers }
    }
}
