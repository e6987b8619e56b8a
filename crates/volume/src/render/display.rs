//! Display values: the ray caster's form of voxels of any type.
//!
//! A display value has 16 bits. Which one a voxel has is decided by integers, or by one subtraction and one
//! product of floats that nothing can fuse; so the CPU and GPUs agree on each.

use super::narrowing::Narrowing;
use crate::{Voxel, VoxelKind, VoxelType};

/// Numbers of floats beyond this are treated as this, so that differences stay finite.
const LARGEST: f64 = 1.5e38;

/// Most that floats are multiplied by.
const LARGEST_SCALE: f64 = 1e37;

/// Conversion from voxels to display values, and between display values and the numbers that users know.
///
/// Intensities keep their order; [wrapped negatives](Self::has_wrapped_negatives) have the order of the
/// numbers that they represent. Labels from 0 to 65535 are their own display values, in every type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    voxel_type: VoxelType,
    kind: VoxelKind,
    rule: DisplayRule,
}

/// The conversion of a voxel's ordinal to its display value, as kernels take it from Rust. Ordinals are those
/// of docs/volume-format.md, section 1, of at most 32 bits. Those of 64 bits are first narrowed
/// ([`NarrowVoxels`](super::NarrowVoxels)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DisplayRule {
    /// `ordinal ^ flip`: of 8 and 16 bits.
    Flip {
        /// 0, or the top bit.
        flip: u32,
    },
    /// 0 below `low`, else `min((ordinal - low) >> shift, 65535)`: of integers of 32 bits.
    Shift {
        /// The ordinal that becomes 0.
        low: u32,
        /// Bits dropped.
        shift: u32,
    },
    /// 0 of NaN and up to `low`, 65535 from `high` on, else `(x - low_value) * scale`, at most 65535, without
    /// its fraction; x is the f32 of the ordinal.
    Scale {
        /// The ordinal up to which all is 0.
        low: u32,
        /// First ordinal whose display value, and that of all larger ones except NaN, is 65535.
        high: u32,
        /// The number of `low`.
        low_value: f32,
        /// Display values per unit.
        scale: f32,
    },
    /// Labels with more than 16 bits: 0 for `zero`, else [`label_display`] of `ordinal ^ zero`, or with
    /// `is_float` of the whole number from 1 to 2³² − 1 whose bits these are. (In floats, −0 and NaN also
    /// count as 0.)
    Hash {
        /// The ordinal of 0.
        zero: u32,
        /// True if these are ordinals of f32.
        is_float: bool,
    },
}

/// The factor of hashes.
pub(super) const HASH_1: u32 = 0x9e37_79b1;
pub(super) const HASH_2: u32 = 0x85eb_ca77;

/// Returns the display value of a label of any type, from which [`label_color`](super::label_color) makes its
/// colour: the label itself up to 65535, else a number from 1 to 65535: `1 + ((h >> 16) * 65535 >> 16)` with
/// `h = label * 0x9E3779B1`, wrapped, `h ^= h >> 15`, `h *= 0x85EBCA77`.
#[inline]
pub const fn label_display(label: u32) -> u16 {
    if label <= u16::MAX as u32 {
        return label as u16;
    }
    let h = label.wrapping_mul(HASH_1);
    let h = (h ^ h >> 15).wrapping_mul(HASH_2);
    (1 + (((h >> 16) * 65535) >> 16)) as u16
}

/// Returns the whole number from 1 to 2³² − 1 that these bits represent as f32, or the bits of other numbers.
#[inline]
fn whole_number(bits: u32) -> u32 {
    let number = f32::from_bits(bits);
    let is_whole = (1.0..4_294_967_296.0).contains(&number) && number.floor() == number;
    if is_whole { number as u32 } else { bits }
}

/// The ordinal of plus infinity as f32; larger ones are NaN.
pub(super) const INFINITY: u32 = 0xff80_0000;

/// The ordinal of minus infinity as f32; smaller ones are NaN.
pub(super) const MINUS_INFINITY: u32 = 0x007f_ffff;

