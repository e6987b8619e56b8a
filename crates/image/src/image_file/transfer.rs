//! Pictures whose numbers get another transfer function.
//!
//! A number becomes light by one function, and light becomes a number by another. Both are computed once for
//! each possible number, by [`srgb`]. The bytes are therefore the same on every machine.

use super::{Picture, Texels, halves::Halves};
use crate::srgb::{self, power};
use crate::{Cancelled, ColorSpace, Task};
use half::f16;
use std::fmt;

/// Function that converts the numbers of colours to light. It is displayed as `srgb`, `linear` or
/// `gamma:2.2`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TransferFunction {
    /// sRGB, IEC 61966-2-1.
    Srgb,
    /// The numbers are light.
    Linear,
    /// Light is the number raised to this power, which is above 0.
    Gamma(f64),
}

impl TransferFunction {
    /// Returns the function of a colour space.
    pub const fn of(color_space: ColorSpace) -> Self {
        match color_space {
            ColorSpace::Srgb => Self::Srgb,
            ColorSpace::Linear => Self::Linear,
        }
    }

    /// Returns the light of a number that is not negative.
    fn light(self, number: f64) -> f64 {
        match self {
            Self::Linear => number,
            Self::Srgb => srgb::light(number),
            Self::Gamma(gamma) => power(number, gamma),
        }
    }
}

impl fmt::Display for TransferFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Srgb => f.write_str("srgb"),
            Self::Linear => f.write_str("linear"),
            Self::Gamma(gamma) => write!(f, "gamma:{gamma}"),
        }
    }
}

impl Picture {
    /// Returns the picture with the numbers of its colours converted to a colour space. `from` is the
    /// function that they have now, whether the file states it or not. Alpha does not change.
    ///
    /// Integers of n bits are fractions of 2ⁿ − 1. The results are rounded to the nearest of 65,535ths: 8-bit
    /// integers become 16-bit ones, because 8 bits are too few for dark light. Negative floats are converted
    /// like positive ones, and those above 1 by the same formulas; infinities and NaN do not change. Half
    /// floats beyond ±65504 become ±65504, and are counted and noted. Without a difference between the
    /// functions, only [`Picture::color_space`] changes.
    ///
    /// ```
    /// use brickwork_image::{ColorSpace, Task};
    /// use brickwork_image::image_file::{ImageReadOptions, Texels, TransferFunction, read};
    ///
    /// let file = std::io::Cursor::new(b"P3 1 1 255 0 128 255");
    /// let picture = read(file, None, &ImageReadOptions::default(), &Task::new())?;
    /// let linear = picture.converted(TransferFunction::Srgb, ColorSpace::Linear, &Task::new())?;
    /// assert_eq!(linear.texels, Texels::Rgb16(vec![[0, 14146, 65535]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn converted(
        mut self,
        from: TransferFunction,
        to: ColorSpace,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        task.check()?;
        self.color_space = to;
        if from == TransferFunction::of(to) {
            return Ok(self);
        }
        let convert = |number: f64| number_of(from.light(number), to);
        let single = |number: &mut f32| *number = of_any(convert, f64::from(*number)) as f32;
        self.texels = match self.texels {
            Texels::RgbF16(mut texels) => {
                let (table, mut halves) = (halves_table(convert), Halves::default());
                task.in_pieces(texels.as_flattened_mut(), |numbers| {
                    for v in numbers {
                        *v = halves.half_of_f64(table[usize::from(v.to_bits())]);
                    }
                })?;
                self.overflow_count += halves.overflow_count;
                self.notes.extend(halves.notes());
                Texels::RgbF16(texels)
            }
            Texels::RgbaF16(mut texels) => {
                let (table, mut halves) = (halves_table(convert), Halves::default());
                task.in_pieces(&mut texels, |texels| {
                    for v in texels.iter_mut().flat_map(|texel| &mut texel[..3]) {
                        *v = halves.half_of_f64(table[usize::from(v.to_bits())]);
                    }
                })?;
                self.overflow_count += halves.overflow_count;
                self.notes.extend(halves.notes());
                Texels::RgbaF16(texels)
            }
            Texels::RgbF32(mut texels) => {
                task.in_pieces(texels.as_flattened_mut(), |numbers| numbers.iter_mut().for_each(single))?;
                Texels::RgbF32(texels)
            }
            Texels::RgbaF32(mut texels) => {
                task.in_pieces(&mut texels, |texels| {
                    texels.iter_mut().flat_map(|texel| &mut texel[..3]).for_each(single);
                })?;
                Texels::RgbaF32(texels)
            }
            integers => as_words(integers, &[()], task, |(), number| convert(number))?,
        };
        Ok(self)
    }
}

