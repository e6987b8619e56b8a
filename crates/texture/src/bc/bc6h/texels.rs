//! Texels of a block in each lane, and their subsets.

use super::{
    coding::widened,
    kind::Kind,
    level::{level, squared_slope},
};
use crate::{
    bc::{
        batch::BATCH,
        bc7::partitions::{TWO_ANCHORS, TWO_SUBSETS},
    },
    simd::{Float, Int, Simd, each},
};

/// Texels of a batch as they are in memory: words of red and green and words of blue and alpha, red and blue
/// in the low halves: `[word][texel][lane]`.
pub(super) type BatchTexels = [[[i32; BATCH]; 16]; 2];

/// Number of partitions of two subsets.
pub(super) const PARTITIONS: usize = 32;

/// Partition number of blocks of one subset.
pub(super) const WHOLE: i32 = PARTITIONS as i32;

/// Summand of weights. They are not 0, so that sums have inverses.
pub(super) const LEAST_WEIGHT: f32 = 1e-6;

/// Texels of one block in each lane. Values are bit patterns of halves as integers, −31743 to 31743.
pub(super) struct Texels<S: Simd> {
    /// Values: `[channel][texel]`.
    pub values: [[S::F; 16]; 3],
    /// Values less `middle`, which keeps their products small.
    pub centered: [[S::F; 16]; 3],
    /// Middle of each channel's range, an integer.
    pub middle: [S::F; 3],
    /// Levels, for logarithmic errors.
    pub levels: [[S::F; 16]; 3],
    /// Weights of squared differences of values, for logarithmic errors.
    pub weights: [[S::F; 16]; 3],
    /// Largest magnitude of endpoints as 16-bit values, for logarithmic errors.
    pub limit: S::F,
    /// True for texels inside the image.
    pub visible: [S::M; 16],
}

/// Bit patterns by which endpoints may exceed a block's largest magnitude: a quarter of what doubles a half.
/// For logarithmic errors, a value that is far too large is not worse than one with the wrong sign.
pub(super) const MARGIN: i32 = 256;

/// The largest finite half.
pub(super) const LARGEST: i32 = 0x7bff;
/// Infinity; larger patterns are NaN.
pub(super) const INFINITY: i32 = 0x7c00;

/// Returns the value of a half in the low 16 bits: NaN is 0, infinities are the largest finite halves. If
/// halves have no sign, negative ones are 0.
#[inline(always)]
pub(super) fn value<S: Simd, K: Kind>(s: S, word: S::I) -> S::F {
    let zero = s.i(0);
    let magnitude = word & s.i(0x7fff);
    let is_nan = s.i(INFINITY).lt(magnitude);
    let is_negative = !(word & s.i(0x8000)).eq(zero);
    let magnitude = magnitude.min(s.i(LARGEST)).or_if(is_nan, zero);
    let negative = if K::SIGNED { zero - magnitude } else { zero };
    magnitude.or_if(is_negative, negative).to_f()
}

impl<S: Simd> Texels<S> {
    /// Loads the blocks from lane `first` on. Bit t of `visible` is 1 if texel t is inside the image.
    #[inline(always)]
    pub fn load<K: Kind>(s: S, texels: &BatchTexels, visible: &[i32; BATCH], first: usize) -> Self {
        let zero = s.f(0.0);
        let mut all = Self {
            values: [[zero; 16]; 3],
            centered: [[zero; 16]; 3],
            middle: [zero; 3],
            levels: [[zero; 16]; 3],
            weights: [[zero; 16]; 3],
            limit: zero,
            visible: [s.none(); 16],
        };
        for t in 0..16 {
            let [red_green, blue] = each!(word in 2 => s.load_i(&texels[word][t][first..]));
            all.values[0][t] = value::<S, K>(s, red_green);
            all.values[1][t] = value::<S, K>(s, red_green.shr::<16>());
            all.values[2][t] = value::<S, K>(s, blue);
        }
        let mut largest = zero;
        for c in 0..3 {
            let (mut low, mut high) = (all.values[c][0], all.values[c][0]);
            for t in 1..16 {
                low = low.min(all.values[c][t]);
                high = high.max(all.values[c][t]);
            }
            largest = largest.max(high).max(zero - low);
            all.middle[c] = ((low + high) * s.f(0.5)).floor();
            for t in 0..16 {
                let value = all.values[c][t];
                all.centered[c][t] = value - all.middle[c];
                if K::LOG {
                    all.levels[c][t] = level(s, value);
                    all.weights[c][t] = squared_slope(s, value) + s.f(LEAST_WEIGHT);
                }
            }
        }
        if K::LOG {
            let margin = (largest * s.f(0.5)).floor().min(s.f(MARGIN as f32));
            all.limit = widened::<S, K>(s, (largest + margin).min(s.f(LARGEST as f32)));
        }
        let visible = s.load_i(&visible[first..]);
        for t in 0..16 {
            all.visible[t] = !(visible & s.i(1 << t)).eq(s.i(0));
        }
        all
    }
}

