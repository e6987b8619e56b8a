//! Numbers that formats of floats do not store as they are.

use brickwork_base::{Cancelled, Task};
use brickwork_image::image_file::Texels;
use brickwork_texture::{PlainFormat, TextureFormat, half::f16};
use std::ops::RangeInclusive;

/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 16;

/// Colours of pictures that formats of floats may not store as they are: numbers of red, green and blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecialValues {
    /// Finite numbers below 0, which become 0 in `bc6h`, `rgb9e5` and `rg11b10f`.
    pub negative: u64,
    /// NaNs, which become 0 in BC6H and `rgb9e5`.
    pub nan: u64,
    /// Positive infinities, which become 65504 in BC6H and 65408 in `rgb9e5`.
    pub infinite: u64,
    /// Negative infinities, which become 0 in formats without negative numbers and -65504 in `bc6hs`.
    pub negative_infinite: u64,
    /// Numbers above the maximum of the options, which are clamped before the encoding; 0 without one.
    pub above_max: u64,
    /// Numbers below minus the maximum of the options, which are clamped before the encoding; 0 without it.
    pub below_min: u64,
    /// Clamps to ±65504 while the file was read and its colours were converted to Rec. 709; alpha included.
    pub overflow: u64,
}

impl SpecialValues {
    /// Counts the colours of floats; zeros for other texels.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub(super) fn of(texels: &Texels, max_value: Option<f16>, task: &Task<'_>) -> Result<Self, Cancelled> {
        let mut counts = Self::default();
        match texels {
            Texels::RgbF16(texels) => counts.add_all(texels, f16::to_f32, max_value, task)?,
            Texels::RgbaF16(texels) => counts.add_all(texels, f16::to_f32, max_value, task)?,
            Texels::RgbF32(texels) => counts.add_all(texels, |color| color, max_value, task)?,
            Texels::RgbaF32(texels) => counts.add_all(texels, |color| color, max_value, task)?,
            _ => {}
        }
        Ok(counts)
    }

    fn add_all<C: Copy, const CHANNELS: usize>(
        &mut self,
        texels: &[[C; CHANNELS]],
        number: impl Fn(C) -> f32,
        max_value: Option<f16>,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let max_value = max_value.map(f16::to_f32);
        for texels in texels.chunks(TEXELS_AT_A_TIME) {
            task.check()?;
            for &color in texels.iter().flat_map(|texel| &texel[..3]) {
                let color = number(color);
                self.negative += u64::from(color.is_finite() && color < 0.0);
                self.nan += u64::from(color.is_nan());
                self.infinite += u64::from(color == f32::INFINITY);
                self.negative_infinite += u64::from(color == f32::NEG_INFINITY);
                self.above_max += u64::from(max_value.is_some_and(|max| color > max));
                self.below_min += u64::from(max_value.is_some_and(|max| color < -max));
            }
        }
        Ok(())
    }

    /// Adds the counts of another picture.
    pub(super) fn add(&mut self, other: &Self) {
        self.negative += other.negative;
        self.nan += other.nan;
        self.infinite += other.infinite;
        self.negative_infinite += other.negative_infinite;
        self.above_max += other.above_max;
        self.below_min += other.below_min;
        self.overflow += other.overflow;
    }

    /// Returns the changes that an encoder of a format makes, in words; `None` if there are none. Colours
    /// beyond `max_value` are clamped before.
    pub(super) fn changes(&self, format: TextureFormat, max_value: Option<f16>) -> Option<String> {
        let is_signed = !format.is_unsigned_float();
        // Plain floats have infinities and NaN, except for those with a shared exponent.
        let largest = match format {
            TextureFormat::Block(_) => Some("65504"),
            TextureFormat::Plain(PlainFormat::Rgb9e5) => Some("65408"),
            TextureFormat::Plain(_) => None,
        };
        let mut changes = Vec::new();
        let mut add = |count: u64, one: &str, more: &str, value: &str| match count {
            0 => {}
            1 => changes.push(format!("1 {one} became {value}")),
            _ => changes.push(format!("{count} {more} became {value}")),
        };
        if !is_signed {
            add(self.negative + self.negative_infinite, "negative number", "negative numbers", "0");
        }
        if largest.is_some() {
            add(self.nan, "NaN", "NaNs", "0");
        }
        let sign = if is_signed { "±" } else { "" };
        match (max_value, largest) {
            (Some(max), _) => {
                let beyond = self.above_max + if is_signed { self.below_min } else { 0 };
                let value = format!("{sign}{max}");
                add(beyond, "number beyond the maximum", "numbers beyond the maximum", &value);
            }
            (None, Some(largest)) => {
                let infinite = self.infinite + if is_signed { self.negative_infinite } else { 0 };
                add(infinite, "infinity", "infinities", &format!("{sign}{largest}"));
            }
            (None, None) => {}
        }
        (!changes.is_empty()).then(|| changes.join(", "))
    }
}

