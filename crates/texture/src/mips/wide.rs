//! Next mip level of 16-bit texels and half floats, in fixed-point numbers: each channel independently, or
//! colours weighted by alpha.
//!
//! Formats that take such texels contain data or light, not sRGB colours. Weights along each side
//! are in 2048ths; those of an odd side are rounded. The divisor is therefore always 2²² in 2D. Sums fit 63
//! bits, because half floats are multiples of 2⁻²⁴ below 2¹⁶. The kernels compute the same in words
//! (`mip_wide.wgsl`). Along the depth of a 3D texture, 2048ths of such sums are added.

use super::Covered;
use crate::block_row::Form;
use half::f16;

/// Sum of the weights along one side.
const UNIT: u32 = 2048;
/// Log₂ of the sum of all weights of three sides.
const SHIFT: u32 = 33;

/// Texels along one side that a texel of the next mip level covers: `count` texels, starting with `first`.
struct Taps {
    first: u32,
    count: u32,
    weights: [u32; 3],
}

impl Taps {
    /// Returns the taps of texel i = `index`. On an odd side of 2m + 1 texels, the weights are m − i for
    /// texel 2i, m for the next and i + 1 for the third (`taps.rs`), in 2048ths.
    fn new(index: u32, side: u32) -> Self {
        if side == 1 {
            return Self { first: 0, count: 1, weights: [UNIT, 0, 0] };
        }
        if side.is_multiple_of(2) {
            return Self { first: 2 * index, count: 2, weights: [UNIT / 2, UNIT / 2, 0] };
        }
        let [first, last] = [side / 2 - index, index + 1].map(|share| share_of(share, side));
        Self { first: 2 * index, count: 3, weights: [first, UNIT - first - last, last] }
    }
}

/// Returns `UNIT · share / side`, rounded to nearest, for `share` ≤ `side`. It is computed in 32 bits, bit by
/// bit, as in kernels.
fn share_of(share: u32, side: u32) -> u32 {
    let (mut quotient, mut rest) = (0, share);
    for _ in 0..UNIT.ilog2() {
        // `rest` is below `side`, so `2 · rest − side` fits.
        let is_over = rest >= side - rest;
        rest = if is_over { rest - (side - rest) } else { 2 * rest };
        quotient = 2 * quotient + u32::from(is_over);
    }
    quotient + u32::from(rest >= side - rest)
}

/// Computes row `y` of the 16-bit image from `covered`. With `by_alpha`, colours are weighted by alpha,
/// unless all texels are transparent.
pub(super) fn filter_row_16(covered: &Covered<'_>, y: u32, by_alpha: bool, target: &mut [[u16; 4]]) {
    let round = |sum: i128| ((sum + (1 << (SHIFT - 1))) >> SHIFT) as u16;
    let divide = |sum: i128, alpha: i128| ((2 * sum + alpha) / (2 * alpha)) as u16;
    filter(covered, y, by_alpha, target, i64::from, round, divide);
}

/// Computes row `y` of the half-float image from `covered`, as [`filter_row_16`] does. Negative alpha counts
/// as 0.
pub(super) fn filter_row_f16(covered: &Covered<'_>, y: u32, by_alpha: bool, target: &mut [[f16; 4]]) {
    filter(covered, y, by_alpha, target, fixed, half_of_sum, half_of_quotient);
}

impl Taps {
    /// Returns the `k`-th covered texel, or the last one.
    fn at(&self, k: u32) -> u32 {
        self.first + k.min(self.count - 1)
    }
}

