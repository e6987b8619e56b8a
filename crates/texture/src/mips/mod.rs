//! Mip levels.
//!
//! Filtering is in integers: sRGB values go through a table to 16-bit linear light, sums are exact, and the way
//! back is a search in a table. The tables are computed by the compiler with nothing but the four basic
//! operations, which round alike everywhere. So a level has the same bytes on every machine and for any number
//! of threads.

mod levels;
pub(crate) mod transfer;

pub use levels::encode_levels;

use crate::{AlphaMode, ColorSpace, ImageView, Texel};
use transfer::{linear_to_srgb, narrow, srgb_to_linear, widen};

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

/// What the next level of an image depends on, beside its texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MipOptions {
    /// Where it is sRGB, red, green and blue are averaged in linear light; alpha is linear always.
    pub color_space: ColorSpace,
    /// Where it is [`AlphaMode::Straight`], a colour counts by its alpha, so that the colour of transparent texels does
    /// not bleed into the others; where every covered texel is wholly transparent, colours count alike. Otherwise
    /// (opaque, premultiplied) each channel is averaged by itself.
    pub alpha_mode: AlphaMode,
    /// Which texels count, and how much. Default: [`MipFilter::Box`].
    pub filter: MipFilter,
}

impl MipOptions {
    /// Options with the default filter.
    pub const fn new(color_space: ColorSpace, alpha_mode: AlphaMode) -> Self {
        Self { color_space, alpha_mode, filter: MipFilter::Box }
    }
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

impl MipLevel {
    /// The level as an image.
    ///
    /// # Panics
    /// If a side is 0 or there are fewer texels than `width · height`.
    pub fn view(&self) -> ImageView<'_, [u8; 4]> {
        ImageView::new(&self.texels, self.width, self.height).expect("a level has a size and its texels")
    }

    /// The level after an image of this size, its texels transparent black.
    ///
    /// # Panics
    /// If the image has more than 2⁴⁰ texels: sums then fit 64 bits, 40 of weights, 8 of alpha, 16 of linear light.
    pub(crate) fn after(width: u32, height: u32) -> Self {
        assert!(u64::from(width) * u64::from(height) <= 1 << 40, "more than 2⁴⁰ texels");
        let [width, height] = [width, height].map(halved);
        Self { width, height, texels: vec![[0; 4]; width as usize * height as usize] }
    }
}

/// A side of the next level.
pub(crate) fn halved(side: u32) -> u32 {
    (side / 2).max(1)
}

/// The next smaller level of `image`: each side halved and rounded down, at least 1. Texels are taken as 8 bits
/// a channel ([`Texel::to_rgba8`]), and results are rounded to nearest.
///
/// A 1×1 image gives itself.
///
/// ```
/// use brickwork_texture::{AlphaMode, ColorSpace, ImageView, mips::{MipOptions, next_level}};
///
/// let checker = [[0u8, 0, 0], [255, 255, 255], [255, 255, 255], [0, 0, 0]];
/// let image = ImageView::new(&checker, 2, 2)?;
/// let level = next_level(&image, MipOptions::new(ColorSpace::Srgb, AlphaMode::Opaque));
/// assert_eq!(level.texels, [[188, 188, 188, 255]]); // half the light, not half the number
/// # Ok::<(), brickwork_texture::ImageError>(())
/// ```
///
/// # Panics
/// If the image has more than 2⁴⁰ texels.
pub fn next_level<T: Texel>(image: &ImageView<'_, T>, options: MipOptions) -> MipLevel {
    next_level_on(image, options, true)
}

/// [`next_level`], on one thread unless `is_parallel`.
pub(crate) fn next_level_on<T: Texel>(
    image: &ImageView<'_, T>,
    options: MipOptions,
    is_parallel: bool,
) -> MipLevel {
    let MipOptions { color_space, alpha_mode, filter: MipFilter::Box } = options;
    let by_alpha = alpha_mode == AlphaMode::Straight;
    let mut level = MipLevel::after(image.width(), image.height());
    let width = level.width as usize;
    let filter_row = |(y, target): (usize, &mut [[u8; 4]])| match color_space {
        ColorSpace::Srgb => filter_row(image, y as u32, target, by_alpha, srgb_to_linear, linear_to_srgb),
        ColorSpace::Linear => filter_row(image, y as u32, target, by_alpha, widen, narrow),
    };
    #[cfg(feature = "rayon")]
    if is_parallel {
        use rayon::prelude::*;
        level.texels.par_chunks_exact_mut(width).enumerate().for_each(filter_row);
        return level;
    }
    #[cfg(not(feature = "rayon"))]
    let _ = is_parallel;
    level.texels.chunks_exact_mut(width).enumerate().for_each(filter_row);
    level
}

