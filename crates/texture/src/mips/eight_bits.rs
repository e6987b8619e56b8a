//! Next mip level of 8-bit texels: in linear light if they are sRGB, weighted by alpha if it is straight.

use super::{Covered, MipOptions, taps::Taps};
use crate::{AlphaMode, ColorSpace};
use brickwork_image::light::{linear_to_srgb, narrow, srgb_to_linear, widen};

/// Returns row `y` of the image that is made from `covered`.
pub(super) fn filter_row(covered: &Covered<'_>, options: MipOptions, y: u32, target: &mut [[u8; 4]]) {
    let by_alpha = options.alpha_mode == AlphaMode::Straight;
    match options.color_space {
        ColorSpace::Srgb => filter(covered, y, target, by_alpha, srgb_to_linear, linear_to_srgb),
        ColorSpace::Linear => filter(covered, y, target, by_alpha, widen, narrow),
    }
}

fn filter(
    covered: &Covered<'_>,
    y: u32,
    target: &mut [[u8; 4]],
    by_alpha: bool,
    to_linear: impl Fn(u8) -> u16,
    from_linear: impl Fn(u16) -> u8,
) {
    let [width, height] = covered.size();
    let (rows, slices) = (Taps::new(y, height), Taps::new(covered.index, covered.depth));
    let mut buffers = Default::default();
    let at = |k: u32| rows.first + k.min(rows.count - 1);
    let sources = covered.rows::<[u8; 4]>(slices.count, [0, 1, 2].map(at), &mut buffers);
    for (x, target) in target.iter_mut().enumerate() {
        let columns = Taps::new(x as u32, width);
        let texel =
            |slice, row, column| sources[slice as usize][row as usize][(columns.first + column) as usize];
        *target = mean([columns, rows, slices], texel, by_alpha, &to_linear, &from_linear);
    }
}

/// Returns the mean of the texels that a target texel covers. `texel(slice, row, column)` counts from the
/// first of them.
pub(crate) fn mean(
    [columns, rows, slices]: [Taps; 3],
    texel: impl Fn(u32, u32, u32) -> [u8; 4],
    by_alpha: bool,
    to_linear: impl Fn(u8) -> u16,
    from_linear: impl Fn(u16) -> u8,
) -> [u8; 4] {
    // Sums of weight, weight·alpha, weight·light and weight·alpha·light.
    let (mut weight_sum, mut alpha_sum) = (0u64, 0u64);
    let (mut light_sums, mut covered_sums) = ([0u64; 3], [0u64; 3]);
    for (slice, slice_weight) in slices.iter() {
        for (row, row_weight) in rows.iter() {
            for (column, column_weight) in columns.iter() {
                let weight = slice_weight * row_weight * column_weight;
                let texel = texel(slice, row, column);
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
    }
    let (sums, divisor) =
        if by_alpha && alpha_sum > 0 { (covered_sums, alpha_sum) } else { (light_sums, weight_sum) };
    let [r, g, b] = sums.map(|sum| from_linear(divide(sum, divisor) as u16));
    [r, g, b, divide(alpha_sum, weight_sum) as u8]
}

/// Returns `sum / divisor`, rounded to nearest, halves up.
fn divide(sum: u64, divisor: u64) -> u64 {
    // The mean of four texels needs no division.
    if divisor == 4 { (sum + 2) >> 2 } else { (sum + divisor / 2) / divisor }
}
