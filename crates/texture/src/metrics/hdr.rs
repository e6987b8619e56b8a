//! Differences of half floats: of bit patterns, of logarithms, and as displayed.
//!
//! NaN counts as 0, infinities as the largest finite number. docs/terminology.md has the formulas.

use super::{
    bands::{Rows, map_bands},
    block_rows::map_block_rows,
    error::{MetricsError, check_sizes},
    psnr::share,
};
use crate::{Cancelled, ColorSpace, Image, RoundingRule, Task, TextureFormat};
use half::f16;
use std::sync::OnceLock;

/// Bit pattern of the largest finite half float, 65504.
const MAX_BITS: u16 = 0x7bff;

/// Number of exposures of mPSNR: -10 to 10 stops.
const EXPOSURES: usize = 21;

/// Exponent of displayed values.
const GAMMA: f64 = 2.2;

/// Range of the numbers that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HdrRange {
    /// Negative numbers count as 0, as unsigned BC6H, RGB9E5 and R11G11B10 store them.
    Unsigned,
    /// All numbers.
    Signed,
}

/// The difference between red, green and blue of two images of half floats.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HdrMetrics {
    /// Texels compared.
    pub texel_count: u64,
    /// Mean square error of the bit patterns as integers, with the sign of the numbers: 0 to 31743.
    pub mse_bits: f64,
    /// Largest difference of bit patterns: steps between neighbouring half floats.
    pub max_steps: u16,
    /// Mean square error of sign(x) · log₂(1 + |x|).
    pub mse_log2: f64,
    /// Mean square error of min(255, 255 · (2^e · x)^(1/2.2)) over exposures e of -10 to 10 stops. Negative
    /// numbers count as 0.
    pub mse_exposures: f64,
    /// Mean square error of (x / (1 + x))^(1/2.2). Negative numbers count as 0.
    pub mse_reinhard: f64,
}

impl HdrMetrics {
    /// PSNR of the bit patterns in dB, 20 log₁₀(31743 / √mse): halfPSNR. Infinite for an error of 0.
    pub fn half_psnr(&self) -> f64 {
        decibels(f64::from(MAX_BITS), self.mse_bits)
    }

    /// Root mean square error of log₂(1 + |x|).
    pub fn log2_rmse(&self) -> f64 {
        self.mse_log2.sqrt()
    }

    /// PSNR over several exposures in dB: mPSNR.
    pub fn multi_exposure_psnr(&self) -> f64 {
        decibels(255.0, self.mse_exposures)
    }

    /// PSNR of the values that Reinhard's curve displays, in dB.
    pub fn reinhard_psnr(&self) -> f64 {
        decibels(1.0, self.mse_reinhard)
    }

    /// Returns the difference of these texels and others together. Each texel weighs alike.
    #[must_use]
    pub fn joined(mut self, other: &Self) -> Self {
        let share = share(self.texel_count, other.texel_count);
        let mean = |a: f64, b: f64| a * share + b * (1.0 - share);
        self.texel_count += other.texel_count;
        self.mse_bits = mean(self.mse_bits, other.mse_bits);
        self.max_steps = self.max_steps.max(other.max_steps);
        self.mse_log2 = mean(self.mse_log2, other.mse_log2);
        self.mse_exposures = mean(self.mse_exposures, other.mse_exposures);
        self.mse_reinhard = mean(self.mse_reinhard, other.mse_reinhard);
        self
    }
}

fn decibels(peak: f64, mse: f64) -> f64 {
    if mse == 0.0 { f64::INFINITY } else { 10.0 * (peak * peak / mse).log10() }
}

/// Compares red, green and blue of two images of the same size as half floats. Progress is reported in rows.
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn compare_hdr(
    a: &dyn Image,
    b: &dyn Image,
    range: HdrRange,
    task: &Task<'_>,
) -> Result<HdrMetrics, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size().map(|side| side as usize);
    let rows = Rows::new(task, height);
    // A row is summed by itself, and rows in order: the same result for any number of threads.
    let bands = map_bands(task, height, |band| {
        let [mut buffer_a, mut buffer_b] = [(); 2].map(|()| vec![[f16::ZERO; 4]; width]);
        let mut sums = Vec::with_capacity(band.len());
        for y in band {
            rows.step()?;
            let (a, b) = (a.row_rgba_f16(y as u32, &mut buffer_a), b.row_rgba_f16(y as u32, &mut buffer_b));
            sums.push(Sums::of_row(a, b, range, 3));
        }
        Ok::<_, Cancelled>(sums)
    })?;
    Ok(metrics(bands, a.size(), 3))
}

