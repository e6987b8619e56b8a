//! Mip levels.
//!
//! Filtering is in integers: sRGB values go through a table to 16-bit linear light, sums are exact, and the way
//! back is a search in a table. The tables are computed by the compiler with nothing but the four basic
//! operations, which round alike everywhere. So a level has the same bytes on every machine and for any number
//! of threads.

use crate::{AlphaMode, ColorSpace, ImageView, Texel};

/// How the texels of a level are made from those of the level above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MipFilter {
    /// The mean of the area that the texel covers. On even sides two texels a side; on odd sides three, the
    /// outer ones by the share that is covered (the polyphase box filter), so that nothing shifts and no row
    /// is dropped.
    #[default]
    Box,
}

/// One level of a mip chain as 8-bit RGBA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MipLevel {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width · height` texels, row by row.
    pub texels: Vec<[u8; 4]>,
}

/// The next smaller level of `image`: each side halved and rounded down, at least 1. Texels are taken as 8 bits
/// a channel ([`Texel::to_rgba8`]), and results are rounded to nearest.
///
/// Where `color_space` is sRGB, red, green and blue are averaged in linear light; alpha is linear always. Where
/// `alpha_mode` is [`AlphaMode::Straight`], a colour counts by its alpha, so that the colour of transparent
/// texels does not bleed into the others; where every covered texel is wholly transparent, colours count alike.
/// Otherwise (opaque, premultiplied) each channel is averaged by itself.
///
/// A 1×1 image gives itself.
///
/// ```
/// use brickwork_texture::{AlphaMode, ColorSpace, ImageView, mips::{MipFilter, next_level}};
///
/// let checker = [[0u8, 0, 0], [255, 255, 255], [255, 255, 255], [0, 0, 0]];
/// let image = ImageView::new(&checker, 2, 2)?;
/// let level = next_level(&image, ColorSpace::Srgb, AlphaMode::Opaque, MipFilter::Box);
/// assert_eq!(level.texels, [[188, 188, 188, 255]]); // half the light, not half the number
/// # Ok::<(), brickwork_texture::ImageError>(())
/// ```
///
/// # Panics
/// If the image has more than 2⁴⁰ texels.
pub fn next_level<T: Texel>(
    image: &ImageView<'_, T>,
    color_space: ColorSpace,
    alpha_mode: AlphaMode,
    filter: MipFilter,
) -> MipLevel {
    let MipFilter::Box = filter;
    // The sums below then fit 64 bits: 40 of weights, 8 of alpha, 16 of linear light.
    assert!(u64::from(image.width()) * u64::from(image.height()) <= 1 << 40, "more than 2⁴⁰ texels");
    let (width, height) = ((image.width() / 2).max(1), (image.height() / 2).max(1));
    let mut texels = vec![[0; 4]; width as usize * height as usize];
    let filter_row = |(y, target): (usize, &mut [[u8; 4]])| match color_space {
        ColorSpace::Srgb => filter_row(image, y as u32, target, alpha_mode, srgb_to_linear, linear_to_srgb),
        ColorSpace::Linear => filter_row(image, y as u32, target, alpha_mode, widen, narrow),
    };
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        texels.par_chunks_exact_mut(width as usize).enumerate().for_each(filter_row);
    }
    #[cfg(not(feature = "rayon"))]
    texels.chunks_exact_mut(width as usize).enumerate().for_each(filter_row);
    MipLevel { width, height, texels }
}

/// The texels of one side that a target texel covers: `weights.len()` of them from `first`.
#[derive(Clone, Copy)]
struct Taps {
    first: u32,
    count: u32,
    /// Shares of the target texel; their sum is the same for every target texel of a side.
    weights: [u64; 3],
}