/// Returns integers as 16-bit ones after a function of the numbers of colours, both from 0 to 1. `items` has
/// one item for all colours, or one each for red, green and blue; grey has the first. Alpha and half floats
/// do not change.
pub(super) fn as_words<T>(
    texels: Texels,
    items: &[T],
    task: &Task<'_>,
    convert: impl Fn(&T, f64) -> f64,
) -> Result<Texels, Cancelled> {
    let tables = |max: u32| -> Vec<Vec<u16>> {
        let word = |item: &T, number: u32| {
            let number = f64::from(number) / f64::from(max);
            (convert(item, number) * 65535.0 + 0.5) as u16
        };
        items.iter().map(|item| (0..=max).map(|number| word(item, number)).collect()).collect()
    };
    // Indices of the tables of red, green and blue.
    let [red, green, blue] = [0, 1, 2].map(|channel: usize| channel.min(items.len().saturating_sub(1)));
    Ok(match texels {
        Texels::Grey8(texels) => {
            let tables = tables(255);
            Texels::Grey16(task.map_in_pieces(&texels, |&grey| tables[0][usize::from(grey)])?)
        }
        Texels::Rgb8(texels) => {
            let tables = tables(255);
            let convert = |&[r, g, b]: &[u8; 3]| {
                [tables[red][usize::from(r)], tables[green][usize::from(g)], tables[blue][usize::from(b)]]
            };
            Texels::Rgb16(task.map_in_pieces(&texels, convert)?)
        }
        Texels::Rgba8(texels) => {
            let tables = tables(255);
            let convert = |&[r, g, b, alpha]: &[u8; 4]| {
                let [r, g, b] = [(red, r), (green, g), (blue, b)].map(|(t, v)| tables[t][usize::from(v)]);
                [r, g, b, u16::from(alpha) * 257]
            };
            Texels::Rgba16(task.map_in_pieces(&texels, convert)?)
        }
        Texels::Grey16(mut texels) => {
            let tables = tables(65535);
            task.in_pieces(&mut texels, |texels| {
                texels.iter_mut().for_each(|grey| *grey = tables[0][usize::from(*grey)]);
            })?;
            Texels::Grey16(texels)
        }
        Texels::Rgb16(mut texels) => {
            let tables = tables(65535);
            task.in_pieces(&mut texels, |texels| {
                for [r, g, b] in texels {
                    for (table, value) in [(red, r), (green, g), (blue, b)] {
                        *value = tables[table][usize::from(*value)];
                    }
                }
            })?;
            Texels::Rgb16(texels)
        }
        Texels::Rgba16(mut texels) => {
            let tables = tables(65535);
            task.in_pieces(&mut texels, |texels| {
                for [r, g, b, _] in texels {
                    for (table, value) in [(red, r), (green, g), (blue, b)] {
                        *value = tables[table][usize::from(*value)];
                    }
                }
            })?;
            Texels::Rgba16(texels)
        }
        floats @ (Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_)) => floats,
    })
}

/// Returns the results for all half floats, by their bits.
fn halves_table(convert: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..=u16::MAX).map(|bits| of_any(&convert, f16::from_bits(bits).to_f64())).collect()
}

/// Returns the result for a number of either sign. Infinities and NaN do not change.
pub(super) fn of_any(convert: impl Fn(f64) -> f64, number: f64) -> f64 {
    if number.is_finite() { convert(number.abs()).copysign(number) } else { number }
}