/// Compares red, green and blue of an image with its blocks or plain texels, as half floats: only the
/// channels that the format stores. No decoded copy of the image is needed. Progress is reported in steps of
/// a few rows. ASTC is decoded as in linear textures.
///
/// # Errors
/// [`MetricsError::Decode`] if `blocks` does not have the length that the image needs, or
/// [`MetricsError::Cancelled`].
pub fn compare_hdr_blocks(
    image: &dyn Image,
    format: impl Into<TextureFormat>,
    blocks: &[u8],
    range: HdrRange,
    task: &Task<'_>,
) -> Result<HdrMetrics, MetricsError> {
    let format: TextureFormat = format.into();
    let channel_count = format.channels().len().min(3);
    let add = |sums: &mut Vec<Sums>, y, texels: &[[f16; 4]], buffer: &mut [_]| {
        sums.push(Sums::of_row(image.row_rgba_f16(y, buffer), texels, range, channel_count));
    };
    let bands =
        map_block_rows(format, ColorSpace::Linear, blocks, image.size(), RoundingRule::Real, task, add)?;
    Ok(metrics(bands, image.size(), channel_count))
}

/// Returns the metrics of an image from the sums of its rows.
fn metrics(bands: Vec<Vec<Sums>>, size: [u32; 2], channel_count: usize) -> HdrMetrics {
    let mut total = Sums::default();
    for sum in bands.into_iter().flatten() {
        total.merge(&sum);
    }
    let texel_count = u64::from(size[0]) * u64::from(size[1]);
    let count = channel_count as f64 * texel_count as f64;
    HdrMetrics {
        texel_count,
        mse_bits: total.bits as f64 / count,
        max_steps: total.max_steps,
        mse_log2: total.log2 / count,
        mse_exposures: total.exposures / count / EXPOSURES as f64,
        mse_reinhard: total.reinhard / count,
    }
}

/// Returns the bit pattern of the magnitude, with the sign of the number.
fn number(value: f16, range: HdrRange) -> i32 {
    let bits = value.to_bits();
    let magnitude = match bits & 0x7fff {
        _ if value.is_nan() => 0,
        magnitude => i32::from(magnitude.min(MAX_BITS)),
    };
    match (bits >> 15, range) {
        (0, _) => magnitude,
        (_, HdrRange::Unsigned) => 0,
        (_, HdrRange::Signed) => -magnitude,
    }
}

/// Functions of all half floats of 0 or more, by bit pattern.
struct Curves {
    curves: Vec<Curve>,
    /// 255 · 2^(e / 2.2) for each exposure e.
    scales: [f64; EXPOSURES],
}

/// Functions of one number x.
struct Curve {
    log2: f64,
    /// x^(1/2.2).
    gamma: f64,
    reinhard: f64,
}

impl Curves {
    fn get() -> &'static Self {
        static CURVES: OnceLock<Curves> = OnceLock::new();
        CURVES.get_or_init(|| {
            let curve = |bits| {
                let x = f16::from_bits(bits).to_f64();
                Curve {
                    log2: (1.0 + x).log2(),
                    gamma: x.powf(1.0 / GAMMA),
                    reinhard: (x / (1.0 + x)).powf(1.0 / GAMMA),
                }
            };
            Self {
                curves: (0..=MAX_BITS).map(curve).collect(),
                scales: std::array::from_fn(|e| 255.0 * ((e as f64 - 10.0) / GAMMA).exp2()),
            }
        })
    }
}

/// Sums of squared errors.
#[derive(Default)]
struct Sums {
    bits: u128,
    max_steps: u16,
    log2: f64,
    exposures: f64,
    reinhard: f64,
}

impl Sums {
    /// Returns the sums of the first channels of two rows.
    fn of_row(a: &[[f16; 4]], b: &[[f16; 4]], range: HdrRange, channel_count: usize) -> Self {
        let (mut sum, curves) = (Self::default(), Curves::get());
        for (a, b) in a.iter().zip(b) {
            (0..channel_count).for_each(|c| sum.add(number(a[c], range), number(b[c], range), curves));
        }
        sum
    }