impl Taps {
    /// What target texel `index` covers of a side of `side` texels that is halved.
    ///
    /// Of an odd side 2m + 1, target i of m covers i·(2 + 1/m) to (i + 1)·(2 + 1/m): in m-ths of a source
    /// texel, m − i of texel 2i, all m of the next and i + 1 of the third.
    fn new(index: u32, side: u32) -> Self {
        let (i, half) = (u64::from(index), u64::from(side / 2));
        match side {
            1 => Self { first: 0, count: 1, weights: [1, 0, 0] },
            _ if side.is_multiple_of(2) => Self { first: 2 * index, count: 2, weights: [1, 1, 0] },
            _ => Self { first: 2 * index, count: 3, weights: [half - i, half, i + 1] },
        }
    }

    fn iter(self) -> impl Iterator<Item = (u32, u64)> {
        (0..self.count).map(move |k| (self.first + k, self.weights[k as usize]))
    }
}

fn filter_row<T: Texel>(
    image: &ImageView<'_, T>,
    y: u32,
    target: &mut [[u8; 4]],
    alpha_mode: AlphaMode,
    to_linear: impl Fn(u8) -> u16,
    from_linear: impl Fn(u16) -> u8,
) {
    let rows = Taps::new(y, image.height());
    let sources: [&[T]; 3] = std::array::from_fn(|k| image.row(rows.first + (k as u32).min(rows.count - 1)));
    for (x, target) in target.iter_mut().enumerate() {
        let columns = Taps::new(x as u32, image.width());
        // Sums of weight, weight·alpha, weight·light and weight·alpha·light.
        let (mut weight_sum, mut alpha_sum) = (0u64, 0u64);
        let (mut light_sums, mut covered_sums) = ([0u64; 3], [0u64; 3]);
        for (source, (_, row_weight)) in sources.iter().zip(rows.iter()) {
            for (column, column_weight) in columns.iter() {
                let weight = row_weight * column_weight;
                let texel = source[column as usize].to_rgba8();
                let covered = weight * u64::from(texel[3]);
                weight_sum += weight;
                alpha_sum += covered;
                for c in 0..3 {
                    let light = u64::from(to_linear(texel[c]));
                    light_sums[c] += weight * light;
                    covered_sums[c] += covered * light;
                }
            }
        }
        let (sums, divisor) = match alpha_mode {
            AlphaMode::Straight if alpha_sum > 0 => (covered_sums, alpha_sum),
            AlphaMode::Straight | AlphaMode::Opaque | AlphaMode::Premultiplied => (light_sums, weight_sum),
        };
        for c in 0..3 {
            target[c] = from_linear(divide(sums[c], divisor) as u16);
        }
        target[3] = divide(alpha_sum, weight_sum) as u8;
    }
}

/// `sum / divisor`, rounded to nearest, halves up.
fn divide(sum: u64, divisor: u64) -> u64 {
    // The mean of four texels needs no division.
    if divisor == 4 { (sum + 2) >> 2 } else { (sum + divisor / 2) / divisor }
}

fn widen(value: u8) -> u16 {
    u16::from(value) * 257
}

fn narrow(light: u16) -> u8 {
    ((u32::from(light) + 128) / 257) as u8
}

/// Linear light in 65535ths, rounded to nearest, of the sRGB values 0, ½, 1, … 255: the values themselves at
/// even places, the borders between them at odd ones.
static HALF_STEPS: [u16; 511] = half_steps();

/// For every 16 steps of linear light, the sRGB value whose range the first of them lies in. No two borders lie
/// within 16 steps: near black, where they are nearest, they are 65535 / (255 · 12.92) = 19.9 apart.
static FIRST_VALUES: [u8; 4096] = first_values();

fn srgb_to_linear(value: u8) -> u16 {
    HALF_STEPS[2 * value as usize]
}

/// The sRGB value nearest to `light`, nearest as sRGB sees it.
fn linear_to_srgb(light: u16) -> u8 {
    let first = FIRST_VALUES[light as usize >> 4];
    match HALF_STEPS.get(2 * first as usize + 1) {
        Some(&border) if light >= border => first + 1,
        _ => first,
    }
}