/// Computes a row. `fixed` returns the number of a channel, and `round` the channel of a sum of such numbers
/// times weights. `divide` returns that of a sum of products with alpha, divided by the sum of alpha.
fn filter<C: Copy>(
    covered: &Covered<'_>,
    y: u32,
    by_alpha: bool,
    target: &mut [[C; 4]],
    fixed: impl Fn(C) -> i64,
    round: impl Fn(i128) -> C,
    divide: impl Fn(i128, i128) -> C,
) where
    [C; 4]: Form,
{
    let [width, height] = covered.size();
    let (rows, slices) = (Taps::new(y, height), Taps::new(covered.index, covered.depth));
    let mut buffers = Default::default();
    let sources = covered.rows::<[C; 4]>(slices.count, [0, 1, 2].map(|k| rows.at(k)), &mut buffers);
    for (x, target) in target.iter_mut().enumerate() {
        let columns = Taps::new(x as u32, width);
        let mut sums = [0i128; 4];
        // Sums of colours times alpha, below 2¹¹³: 33 bits of weights and twice 40 of numbers.
        let (mut products, mut alpha_sum) = ([0i128; 3], 0i128);
        for slice in 0..slices.count as usize {
            let mut slice_sums = [0i64; 4];
            for row in 0..rows.count as usize {
                for column in 0..columns.count {
                    let weight = i64::from(rows.weights[row] * columns.weights[column as usize]);
                    let texel = sources[slice][row][columns.at(column) as usize];
                    for c in 0..4 {
                        slice_sums[c] += weight * fixed(texel[c]);
                    }
                    if by_alpha {
                        let alpha = i128::from(fixed(texel[3]).max(0));
                        let alpha = i128::from(slices.weights[slice]) * i128::from(weight) * alpha;
                        alpha_sum += alpha;
                        for c in 0..3 {
                            products[c] += alpha * i128::from(fixed(texel[c]));
                        }
                    }
                }
            }
            for c in 0..4 {
                sums[c] += i128::from(slices.weights[slice]) * i128::from(slice_sums[c]);
            }
        }
        *target = sums.map(&round);
        if alpha_sum > 0 {
            for c in 0..3 {
                target[c] = divide(products[c], alpha_sum);
            }
        }
    }
}

