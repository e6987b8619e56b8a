//! Where the ray caster gets its bricks from.

use super::{Display, parallel};
use crate::{AnyVoxels, Dims, ShapeError, VolumeView, Voxel, VoxelKind, VoxelType, untyped::UntypedView};
use std::fmt;

/// Bricks of 4×4×4 display values.
pub trait DisplayBricks: Sync {
    /// The volume's voxels along each axis.
    fn dims(&self) -> Dims;

    /// What the display values stand for.
    fn display(&self) -> Display;

    /// Bounds of the display values of those voxels of a brick that lie in the volume: not above the least,
    /// not below the largest. `brick` counts bricks along x, y and z.
    fn range(&self, brick: [u32; 3]) -> [u16; 2];

    /// The 64 display values of a brick, x fastest. Those outside the volume are unspecified.
    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]);
}

/// The voxels of a brick.
pub(super) const BRICK: Dims = Dims::cube(4);

/// The dims of a volume in bricks.
pub(super) const fn brick_dims(dims: Dims) -> Dims {
    dims.covered_by(BRICK)
}

/// Bricks cut from one channel of raw voxels in memory. The range of each brick is kept, 4 bytes per brick.
#[derive(Clone)]
pub struct RawBricks<'a> {
    voxels: UntypedView<'a>,
    channel: usize,
    display: Display,
    bricks: Dims,
    ranges: Vec<[u16; 2]>,
}

impl fmt::Debug for RawBricks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = self.voxels.dims();
        f.debug_struct("RawBricks")
            .field("dims", &dims)
            .field("channel", &self.channel)
            .finish_non_exhaustive()
    }
}

impl<'a> RawBricks<'a> {
    /// The bricks of channel `channel` of `voxels`. Looks at every voxel, in parallel: for the display values
    /// of types wider than 16 bits their least and largest number, and each brick's range.
    ///
    /// # Errors
    /// [`ShapeError::Selected`] if there is no such channel.
    pub fn new<T: Voxel>(
        voxels: &VolumeView<'a, T>,
        channel: usize,
        kind: VoxelKind,
    ) -> Result<Self, ShapeError> {
        Self::of_untyped(voxels.untyped(), channel, kind)
    }

    /// [`new`](Self::new) for voxels of any type: `dims` of them with `channels` numbers each.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`ShapeError`] if the shape is impossible or `voxels` are not so many.
    pub fn of_any(
        voxels: &'a AnyVoxels,
        dims: Dims,
        channels: usize,
        channel: usize,
        kind: VoxelKind,
    ) -> Result<Self, ShapeError> {
        let voxels = UntypedView::new(voxels.bytes(), voxels.voxel_type(), dims, channels)?;
        Self::of_untyped(voxels, channel, kind)
    }

    fn of_untyped(voxels: UntypedView<'a>, channel: usize, kind: VoxelKind) -> Result<Self, ShapeError> {
        let count = voxels.channels();
        if channel >= count {
            return Err(ShapeError::Selected { what: "channel", index: channel, count });
        }
        let bricks = brick_dims(voxels.dims());
        let display = Display::new(voxels.voxel_type(), kind, 0.0, 0.0);
        let mut found = Self { voxels, channel, display, bricks, ranges: Vec::new() };
        found.display = found.extent().display(voxels.voxel_type(), kind);
        let layers = parallel::map(bricks.z, |z| found.layer_ranges(z as u32));
        found.ranges = layers.concat();
        Ok(found)
    }

    /// The ordinals of a brick: of 64 bits, as [`Display::narrow`] makes them.
    #[inline]
    fn ordinals(&self, brick: [u32; 3]) -> [u32; 64] {
        let corner = brick.map(|place| 4 * place as usize);
        let corner = (corner[0], corner[1], corner[2]);
        let words = self.voxels.voxel_type().word_count();
        let mut ordinals = [0; 64];
        self.voxels.copy_box(self.channel * words, Dims::cube(4), corner, &mut ordinals);
        if words == 2 {
            let mut lower = [0; 64];
            self.voxels.copy_box(self.channel * words + 1, Dims::cube(4), corner, &mut lower);
            for (upper, lower) in ordinals.iter_mut().zip(lower) {
                *upper = self.display.narrow(u64::from(*upper) << 32 | u64::from(lower));
            }
        }
        ordinals
    }

