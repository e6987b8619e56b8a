//! Ranges of display values, from the ordinals of the voxels.

use super::{
    Display,
    outliers::{self, FINITE},
};
use crate::{Cancelled, Dims, Task, Voxel, VoxelKind, VoxelType};

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