/// Returns a half float in 2⁻²⁴ths: 65504 for infinity, 0 for NaN.
fn fixed(value: f16) -> i64 {
    let bits = value.to_bits();
    let (exponent, fraction) = (u32::from(bits >> 10) & 31, i64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction,
        31 if fraction != 0 => 0,
        31 => 0x7ff << 29,
        _ => (0x400 | fraction) << (exponent - 1),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Returns the half float nearest to the quotient of a sum of products and the sum of alpha, ties to even.
fn half_of_quotient(sum: i128, alpha: i128) -> f16 {
    /// Bits of the quotient below 2⁻²⁴.
    const EXTRA: u32 = 14;
    let (dividend, divisor) = (sum.unsigned_abs() << EXTRA, alpha.unsigned_abs());
    // A remainder decides ties only.
    let sticky = i128::from(!dividend.is_multiple_of(divisor));
    let quotient = (dividend / divisor) as i128;
    half_of_sum((quotient << (SHIFT - EXTRA) | sticky) * sum.signum())
}

/// Returns the half float nearest to a sum of weighted fixed-point numbers, ties to even.
fn half_of_sum(sum: i128) -> f16 {
    let magnitude = sum.unsigned_abs();
    // The result has eleven bits, or those from 2⁻²⁴ on.
    let width = u128::BITS - magnitude.leading_zeros();
    let shift = width.saturating_sub(11).max(SHIFT);
    let quotient = magnitude >> shift;
    let rest = magnitude & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let is_up = rest > half || (rest == half && quotient & 1 == 1);
    let bits = (u64::from(shift - SHIFT) << 10) + quotient as u64 + u64::from(is_up);
    f16::from_bits(bits as u16 | u16::from(sum < 0) << 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_nearest_2048ths() {
        for side in (3..4000).step_by(2).chain([65535, (1 << 30) - 1, u32::MAX]) {
            for share in [1, 2, side / 7 + 1, side / 3, side / 2] {
                let expected = (2 * 2048 * u64::from(share) + u64::from(side)) / (2 * u64::from(side));
                assert_eq!(u64::from(share_of(share, side)), expected, "{share} of {side}");
            }
        }
    }

    #[test]
    fn halves_lead_back_from_fixed_point_numbers() {
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            let back = half_of_sum(i128::from(fixed(value)) << SHIFT);
            let expected = match value {
                _ if value.is_nan() => f16::ZERO,
                _ if value.is_infinite() => f16::MAX.copysign(value),
                _ => value,
            };
            assert_eq!(back, expected, "{bits:04x}");
        }
    }

    #[test]
    fn quotients_are_rounded_to_nearest() {
        let unit = fixed(f16::ONE);
        let half = |sum: i128, alpha: i128| half_of_quotient(sum * i128::from(unit), alpha).to_f32();
        assert_eq!([half(1, 2), half(-3, 4), half(0, 5), half(7, 7)], [0.5, -0.75, 0.0, 1.0]);
        for (sum, alpha) in [(1i32, 3i32), (2, 3), (-5, 7), (1000, 7), (1, 4099), (65504, 3)] {
            let exact = f64::from(sum) / f64::from(alpha);
            let found = half(sum.into(), alpha.into());
            assert_eq!(found, f16::from_f32(exact as f32).to_f32(), "{sum}/{alpha}");
        }
        // Just above the middle of 1 and the next half float, 1 + 2⁻¹⁰, and the middle itself.
        assert_eq!(half((1 << 40) + (1 << 29) + 1, 1 << 40), 1.0 + 1.0 / 1024.0);
        assert_eq!(half((1 << 40) + (1 << 29), 1 << 40), 1.0);
    }

    /// 2×2×2 texels, of which the visible ones have the same colour.
    #[test]
    fn transparent_texels_do_not_bleed_into_others() {
        use crate::ImageView;
        let [red, none] = [[40_000u16, 3, 2, 65_535], [1, 60_000, 60_000, 0]];
        let halves = |texel: [u16; 4]| texel.map(|v| f16::from_f32(f32::from(v) / 65_535.0));
        let (first, second) = ([red, none, none, red], [none, red, none, none]);
        let both = [&first, &second].map(|texels| ImageView::new(texels, 2, 2).unwrap());
        let mut row = [[0; 4]];
        let covered = Covered::slices([&both[0], &both[1]]);
        filter_row_16(&covered, 0, true, &mut row);
        // Three of eight texels are visible.
        assert_eq!(row[0], [40_000, 3, 2, 24_576]);
        filter_row_16(&covered, 0, false, &mut row);
        assert_eq!(row[0][1], 37_501);
        let (first, second) = (first.map(halves), second.map(halves));
        let both = [&first, &second].map(|texels| ImageView::new(texels, 2, 2).unwrap());
        let mut row = [[f16::ZERO; 4]];
        filter_row_f16(&Covered::slices([&both[0], &both[1]]), 0, true, &mut row);
        assert_eq!(row[0], [halves(red)[0], halves(red)[1], halves(red)[2], f16::from_f32(0.375)]);
        // Without a visible texel, colours have their mean.
        let hidden = [halves(none); 4];
        let view = ImageView::new(&hidden, 2, 2).unwrap();
        filter_row_f16(&Covered::slices([&view, &view]), 0, true, &mut row);
        assert_eq!(row[0], halves(none));
    }

    #[test]
    fn means_of_halves_are_rounded_to_nearest() {
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [a, b] = [state >> 16, state >> 40].map(|bits| f16::from_bits(bits as u16 & 0xfbff));
            let mean = half_of_sum(i128::from(fixed(a) + fixed(b)) << (SHIFT - 1));
            // Sums of 41 bits are exact in a double. `f16::from_f64` may round twice, by way of a single.
            let exact = (a.to_f64() + b.to_f64()) / 2.0;
            let error = |bits: u16| (f16::from_bits(bits).to_f64() - exact).abs();
            let (bits, sign) = (mean.to_bits() & 0x7fff, mean.to_bits() & 0x8000);
            let others = [bits.saturating_sub(1), bits + 1].map(|bits| error(bits | sign));
            let is_even = bits & 1 == 0;
            assert!(
                others
                    .iter()
                    .all(|&other| error(bits | sign) < other || (is_even && error(bits | sign) == other))
                    || bits == 0,
                "{a} {b}: {mean}"
            );
        }
    }
}