impl Display {
    /// Returns the display values of voxels of `voxel_type` that distinguish those from `low` to `high`.
    /// Values outside are shown like the nearest of these. Types of 8 and 16 bits and labels do not need the
    /// range. A range that is reversed, or does not consist of numbers, counts as one number. Types of 64
    /// bits become those of [`NarrowVoxels`](super::NarrowVoxels).
    pub fn new(voxel_type: VoxelType, kind: VoxelKind, low: f64, high: f64) -> Self {
        let voxel_type = Narrowing::target(voxel_type, kind);
        let rule = match (voxel_type, kind) {
            (VoxelType::U8 | VoxelType::U16, _) => DisplayRule::Flip { flip: 0 },
            // Ordinals have their top bit flipped. Labels get it flipped back, so that 0 is 0.
            (VoxelType::I8, VoxelKind::Labels) => DisplayRule::Flip { flip: 0x80 },
            (VoxelType::I16, VoxelKind::Labels) => DisplayRule::Flip { flip: 0x8000 },
            (VoxelType::I8 | VoxelType::I16, VoxelKind::Intensity) => DisplayRule::Flip { flip: 0 },
            (VoxelType::U32, VoxelKind::Labels) => DisplayRule::Hash { zero: 0, is_float: false },
            (VoxelType::I32, VoxelKind::Labels) => DisplayRule::Hash { zero: 1 << 31, is_float: false },
            (
                VoxelType::F32 | VoxelType::U64 | VoxelType::I64 | VoxelType::F64 | VoxelType::F16,
                VoxelKind::Labels,
            ) => DisplayRule::Hash { zero: 1 << 31, is_float: true },
            (VoxelType::U32, VoxelKind::Intensity) => shift_rule(u64::from(low as u32), high as u32 as u64),
            (VoxelType::I32, VoxelKind::Intensity) => {
                shift_rule((low as i32).to_ordinal(), (high as i32).to_ordinal())
            }
            (
                VoxelType::F32 | VoxelType::U64 | VoxelType::I64 | VoxelType::F64 | VoxelType::F16,
                VoxelKind::Intensity,
            ) => scale_rule(low, high),
        };
        Self { voxel_type, kind, rule }
    }

    /// Returns the display values of intensities of type u16 that are really i16: 65535 means −1. (Scanners
    /// pad the outside of their field of view with −2000, for example, and some converters lose the sign.)
    pub(super) fn of_wrapped_negatives() -> Self {
        let rule = DisplayRule::Flip { flip: 0x8000 };
        Self { voxel_type: VoxelType::U16, kind: VoxelKind::Intensity, rule }
    }

    /// Returns the display values of floats of which none is finite: all are 0.
    pub(super) fn of_no_numbers() -> Self {
        let rule = DisplayRule::Scale { low: u32::MAX, high: u32::MAX, low_value: 0.0, scale: 1.0 };
        Self { voxel_type: VoxelType::F32, kind: VoxelKind::Intensity, rule }
    }

    /// True if no voxel is a finite number.
    pub fn has_no_numbers(&self) -> bool {
        matches!(self.rule, DisplayRule::Scale { low: u32::MAX, .. })
    }

    /// True for u16 that are really i16: 65535 means −1.
    pub fn has_wrapped_negatives(&self) -> bool {
        self.voxel_type == VoxelType::U16 && self.rule == DisplayRule::Flip { flip: 0x8000 }
    }

    /// Returns the type of the voxels; for 64 bits, the type that they become.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the meaning of the voxels.
    pub const fn kind(&self) -> VoxelKind {
        self.kind
    }

    /// Returns the smallest difference between two numbers: 1 for integers, 0 for floats.
    pub const fn number_step(&self) -> f64 {
        if self.voxel_type.is_float() { 0.0 } else { 1.0 }
    }

    /// Returns the rule that a kernel repeats.
    pub(super) const fn rule(&self) -> DisplayRule {
        self.rule
    }

    /// True if every number has a different display value: for types of 8 and 16 bits.
    pub const fn is_exact(&self) -> bool {
        matches!(self.rule, DisplayRule::Flip { .. })
    }

    /// Returns the display value of an ordinal of at most 32 bits.
    #[inline]
    pub fn display(&self, ordinal: u32) -> u16 {
        match self.rule {
            DisplayRule::Flip { flip } => (ordinal ^ flip) as u16,
            DisplayRule::Shift { low, shift } => (ordinal.saturating_sub(low) >> shift).min(65535) as u16,
            DisplayRule::Scale { low, high, low_value, scale } => {
                if ordinal <= low || ordinal > INFINITY {
                    0
                } else if ordinal >= high {
                    65535
                } else {
                    // A cast drops the fraction and stops at 65535.
                    ((f32::from_ordinal(ordinal.into()) - low_value) * scale) as u16
                }
            }
            DisplayRule::Hash { zero, is_float } => {
                let is_nothing =
                    is_float && (ordinal == zero - 1 || !(MINUS_INFINITY..=INFINITY).contains(&ordinal));
                if ordinal == zero || is_nothing {
                    return 0;
                }
                let bits = ordinal ^ zero;
                label_display(if is_float { whole_number(bits) } else { bits })
            }
        }
    }