    fn layer_ranges(&self, z: u32) -> Vec<[u16; 2]> {
        let places =
            (0..self.bricks.y as u32).flat_map(|y| (0..self.bricks.x as u32).map(move |x| [x, y, z]));
        // (Voxels outside repeat the edge, so they do not matter.)
        let range = |place| {
            let mut values = [0; 64];
            self.brick(place, &mut values);
            values.iter().fold([u16::MAX, 0], |[least, largest], &v| [least.min(v), largest.max(v)])
        };
        places.map(range).collect()
    }

    /// What decides on the display values. None of it matters for labels and 8 bits.
    fn extent(&self) -> Extent {
        if has_known_range(self.voxels.voxel_type(), self.display.kind()) {
            return Extent::default();
        }
        let layers = parallel::map(self.bricks.z, |z| {
            let mut extent = OrdinalExtent::default();
            for y in 0..self.bricks.y as u32 {
                for x in 0..self.bricks.x as u32 {
                    extent.add(&self.ordinals([x, y, z as u32]), self.voxels.voxel_type());
                }
            }
            extent
        });
        let all = layers.into_iter().fold(OrdinalExtent::default(), OrdinalExtent::join);
        all.finish(self.voxels.voxel_type())
    }
}

impl DisplayBricks for RawBricks<'_> {
    fn dims(&self) -> Dims {
        self.voxels.dims()
    }

    fn display(&self) -> Display {
        self.display
    }

    fn range(&self, [x, y, z]: [u32; 3]) -> [u16; 2] {
        self.ranges[self.bricks.index(x as usize, y as usize, z as usize)]
    }

    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]) {
        let ordinals = self.ordinals(brick);
        for (value, ordinal) in values.iter_mut().zip(ordinals) {
            *value = self.display.display(ordinal);
        }
    }
}

/// Whether display values are known without a look at the voxels.
pub(super) fn has_known_range(voxel_type: VoxelType, kind: VoxelKind) -> bool {
    voxel_type.bit_count() == 8 || voxel_type == VoxelType::I16 || kind == VoxelKind::Labels
}

/// What a look at all voxels found.
#[derive(Default)]
pub(super) struct Extent {
    /// The least and the largest finite number.
    values: Option<[f64; 2]>,
    has_wrapped_negatives: bool,
}

impl Extent {
    /// The display values of these voxels.
    pub fn display(&self, voxel_type: VoxelType, kind: VoxelKind) -> Display {
        let Some([low, high]) = self.values else { return Display::new(voxel_type, kind, 0.0, 0.0) };
        let display = Display::new(voxel_type, kind, low, high);
        if self.has_wrapped_negatives && kind == VoxelKind::Intensity {
            return display.with_wrapped_negatives();
        }
        display
    }
}

/// Ordinals, or what [`Display::narrow`] gives, of finite numbers.
pub(super) struct OrdinalExtent {
    least: u32,
    largest: u32,
    /// Of u16: whether any is where neither measured numbers nor negative ones that lost their sign are.
    is_between: bool,
}

impl Default for OrdinalExtent {
    fn default() -> Self {
        Self { least: u32::MAX, largest: 0, is_between: false }
    }
}

/// u16 of which none is here, but some above, are taken for i16: scanners measure less than 2¹⁴ levels, and
/// mark what they did not measure by a small negative number.
const BETWEEN: std::ops::Range<u32> = 1 << 14..61_440;

/// Ordinals of f32 from the least to the largest finite number.
const FINITE: std::ops::RangeInclusive<u32> = 0x0080_0000..=0xff7f_ffff;

impl OrdinalExtent {
    /// Adds voxels whose least and largest ordinals are these, unless what counts of them is between; says
    /// whether it did.
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
        Extent { values, has_wrapped_negatives }
    }
}
