//! Conversion of colours that a file states to sRGB, or to linear light with the primaries of Rec. 709.
//!
//! ```text
//! integers → light, by the tone curve → Rec. 709, by a matrix → clipped → sRGB of 16 bits
//! floats, PQ and HLG → light → Rec. 709 → floats
//! ```
//!
//! Light is computed with the four basic operations in doubles, and is the same on every machine.

use super::{
    Texels,
    halves::{Float, Halves},
    icc_tables::Tables,
    primaries::{Matrix, Primaries, product},
    stated_colors::StatedColors,
    tone_curve::{HLG_GAMMA, HLG_PEAK, ToneCurve},
    transfer::{as_words, of_any},
};
use crate::srgb::{self, power};
use crate::{Cancelled, ColorSpace, Task};
use half::f16;
use std::sync::Arc;

/// Amount by which light may be outside of 0 to 1 before its texel counts as clipped: half of 1 in 255 of
/// sRGB's darkest numbers.
const TOLERANCE: f64 = 0.5 / 255.0 / 12.92;

/// Conversion of colours to Rec. 709.
pub(super) struct Conversion {
    /// One curve for all channels, or one each for red, green and blue.
    curves: Vec<ToneCurve>,
    /// Matrix from the file's primaries, if they are not those of Rec. 709.
    matrix: Option<Matrix>,
    /// Shares of red, green and blue in luminance, for HLG.
    luminance: Option<[f64; 3]>,
    /// Tables of an ICC profile, in place of curves and matrix.
    tables: Option<Arc<Tables>>,
    /// Colour space of integers after the conversion.
    space: ColorSpace,
}

impl Conversion {
    /// Returns the conversion of numbers with these colours. `space` states the tone curve, if `colors` does
    /// not, and the colour space of the result.
    pub fn of(colors: &StatedColors, space: ColorSpace) -> Self {
        let mut curves = colors.curves.clone();
        if curves.is_empty() {
            curves.push(ToneCurve::of_color_space(space));
        }
        let primaries = colors.primaries;
        let is_hlg = curves.contains(&ToneCurve::Hlg);
        Self {
            luminance: primaries.unwrap_or(Primaries::REC709).luminance().filter(|_| is_hlg),
            matrix: primaries.and_then(Primaries::to_rec709),
            tables: colors.tables.clone(),
            curves,
            space,
        }
    }

    /// True if the curves are PQ or HLG: the result is floats.
    pub fn is_hdr(&self) -> bool {
        self.curves.iter().any(ToneCurve::is_hdr)
    }

    /// Returns the bytes of the texels after the conversion; 0 if it needs no new memory.
    pub fn new_bytes(&self, texels: &Texels, single_floats: bool) -> u64 {
        let channels = if texels.texel_type().has_alpha() { 4 } else { 3 };
        let texel_bytes = match texels {
            _ if texels.is_float() => 0,
            _ if self.is_hdr() => channels * if single_floats { 4 } else { 2 },
            Texels::Grey8(_) => 2,
            Texels::Rgb8(_) | Texels::Rgba8(_) => channels * 2,
            _ => 0,
        };
        (texels.texel_count() as u64).saturating_mul(texel_bytes)
    }