impl<S: Simd> Texels<S> {
    /// Returns texel t in the space of errors: levels, or values less the middle.
    #[inline(always)]
    pub fn point<K: Kind>(&self, t: usize) -> [S::F; 3] {
        if K::LOG { each!(c in 3 => self.levels[c][t]) } else { each!(c in 3 => self.centered[c][t]) }
    }
}

/// Texels that can be the second subset's anchor.
const ANCHORS: [usize; 3] = [2, 8, 15];

/// Returns the place of a texel in [`ANCHORS`].
#[inline(always)]
const fn anchor_place(texel: usize) -> Option<usize> {
    match texel {
        2 => Some(0),
        8 => Some(1),
        15 => Some(2),
        _ => None,
    }
}

/// Subsets of one block's texels in each lane. A block of one subset has all texels in the first.
pub(super) struct Subsets<S: Simd> {
    /// True for texels of the second subset.
    pub second: [S::M; 16],
    /// Texels of each subset that are inside the image.
    pub members: [[S::M; 16]; 2],
    /// True if the second subset's anchor is the texel of [`ANCHORS`].
    anchors: [S::M; 3],
    /// Highest index: 7 or 15.
    pub top_index: S::F,
    /// Highest index of an anchor: 3 or 7.
    top_anchor_index: S::F,
}

/// Texels of each partition's second subset, then its anchor. The last is a block of one subset.
static SECOND: [f32; 2 * PARTITIONS + 2] = {
    let mut second = [0.0; 2 * PARTITIONS + 2];
    let mut partition = 0;
    while partition < PARTITIONS {
        second[2 * partition] = TWO_SUBSETS[partition] as f32;
        second[2 * partition + 1] = TWO_ANCHORS[partition] as f32;
        partition += 1;
    }
    second
};

impl<S: Simd> Subsets<S> {
    /// Returns the subsets of each lane's partition; [`WHOLE`] is one subset.
    #[inline(always)]
    pub fn of(s: S, texels: &Texels<S>, partition: S::I) -> Self {
        let twice = partition + partition;
        let bits = s.gather(&SECOND, twice).to_i();
        let anchor = s.gather(&SECOND, twice + s.i(1)).to_i();
        let is_whole = partition.eq(s.i(WHOLE));
        let mut subsets = Self {
            second: [s.none(); 16],
            members: [[s.none(); 16]; 2],
            anchors: each!(i in 3 => anchor.eq(s.i(ANCHORS[i] as i32))),
            top_index: s.f(7.0).or_if(is_whole, s.f(15.0)),
            top_anchor_index: s.f(3.0).or_if(is_whole, s.f(7.0)),
        };
        for t in 0..16 {
            let is_second = !(bits & s.i(1 << t)).eq(s.i(0));
            subsets.second[t] = is_second;
            subsets.members[1][t] = is_second & texels.visible[t];
            subsets.members[0][t] = !is_second & texels.visible[t];
        }
        subsets
    }

    /// Returns one subset in every lane.
    #[inline(always)]
    pub fn whole(s: S, texels: &Texels<S>) -> Self {
        Self {
            second: [s.none(); 16],
            members: [texels.visible, [s.none(); 16]],
            anchors: [s.none(); 3],
            top_index: s.f(15.0),
            top_anchor_index: s.f(7.0),
        }
    }

    /// Returns the highest index of a texel.
    #[inline(always)]
    pub fn highest_index<const TWO: bool>(&self, texel: usize) -> S::F {
        match anchor_place(texel) {
            _ if texel == 0 => self.top_anchor_index,
            Some(place) if TWO => self.top_index.or_if(self.anchors[place], self.top_anchor_index),
            _ => self.top_index,
        }
    }

    /// Returns `value` where the texel is the anchor of `subset`, else `other`.
    #[inline(always)]
    pub fn if_anchor(&self, subset: usize, texel: usize, value: S::F, other: S::F) -> S::F {
        match anchor_place(texel) {
            _ if subset == 0 => {
                if texel == 0 {
                    value
                } else {
                    other
                }
            }
            Some(place) => other.or_if(self.anchors[place], value),
            None => other,
        }
    }
}
