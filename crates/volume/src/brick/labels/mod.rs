//! Label bricks: a second coder, for labels in bricks of 8³ (docs/volume-format.md, 5.6).
//!
//! Labels have no order: a neighbour predicts the same label, not a similar one. Neighbours therefore vote,
//! and codes number the other labels. Most groups with a code above 0 have only one or two. Their positions
//! take fewer bits than a bit plane.
//!
//! | file | stage |
//! |---|---|
//! | `votes.rs` | the label that a voxel's neighbours elect |
//! | `encode.rs` | the predictor with the fewest bits, and the bits |
//! | `decode.rs` | bits to codes; codes to labels, in the steps of `byte_wavefront.rs` |

mod decode;
mod encode;
mod votes;

pub(super) use decode::DecodeLabels;
pub(super) use encode::{Smaller, to_codes};

use super::{
    limits::{GROUP, MAX_LABEL, base_bits, delta_width},
    shape::BrickSize,
};

/// Runs of the bricks that may be label bricks.
pub(super) const RUNS_OF_LABELS: usize = VOXELS / 64;

/// Slices of a brick.
const SLICES: usize = 8;

/// Voxels of a brick.
const VOXELS: usize = BrickSize::Eight.voxel_count();

/// Bits of a marked group's field: the position of a single, the number of a pair, or a mask.
const SINGLE_BITS: u32 = 3;
const PAIR_BITS: u32 = 5;
const MASK_BITS: u32 = GROUP as u32;

/// Returns the base Rice level and the number of delta bits that mark a label brick, each with the width of
/// its field.
const fn marks(largest: u32) -> [(u32, u32); 2] {
    let base_bits = base_bits(largest);
    let delta_width = delta_width(base_bits);
    [((1 << base_bits) - 1, base_bits), ((1 << delta_width) - 1, delta_width)]
}

/// True if a brick of 8³ with these fields is a label brick.
#[inline(always)]
pub(super) const fn is_label_brick(largest: u32, base: u32, delta_bits: u32) -> bool {
    let [(all_of_base, _), (all_of_delta_bits, _)] = marks(largest);
    largest <= MAX_LABEL && base == all_of_base && delta_bits == all_of_delta_bits
}

/// Mask of the two codes of a pair, by its number: j × (j − 1) / 2 + i for i < j. No pair has a number above
/// 27; masks of these have one bit.
const PAIRS: [u8; 32] = {
    let (mut pairs, mut number) = ([0; 32], 0);
    while number < 32 {
        let mut j = 1;
        while (j + 1) * j / 2 <= number {
            j += 1;
        }
        let i = number - j * (j - 1) / 2;
        pairs[number] = (1 << i) | if j < GROUP { 1 << j } else { 0 };
        number += 1;
    }
    pairs
};
