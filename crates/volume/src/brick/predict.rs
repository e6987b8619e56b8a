//! The predictors: weighted sums of a voxel's neighbours before it and of the brick's range.
//!
//! A voxel has up to seven neighbours within its brick: W (x − 1), N (y − 1), U (z − 1) and their
//! combinations NW, UW, UN, UNW. Its *class* states the axes along which it has any (1: x, 2: y, 4: z). Each
//! predictor has weights for each class, in sixteenths. The prediction is ⌊(Σ + 8) / 16⌋, kept within
//! 0..=range.
//!
//! Predictor 0 is the minimum, 1 the maximum, 2 the gradient, 15 the gradient with codes in another order.
//! The others were fitted to bricks of the volumes in docs/measured/volume-sizes.md. The estimated cost of a
//! brick is Σ log of its mean error. The fit alternates: bricks choose the cheapest predictor, and weights
//! minimise the L1 error of their bricks.

use crate::Dims;

/// Number of predictors.
pub(crate) const COUNT: usize = 16;

/// Weights of a class: those of W, N, U, NW, UW, UN, UNW and of the range.
pub(crate) type Weights = [i8; 8];

/// The gradient's weights, which two predictors have.
const GRADIENT: [Weights; 8] = row(
    [16, 0],
    [16, 0],
    [16, 0],
    [16, 16, -16, 0],
    [16, 16, -16, 0],
    [16, 16, -16, 0],
    [16, 16, 16, -16, -16, -16, 16, 0],
);

/// Weights by predictor and class. Class 0, the first voxel, is not predicted.
pub(crate) static WEIGHTS: [[Weights; 8]; COUNT] = [
    row([0, 0], [0, 0], [0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]),
    row([0, 16], [0, 16], [0, 16], [0, 0, 0, 16], [0, 0, 0, 16], [0, 0, 0, 16], [0, 0, 0, 0, 0, 0, 0, 16]),
    GRADIENT,
    row([8, 4], [6, 5], [10, 3], [8, 6, -3, 3], [6, 9, -3, 2], [5, 9, -3, 2], [7, 5, 9, -4, -3, -3, 2, 1]),
    row([16, 0], [15, 1], [14, 0], [15, 2, -1, 0], [15, 3, -2, 0], [5, 4, 7, 0], [14, 2, 2, 0, -2, 2, -2, 0]),
    row(
        [16, 0],
        [16, 0],
        [14, 0],
        [4, 15, -3, 0],
        [10, 6, 0, 0],
        [15, 3, -2, 0],
        [4, 14, 2, -2, 0, -1, 0, 0],
    ),
    row(
        [16, 0],
        [16, 0],
        [16, 0],
        [9, 0, 7, 0],
        [6, 16, -6, 0],
        [2, 16, -2, 0],
        [4, 1, 16, 1, -4, -1, -1, 0],
    ),
    row(
        [12, 2],
        [11, 3],
        [13, 1],
        [14, 12, -11, 1],
        [13, 13, -10, 0],
        [12, 13, -10, 0],
        [11, 10, 10, -7, -5, -5, 2, 0],
    ),
    row(
        [16, 0],
        [8, 2],
        [16, 0],
        [16, 5, -5, 0],
        [8, 13, -4, 0],
        [2, 16, -2, 0],
        [9, 3, 12, -3, -5, -2, 2, 0],
    ),
    row([3, 5], [4, 5], [2, 5], [2, 4, 1, 3], [3, 2, 1, 4], [4, 1, 1, 4], [2, 4, 2, 0, 1, 0, 1, 3]),
    row(
        [13, 0],
        [15, 1],
        [16, 0],
        [4, 7, 6, 0],
        [5, 15, -5, 0],
        [7, 12, -4, 0],
        [3, 6, 11, 5, -2, -4, -3, 0],
    ),
    row(
        [16, 0],
        [15, 0],
        [15, 1],
        [10, 10, -4, 0],
        [15, 7, -5, 0],
        [15, 7, -6, 0],
        [9, 9, 4, -2, -2, -2, 0, 0],
    ),
    row(
        [7, 0],
        [15, 0],
        [16, 0],
        [3, 14, -3, 0],
        [3, 15, -3, 0],
        [11, 16, -11, 0],
        [2, 10, 13, -1, -1, -8, 1, 0],
    ),
    row([15, 0], [14, 0], [16, 0], [9, 11, -5, 0], [6, 4, 7, 0], [10, 5, 1, 0], [5, 8, 2, -3, 5, 0, -1, 0]),
    row([13, 1], [14, 1], [12, 1], [6, 3, 8, 0], [10, 5, 0, 0], [8, 6, 1, 0], [6, 3, 4, 8, -1, 0, -3, 0]),
    GRADIENT,
];

/// The predictor whose codes are sorted: those of voxels with neighbours along one axis, along two, along
/// three. Where values are smooth, the gradient leaves far less of the latter, and groups of eight codes are
/// of one kind.
pub(crate) const SORTED: usize = 15;

