//! The transforms of section 3.3: a brick's 64 values, in raster order and less its minimum, to small
//! non-negative numbers.
//!
//! All work on `v − min` in 0..=range, which gives the paper's numbers: the predictors are sums of neighbours
//! whose weights add up to one, and the first voxel's is half the range.

/// The transform of a brick, as its payload stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the method has these four")]
pub enum Transform {
    /// The predictor is the brick's minimum.
    SubtractMin = 0,
    /// The predictor is the brick's maximum.
    SubtractMax = 1,
    /// 3D Paeth gradient, clamped to the brick's range.
    Gradient = 2,
    /// Two steps of the integer Haar transform.
    Haar = 3,
}

impl Transform {
    /// Every transform, the simplest first.
    pub const ALL: &[Self] = &[Self::SubtractMin, Self::SubtractMax, Self::Gradient, Self::Haar];

    /// The transformed values, in raster order.
    pub fn forward(self, raw: &[i64; 64], range: i64) -> [u64; 64] {
        match self {
            Self::SubtractMin => raw.map(|v| v as u64),
            Self::SubtractMax => raw.map(|v| (range - v) as u64),
            Self::Gradient => std::array::from_fn(|i| {
                let prediction = if i == 0 { range / 2 } else { gradient(raw, i, range) };
                reorder(raw[i] - prediction, prediction, range)
            }),
            Self::Haar => {
                let mut values = *raw;
                haar(&mut values, 4);
                haar(&mut values, 2);
                let mut out = values.map(|v| if v < 0 { (-2 * v - 1) as u64 } else { (2 * v) as u64 });
                out[0] = reorder(values[0] - range / 2, range / 2, range);
                out
            }
        }
    }

    /// Undoes [`forward`](Self::forward). Values that no encoder writes give unspecified values, perhaps
    /// outside the range.
    pub fn inverse(self, codes: &[u64; 64], range: i64) -> [i64; 64] {
        match self {
            Self::SubtractMin => codes.map(|c| c as i64),
            Self::SubtractMax => codes.map(|c| range - c as i64),
            Self::Gradient => {
                let mut raw = [0; 64];
                for i in 0..64 {
                    let prediction = if i == 0 { range / 2 } else { gradient(&raw, i, range) };
                    raw[i] = (prediction + undo_reorder(codes[i], prediction, range)).clamp(0, range);
                }
                raw
            }
            Self::Haar => {
                let mut values = codes.map(|c| if c & 1 == 1 { -(c as i64 / 2) - 1 } else { c as i64 / 2 });
                values[0] = range / 2 + undo_reorder(codes[0], range / 2, range);
                undo_haar(&mut values, 2);
                undo_haar(&mut values, 4);
                values
            }
        }
    }
}

/// The clamped gradient at voxel `i` of neighbours before it; at the brick's near faces that of fewer
/// dimensions.
fn gradient(raw: &[i64; 64], i: usize, range: i64) -> i64 {
    let (x, y, z) = (i & 3 != 0, i & 12 != 0, i & 48 != 0);
    let at = |there: bool, back: usize| if there { raw[i - back] } else { 0 };
    let sum = at(x, 1) + at(y, 4) + at(z, 16) - at(x && y, 5) - at(x && z, 17) - at(y && z, 20)
        + at(x && y && z, 21);
    sum.clamp(0, range)
}

/// The place of `difference` among those possible around `prediction`, ordered by size: 0, −1, 1, −2, 2, …,
/// then those of the longer side.
fn reorder(difference: i64, prediction: i64, range: i64) -> u64 {
    let (below, above) = (prediction, range - prediction);
    let both = below.min(above);
    let size = difference.abs();
    let place = if size > both {
        size + both
    } else if difference < 0 {
        2 * size - 1
    } else {
        2 * size
    };
    place as u64
}

fn undo_reorder(code: u64, prediction: i64, range: i64) -> i64 {
    let (below, above) = (prediction, range - prediction);
    let both = below.min(above);
    let code = code as i64;
    if code > 2 * both {
        let size = code - both;
        if below > above { -size } else { size }
    } else if code & 1 == 1 {
        -(code + 1) / 2
    } else {
        code / 2
    }
}

/// One step on the cube of `side` voxels at the corner, which ends with its averages in the near half of
/// each axis.
fn haar(values: &mut [i64; 64], side: usize) {
    for_lines(side, |start, step| {
        let mut line = [0; 4];
        for k in 0..side / 2 {
            let (a, b) = (values[start + 2 * k * step], values[start + (2 * k + 1) * step]);
            // The average, rounded down, and the difference: the integer Haar (S) transform.
            line[k] = (a + b) >> 1;
            line[side / 2 + k] = a - b;
        }
        for k in 0..side {
            values[start + k * step] = line[k];
        }
    });
}

fn undo_haar(values: &mut [i64; 64], side: usize) {
    let mut lines = Vec::with_capacity(48);
    for_lines(side, |start, step| lines.push((start, step)));
    for &(start, step) in lines.iter().rev() {
        let mut line = [0; 4];
        for k in 0..side / 2 {
            let (average, difference) = (values[start + k * step], values[start + (side / 2 + k) * step]);
            let b = average - (difference >> 1);
            line[2 * k] = b + difference;
            line[2 * k + 1] = b;
        }
        for k in 0..side {
            values[start + k * step] = line[k];
        }
    }
}

/// Calls `with` the start and step of every line along x, then y, then z.
fn for_lines(side: usize, mut with: impl FnMut(usize, usize)) {
    for (step, a, b) in [(1, 4, 16), (4, 1, 16), (16, 1, 4)] {
        for i in 0..side {
            for j in 0..side {
                with(i * a + j * b, step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_ordered_as_printed() {
        // The paper's example: for [−5 .. 2]: 0, −1, 1, −2, 2, −3, −4, −5.
        let order = [0, -1, 1, -2, 2, -3, -4, -5];
        for (code, difference) in order.into_iter().enumerate() {
            assert_eq!(reorder(difference, 5, 7), code as u64);
            assert_eq!(undo_reorder(code as u64, 5, 7), difference);
        }
        for prediction in 0..=9 {
            for value in 0..=9 {
                let code = reorder(value - prediction, prediction, 9);
                assert!(code <= 9);
                assert_eq!(prediction + undo_reorder(code, prediction, 9), value);
            }
        }
    }

    #[test]
    fn transforms_are_undone() {
        let range = i64::from(u32::MAX);
        let raw: [i64; 64] = std::array::from_fn(|i| match i % 5 {
            0 => 0,
            1 => range,
            _ => (i as i64 * 0x9e37_79b9) & range,
        });
        for &transform in Transform::ALL {
            assert_eq!(transform.inverse(&transform.forward(&raw, range), range), raw, "{transform:?}");
        }
    }
}