const fn half_steps() -> [u16; 511] {
    let mut steps = [0; 511];
    let mut i = 0;
    while i < steps.len() {
        steps[i] = (srgb_eotf(i as f64 / 510.0) * 65535.0 + 0.5) as u16;
        i += 1;
    }
    steps
}

const fn first_values() -> [u8; 4096] {
    let steps = half_steps();
    let mut values = [0; 4096];
    let (mut value, mut i) = (0usize, 0);
    while i < values.len() {
        while value < 255 && i as u32 * 16 >= steps[2 * value + 1] as u32 {
            value += 1;
        }
        values[i] = value as u8;
        i += 1;
    }
    values
}

/// The sRGB transfer function of IEC 61966-2-1, from basic operations only: x^2.4 = x²·(x²)^(1/5).
const fn srgb_eotf(value: f64) -> f64 {
    if value <= 0.04045 {
        return value / 12.92;
    }
    let base = (value + 0.055) / 1.055;
    let square = base * base;
    // Newton's method from above, where it falls steadily.
    let mut root = 1.0;
    let mut step = 0;
    while step < 40 {
        root -= (root - square / (root * root * root * root)) / 5.0;
        step += 1;
    }
    square * root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eotf(value: f64) -> f64 {
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }

    fn inverse_eotf(light: f64) -> f64 {
        if light <= 0.0031308 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
    }

    #[test]
    fn tables_are_the_rounded_transfer_function() {
        for (i, &step) in HALF_STEPS.iter().enumerate() {
            assert_eq!(step, (eotf(i as f64 / 510.0) * 65535.0).round() as u16, "{i}");
        }
        for value in 0..=255 {
            assert_eq!(linear_to_srgb(srgb_to_linear(value)), value);
            assert_eq!(narrow(widen(value)), value);
        }
        for light in 0..=65535u16 {
            let exact = inverse_eotf(f64::from(light) / 65535.0) * 255.0;
            let value = f64::from(linear_to_srgb(light));
            // A border is rounded to a whole step of light: half a step is at most 0.026 of a value.
            assert!((value - exact).abs() <= 0.5 + 0.026, "{light}: {value} {exact}");
        }
    }

    /// The level straight from the definition: every source texel by the area it shares with the target.
    fn reference(
        texels: &[[u8; 4]],
        [width, height]: [u32; 2],
        color_space: ColorSpace,
        alpha_mode: AlphaMode,
    ) -> Vec<[f64; 4]> {
        type Transfer = fn(f64) -> f64;
        let (to_light, from_light): (Transfer, Transfer) = match color_space {
            ColorSpace::Srgb => (eotf, inverse_eotf),
            ColorSpace::Linear => (|v| v, |v| v),
        };
        let overlap = |target: u32, target_side: u32, source: u32, side: u32| {
            let scale = f64::from(side) / f64::from(target_side);
            let (start, end) = (f64::from(target) * scale, f64::from(target + 1) * scale);
            (end.min(f64::from(source + 1)) - start.max(f64::from(source))).max(0.0)
        };
        let (target_width, target_height) = ((width / 2).max(1), (height / 2).max(1));
        let mut level = Vec::new();
        for y in 0..target_height {
            for x in 0..target_width {
                let (mut area, mut alpha) = (0.0, 0.0);
                let (mut plain, mut covered) = ([0.0; 3], [0.0; 3]);
                for (i, texel) in texels.iter().enumerate() {
                    let (sx, sy) = (i as u32 % width, i as u32 / width);
                    let share = overlap(x, target_width, sx, width) * overlap(y, target_height, sy, height);
                    let a = f64::from(texel[3]) / 255.0;
                    area += share;
                    alpha += share * a;
                    for c in 0..3 {
                        let light = to_light(f64::from(texel[c]) / 255.0);
                        plain[c] += share * light;
                        covered[c] += share * a * light;
                    }
                }
                let (sums, divisor) = if alpha_mode == AlphaMode::Straight && alpha > 1e-9 {
                    (covered, alpha)
                } else {
                    (plain, area)
                };
                let [r, g, b] = sums.map(|sum| from_light(sum / divisor) * 255.0);
                level.push([r, g, b, alpha / area * 255.0]);
            }
        }
        level
    }

    fn noise(width: u32, height: u32) -> Vec<[u8; 4]> {
        let mut state = u64::from(width) << 32 | u64::from(height) | 1;
        (0..width * height)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let [r, g, b, a, ..] = (state >> 16).to_le_bytes();
                // Dark, bright, transparent and opaque texels in plenty.
                let shift = state >> 62;
                [r >> (shift * 2), g, b, if shift == 3 { 0 } else { a | (255 * (shift & 1) as u8) }]
            })
            .collect()
    }

    #[test]
    fn levels_are_within_one_of_the_reference() {
        let sides = [1, 2, 3, 4, 5, 7, 8, 13];
        for size in sides.into_iter().flat_map(|width| sides.map(|height| [width, height])) {
            let texels = noise(size[0], size[1]);
            let image = ImageView::new(&texels, size[0], size[1]).unwrap();
            for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
                for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight, AlphaMode::Premultiplied] {
                    let level = next_level(&image, color_space, alpha_mode, MipFilter::Box);
                    let expected = reference(&texels, size, color_space, alpha_mode);
                    assert_eq!(level.texels.len(), expected.len());
                    for (texel, expected) in level.texels.iter().zip(&expected) {
                        for c in 0..4 {
                            let error = (f64::from(texel[c]) - expected[c]).abs();
                            assert!(
                                error < 0.55,
                                "{size:?} {color_space:?} {alpha_mode:?}: {texel:?} {expected:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn one_colour_stays_itself() {
        for value in 0..=255u8 {
            let texels = [[value, 255 - value, value, value.max(1)]; 15];
            let image = ImageView::new(&texels, 5, 3).unwrap();
            for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
                let level = next_level(&image, color_space, AlphaMode::Straight, MipFilter::Box);
                assert_eq!(level.texels, [texels[0]; 2]);
            }
        }
    }

    #[test]
    fn transparent_colours_do_not_bleed() {
        let texels = [[255u8, 0, 0, 255], [0, 255, 0, 0], [255, 0, 0, 255], [0, 255, 0, 0]];
        let image = ImageView::new(&texels, 2, 2).unwrap();
        let level = next_level(&image, ColorSpace::Srgb, AlphaMode::Straight, MipFilter::Box);
        assert_eq!(level.texels, [[255, 0, 0, 128]]);
    }

    #[test]
    fn a_chain_ends_at_one_texel_and_stays_there() {
        let texels = vec![0x8000u16; 6 * 3];
        let image = ImageView::new(&texels, 6, 3).unwrap();
        let mut level = next_level(&image, ColorSpace::Linear, AlphaMode::Opaque, MipFilter::Box);
        assert_eq!((level.width, level.height), (3, 1));
        for _ in 0..2 {
            let image = ImageView::new(&level.texels, level.width, level.height).unwrap();
            level = next_level(&image, ColorSpace::Linear, AlphaMode::Opaque, MipFilter::Box);
            assert_eq!((level.width, level.height), (1, 1));
        }
        assert_eq!(level.texels, [[128, 128, 128, 255]]);
    }

    /// The bytes themselves, so that a machine that rounds otherwise is noticed: FNV-1a of a level.
    #[test]
    fn bytes_are_the_same_everywhere() {
        let texels = noise(61, 45);
        let image = ImageView::new(&texels, 61, 45).unwrap();
        let level = next_level(&image, ColorSpace::Srgb, AlphaMode::Straight, MipFilter::Box);
        let hash = level.texels.iter().flatten().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(hash, 18_327_212_297_463_123_600);
    }
}