/// Returns the number of light that is not negative.
fn number_of(light: f64, color_space: ColorSpace) -> f64 {
    match color_space {
        ColorSpace::Linear => light,
        ColorSpace::Srgb => srgb::number(light),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image_file::{ImageReadOptions, read};
    use std::io::Cursor;

    use TransferFunction::{Gamma, Linear, Srgb};

    /// The definition, with the system's powers.
    fn slow(from: TransferFunction, to: ColorSpace, number: f64) -> f64 {
        let light = match from {
            Linear => number,
            Srgb if number <= 0.04045 => number / 12.92,
            Srgb => ((number + 0.055) / 1.055).powf(2.4),
            Gamma(gamma) => number.powf(gamma),
        };
        match to {
            ColorSpace::Linear => light,
            ColorSpace::Srgb if light <= 0.0031308 => 12.92 * light,
            ColorSpace::Srgb => 1.055 * light.powf(1.0 / 2.4) - 0.055,
        }
    }

    /// Conversions that change numbers.
    const ALL: [(TransferFunction, ColorSpace); 6] = [
        (Srgb, ColorSpace::Linear),
        (Linear, ColorSpace::Srgb),
        (Gamma(2.2), ColorSpace::Srgb),
        (Gamma(2.2), ColorSpace::Linear),
        (Gamma(1.8), ColorSpace::Srgb),
        (Gamma(0.45), ColorSpace::Linear),
    ];

    fn picture(texels: Texels) -> Picture {
        let file = Cursor::new(b"P3 1 1 255 0 0 0");
        let mut picture = read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap();
        (picture.width, picture.texels) = (texels.texel_count() as u32, texels);
        picture
    }

    fn converted(texels: Texels, from: TransferFunction, to: ColorSpace) -> Texels {
        let picture = picture(texels).converted(from, to, &Task::new()).unwrap();
        assert_eq!(picture.color_space, to);
        picture.texels
    }

    #[track_caller]
    fn is_rounded(found: u16, exact: f64) {
        let exact = exact * 65535.0;
        // A result next to the middle of two numbers may be either.
        assert!((f64::from(found) - exact).abs() <= 0.5 + 1e-6, "{found} {exact}");
    }

    #[test]
    fn integers_are_those_of_the_definition() {
        for (from, to) in ALL {
            let bytes: Vec<u8> = (0..=255).collect();
            let Texels::Grey16(words) = converted(Texels::Grey8(bytes), from, to) else { panic!("16 bits") };
            for (number, &word) in words.iter().enumerate() {
                is_rounded(word, slow(from, to, number as f64 / 255.0));
            }
            let all: Vec<u16> = (0..=65535).collect();
            let Texels::Grey16(words) = converted(Texels::Grey16(all), from, to) else { panic!("16 bits") };
            for (number, &word) in words.iter().enumerate() {
                is_rounded(word, slow(from, to, number as f64 / 65535.0));
            }
            assert_eq!((words[0], words[65535]), (0, 65535), "{from} {to:?}");
            assert!(words.is_sorted());
        }
    }

    #[test]
    fn each_kind_of_texels_keeps_its_alpha() {
        let table = |v: u8| {
            let Texels::Grey16(grey) = converted(Texels::Grey8(vec![v]), Srgb, ColorSpace::Linear) else {
                panic!("16 bits")
            };
            grey[0]
        };
        let [a, b, c] = [7u8, 100, 230].map(table);
        let of = |texels| converted(texels, Srgb, ColorSpace::Linear);
        assert_eq!(of(Texels::Rgb8(vec![[7, 100, 230]; 3])), Texels::Rgb16(vec![[a, b, c]; 3]));
        assert_eq!(of(Texels::Rgba8(vec![[7, 100, 230, 9]])), Texels::Rgba16(vec![[a, b, c, 9 * 257]]));
        let words = [7u16, 100, 230].map(|v| v * 257);
        let [r, g, blue] = words;
        assert_eq!(of(Texels::Rgb16(vec![words; 2])), Texels::Rgb16(vec![[a, b, c]; 2]));
        assert_eq!(of(Texels::Rgba16(vec![[r, g, blue, 77]])), Texels::Rgba16(vec![[a, b, c, 77]]));
        let halves = [-0.5f32, 2.0, 0.02].map(f16::from_f32);
        let expected = halves.map(|v| {
            let v = v.to_f64();
            f16::from_f32(slow(Srgb, ColorSpace::Linear, v.abs()).copysign(v) as f32)
        });
        let ([x, y, z], [p, q, r]) = (halves, expected);
        assert_eq!(of(Texels::RgbF16(vec![halves])), Texels::RgbF16(vec![expected]));
        let alpha = f16::from_f32(0.3);
        assert_eq!(of(Texels::RgbaF16(vec![[x, y, z, alpha]])), Texels::RgbaF16(vec![[p, q, r, alpha]]));
        // Nothing to convert: the type stays.
        let same = || Texels::Rgb8(vec![[1, 2, 3]]);
        assert_eq!(converted(same(), Srgb, ColorSpace::Srgb), same());
        assert_eq!(converted(same(), Linear, ColorSpace::Linear), same());
    }

    #[test]
    fn singles_are_those_of_the_definition() {
        let numbers = [-0.5f32, 1.0 / 3.0, 1e-10, 2e5, f32::INFINITY, 0.0];
        let texels = || Texels::RgbF32(numbers.as_chunks().0.to_vec());
        for (from, to) in ALL {
            let Texels::RgbF32(found) = converted(texels(), from, to) else { panic!("single floats") };
            for (&found, number) in found.as_flattened().iter().zip(numbers.map(f64::from)) {
                let exact = slow(from, to, number.abs()).copysign(number);
                let error = (f64::from(found) - exact).abs();
                assert!(error <= 1e-6 * exact.abs() || f64::from(found) == exact, "{found} {exact}");
            }
        }
        let kept = Texels::RgbaF32(vec![[0.0, 0.0, 0.0, 0.3]]);
        assert_eq!(converted(kept.clone(), Srgb, ColorSpace::Linear), kept);
    }

    #[test]
    fn halves_that_become_too_large_are_counted() {
        let texels = [60000.0, f32::INFINITY, f32::NAN, -60000.0, 1.0, 0.0].map(f16::from_f32);
        let [a, b] = [[texels[0], texels[1], texels[2]], [texels[3], texels[4], texels[5]]];
        let picture = picture(Texels::RgbF16(vec![a, b]));
        let picture = picture.converted(Gamma(2.2), ColorSpace::Linear, &Task::new()).unwrap();
        let Texels::RgbF16(texels) = &picture.texels else { panic!("half floats") };
        assert!(texels[0][0] == f16::MAX && texels[0][1] == f16::INFINITY && texels[0][2].is_nan());
        assert_eq!(texels[1], [f16::MIN, f16::ONE, f16::ZERO]);
        assert_eq!(picture.overflow_count, 2);
        assert_eq!(picture.notes, ["2 numbers are beyond half floats and became ±65504"]);
    }
}
