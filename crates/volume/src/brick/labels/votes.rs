//! The label that a voxel's neighbours elect. A lane of 8 bits holds a voxel of a slice of 8×8.

use super::{SLICES, VOXELS};
use crate::{
    Dims,
    brick::{
        predict::{COUNT, WEIGHTS, Weights, class},
        shape::BrickSize,
    },
    simd::Bits,
};
use std::array;

/// Initial votes of a candidate that does not exist. No weights raise them to those of one that does, or
/// overflow 8 bits.
const ABSENT: i8 = -64;

/// Neighbours that can be elected: W, N and U.
const CANDIDATES: usize = 3;

/// Bytes for the 64 voxels of a slice.
type Lanes<const N: usize> = [[u8; 64]; N];

/// Weights of the seven neighbours and of the largest label, by lane; then each candidate's initial votes:
/// its own weight, or [`ABSENT`].
type Table = Lanes<{ 8 + CANDIDATES }>;

const fn table(predictor: usize, is_above: bool) -> Table {
    let (mut table, mut lane) = ([[0; 64]; 8 + CANDIDATES], 0);
    while lane < 64 {
        let class = class(lane, Dims::cube(8)) | if is_above { 4 } else { 0 };
        let weights: Weights = WEIGHTS[predictor][class];
        let mut i = 0;
        while i < 8 {
            table[i][lane] = weights[i] as u8;
            i += 1;
        }
        i = 0;
        while i < CANDIDATES {
            let exists = class >> i & 1 == 1;
            table[8 + i][lane] = if exists { weights[i] } else { ABSENT } as u8;
            i += 1;
        }
        lane += 1;
    }
    table
}

/// Tables by predictor, for slices without and with one below.
static TABLES: Aligned = {
    let (mut tables, mut predictor) = ([[[[0; 64]; 8 + CANDIDATES]; 2]; COUNT], 0);
    while predictor < COUNT {
        tables[predictor] = [table(predictor, false), table(predictor, true)];
        predictor += 1;
    }
    Aligned(tables)
};

/// Aligned as vectors are.
#[repr(align(64))]
struct Aligned([[Table; 2]; COUNT]);

/// Weights of votes in the lanes of a slice.
pub(super) trait Votes<B: Bits>: Copy {
    /// Returns these weights in the lanes of `mask`, and others elsewhere.
    fn mixed(&self, bits: B, mask: &[u8; 64], others: &Self) -> Self;

    /// Returns the labels of codes, from the neighbours W, N, U, NW, UW, UN and UNW. Lanes without neighbours
    /// have unspecified labels.
    fn labels(&self, bits: B, neighbours: &[B::Bytes; 7], codes: B::Bytes) -> B::Bytes;
}

/// Weights of any labels, and the largest label in all lanes.
#[derive(Clone, Copy)]
pub(super) struct VoteWeights<T> {
    lanes: [T; 8 + CANDIDATES],
    last: T,
}

impl<T: Copy> VoteWeights<T> {
    /// Returns a predictor's weights for the first slice, and those for others.
    #[inline(always)]
    pub fn of<B: Bits<Bytes = T>>(bits: B, predictor: usize, largest: u32) -> [Self; 2] {
        let last = bits.fill_quarters([largest as u8; 4]);
        let [flat, above] = &TABLES.0[predictor % COUNT];
        [flat, above].map(|table| Self { lanes: array::from_fn(|i| bits.bytes(&table[i])), last })
    }

    /// Returns the labels that the neighbours elect.
    #[inline(always)]
    fn elect<B: Bits<Bytes = T>>(&self, bits: B, neighbours: &[T; 7]) -> T {
        let mut candidates = [[self.last; 2]; CANDIDATES];
        for (i, candidate) in candidates.iter_mut().enumerate() {
            let label = neighbours[i];
            let mut votes = bits.add_where_equal(self.lanes[8 + i], label, self.last, self.lanes[7]);
            // W, N and U come last because the step before this one yields them.
            for j in (0..7).rev() {
                if j != i {
                    votes = bits.add_where_equal(votes, label, neighbours[j], self.lanes[j]);
                }
            }
            *candidate = [label, votes];
        }
        let [w, n, u] = candidates;
        bits.elect(bits.elect(u, n), w)[0]
    }
}

impl<B: Bits> Votes<B> for VoteWeights<B::Bytes> {
    #[inline(always)]
    fn mixed(&self, bits: B, mask: &[u8; 64], others: &Self) -> Self {
        let lanes = array::from_fn(|i| bits.choose(mask, self.lanes[i], others.lanes[i]));
        Self { lanes, last: self.last }
    }

    #[inline(always)]
    fn labels(&self, bits: B, neighbours: &[B::Bytes; 7], codes: B::Bytes) -> B::Bytes {
        bits.labels(self.elect(bits, neighbours), codes)
    }
}

