//! Table and constants that only search.wgsl has.

use super::cluster_fit;

/// Number of choices for the first two cuts of four clusters.
const FOUR: u32 = 153;

/// Returns 1 / D of clusterings of sixteen texels. Those of four clusters come first, ordered by j, then i;
/// those of three follow, ordered by j. Each row has k = 1, 2, …, 16, and 0 where k < j. (With k = 0, a
/// clustering removes no error.)
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

/// Returns the position of the clusterings of three clusters in the table and the table's size, in rows of
/// sixteen.
pub(super) fn constants() -> [(&'static str, u32); 2] {
    [("THREE_ROWS", FOUR), ("GAIN_ROWS", FOUR + 17)]
}