/// Weights of flat bricks by predictor and class, of which there are four. A voxel there has two more
/// neighbours, WW (x − 2) and NN (y − 2). They were fitted to slices of seven volumes, to electron microscopy
/// and to photographs, by the size of bricks (notes.md).
static FLAT_WEIGHTS: [[Weights; 4]; COUNT] = [
    flat([0, 0], [0, 0], [0, 0, 0, 0, 0, 0]),
    flat([0, 16], [0, 16], [0, 0, 0, 0, 0, 16]),
    flat([16, 0], [16, 0], [16, 16, -16, 0, 0, 0]),
    flat([16, 0], [16, 0], [16, 0, 0, 0, 0, 0]),
    flat([16, 0], [16, 0], [3, 16, 0, -1, -2, 0]),
    flat([14, 0], [16, 1], [9, 14, -7, 0, 0, 0]),
    flat([16, 1], [11, 0], [16, 9, -6, -2, -1, 0]),
    flat([16, 0], [16, 0], [11, 11, -2, -2, -2, 0]),
    flat([16, 0], [16, 0], [16, 16, -8, -4, -4, 0]),
    flat([16, -1], [16, -1], [9, 15, -5, -1, -3, 0]),
    flat([16, 0], [16, 0], [3, 10, 7, -1, -3, 0]),
    flat([16, 0], [16, 0], [16, 8, -3, -3, -2, 0]),
    flat([14, 1], [14, 1], [13, 15, -7, -3, -4, 1]),
    flat([9, 3], [12, 2], [6, 6, 0, 0, 0, 2]),
    flat([16, 0], [16, 0], [10, 3, 7, -3, -1, 0]),
    flat([16, 0], [16, 0], [16, 16, -16, 0, 0, 0]),
];

/// Returns the weights of the classes: with only W or N, and the range; with W, N, NW, WW, NN and the range.
const fn flat(x: [i8; 2], y: [i8; 2], xy: [i8; 6]) -> [Weights; 4] {
    [
        [0; 8],
        [x[0], 0, 0, 0, 0, 0, 0, x[1]],
        [0, y[0], 0, 0, 0, 0, 0, y[1]],
        [xy[0], xy[1], xy[3], xy[2], xy[4], 0, 0, xy[5]],
    ]
}

/// Returns the weights of the voxel at (x, y) of a flat brick: for W, N, WW, NW and NN, two zeros, and for
/// the range. Without WW, its weight is added to W's; without NN, its weight is added to N's.
pub(super) const fn flat_weights(predictor: usize, x: usize, y: usize) -> Weights {
    let class = (x > 0) as usize | ((y > 0) as usize) << 1;
    let mut weights = FLAT_WEIGHTS[predictor][class];
    if x == 1 {
        (weights[0], weights[2]) = (weights[0] + weights[2], 0);
    }
    if y == 1 {
        (weights[1], weights[4]) = (weights[1] + weights[4], 0);
    }
    weights
}

/// Returns the weights of voxel `i` of a brick of `dims`.
pub(crate) fn weights(predictor: usize, i: usize, dims: Dims) -> Weights {
    if dims.z == 1 {
        let (x, y, _) = dims.position(i);
        return flat_weights(predictor, x, y);
    }
    WEIGHTS[predictor][class(i, dims)]
}

/// Classes 1, 2 and 4 have one neighbour; classes 3, 5 and 6 have two and the one between them. The last
/// number of each is the weight of the range.
const fn row(
    x: [i8; 2],
    y: [i8; 2],
    z: [i8; 2],
    xy: [i8; 4],
    xz: [i8; 4],
    yz: [i8; 4],
    xyz: Weights,
) -> [Weights; 8] {
    [
        [0; 8],
        [x[0], 0, 0, 0, 0, 0, 0, x[1]],
        [0, y[0], 0, 0, 0, 0, 0, y[1]],
        [xy[0], xy[1], 0, xy[2], 0, 0, 0, xy[3]],
        [0, 0, z[0], 0, 0, 0, 0, z[1]],
        [xz[0], 0, xz[1], 0, xz[2], 0, 0, xz[3]],
        [0, yz[0], yz[1], 0, 0, yz[2], 0, yz[3]],
        xyz,
    ]
}

/// Returns the weights of wide bricks, whose sums wrap around at 32 bits: whole numbers. Predictor 0 is the
/// minimum, 2 the gradient, 3 to 5 follow x, y, z, 6 to 8 are the gradient in xy, xz, yz. The others equal 2;
/// only 15 of them is used. A voxel without the needed neighbours uses the gradient of the remaining axes, or
/// else the first of W, N and U that exists.
pub(crate) const fn wide_weights(predictor: usize, class: usize) -> Weights {
    let wanted = match predictor {
        0 => 0,
        3 => 1,
        4 => 2,
        5 => 4,
        6 => 3,
        7 => 5,
        8 => 6,
        _ => 7,
    };
    let mut axes = wanted & class;
    if axes == 0 && wanted != 0 {
        axes = class & class.wrapping_neg();
    }
    match axes {
        0 => [0; 8],
        1 => [1, 0, 0, 0, 0, 0, 0, 0],
        2 => [0, 1, 0, 0, 0, 0, 0, 0],
        3 => [1, 1, 0, -1, 0, 0, 0, 0],
        4 => [0, 0, 1, 0, 0, 0, 0, 0],
        5 => [1, 0, 1, 0, -1, 0, 0, 0],
        6 => [0, 1, 1, 0, 0, -1, 0, 0],
        _ => [1, 1, 1, -1, -1, -1, 1, 0],
    }
}

