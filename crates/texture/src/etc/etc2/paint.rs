//! T and H blocks: two base colours and a distance make four paint colours for all texels.
//!
//! ```text
//! texels → two groups, by 2-means → every distance → base colours fitted to the texels' paint colours
//!     → steps of single codes, while they lower the error
//! ```

use super::{
    found::{Found, H, T},
    tables::DISTANCES,
    texels::{Block, Palette, Terms, code, four},
};
use crate::{
    etc::RECIPROCALS,
    simd::{Float, LaneFn, Simd, each},
};

static DISTANCE_LANES: [f32; 8] = {
    let mut lanes = [0.0; 8];
    let mut i = 0;
    while i < 8 {
        lanes[i] = DISTANCES[i] as f32;
        i += 1;
    }
    lanes
};

/// Codes of two colours.
type Colors<S> = [[<S as Simd>::F; 3]; 2];

/// Returns the paint colours. Transparent blocks do not have the third one, which the first one replaces.
#[inline(always)]
fn palette<S: Simd>(s: S, colors: Colors<S>, distance: S::F, punched: S::M, is_h: bool) -> Palette<S> {
    let (zero, top) = (s.f(0.0), s.f(255.0));
    let [first, second] = [four(s, colors[0]), four(s, colors[1])];
    let distance = s.gather(&DISTANCE_LANES, distance.to_i());
    let mut palette = if is_h {
        [
            each!(c in 3 => (first[c] + distance).min(top)),
            each!(c in 3 => (first[c] - distance).max(zero)),
            each!(c in 3 => (second[c] + distance).min(top)),
            each!(c in 3 => (second[c] - distance).max(zero)),
        ]
    } else {
        [
            first,
            each!(c in 3 => (second[c] + distance).min(top)),
            second,
            each!(c in 3 => (second[c] - distance).max(zero)),
        ]
    };
    palette[2] = each!(c in 3 => palette[2][c].or_if(punched, palette[0][c]));
    palette
}

/// Returns the paint colours of T blocks.
#[inline(always)]
pub(super) fn t<S: Simd>(s: S, colors: Colors<S>, distance: S::F, punched: S::M) -> Palette<S> {
    palette(s, colors, distance, punched, false)
}

/// Returns the paint colours of H blocks.
#[inline(always)]
pub(super) fn h<S: Simd>(s: S, colors: Colors<S>, distance: S::F, punched: S::M) -> Palette<S> {
    palette(s, colors, distance, punched, true)
}

/// Error of paint colours.
struct PaintCost<'a, S: Simd> {
    block: &'a Block<S>,
    colors: Colors<S>,
    distance: S::F,
    is_h: bool,
}

impl<S: Simd> LaneFn<S> for PaintCost<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let Self { block, colors, distance, is_h } = self;
        let terms = Terms::new(s, block, &palette(s, colors, distance, block.punched, is_h));
        let mut cost = block.square;
        for t in 0..16 {
            cost = terms.least(block, t).mul_add(block.counted[t], cost);
        }
        cost
    }
}

/// Base colours that fit the paint colours of the texels best, as codes.
struct Refit<'a, S: Simd> {
    block: &'a Block<S>,
    colors: Colors<S>,
    distance: S::F,
    is_h: bool,
}

impl<S: Simd> LaneFn<S> for Refit<'_, S> {
    type Output = Colors<S>;

    #[inline(always)]
    fn run(self, s: S) -> Colors<S> {
        let Block { x, weights, counted, punched, .. } = self.block;
        let zero = s.f(0.0);
        let palette = palette(s, self.colors, self.distance, *punched, self.is_h);
        let distance = s.gather(&DISTANCE_LANES, self.distance.to_i());
        // Offset of each paint colour from its base, and 1 for those of the second base.
        let minus = zero - distance;
        let (offsets, seconds) = if self.is_h {
            ([distance, minus, distance, minus], [0.0, 0.0, 1.0, 1.0])
        } else {
            ([zero, distance, zero, minus], [0.0, 1.0, 1.0, 1.0])
        };
        let (mut sums, mut counts) = ([[zero; 3]; 2], [zero; 2]);
        for t in 0..16 {
            let (mut least, mut offset, mut second) = (s.f(f32::MAX), zero, zero);
            for k in 0..4 {
                let mut error = zero;
                for c in 0..3 {
                    let d = x[c][t] - palette[k][c];
                    error = (d * weights[c]).mul_add(d, error);
                }
                let nearer = error.lt(least);
                least = least.min(error);
                offset = offset.or_if(nearer, offsets[k]);
                second = second.or_if(nearer, s.f(seconds[k]));
            }
            let second = second * counted[t];
            let first = counted[t] - second;
            for c in 0..3 {
                let base = x[c][t] - offset;
                sums[0][c] = base.mul_add(first, sums[0][c]);
                sums[1][c] = base.mul_add(second, sums[1][c]);
            }
            counts = [counts[0] + first, counts[1] + second];
        }
        each!(i in 2 => {
            let reciprocal = s.gather(&RECIPROCALS, counts[i].to_i());
            let is_empty = counts[i].lt(s.f(1.0));
            each!(c in 3 => code(s, sums[i][c] * reciprocal, 15.0).or_if(is_empty, self.colors[i][c]))
        })
    }
}

/// Means of two groups of texels.
struct TwoMeans<'a, S: Simd> {
    block: &'a Block<S>,
}

