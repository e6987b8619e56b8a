//! Roughness of mip levels, with the spread of the normals that their texels cover.
//!
//! The mean of unit vectors is shorter than 1 by the extent to which they differ. The mip levels of a normal
//! map lose this, because their vectors have length 1 ([`normals`](super::normals)). The roughness can keep
//! it. For the roughness ρ, with α = ρ² and a = α², and for the length r of the mean:
//!
//! ```text
//! v  = (1 − r) / r
//! a' = (a + 2v(1 − a)) / (1 + 2v(1 − a))
//! ρ' = a'^(1/4)
//! ```
//!
//! This is the specular exponent of M. Toksvig, "Mipmapping Normal Maps", Journal of Graphics Tools 10(3),
//! 2005: s' = s / (1 + s·v). The exponent of a roughness is s = 2/a − 2 (B. Walter et al., "Microfacet Models
//! for Refraction through Rough Surfaces", 2007), and α = ρ² (B. Burley, "Physically Based Shading at
//! Disney", 2012).
//!
//! Sums of normals are integers, and the other operations round alike everywhere. The result is therefore the
//! same on every machine and for any number of threads.

use super::{MipError, MipLevel, MipTexels, each_row};
use crate::{ChannelType, Image, Task};

/// Length of a unit vector in integers. Sums over 2⁴⁰ texels fit 63 bits.
const UNIT: f64 = (1 << 22) as f64;

/// Variance that does not count: six times that of rounding the components of normals to 8 bits, which is
/// (2/255)²/12. Otherwise, a perfect mirror would become visibly rough.
const ROUNDING_VARIANCE: f64 = 1.0 / 32768.0;

/// Variance of normals whose mean is 0. A higher one would not change the result.
const MAX_VARIANCE: f64 = 1e9;

/// Returns `image` as 8-bit RGBA, with a higher roughness where a texel covers different normals. The
/// channels in `is_roughness` are roughness, from 0 to 1; the others do not change.
///
/// `normals` is a normal map of the same surface, of any size. A texel covers the same part of it as of the
/// image, with fractions of its texels at the edges. The map has vectors in red, green and blue: value v of
/// integers means 2v − 1, where 1 is the maximum; floats are the components themselves. Vectors need not have
/// length 1; a vector of length 0 is (0, 0, 1).
///
/// The roughness becomes that of M. Toksvig (2005), for α = roughness². A variance below that of 8-bit
/// normals does not count.
///
/// ```
/// use brickwork_texture::{ImageView, Task, mips::{MipTexels, roughened}};
///
/// // One texel covers two normals, 45° to the left and to the right.
/// let normals = [[37u8, 128, 218], [218, 128, 218]];
/// let level = roughened(
///     &ImageView::new(&[0u8], 1, 1)?,
///     &ImageView::new(&normals, 2, 1)?,
///     [true, false, false, false],
///     &Task::new(),
/// )?;
/// assert_eq!(level.texels(), &MipTexels::Rgba8(vec![[209, 0, 0, 255]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MipError`] if the normal map has more than 2⁴⁰ texels, memory cannot be allocated, or the task is
/// cancelled.
pub fn roughened(
    image: &dyn Image,
    normals: &dyn Image,
    is_roughness: [bool; 4],
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    let (size, [width, height]) = (image.size(), normals.size());
    if u64::from(width) * u64::from(height) > 1 << 40 {
        return Err(MipError::TooManyTexels { size: [width, height, 1] });
    }
    let mut level = MipLevel::new(size, ChannelType::U8)?;
    let MipTexels::Rgba8(texels) = level.texels_mut() else { unreachable!("the level has 8 bits") };
    let fill = |y: u32, row: &mut [[u8; 4]]| {
        let mut buffer = vec![[0u8; 4]; row.len()];
        row.copy_from_slice(image.row_rgba8(y, &mut buffer));
        for (texel, variance) in row.iter_mut().zip(variances(normals, size, y, task)) {
            for (value, is_roughness) in texel.iter_mut().zip(is_roughness) {
                if is_roughness {
                    *value = rougher(*value, variance);
                }
            }
        }
    };
    each_row(texels, size, task, fill)?;
    // A cancelled task has left out normals.
    task.check()?;
    Ok(level)
}