/// Returns the distance to each neighbour in a brick of `dims`, in the order of its weights.
pub(crate) const fn backs(dims: Dims) -> [usize; 7] {
    let (row, slice) = (dims.x, dims.x * dims.y);
    if dims.z == 1 {
        return [1, row, 2, row + 1, 2 * row, 0, 0];
    }
    [1, row, slice, row + 1, slice + 1, slice + row, slice + row + 1]
}

/// Returns the class of voxel `i` of a brick of `dims`.
#[inline(always)]
pub(crate) const fn class(i: usize, dims: Dims) -> usize {
    let (x, y, z) = dims.position(i);
    (x > 0) as usize | ((y > 0) as usize) << 1 | ((z > 0) as usize) << 2
}

/// Returns the prediction of voxel `i` of a wide brick.
#[inline(always)]
pub(crate) fn wide_prediction(
    predictor: usize,
    values: &[u32],
    i: usize,
    dims: Dims,
    backs: &[usize; 7],
) -> u32 {
    let weights = wide_weights(predictor, class(i, dims));
    let mut sum = 0u32;
    for (back, &weight) in backs.iter().zip(&weights[..7]) {
        if weight != 0 {
            sum = sum.wrapping_add(values[i - back].wrapping_mul(i32::from(weight) as u32));
        }
    }
    sum
}

/// Returns the position of `value` among 0..=range around `prediction`, as plans find it in numbers of
/// several widths.
pub(crate) fn fold(value: i32, prediction: i32, range: i32) -> u32 {
    let difference = value - prediction;
    let both = prediction.min(range - prediction);
    let size = difference.abs();
    let near = 2 * size - i32::from(difference < 0);
    (if size > both { size + both } else { near }) as u32
}

/// Undoes [`fold`], as the wavefront does in other numbers.
#[cfg(test)]
fn unfold(code: u32, prediction: i32, range: i32) -> i32 {
    let both = prediction.min(range - prediction);
    let code = code as i32;
    let near = ((code as u32 >> 1) as i32) ^ -(code & 1);
    let far = code.wrapping_sub(both);
    let far = if 2 * prediction > range { far.wrapping_neg() } else { far };
    // As unsigned numbers, so that a damaged code is a far one.
    prediction.wrapping_add(if code as u32 > 2 * both as u32 { far } else { near })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_fit_32_bits() {
        for weights in WEIGHTS.iter().flatten().chain(FLAT_WEIGHTS.iter().flatten()) {
            let sum: i64 = weights.iter().map(|&w| i64::from(w).abs()).sum();
            assert!(sum * i64::from(crate::brick::limits::WIDE) + 8 < 1 << 31, "{weights:?}");
            // Floats hold the sums of 16-bit ranges exactly.
            assert!(sum * 65535 + 8 < 1 << 24, "{weights:?}");
        }
    }

    #[test]
    fn flat_weights_touch_no_neighbour_that_is_not_there() {
        let sum = |weights: &Weights| weights.iter().map(|&w| i32::from(w)).sum::<i32>();
        for predictor in 0..COUNT {
            for i in 0..16 {
                let (x, y) = (i % 4, i / 4);
                let weights = flat_weights(predictor, x, y);
                let there = [x > 0, y > 0, x > 1, x > 0 && y > 0, y > 1, false, false, true];
                assert!(weights.iter().zip(there).all(|(&weight, there)| weight == 0 || there));
                assert!(x == 0 || y == 0 || sum(&weights) == sum(&FLAT_WEIGHTS[predictor][3]));
            }
        }
    }

    #[test]
    fn weights_touch_no_neighbour_that_is_not_there() {
        let needs = [1, 2, 4, 3, 5, 6, 7];
        let wide = (0..COUNT).map(|p| std::array::from_fn(|class| wide_weights(p, class)));
        for weights in wide.chain(WEIGHTS) {
            for (class, weights) in weights.iter().enumerate() {
                for (weight, need) in weights.iter().zip(needs) {
                    assert!(*weight == 0 || class & need == need);
                }
            }
        }
    }

    #[test]
    fn folding_is_undone() {
        for range in [1, 2, 9, 10] {
            for prediction in 0..=range {
                let mut seen = 0u32;
                for value in 0..=range {
                    let code = fold(value, prediction, range);
                    seen |= 1 << code;
                    assert_eq!(unfold(code, prediction, range), value);
                }
                assert_eq!(seen, (1 << (range + 1)) - 1);
            }
        }
    }
}