    /// Returns integers as those of 16 bits in the conversion's colour space, and the number of texels that
    /// were clipped. Grey stays grey. Alpha does not change, nor do floats.
    pub fn words(&self, texels: Texels, task: &Task<'_>) -> Result<(Texels, u64), Cancelled> {
        let is_grey = matches!(texels, Texels::Grey8(_) | Texels::Grey16(_));
        if is_grey || self.matrix.is_none() && self.tables.is_none() {
            let convert = |curve: &ToneCurve, number: f64| match self.space {
                ColorSpace::Linear => curve.light(number),
                ColorSpace::Srgb => srgb::number(curve.light(number)),
            };
            return Ok((as_words(texels, &self.curves, task, convert)?, 0));
        }
        let max = max_of(&texels);
        let lights = self.lights(max);
        let srgb = SrgbWords::new();
        let mut clipped_count = 0;
        let mut convert = |numbers: [usize; 3]| -> [u16; 3] {
            let color = match &self.tables {
                Some(tables) => tables.light(numbers.map(|number| number as f64 / f64::from(max))),
                None => self.in_rec709(lights.of(numbers)),
            };
            let is_inside = |light: &f64| (-TOLERANCE..=1.0 + TOLERANCE).contains(light);
            clipped_count += u64::from(!color.iter().all(is_inside));
            color.map(|light| match self.space {
                ColorSpace::Linear => (light.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16,
                ColorSpace::Srgb => srgb.of(light),
            })
        };
        let texels = match texels {
            Texels::Rgb8(texels) => {
                Texels::Rgb16(task.map_in_pieces(&texels, |texel| convert(texel.map(usize::from)))?)
            }
            Texels::Rgba8(texels) => {
                let convert = |&[r, g, b, alpha]: &[u8; 4]| {
                    let [r, g, b] = convert([r, g, b].map(usize::from));
                    [r, g, b, u16::from(alpha) * 257]
                };
                Texels::Rgba16(task.map_in_pieces(&texels, convert)?)
            }
            Texels::Rgb16(mut texels) => {
                task.in_pieces(&mut texels, |texels| {
                    texels.iter_mut().for_each(|texel| *texel = convert(texel.map(usize::from)));
                })?;
                Texels::Rgb16(texels)
            }
            Texels::Rgba16(mut texels) => {
                task.in_pieces(&mut texels, |texels| {
                    for texel in texels {
                        let &mut [r, g, b, alpha] = texel;
                        let [r, g, b] = convert([r, g, b].map(usize::from));
                        *texel = [r, g, b, alpha];
                    }
                })?;
                Texels::Rgba16(texels)
            }
            other => other,
        };
        Ok((texels, clipped_count))
    }

    /// Returns linear light in floats: single floats if `single_floats` is true or the texels are such, else
    /// half floats, whose numbers `halves` counts if they are too large. Floats below 0 are converted like
    /// those above; tables take them for 0, and those above 1 for 1.
    pub fn floats(
        &self,
        texels: Texels,
        single_floats: bool,
        halves: &mut Halves,
        task: &Task<'_>,
    ) -> Result<Texels, Cancelled> {
        Ok(match texels {
            Texels::RgbF16(texels) => Texels::RgbF16(self.converted_floats(texels, halves, task)?),
            Texels::RgbaF16(texels) => Texels::RgbaF16(self.converted_floats(texels, halves, task)?),
            Texels::RgbF32(texels) => Texels::RgbF32(self.converted_floats(texels, halves, task)?),
            Texels::RgbaF32(texels) => Texels::RgbaF32(self.converted_floats(texels, halves, task)?),
            integers if single_floats => {
                self.light_of::<f32>(integers, Texels::RgbF32, Texels::RgbaF32, halves, task)?
            }
            integers => self.light_of::<f16>(integers, Texels::RgbF16, Texels::RgbaF16, halves, task)?,
        })
    }

    fn converted_floats<C: Float, const CHANNELS: usize>(
        &self,
        mut texels: Vec<[C; CHANNELS]>,
        halves: &mut Halves,
        task: &Task<'_>,
    ) -> Result<Vec<[C; CHANNELS]>, Cancelled> {
        let last = self.curves.len() - 1;
        let curves = [0, 1, 2].map(|channel: usize| &self.curves[channel.min(last)]);
        task.in_pieces(&mut texels, |texels| {
            for texel in texels {
                let light = |c: usize| of_any(|number| curves[c].wide_light(number), texel[c].value());
                let lights = match &self.tables {
                    Some(tables) => tables.light([texel[0], texel[1], texel[2]].map(C::value)),
                    None => self.in_rec709([0, 1, 2].map(light)),
                };
                for (target, light) in texel.iter_mut().zip(lights) {
                    *target = C::of_double(light, halves);
                }
            }
        })?;
        Ok(texels)
    }

    /// Returns the light of integers, with alpha if they have it. Floats do not change.
    fn light_of<C: Float>(
        &self,
        texels: Texels,
        rgb: fn(Vec<[C; 3]>) -> Texels,
        rgba: fn(Vec<[C; 4]>) -> Texels,
        halves: &mut Halves,
        task: &Task<'_>,
    ) -> Result<Texels, Cancelled> {
        let max = max_of(&texels);
        let lights = self.lights(max);
        let color = |numbers: [usize; 3]| self.in_rec709(lights.of(numbers));
        let with_alpha = |[r, g, b, alpha]: [usize; 4]| {
            let [r, g, b] = color([r, g, b]);
            [r, g, b, alpha as f64 / f64::from(max)]
        };
        let mut float = |number: f64| C::of_double(number, halves);
        Ok(match texels {
            Texels::Grey8(texels) => {
                rgb(task.map_in_pieces(&texels, |&grey| color([grey.into(); 3]).map(&mut float))?)
            }
            Texels::Grey16(texels) => {
                rgb(task.map_in_pieces(&texels, |&grey| color([grey.into(); 3]).map(&mut float))?)
            }
            Texels::Rgb8(texels) => {
                rgb(task.map_in_pieces(&texels, |texel| color(texel.map(usize::from)).map(&mut float))?)
            }
            Texels::Rgb16(texels) => {
                rgb(task.map_in_pieces(&texels, |texel| color(texel.map(usize::from)).map(&mut float))?)
            }
            Texels::Rgba8(texels) => {
                rgba(task.map_in_pieces(&texels, |texel| with_alpha(texel.map(usize::from)).map(&mut float))?)
            }
            Texels::Rgba16(texels) => {
                rgba(task.map_in_pieces(&texels, |texel| with_alpha(texel.map(usize::from)).map(&mut float))?)
            }
            floats @ (Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_)) => {
                floats
            }
        })
    }