    /// Returns bounds of the display values of voxels whose ordinals, of at most 32 bits, are from `least` to
    /// `largest`: the smallest and the largest possible.
    pub fn range(&self, least: u32, largest: u32) -> [u16; 2] {
        let [a, b] = [self.display(least), self.display(largest)];
        if least == largest {
            return [a, a];
        }
        match self.rule {
            DisplayRule::Flip { flip } if (least ^ largest) & flip != 0 => [0, u16::MAX],
            // NaN may be among the largest ordinals, and is 0.
            DisplayRule::Scale { .. } if largest > INFINITY => [0, u16::MAX],
            DisplayRule::Flip { .. } | DisplayRule::Shift { .. } | DisplayRule::Scale { .. } => [a, b],
            DisplayRule::Hash { .. } => [0, u16::MAX],
        }
    }

    /// Returns the number of a display value, or of a fraction of one: the smallest number with this display
    /// value. For labels with more than 16 bits, it is the display value itself.
    pub fn value(&self, display: f64) -> f64 {
        match self.rule {
            DisplayRule::Flip { .. } => display + self.first_value(),
            DisplayRule::Shift { low, shift } => {
                display * f64::from(1u32 << shift) + f64::from(low) + self.first_value()
            }
            DisplayRule::Scale { low_value, scale, .. } => display / f64::from(scale) + f64::from(low_value),
            DisplayRule::Hash { .. } => display,
        }
    }

    /// Undoes [`value`](Self::value); below 0 and above 65535 for numbers that are out of the range.
    pub fn of_value(&self, value: f64) -> f64 {
        match self.rule {
            DisplayRule::Flip { .. } => value - self.first_value(),
            DisplayRule::Shift { low, shift } => {
                (value - self.first_value() - f64::from(low)) / f64::from(1u32 << shift)
            }
            DisplayRule::Scale { low_value, scale, .. } => (value - f64::from(low_value)) * f64::from(scale),
            DisplayRule::Hash { .. } => value,
        }
    }

    /// Returns the number whose ordinal, or display value, is 0.
    fn first_value(&self) -> f64 {
        match (self.voxel_type, self.kind, self.rule) {
            (VoxelType::U16, _, DisplayRule::Flip { flip: 0x8000 }) => -32768.0,
            (VoxelType::I8, VoxelKind::Intensity, _) => -128.0,
            (VoxelType::I16, VoxelKind::Intensity, _) => -32768.0,
            (VoxelType::I32, ..) => f64::from(i32::MIN),
            _ => 0.0,
        }
    }
}

fn shift_rule(low: u64, high: u64) -> DisplayRule {
    let bits = u64::BITS - high.saturating_sub(low).leading_zeros();
    DisplayRule::Shift { low: low as u32, shift: bits.saturating_sub(16) }
}