/// Threshold that the weights of the second of two labels must exceed, by predictor and by whether there are
/// voxels below: half of the neighbours' weights minus the weight of the largest label, rounded down.
static MOST: [[[u8; 64]; 2]; COUNT] = {
    let (mut table, mut i) = ([[[0; 64]; 2]; COUNT], 0);
    while i < COUNT * 2 * 64 {
        let (predictor, above, lane) = (i / 128, i / 64 % 2, i % 64);
        let weights = WEIGHTS[predictor][class(lane, Dims::cube(8)) | above << 2];
        let (mut sum, mut neighbour) = (-(weights[7] as i32), 0);
        while neighbour < 7 {
            sum += weights[neighbour] as i32;
            neighbour += 1;
        }
        table[predictor][above][lane] = sum.div_euclid(2) as u8;
        i += 1;
    }
    table
};

/// Masks of the lanes with a W, and of those with an N.
static EXISTS: [[u8; 64]; 2] = {
    let (mut table, mut lane) = ([[0; 64]; 2], 0);
    while lane < 64 {
        let class = class(lane, Dims::cube(8));
        table[0][lane] = if class & 1 == 1 { 0xff } else { 0 };
        table[1][lane] = if class & 2 == 2 { 0xff } else { 0 };
        lane += 1;
    }
    table
};

/// Weights and thresholds of two labels.
#[derive(Clone, Copy)]
pub(super) struct TwoLabelWeights<T> {
    weights: [T; 7],
    most: T,
    exists: [T; CANDIDATES],
}

impl<T: Copy> TwoLabelWeights<T> {
    /// Works like [`VoteWeights::of`].
    #[inline(always)]
    pub fn of<B: Bits<Bytes = T>>(bits: B, predictor: usize) -> [Self; 2] {
        let zeros = bits.fill_quarters([0; 4]);
        let mut both = [Self { weights: [zeros; 7], most: zeros, exists: [zeros; CANDIDATES] }; 2];
        let predictor = predictor % COUNT;
        for above in 0..2 {
            for (weights, table) in both[above].weights.iter_mut().zip(&TABLES.0[predictor][above]) {
                *weights = bits.bytes(table);
            }
            both[above].most = bits.bytes(&MOST[predictor][above]);
            let below = bits.fill_quarters([if above == 1 { 0xff } else { 0 }; 4]);
            both[above].exists = [bits.bytes(&EXISTS[0]), bits.bytes(&EXISTS[1]), below];
        }
        both
    }
}

impl<B: Bits> Votes<B> for TwoLabelWeights<B::Bytes> {
    #[inline(always)]
    fn mixed(&self, bits: B, mask: &[u8; 64], others: &Self) -> Self {
        let mut mixed = *others;
        for (lanes, own) in mixed.weights.iter_mut().zip(&self.weights) {
            *lanes = bits.choose(mask, *own, *lanes);
        }
        mixed.most = bits.choose(mask, self.most, mixed.most);
        mixed.exists[2] = bits.choose(mask, self.exists[2], mixed.exists[2]);
        mixed
    }

    #[inline(always)]
    fn labels(&self, bits: B, neighbours: &[B::Bytes; 7], codes: B::Bytes) -> B::Bytes {
        bits.labels_of_two(neighbours, self.weights, self.most, self.exists, codes)
    }
}

/// Returns the codes of a brick's labels, up to `largest`, slice by slice.
#[inline(always)]
pub(super) fn codes<B: Bits>(
    bits: B,
    slices: &[B::Bytes; SLICES],
    predictor: usize,
    largest: u32,
) -> [B::Bytes; SLICES] {
    let zeros = bits.fill_quarters([0; 4]);
    let weights = VoteWeights::of(bits, predictor, largest);
    let mut codes = [zeros; SLICES];
    let (mut below, mut around_below) = (zeros, [zeros; 3]);
    for (z, (&slice, codes)) in slices.iter().zip(&mut codes).enumerate() {
        let around = bits.back_1_8_9(slice);
        let ([w, n, nw], [uw, un, unw]) = (around, around_below);
        let predicted = weights[usize::from(z > 0)].elect(bits, &[w, n, below, nw, uw, un, unw]);
        *codes = bits.label_codes(predicted, slice);
        (below, around_below) = (slice, around);
    }
    codes
}

const _: () = assert!(VOXELS == 64 * SLICES && BrickSize::Eight.dims().z == SLICES);

#[cfg(test)]
mod tests {
    use super::*;

    /// Votes fit 8 bits, and no candidate that does not exist is elected.
    #[test]
    fn absent_candidates_lose() {
        for weights in WEIGHTS.as_flattened() {
            let sum = |is_counted: fn(i32) -> bool| -> i32 {
                weights.iter().map(|&weight| i32::from(weight)).filter(|&weight| is_counted(weight)).sum()
            };
            let (most, least) = (sum(|weight| weight > 0), sum(|weight| weight < 0));
            assert!(most <= i32::from(i8::MAX) && least > i32::from(i8::MIN), "{weights:?}");
        }
        for (class, predictor) in (1..7).flat_map(|class| (0..COUNT).map(move |i| (class, i))) {
            let weights = WEIGHTS[predictor][class].map(i32::from);
            let most: i32 = weights.iter().filter(|&&weight| weight > 0).sum();
            let least: i32 = weights.iter().filter(|&&weight| weight < 0).sum();
            let absent = i32::from(ABSENT);
            assert!(absent + most < least && absent + least >= i32::from(i8::MIN), "{weights:?}");
        }
    }
}