    /// Returns display light in Rec. 709 of light by the curves.
    fn in_rec709(&self, mut color: [f64; 3]) -> [f64; 3] {
        if let Some(weights) = &self.luminance {
            // ITU-R BT.2100-2, table 5: the opto-optical transfer function.
            let luminance: f64 = color.iter().zip(weights).map(|(light, weight)| light * weight).sum();
            let gain = HLG_PEAK * power(luminance, HLG_GAMMA - 1.0);
            color = color.map(|light| light * gain);
        }
        match &self.matrix {
            Some(matrix) => product(matrix, color),
            None => color,
        }
    }

    /// Returns the light of all integers from 0 to `max`.
    fn lights(&self, max: u32) -> Lights {
        let light = |curve: &ToneCurve, number: u32| {
            let number = f64::from(number) / f64::from(max);
            (if curve.is_hdr() { curve.wide_light(number) } else { curve.light(number) }) as f32
        };
        let table =
            |curve: &ToneCurve| -> Vec<f32> { (0..=max).map(|number| light(curve, number)).collect() };
        Lights { tables: self.curves.iter().map(table).collect() }
    }
}

/// Light by integer: one table for all channels, or one each for red, green and blue. Single floats are exact
/// enough for 16 bits, and keep three tables below 1 MiB.
struct Lights {
    tables: Vec<Vec<f32>>,
}

impl Lights {
    fn of(&self, numbers: [usize; 3]) -> [f64; 3] {
        let last = self.tables.len() - 1;
        [0, 1, 2].map(|channel: usize| f64::from(self.tables[channel.min(last)][numbers[channel]]))
    }
}

/// sRGB's numbers of light, from a table of 256 points for each octave, with straight lines between them.
/// The error is below 0.05 in 65,535.
struct SrgbWords {
    table: Vec<f64>,
}

impl SrgbWords {
    /// Bits of a double below the 8 that choose a point of its octave.
    const REST_BITS: u32 = 52 - 8;
    /// Index of the first point, for light of 1/512. Darker light has numbers on a straight line.
    const FIRST: u64 = (1.0f64 / 512.0).to_bits() >> Self::REST_BITS;
    /// Points from 1/512 to 1, and one more.
    const POINT_COUNT: u64 = 9 * 256 + 2;

    fn new() -> Self {
        let light = |index: u64| f64::from_bits((Self::FIRST + index) << Self::REST_BITS);
        Self { table: (0..Self::POINT_COUNT).map(|index| srgb::number(light(index))).collect() }
    }

    /// Returns the number in 65,535ths of light, which is clipped to 0 to 1.
    fn of(&self, light: f64) -> u16 {
        // NaN counts as 0.
        let light = if light > 0.0 { light.min(1.0) } else { 0.0 };
        let number = if light <= 0.003_130_8 {
            srgb::number(light)
        } else {
            let bits = light.to_bits();
            let index = ((bits >> Self::REST_BITS) - Self::FIRST) as usize;
            let rest = (bits & ((1 << Self::REST_BITS) - 1)) as f64 / (1u64 << Self::REST_BITS) as f64;
            let [low, high] = [self.table[index], self.table[index + 1]];
            low + (high - low) * rest
        };
        (number * 65535.0 + 0.5) as u16
    }
}