    fn add(&mut self, a: i32, b: i32, Curves { curves, scales }: &Curves) {
        if a == b {
            return;
        }
        let difference = a.abs_diff(b);
        self.bits += u128::from(difference) * u128::from(difference);
        self.max_steps = self.max_steps.max(difference as u16);
        let of = |number: i32| &curves[number.unsigned_abs() as usize];
        let log2 = |number: i32| f64::from(number.signum()) * of(number).log2;
        self.log2 += (log2(a) - log2(b)).powi(2);
        let (a, b) = (of(a.max(0)), of(b.max(0)));
        self.reinhard += (a.reinhard - b.reinhard).powi(2);
        for scale in scales {
            let [a, b] = [a, b].map(|curve| (scale * curve.gamma).min(255.0));
            self.exposures += (a - b) * (a - b);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.bits += other.bits;
        self.max_steps = self.max_steps.max(other.max_steps);
        self.log2 += other.log2;
        self.exposures += other.exposures;
        self.reinhard += other.reinhard;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockFormat, ImageView, ImageViewMut, PlainFormat, decode_into, encode_plain};

    fn compare(a: [f32; 3], b: [f32; 3], range: HdrRange) -> HdrMetrics {
        let [a, b] = [a, b].map(|texel| [texel.map(f16::from_f32); 12]);
        let (a, b) = (ImageView::new(&a, 4, 3).unwrap(), ImageView::new(&b, 4, 3).unwrap());
        compare_hdr(&a, &b, range, &Task::new()).unwrap()
    }

    #[test]
    fn errors_of_known_size() {
        // 1 and 2 are 1024 steps apart, in one channel of three.
        let found = compare([1.0, 5.0, 0.0], [2.0, 5.0, 0.0], HdrRange::Unsigned);
        assert_eq!((found.max_steps, found.mse_bits), (1024, 1024.0 * 1024.0 / 3.0));
        assert!((found.half_psnr() - 20.0 * (31743.0 * 3f64.sqrt() / 1024.0).log10()).abs() < 1e-9);
        assert!((found.log2_rmse() - (3f64.log2() - 1.0) / 3f64.sqrt()).abs() < 1e-9);
        let reinhard = (2.0 / 3.0f64).powf(1.0 / 2.2) - 0.5f64.powf(1.0 / 2.2);
        assert!((found.mse_reinhard - reinhard * reinhard / 3.0).abs() < 1e-12);
        // Both are 255 from 0 stops on.
        let shown = |x: f64, e: i32| (255.0 * (x * f64::from(e).exp2()).powf(1.0 / 2.2)).min(255.0);
        let expected: f64 = (-10..=10).map(|e| (shown(1.0, e) - shown(2.0, e)).powi(2)).sum();
        assert!((found.mse_exposures - expected / 21.0 / 3.0).abs() < 1e-9);
        let equal = compare([1.0, f32::INFINITY, f32::NAN], [1.0, 65504.0, 0.0], HdrRange::Signed);
        assert_eq!((equal.mse_bits, equal.half_psnr()), (0.0, f64::INFINITY));
    }

    #[test]
    fn blocks_are_compared_as_their_texels() {
        let texels: Vec<[f16; 3]> =
            (0..70 * 9).map(|i| [i as f32 / 7.0, 3.0, (i % 70) as f32].map(f16::from_f32)).collect();
        let image = ImageView::new(&texels, 70, 9).unwrap();
        let blocks: Vec<u8> = (0..18 * 3 * 16).map(|i| (i * 37 % 251) as u8).collect();
        let mut decoded = vec![[f16::ZERO; 4]; 70 * 9];
        let mut target = ImageViewMut::new(&mut decoded[..], 70, 9).unwrap();
        let (format, rule, task) = (BlockFormat::Bc6hSfloat, RoundingRule::Real, Task::new());
        decode_into(format, &blocks, rule, &mut target, &task).unwrap();
        let decoded = ImageView::new(&decoded, 70, 9).unwrap();
        let found = compare_hdr_blocks(&image, format, &blocks, HdrRange::Signed, &task).unwrap();
        assert_eq!(found, compare_hdr(&image, &decoded, HdrRange::Signed, &task).unwrap());
        let short = compare_hdr_blocks(&image, format, &blocks[16..], HdrRange::Signed, &task);
        assert!(matches!(short, Err(MetricsError::Decode(_))), "{short:?}");
    }

    #[test]
    fn only_stored_channels_of_plain_texels_are_compared() {
        let texels = [[0.5f32, 3.0, 9.0]; 35];
        let image = ImageView::new(&texels, 7, 5).unwrap();
        for format in [PlainFormat::R16Float, PlainFormat::Rg32Float, PlainFormat::Rgba16Float] {
            let mut data = vec![0; format.image_bytes(7, 5) as usize];
            encode_plain(&image, format, &mut data, &Task::new()).unwrap();
            let found = compare_hdr_blocks(&image, format, &data, HdrRange::Signed, &Task::new()).unwrap();
            assert_eq!((found.texel_count, found.mse_bits), (35, 0.0), "{format}");
        }
    }

    #[test]
    fn negative_numbers_count_only_if_signed() {
        let unsigned = compare([-1.0, 0.0, 0.0], [0.0; 3], HdrRange::Unsigned);
        assert_eq!((unsigned.mse_bits, unsigned.mse_log2), (0.0, 0.0));
        let signed = compare([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], HdrRange::Signed);
        assert_eq!((signed.max_steps, signed.mse_log2), (2 * 0x3c00, 4.0 / 3.0));
        // Only one of both is light.
        assert!(signed.mse_reinhard > 0.0);
    }
}