/// The texels of one side that a target texel covers: `weights.len()` of them from `first`.
#[derive(Clone, Copy)]
pub(crate) struct Taps {
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
    pub fn new(index: u32, side: u32) -> Self {
        let (i, half) = (u64::from(index), u64::from(side / 2));
        match side {
            1 => Self { first: 0, count: 1, weights: [1, 0, 0] },
            _ if side.is_multiple_of(2) => Self { first: 2 * index, count: 2, weights: [1, 1, 0] },
            _ => Self { first: 2 * index, count: 3, weights: [half - i, half, i + 1] },
        }
    }

    /// The covered texels, counted from the first, and their weights.
    fn iter(self) -> impl Iterator<Item = (u32, u64)> {
        (0..self.count).map(move |k| (k, self.weights[k as usize]))
    }
}

fn filter_row<T: Texel>(
    image: &ImageView<'_, T>,
    y: u32,
    target: &mut [[u8; 4]],
    by_alpha: bool,
    to_linear: impl Fn(u8) -> u16,
    from_linear: impl Fn(u16) -> u8,
) {
    let rows = Taps::new(y, image.height());
    let sources: [&[T]; 3] = std::array::from_fn(|k| image.row(rows.first + (k as u32).min(rows.count - 1)));
    for (x, target) in target.iter_mut().enumerate() {
        let columns = Taps::new(x as u32, image.width());
        let texel = |row, column| sources[row as usize][(columns.first + column) as usize].to_rgba8();
        *target = mean([columns, rows], texel, by_alpha, &to_linear, &from_linear);
    }
}

/// The mean of the texels that a target texel covers; `texel(row, column)` counts from the first of them.
pub(crate) fn mean(
    [columns, rows]: [Taps; 2],
    texel: impl Fn(u32, u32) -> [u8; 4],
    by_alpha: bool,
    to_linear: impl Fn(u8) -> u16,
    from_linear: impl Fn(u16) -> u8,
) -> [u8; 4] {
    // Sums of weight, weight·alpha, weight·light and weight·alpha·light.
    let (mut weight_sum, mut alpha_sum) = (0u64, 0u64);
    let (mut light_sums, mut covered_sums) = ([0u64; 3], [0u64; 3]);
    for (row, row_weight) in rows.iter() {
        for (column, column_weight) in columns.iter() {
            let weight = row_weight * column_weight;
            let texel = texel(row, column);
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
    let (sums, divisor) =
        if by_alpha && alpha_sum > 0 { (covered_sums, alpha_sum) } else { (light_sums, weight_sum) };
    let [r, g, b] = sums.map(|sum| from_linear(divide(sum, divisor) as u16));
    [r, g, b, divide(alpha_sum, weight_sum) as u8]
}

/// `sum / divisor`, rounded to nearest, halves up.
fn divide(sum: u64, divisor: u64) -> u64 {
    // The mean of four texels needs no division.
    if divisor == 4 { (sum + 2) >> 2 } else { (sum + divisor / 2) / divisor }
}

#[cfg(test)]
mod tests {
    use super::{
        transfer::tests::{eotf, inverse_eotf},
        *,
    };

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
                    let level = next_level(&image, MipOptions::new(color_space, alpha_mode));
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
                let level = next_level(&image, MipOptions::new(color_space, AlphaMode::Straight));
                assert_eq!(level.texels, [texels[0]; 2]);
            }
        }
    }

    #[test]
    fn transparent_colours_do_not_bleed() {
        let texels = [[255u8, 0, 0, 255], [0, 255, 0, 0], [255, 0, 0, 255], [0, 255, 0, 0]];
        let image = ImageView::new(&texels, 2, 2).unwrap();
        let level = next_level(&image, MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight));
        assert_eq!(level.texels, [[255, 0, 0, 128]]);
    }

    #[test]
    fn a_chain_ends_at_one_texel_and_stays_there() {
        let texels = vec![0x8000u16; 6 * 3];
        let image = ImageView::new(&texels, 6, 3).unwrap();
        let mut level = next_level(&image, MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque));
        assert_eq!((level.width, level.height), (3, 1));
        for _ in 0..2 {
            level = next_level(&level.view(), MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque));
            assert_eq!((level.width, level.height), (1, 1));
        }
        assert_eq!(level.texels, [[128, 128, 128, 255]]);
    }

    /// The bytes themselves, so that a machine that rounds otherwise is noticed: FNV-1a of a level.
    #[test]
    fn bytes_are_the_same_everywhere() {
        let texels = noise(61, 45);
        let image = ImageView::new(&texels, 61, 45).unwrap();
        let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight);
        let level = next_level(&image, options);
        assert_eq!(level, next_level_on(&image, options, false));
        let hash = level.texels.iter().flatten().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(hash, 18_327_212_297_463_123_600);
    }
}