/// Returns the roughness of a texel that covers normals of this variance.
fn rougher(roughness: u8, variance: f64) -> u8 {
    if variance <= 0.0 {
        return roughness;
    }
    let roughness = f64::from(roughness) / 255.0;
    let alpha = roughness * roughness;
    let a = alpha * alpha;
    let added = 2.0 * variance * (1.0 - a);
    let a = (a + added) / (1.0 + added);
    (a.sqrt().sqrt() * 255.0 + 0.5) as u8
}

/// Returns the variance v of the normals that each texel of row `y` covers, for an image of this size. A
/// cancelled task ends the reading of normals, because a single texel may cover all of them.
fn variances(normals: &dyn Image, [width, height]: [u32; 2], y: u32, task: &Task<'_>) -> Vec<f64> {
    let [map_width, map_height] = normals.size();
    let is_float = matches!(normals.texel_type().channel_type(), ChannelType::F16 | ChannelType::F32);
    let mut buffer = vec![[0f32; 4]; map_width as usize];
    let mut units = vec![[0i64; 3]; map_width as usize];
    let mut sums = vec![[0i64; 3]; width as usize];
    for (row, share) in covered(y, height, map_height) {
        if task.is_cancelled() {
            break;
        }
        let texels = normals.row_rgba_f32(row, &mut buffer);
        for (unit, &[x, y, z, _]) in units.iter_mut().zip(texels) {
            *unit = unit_vector([x, y, z], is_float);
        }
        for (x, sum) in (0..width).zip(&mut sums) {
            for (column, part) in covered(x, width, map_width) {
                let unit = units[column as usize];
                for c in 0..3 {
                    sum[c] += share * part * unit[c];
                }
            }
        }
    }
    // The shares of a texel have this sum.
    let total = (u64::from(map_width) * u64::from(map_height)) as f64 * UNIT;
    sums.iter().map(|&sum| variance(sum.map(|component| component as f64 / total))).collect()
}

/// Returns the variance of normals with this mean, without that of rounding.
fn variance([x, y, z]: [f64; 3]) -> f64 {
    let length = (x * x + y * y + z * z).sqrt();
    ((1.0 - length) / length - ROUNDING_VARIANCE).clamp(0.0, MAX_VARIANCE)
}

/// Returns the vector of length [`UNIT`] in the direction of a texel.
fn unit_vector(texel: [f32; 3], is_float: bool) -> [i64; 3] {
    let vector = texel.map(f64::from).map(|value| if is_float { value } else { 2.0 * value - 1.0 });
    let [x, y, z] = vector;
    let length = (x * x + y * y + z * z).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return [0, 0, UNIT as i64];
    }
    vector.map(|component| (component / length * UNIT).round() as i64)
}

