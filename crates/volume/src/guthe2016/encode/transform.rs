//! The transforms forward.

use super::super::transform::{Transform, for_lines, gradient};

impl Transform {
    /// Returns the transformed values, in raster order.
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
}

/// Returns the position of `difference` among the possible ones around `prediction`, ordered by size: 0, −1,
/// 1, −2, 2, …, then the rest of the longer side.
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

/// Makes one step on the cube of `side` voxels at the corner. Its averages are then in the near half of each
/// axis.
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

#[cfg(test)]
mod tests {
    use super::{super::super::transform::undo_reorder, *};

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
