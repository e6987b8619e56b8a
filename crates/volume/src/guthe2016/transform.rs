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

    /// Undoes `forward`. Values that no encoder writes give unspecified values, possibly outside the range.
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

/// Returns the clamped gradient at voxel `i` of the neighbours before it; at the brick's near faces, the
/// gradient of fewer dimensions.
pub(super) fn gradient(raw: &[i64; 64], i: usize, range: i64) -> i64 {
    let (x, y, z) = (i & 3 != 0, i & 12 != 0, i & 48 != 0);
    let at = |there: bool, back: usize| if there { raw[i - back] } else { 0 };
    let sum = at(x, 1) + at(y, 4) + at(z, 16) - at(x && y, 5) - at(x && z, 17) - at(y && z, 20)
        + at(x && y && z, 21);
    sum.clamp(0, range)
}

pub(super) fn undo_reorder(code: u64, prediction: i64, range: i64) -> i64 {
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
pub(super) fn for_lines(side: usize, mut with: impl FnMut(usize, usize)) {
    for (step, a, b) in [(1, 4, 16), (4, 1, 16), (16, 1, 4)] {
        for i in 0..side {
            for j in 0..side {
                with(i * a + j * b, step);
            }
        }
    }
}