/// Returns the maximum of integer texels.
fn max_of(texels: &Texels) -> u32 {
    match texels {
        Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Rgba8(_) => 255,
        _ => 65535,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion(curves: Vec<ToneCurve>, primaries: Primaries, space: ColorSpace) -> Conversion {
        let colors =
            StatedColors { source: "x".to_owned(), curves, primaries: Some(primaries), tables: None };
        Conversion::of(&colors, space)
    }

    #[test]
    fn the_table_of_srgb_is_near_its_formula() {
        let words = SrgbWords::new();
        for i in 0..=300_000 {
            let light = f64::from(i) / 300_000.0;
            let exact = srgb::number(light) * 65535.0;
            assert!((f64::from(words.of(light)) - exact).abs() <= 0.55, "{light}");
        }
        assert_eq!([words.of(-0.5), words.of(0.0), words.of(1.0), words.of(7.0)], [0, 0, 65535, 65535]);
    }

    /// Display P3's red, which sRGB does not have, and a colour that it has.
    #[test]
    fn display_p3_becomes_srgb() {
        let p3 = conversion(Vec::new(), Primaries::DISPLAY_P3, ColorSpace::Srgb);
        let convert = |texels| p3.words(texels, &Task::new()).expect("not cancelled");
        let (Texels::Rgb16(found), 1) = convert(Texels::Rgb8(vec![[255, 0, 0], [255; 3], [128; 3]])) else {
            panic!("one texel is outside")
        };
        assert_eq!(found[..2], [[65535, 0, 0], [65535; 3]]);
        assert!(found[2].iter().all(|&word| word.abs_diff(128 * 257) <= 1), "{found:?}");
        // By the matrices of CSS Color 4.
        let numbers = [0.5f64, 0.4, 0.3].map(|v| (v * 65535.0).round() as u16);
        let (Texels::Rgba16(found), 0) =
            convert(Texels::Rgba16(vec![[numbers[0], numbers[1], numbers[2], 9]]))
        else {
            panic!("inside")
        };
        for (found, expected) in found[0].iter().zip([0.51926, 0.39509, 0.28447]) {
            assert!((f64::from(*found) / 65535.0 - expected).abs() < 1e-3, "{found}");
        }
        assert_eq!(found[0][3], 9);
        let grey = Texels::Grey16(vec![7]);
        assert_eq!(convert(grey.clone()), (grey, 0));
    }

    #[test]
    fn pq_becomes_light_in_floats() {
        let pq = conversion(vec![ToneCurve::Pq], Primaries::REC2020, ColorSpace::Srgb);
        assert!(pq.is_hdr());
        // Diffuse white, 1,000 cd/m² and Rec. 2020's red of 203 cd/m² (times 0.2627 of luminance).
        let [white, bright] = [0.580_688, 0.751_827].map(|number: f64| (number * 65535.0).round() as u16);
        let texels = Texels::Rgb16(vec![[white; 3], [bright; 3], [white, 0, 0], [0; 3]]);
        let mut halves = Halves::default();
        assert_eq!([pq.new_bytes(&texels, false), pq.new_bytes(&texels, true)], [24, 48]);
        let Ok(Texels::RgbF32(found)) = pq.floats(texels.clone(), true, &mut halves, &Task::new()) else {
            panic!("floats")
        };
        let expected = [[1.0; 3], [1000.0 / 203.0; 3], [1.6605, -0.1246, -0.0182], [0.0; 3]];
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 2e-3, "{found}, not {expected}");
        }
        let Ok(Texels::RgbF16(found)) = pq.floats(texels, false, &mut halves, &Task::new()) else {
            panic!("halves")
        };
        assert!((found[1][0].to_f32() - 4.926).abs() < 0.01, "{found:?}");
        assert_eq!(halves.overflow_count, 0);
        let Ok(Texels::RgbaF16(found)) =
            pq.floats(Texels::Rgba8(vec![[0, 0, 0, 51]]), false, &mut halves, &Task::new())
        else {
            panic!("alpha")
        };
        assert_eq!(found, [[f16::ZERO, f16::ZERO, f16::ZERO, f16::from_f32(0.2)]]);
    }

    #[test]
    fn hlg_becomes_light_of_a_display() {
        let hlg = conversion(vec![ToneCurve::Hlg], Primaries::REC2020, ColorSpace::Srgb);
        let texels = Texels::Grey16(vec![(0.75f64 * 65535.0).round() as u16, 65535, 0]);
        let Ok(Texels::RgbF32(found)) = hlg.floats(texels, true, &mut Halves::default(), &Task::new()) else {
            panic!("floats")
        };
        for (found, expected) in found.iter().zip([1.0, 1000.0 / 203.0, 0.0]) {
            assert!(found.iter().all(|light| (light - expected).abs() < 5e-3), "{found:?}, not {expected}");
        }
    }

    #[test]
    fn floats_become_light_beyond_1() {
        let wide = conversion(vec![ToneCurve::Gamma(2.0)], Primaries::REC2020, ColorSpace::Srgb);
        let texels = Texels::RgbaF32(vec![[3.0, 3.0, 3.0, 0.5], [-2.0, -2.0, -2.0, 1.0]]);
        let Ok(Texels::RgbaF32(found)) =
            wide.floats(texels.clone(), false, &mut Halves::default(), &Task::new())
        else {
            panic!("single floats stay")
        };
        for (found, expected) in found.iter().zip([[9.0, 9.0, 9.0, 0.5], [-4.0, -4.0, -4.0, 1.0]]) {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
        }
        assert_eq!(wide.new_bytes(&texels, true), 0);
    }

    #[test]
    fn linear_integers_stay_linear() {
        let linear = conversion(Vec::new(), Primaries::REC2020, ColorSpace::Linear);
        let Ok((Texels::Rgb16(found), 0)) = linear.words(Texels::Rgb8(vec![[51; 3]]), &Task::new()) else {
            panic!("16 bits")
        };
        assert!(found[0].iter().all(|&word| word.abs_diff(51 * 257) <= 1), "{found:?}");
    }
}