/// Returns the texels of a side of `map_count` that texel `index` of `count` covers, and the share of each.
/// The shares of all have the sum `map_count`; a texel that is wholly covered has the share `count`.
fn covered(index: u32, count: u32, map_count: u32) -> impl Iterator<Item = (u32, i64)> {
    let [index, count, map_count] = [index, count, map_count].map(u64::from);
    let (start, end) = (index * map_count, (index + 1) * map_count);
    (start / count..=(end - 1) / count).map(move |place| {
        let share = ((place + 1) * count).min(end) - (place * count).max(start);
        (place as u32, share as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImageView, Threads};
    use half::f16;

    const RED: [bool; 4] = [true, false, false, false];

    /// The formula of the paper, with exponents, and areas in floating point.
    fn slow(roughness: u8, normals: &[[u8; 3]], map: [usize; 2], size: [usize; 2], at: [usize; 2]) -> f64 {
        let overlap = |axis: usize, place: usize| {
            let step = map[axis] as f64 / size[axis] as f64;
            let (start, end) = (at[axis] as f64 * step, (at[axis] + 1) as f64 * step);
            (end.min(place as f64 + 1.0) - start.max(place as f64)).max(0.0)
        };
        let (mut sum, mut area) = ([0.0; 3], 0.0);
        for (i, normal) in normals.iter().enumerate() {
            let share = overlap(0, i % map[0]) * overlap(1, i / map[0]);
            let vector = normal.map(|value| f64::from(value) / 127.5 - 1.0);
            let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            for (sum, component) in sum.iter_mut().zip(vector) {
                *sum += share * component / length;
            }
            area += share;
        }
        let length = sum.iter().map(|v| v * v).sum::<f64>().sqrt() / area;
        let variance = (1.0 - length) / length - ROUNDING_VARIANCE;
        if variance <= 0.0 {
            return f64::from(roughness);
        }
        let length = 1.0 / (1.0 + variance);
        let a = (f64::from(roughness) / 255.0).powi(4).max(1e-12);
        let exponent = 2.0 / a - 2.0;
        let factor = length / (length + exponent * (1.0 - length));
        (2.0 / (factor * exponent + 2.0)).powf(0.25) * 255.0
    }

    #[test]
    fn the_roughness_is_that_of_the_paper() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for (map, size) in
            [([8, 8], [4, 4]), ([7, 5], [3, 2]), ([9, 1], [4, 1]), ([3, 3], [5, 4]), ([16, 9], [1, 1])]
        {
            let rough: Vec<u8> = (0..size[0] * size[1]).map(|_| random()).collect();
            let normals: Vec<[u8; 3]> =
                (0..map[0] * map[1]).map(|_| [64 + random() / 2, 64 + random() / 2, 200]).collect();
            let image = ImageView::new(&rough, size[0] as u32, size[1] as u32).unwrap();
            let view = ImageView::new(&normals, map[0] as u32, map[1] as u32).unwrap();
            let level = roughened(&image, &view, RED, &Task::new()).unwrap();
            let MipTexels::Rgba8(texels) = level.texels() else { panic!("8 bits") };
            for (i, texel) in texels.iter().enumerate() {
                let expected = slow(rough[i], &normals, map, size, [i % size[0], i / size[0]]);
                assert!((f64::from(texel[0]) - expected).abs() <= 0.51, "{map:?} {i}: {texel:?} {expected}");
                assert_eq!(texel[1..], [rough[i], rough[i], 255]);
            }
            let one = Task::new().with_threads(Threads::Calling);
            assert_eq!(level, roughened(&image, &view, RED, &one).unwrap());
        }
    }

    #[test]
    fn equal_normals_change_nothing_and_opposite_ones_everything() {
        let rough: Vec<u8> = (0..=255).collect();
        let image = ImageView::new(&rough, 16, 16).unwrap();
        let red = |normals: &dyn Image| {
            let level = roughened(&image, normals, RED, &Task::new()).unwrap();
            let MipTexels::Rgba8(texels) = level.into_texels() else { panic!("8 bits") };
            texels.into_iter().map(|texel| texel[0]).collect::<Vec<u8>>()
        };
        let tilted = vec![[170u8, 100, 230]; 64 * 48];
        assert_eq!(red(&ImageView::new(&tilted, 64, 48).unwrap()), rough);
        // Rounding to 8 bits is no roughness.
        let noise: Vec<[u8; 3]> =
            (0..64 * 48).map(|i| [127 + (i % 2) as u8, 127 + (i / 64 % 2) as u8, 255]).collect();
        assert_eq!(red(&ImageView::new(&noise, 64, 48).unwrap()), rough);
        // A map with as many texels as the image.
        let wild: Vec<[u8; 3]> = (0..=255).map(|i: u8| [i, i.wrapping_mul(7), 130]).collect();
        assert_eq!(red(&ImageView::new(&wild, 16, 16).unwrap()), rough);
        // Components of floats, with a mean of 0.
        let up_and_down: Vec<[f16; 3]> = (0..32 * 16)
            .map(|i| [0.0, 0.0, if i % 2 == 0 { 1.0 } else { -1.0 }].map(f16::from_f32))
            .collect();
        assert_eq!(red(&ImageView::new(&up_and_down, 32, 16).unwrap()), [255; 256]);
        // A vector of length 0 points upward, and NaN, too.
        let none = vec![[f16::ZERO, f16::NAN, f16::ZERO]; 32 * 16];
        assert_eq!(red(&ImageView::new(&none, 32, 16).unwrap()), rough);
    }

    #[test]
    fn chosen_channels_change() {
        let texel = [[10u8, 20, 30, 40]];
        let image = ImageView::new(&texel, 1, 1).unwrap();
        let normals = [[37u8, 128, 218], [218, 128, 218]];
        let normals = ImageView::new(&normals, 2, 1).unwrap();
        for chosen in 0..4 {
            let mask = [0, 1, 2, 3].map(|c| c == chosen);
            let level = roughened(&image, &normals, mask, &Task::new()).unwrap();
            let MipTexels::Rgba8(texels) = level.texels() else { panic!("8 bits") };
            for c in 0..4 {
                assert_eq!(texels[0][c] > 200, c == chosen, "{texels:?}");
                assert!(c == chosen || texels[0][c] == texel[0][c]);
            }
        }
    }
}