fn scale_rule(low: f64, high: f64) -> DisplayRule {
    let low_value = low.clamp(-LARGEST, LARGEST) as f32;
    // NaN is neither above nor below.
    let low_value = if low_value.is_nan() { 0.0 } else { low_value };
    let high_value = high.clamp(-LARGEST, LARGEST) as f32;
    let high_value = if high_value > low_value { high_value } else { low_value };
    let scale = (65535.0 / (f64::from(high_value) - f64::from(low_value))).min(LARGEST_SCALE) as f32;
    DisplayRule::Scale {
        low: low_value.to_ordinal() as u32,
        high: high_value.to_ordinal() as u32,
        low_value,
        scale,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use VoxelKind::{Intensity, Labels};

    fn shown<T: Voxel>(display: &Display, voxel: T) -> u16 {
        assert!(T::TYPE.bit_count() <= 32);
        display.display(voxel.to_ordinal() as u32)
    }

    #[test]
    fn only_integers_have_a_step() {
        let step = |voxel_type, kind| Display::new(voxel_type, kind, 0.0, 1.0).number_step();
        for voxel_type in [VoxelType::U8, VoxelType::I16, VoxelType::I32] {
            assert_eq!(step(voxel_type, Intensity), 1.0, "{voxel_type}");
        }
        // Intensities of 64 bits become floats, labels become integers.
        for voxel_type in [VoxelType::F32, VoxelType::F64, VoxelType::I64] {
            assert_eq!(step(voxel_type, Intensity), 0.0, "{voxel_type}");
        }
        assert_eq!(step(VoxelType::U64, Labels), 1.0);
    }

    #[test]
    fn small_integers_are_shown_as_they_are() {
        let display = Display::new(VoxelType::I16, Intensity, 0.0, 0.0);
        assert_eq!(shown(&display, -32768i16), 0);
        assert_eq!(shown(&display, 5i16), 32773);
        assert_eq!((display.value(32773.0), display.of_value(5.5)), (5.5 - 0.5, 32773.5));
        let display = Display::of_wrapped_negatives();
        assert_eq!([shown(&display, 65535u16), shown(&display, 0u16)], [32767, 32768]);
        assert_eq!(display.value(32767.0), -1.0);
        assert_eq!(display.range(3, 65530), [0, 65535]);
        assert_eq!(display.range(3, 5), [32771, 32773]);
    }

    #[test]
    fn integers_of_32_bits_use_the_range_as_well_as_they_can() {
        for (low, high) in [(-5i32, 70_000), (i32::MIN, i32::MAX), (7, 7), (0, 65535), (0, 65536)] {
            let display = Display::new(VoxelType::I32, Intensity, low.into(), high.into());
            assert_eq!(shown(&display, low), 0);
            let largest = shown(&display, high);
            let span = i64::from(high) - i64::from(low);
            assert!(i64::from(largest) >= span.min(32767), "{low}..{high}: {largest}");
            assert_eq!(shown(&display, i32::MIN), 0);
            assert!(shown(&display, i32::MAX) >= largest);
            assert!((display.value(display.of_value(12.0)) - 12.0).abs() < 1e-6);
        }
    }

    #[test]
    fn floats_keep_their_order_and_nan_is_nothing() {
        for (low, high) in [(0.0, 1.0), (-1e30, 1e38), (f64::MIN, f64::MAX), (-1e-40, 1e-40), (3.0, 3.0)] {
            let display = Display::new(VoxelType::F32, Intensity, low, high);
            let values: [f32; 11] =
                [f32::NEG_INFINITY, -1e30, -1.0, -1e-41, -0.0, 0.0, 1e-41, 0.5, 3.0, 1e38, f32::INFINITY];
            let all = values.map(|value| shown(&display, value));
            assert!(all.is_sorted(), "{low}..{high}: {all:?}");
            assert_eq!((all[0], all[10]), (0, 65535));
            assert_eq!([f32::NAN, -f32::NAN].map(|nan| shown(&display, nan)), [0, 0]);
        }
        let display = Display::new(VoxelType::F64, Intensity, -1.0, 1.0);
        assert_eq!(
            [-2.0, -1.0, 0.0, 1.0, 1e30].map(|x: f32| shown(&display, x)),
            [0, 0, 32767, 65535, 65535]
        );
        assert_eq!(display.range(0, u32::MAX), [0, 65535]);
    }

    #[test]
    fn labels_stay_apart_and_zero_stays_zero() {
        for &voxel_type in VoxelType::ALL.iter().filter(|voxel_type| voxel_type.is_rendered()) {
            let display = Display::new(voxel_type, Labels, 0.0, 1.0);
            let labels: Vec<u16> = crate::with_voxel_type!(voxel_type, T => {
                let zero = <T as bytemuck::Zeroable>::zeroed().to_ordinal();
                (0..100).map(|n| shown(&display, T::from_ordinal(zero + n))).collect()
            });
            assert_eq!(labels[0], 0, "{voxel_type}");
            let mut distinct = labels.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 100, "{voxel_type}");
        }
        for label in [1u32, 7, 255, 256, 32_767, 32_768, 65_535] {
            let of = |voxel_type| Display::new(voxel_type, Labels, 0.0, 1.0);
            let wide = [
                shown(&of(VoxelType::U32), label),
                shown(&of(VoxelType::I32), label as i32),
                shown(&of(VoxelType::F32), label as f32),
            ];
            assert_eq!(wide, [label as u16; 3]);
        }
        let large = 1u32 << 20;
        let of = |voxel_type| Display::new(voxel_type, Labels, 0.0, 1.0);
        let wide = [
            shown(&of(VoxelType::U32), large),
            shown(&of(VoxelType::I32), large as i32),
            shown(&of(VoxelType::F32), large as f32),
        ];
        // Computed with Python.
        assert_eq!(wide, [63765; 3]);
        let display = Display::new(VoxelType::F32, Labels, 0.0, 1.0);
        assert_eq!([-0.0, f32::NAN, -f32::NAN].map(|x: f32| shown(&display, x)), [0; 3]);
        let display = Display::new(VoxelType::I16, Labels, 0.0, 1.0);
        assert_eq!(shown(&display, 7i16), 7);
    }
}