/// Clamps colours of floats to −`max` to `max`. NaN stays.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub(super) fn clamp(texels: &mut Texels, max: f16, task: &Task<'_>) -> Result<(), Cancelled> {
    match texels {
        Texels::RgbF16(texels) => clamp_colors(texels, -max..=max, task),
        Texels::RgbaF16(texels) => clamp_colors(texels, -max..=max, task),
        Texels::RgbF32(texels) => clamp_colors(texels, -max.to_f32()..=max.to_f32(), task),
        Texels::RgbaF32(texels) => clamp_colors(texels, -max.to_f32()..=max.to_f32(), task),
        _ => Ok(()),
    }
}

fn clamp_colors<C: Copy + PartialOrd, const CHANNELS: usize>(
    texels: &mut [[C; CHANNELS]],
    range: RangeInclusive<C>,
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    task.in_pieces(texels, |texels| {
        for color in texels.iter_mut().flat_map(|texel| &mut texel[..3]) {
            if *color > *range.end() {
                *color = *range.end();
            } else if *color < *range.start() {
                *color = *range.start();
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::BlockFormat;

    const SIGNED: TextureFormat = TextureFormat::Block(BlockFormat::Bc6hSfloat);
    const UNSIGNED: TextureFormat = TextureFormat::Block(BlockFormat::Bc6hUfloat);

    #[test]
    fn special_values_are_counted_and_told() {
        let texels = [-1.0, -0.0, 8.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -9.0, 65504.0, 0.0];
        let texels: Vec<[f16; 3]> = texels.map(f16::from_f32).as_chunks().0.to_vec();
        let count = |max| SpecialValues::of(&Texels::RgbF16(texels.clone()), max, &Task::new()).unwrap();
        let all = count(None);
        assert_eq!((all.negative, all.nan, all.infinite), (2, 1, 1));
        assert_eq!((all.negative_infinite, all.above_max), (1, 0));
        assert!(all.changes(SIGNED, None).unwrap().ends_with("2 infinities became ±65504"));
        let max = Some(f16::from_f32(8.0));
        assert_eq!((count(max).above_max, count(max).below_min), (2, 2));
        assert_eq!(
            count(max).changes(UNSIGNED, max).unwrap(),
            "3 negative numbers became 0, 1 NaN became 0, 2 numbers beyond the maximum became 8"
        );
        assert_eq!(
            all.changes(UNSIGNED, None).unwrap(),
            "3 negative numbers became 0, 1 NaN became 0, 1 infinity became 65504"
        );
        assert_eq!(
            count(max).changes(SIGNED, max).unwrap(),
            "1 NaN became 0, 4 numbers beyond the maximum became ±8"
        );
        assert_eq!(SpecialValues::default().changes(UNSIGNED, None), None);
        // Half floats store all numbers, small floats no negative ones, and shared exponents are clamped.
        let plain = |format: PlainFormat| all.changes(format.into(), None);
        assert_eq!(plain(PlainFormat::Rgba16Float), None);
        assert_eq!(plain(PlainFormat::Rg11b10Float).unwrap(), "3 negative numbers became 0");
        assert_eq!(
            plain(PlainFormat::Rgb9e5).unwrap(),
            "3 negative numbers became 0, 1 NaN became 0, 1 infinity became 65408"
        );
        // Alpha is no colour.
        let mut rgba = Texels::RgbaF16(vec![[f16::from_f32(-9.0); 4]]);
        clamp(&mut rgba, f16::ONE, &Task::new()).unwrap();
        assert_eq!(rgba, Texels::RgbaF16(vec![[-1.0, -1.0, -1.0, -9.0].map(f16::from_f32)]));
        let mut rgb = Texels::RgbF16(texels);
        clamp(&mut rgb, f16::from_f32(8.0), &Task::new()).unwrap();
        let Texels::RgbF16(clamped) = rgb else { unreachable!() };
        assert_eq!(clamped[2], [-8.0, 8.0, 0.0].map(f16::from_f32));
        assert!(clamped[1][0].is_nan());
    }

    #[test]
    fn single_floats_are_counted_and_clamped_like_half_floats() {
        let mut singles = Texels::RgbaF32(vec![[-1e9, f32::NAN, 1e9, 1e9], [f32::INFINITY, 0.1, -0.0, 1.0]]);
        let max = Some(f16::from_f32(8.0));
        let found = SpecialValues::of(&singles, max, &Task::new()).unwrap();
        assert_eq!((found.negative, found.nan, found.infinite), (1, 1, 1));
        assert_eq!((found.above_max, found.below_min, found.overflow), (2, 1, 0));
        // Single floats store all of them.
        assert_eq!(found.changes(PlainFormat::Rgba32Float.into(), None), None);
        clamp(&mut singles, f16::from_f32(8.0), &Task::new()).unwrap();
        let Texels::RgbaF32(clamped) = singles else { unreachable!() };
        assert!(clamped[0][0] == -8.0 && clamped[0][1].is_nan() && clamped[0][2..] == [8.0, 1e9]);
        assert_eq!(clamped[1], [8.0, 0.1, 0.0, 1.0]);
    }
}
