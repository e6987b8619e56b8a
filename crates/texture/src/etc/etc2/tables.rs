//! Numbers of the format.

/// Small and large modifiers of individual and differential blocks.
pub(crate) const MODIFIERS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];

/// Distances of T and H blocks.
pub(crate) const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

/// Returns the 8-bit value of a channel of 4 to 7 `BITS`.
#[inline(always)]
pub(crate) const fn expand<const BITS: u32>(code: i32) -> i32 {
    (code << (8 - BITS)) | (code >> (2 * BITS - 8))
}