impl<S: Simd> LaneFn<S> for TwoMeans<'_, S> {
    type Output = Colors<S>;

    /// Starts with the texel that is farthest from the mean, and the one farthest from that. Numbers are
    /// rounded alike everywhere: no product is added in one operation.
    #[inline(always)]
    fn run(self, s: S) -> Colors<S> {
        let Block { x, weights, counted, .. } = self.block;
        let zero = s.f(0.0);
        let (mut sums, mut count) = ([zero; 3], zero);
        for t in 0..16 {
            for c in 0..3 {
                sums[c] = x[c][t].mul_add(counted[t], sums[c]);
            }
            count = count + counted[t];
        }
        let reciprocal = s.gather(&RECIPROCALS, count.to_i());
        let mean = each!(c in 3 => sums[c] * reciprocal);
        let mut means = [mean, mean];
        for i in 0..2 {
            let (from, mut most) = (means[0], s.f(-1.0));
            for t in 0..16 {
                let mut distance = zero;
                for c in 0..3 {
                    let d = x[c][t] - from[c];
                    distance = distance + d * d * weights[c];
                }
                let distance = distance * counted[t];
                let farther = most.lt(distance);
                most = most.max(distance);
                means[i] = each!(c in 3 => means[i][c].or_if(farther, x[c][t]));
            }
        }
        for _ in 0..3 {
            let mut of_second = ([zero; 3], zero);
            for t in 0..16 {
                let mut difference = zero;
                for c in 0..3 {
                    let [a, b] = [x[c][t] - means[0][c], x[c][t] - means[1][c]];
                    difference = difference + (b * b - a * a) * weights[c];
                }
                let second = zero.or_if(difference.lt(zero), counted[t]);
                for c in 0..3 {
                    of_second.0[c] = x[c][t].mul_add(second, of_second.0[c]);
                }
                of_second.1 = of_second.1 + second;
            }
            let of_first = (each!(c in 3 => sums[c] - of_second.0[c]), count - of_second.1);
            for (mean, (sum, count)) in means.iter_mut().zip([of_first, of_second]) {
                let reciprocal = s.gather(&RECIPROCALS, count.to_i());
                let is_empty = count.lt(s.f(1.0));
                *mean = each!(c in 3 => (sum[c] * reciprocal).or_if(is_empty, mean[c]));
            }
        }
        means
    }
}

/// Effort of a search.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Fits of the base colours.
    pub fits: usize,
    /// Rounds of single steps.
    pub rounds: usize,
}

/// Offers T and H blocks.
#[inline(always)]
pub(super) fn search<S: Simd>(s: S, block: &Block<S>, effort: Effort, found: &mut Found<S>) {
    let means = s.call(TwoMeans { block });
    let codes = each!(i in 2 => each!(c in 3 => code(s, means[i][c], 15.0)));
    for is_h in [false, true] {
        let mut best = Found::new(s);
        for distance in 0..8 {
            let distance = s.f(distance as f32);
            offer(s, block, codes, distance, is_h, &mut best);
            if !is_h {
                offer(s, block, [codes[1], codes[0]], distance, is_h, &mut best);
            }
        }
        for _ in 0..effort.fits {
            let (colors, distance) = ([best.codes[0], best.codes[1]], best.tables[0]);
            let colors = s.call(Refit { block, colors, distance, is_h });
            for step in [-1.0, 0.0, 1.0] {
                let distance = (distance + s.f(step)).max(s.f(0.0)).min(s.f(7.0));
                offer(s, block, colors, distance, is_h, &mut best);
            }
        }
        for _ in 0..effort.rounds {
            for place in 0..14 {
                let step = s.f(if place % 2 == 0 { 1.0 } else { -1.0 });
                let (mut colors, mut distance) = ([best.codes[0], best.codes[1]], best.tables[0]);
                if place < 12 {
                    let code = &mut colors.as_flattened_mut()[place / 2];
                    *code = (*code + step).max(s.f(0.0)).min(s.f(15.0));
                } else {
                    distance = (distance + step).max(s.f(0.0)).min(s.f(7.0));
                }
                offer(s, block, colors, distance, is_h, &mut best);
            }
        }
        found.offer(&best);
    }
}

/// Offers one encoding. The order of an H block's colours must be that of the distance. Equal colours have no
/// even distances.
#[inline(always)]
fn offer<S: Simd>(
    s: S,
    block: &Block<S>,
    mut colors: Colors<S>,
    distance: S::F,
    is_h: bool,
    best: &mut Found<S>,
) {
    let mut illegal = s.none();
    if is_h {
        let [first, second] = each!(i in 2 => {
            colors[i][0] * s.f(256.0) + colors[i][1] * s.f(16.0) + colors[i][2]
        });
        let half = distance * s.f(0.5);
        let is_odd = half.floor().lt(half);
        let swapped = (is_odd & first.lt(second)) | (!is_odd & second.lt(first));
        illegal = !is_odd & !(first.lt(second) | second.lt(first));
        colors = [
            each!(c in 3 => colors[0][c].or_if(swapped, colors[1][c])),
            each!(c in 3 => colors[1][c].or_if(swapped, colors[0][c])),
        ];
    }
    let cost = s.call(PaintCost { block, colors, distance, is_h });
    best.offer(&Found {
        cost: cost.or_if(illegal, s.f(f32::MAX)),
        mode: s.f(if is_h { H } else { T }),
        flip: s.f(0.0),
        codes: [colors[0], colors[1], [s.f(0.0); 3]],
        tables: [distance, s.f(0.0)],
    });
}
