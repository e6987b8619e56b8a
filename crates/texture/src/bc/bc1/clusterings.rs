//! What search.wgsl has of its own.

use super::cluster_fit;

/// How many first two cuts clusterings of four clusters have.
const FOUR: u32 = 153;

/// 1 / D of clusterings of sixteen texels: by j, then i, those of four clusters, then by j those of three;
/// for k = 1, 2, …, 16, and 0 where k < j. (k = 0 takes nothing away.)
pub(super) fn gains() -> Vec<f32> {
    let of_determinant = cluster_fit::gains();
    let row = |first: usize, weight: usize, square: usize| {
        (1..=16).map(move |k| {
            if k < first { 0.0 } else { of_determinant[16 * (square + k) - (weight + k) * (weight + k)] }
        })
    };
    let four = (0..=16).flat_map(|j| (0..=j).flat_map(move |i| row(j, i + j, 5 * i + 3 * j)));
    let three = (0..=16).flat_map(|j| row(j, j, 3 * j));
    four.chain(three).collect()
}

/// Where the table has those of three clusters, and its size, in rows of sixteen.
pub(super) fn constants() -> [(&'static str, u32); 2] {
    [("THREE_ROWS", FOUR), ("GAIN_ROWS", FOUR + 17)]
}
