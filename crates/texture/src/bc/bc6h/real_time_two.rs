//! Two subsets in real time. `real_time_two.wgsl` takes the same steps.
//!
//! ```text
//! sides of the mean on the axis, a bit for each texel → the nearest of 32 partitions, at level 3 two
//!   each subset: covariance → axis → places → line by least squares
//!   → the most precise mode that has room for both lines → indices
//! ```

use super::{
    coding::Coding,
    kind::Kind,
    modes::MODES,
    real_time_line::{Line, Members, Texels, directed, distance, fitted},
    texels::PARTITIONS,
};
use crate::{
    bc::{
        bc7::{
            moments::{Moments, projections},
            real_time_two::{index_words, keys_from, nearest_partitions},
        },
        numbers::reciprocal,
        real_time::sixteen::sum,
    },
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};
use std::{marker::PhantomData, sync::LazyLock};

/// The highest index with two subsets, and that of anchors.
const LAST: f32 = 7.0;
const LAST_OF_ANCHOR: f32 = 3.0;

/// A mode of two subsets: its place in `MODES`, the distance of two codes' values, and the greatest distances
/// of the endpoints' values from the first endpoint's, red, green and blue.
pub(super) struct Choice {
    pub mode: usize,
    pub step: f32,
    pub reaches: [f32; 3],
}

/// Modes from which one is chosen: the last that has room. Differences are below half of their range.
pub(super) static CHOICES: [Choice; 7] =
    [choice(9), choice(1), choice(8), choice(7), choice(6), choice(5), choice(0)];

const fn choice(mode: usize) -> Choice {
    let of = &MODES[mode];
    let step = (1 << (16 - of.endpoint_bits)) as f32;
    let mut reaches = [131_072.0; 3];
    let mut c = 0;
    while c < 3 && of.has_deltas {
        reaches[c] = ((1 << (of.stored_bits[c] - 1)) - 2) as f32 * step;
        c += 1;
    }
    Choice { mode, step, reaches }
}

/// The two nearest partitions: see [`keys`].
static NEAREST: LazyLock<Vec<[u32; 2]>> = LazyLock::new(|| nearest_partitions(PARTITIONS));

/// Returns the keys of the two nearest partitions to the sides of the mean. `center` is the sum of the
/// projections.
#[inline(always)]
pub(super) fn keys<S: Simd>(s: S, projections: &[S::F; 16], center: S::F) -> [S::I; 2] {
    keys_from(s, &NEAREST, projections, center)
}

/// Encoding with two subsets, and its error.
pub(super) struct TwoSubsets<'a, S: Simd, K> {
    pub texels: &'a Texels<S>,
    /// Sums over all texels.
    pub moments: &'a Moments<S, 3>,
    pub members: &'a Members<S>,
    /// The partition's key.
    pub keys: S::I,
    pub kind: PhantomData<K>,
}

impl<S: Simd, K: Kind> LaneFn<S> for TwoSubsets<'_, S, K> {
    type Output = ([S::I; 4], S::F);

    #[inline(always)]
    fn run(self, s: S) -> Self::Output {
        let Self { texels, moments, members, keys, .. } = self;
        let zero = s.f(0.0);
        let is_second = each!(t in 16 => s.i(0).lt(keys & s.i(1 << t)));
        let anchor = keys.shr::<16>() & s.i(15);
        let is_anchor = each!(i in 3 => anchor.eq(s.i(ANCHORS[i] as i32)));
        let count = sum(&each!(t in 16 => zero.or_if(is_second[t], s.f(1.0))));
        let of_second = Moments::new(
            s,
            count,
            &each!(c in 3 => each!(t in 16 => zero.or_if(is_second[t], texels.scaled[c][t]))),
        );
        let axes = [moments.without(s, &of_second).axis(s), of_second.axis(s)];
        let on_axes = each!(k in 2 => projections(s, &texels.scaled, &axes[k]));
        let mut ranges = [[s.f(FAR), s.f(-FAR)]; 2];
        for t in 0..16 {
            let [first, second] = each!(k in 2 => on_axes[k][t]);
            ranges[0][0] = ranges[0][0].min(first.or_if(is_second[t], s.f(FAR)));
            ranges[0][1] = ranges[0][1].max(first.or_if(is_second[t], s.f(-FAR)));
            ranges[1][0] = ranges[1][0].min(s.f(FAR).or_if(is_second[t], second));
            ranges[1][1] = ranges[1][1].max(s.f(-FAR).or_if(is_second[t], second));
        }
        let mut of_anchor = on_axes[1][ANCHORS[0]];
        for i in 1..3 {
            of_anchor = of_anchor.or_if(is_anchor[i], on_axes[1][ANCHORS[i]]);
        }
        let (first_start, first_scale) = directed(s, ranges[0], on_axes[0][0], LAST);
        let (second_start, second_scale) = directed(s, ranges[1], of_anchor, LAST);
        let of_first = each!(t in 16 => ((on_axes[0][t] - first_start) * first_scale).round());
        let of_second = each!(t in 16 => ((on_axes[1][t] - second_start) * second_scale).round());
        let at = [
            each!(t in 16 => of_first[t].or_if(is_second[t], zero)),
            each!(t in 16 => zero.or_if(is_second[t], of_second[t])),
        ];
        let totals = each!(c in 3 => sum(&each!(t in 16 => zero.or_if(is_second[t], texels.centered[c][t]))));
        let rest = s.f(16.0) - count;
        let subsets = [
            Members {
                count: rest,
                part: reciprocal(s, rest),
                totals: each!(c in 3 => members.totals[c] - totals[c]),
            },
            Members { count, part: reciprocal(s, count), totals },
        ];
        let [[a, b], [c, d]] = each!(k in 2 => fitted::<S, K>(s, texels, &subsets[k], &at[k], LAST));
        let ends = [a, b, c, d];

        let mut farthest = [zero; 3];
        for end in &ends[1..] {
            for c in 0..3 {
                farthest[c] = farthest[c].max(distance(end[c], ends[0][c]));
            }
        }
        let (mut mode, mut step, mut inverse) = (s.i(0), zero, zero);
        for choice in &CHOICES {
            let [r, g, b] = each!(c in 3 => s.f(choice.reaches[c]).lt(farthest[c]));
            let has_room = !(r | g | b);
            mode = mode.or_if(has_room, s.i(choice.mode as i32));
            step = step.or_if(has_room, s.f(choice.step));
            inverse = inverse.or_if(has_room, s.f(1.0 / choice.step));
        }
        let coding = Coding::of_step::<K>(s, step, inverse).limited::<K>(s, texels.limit);
        let codes = each!(e in 4 => each!(c in 3 => coding.code::<K>(s, ends[e][c])));
        let values = each!(e in 4 => each!(c in 3 => coding.value::<K>(s, codes[e][c])));
        let lines = each!(k in 2 => Line::new::<K>(s, texels, &[values[2 * k], values[2 * k + 1]], LAST));

        let (mut halves, mut error) = ([s.i(0); 2], zero);
        for t in (0..16).rev() {
            let line = lines[0].or_if(is_second[t], &lines[1]);
            let highest = match ANCHORS.iter().position(|&anchor| anchor == t) {
                _ if t == 0 => s.f(LAST_OF_ANCHOR),
                Some(i) => s.f(LAST).or_if(is_anchor[i], s.f(LAST_OF_ANCHOR)),
                None => s.f(LAST),
            };
            let index = line.index(s, texels, t, highest);
            halves[t / 8] = halves[t / 8].shl::<3>() | index.to_i();
            // The weight is 64·index/7, to nearest.
            let weight = (index.mul_add(s.f(64.0), s.f(3.5)) * s.f(1.0 / LAST)).floor();
            let of_texel = texels.error::<K>(s, t, line.value(weight));
            error = error.add_if(!(texels.visible & s.i(1 << t)).eq(s.i(0)), of_texel);
        }
        (words(s, keys, mode, &codes, halves), error)
    }
}

/// Texels that can be the second subset's anchor.
const ANCHORS: [usize; 3] = [2, 8, 15];

/// A number that no projection of a texel exceeds.
pub(super) const FAR: f32 = 1_048_576.0;

/// Returns a block's words: the mode, endpoints, the partition, indices.
#[inline(always)]
fn words<S: Simd>(s: S, keys: S::I, mode: S::I, codes: &[[S::F; 3]; 4], halves: [S::I; 2]) -> [S::I; 4] {
    let codes = each!(e in 4 => each!(c in 3 => codes[e][c].to_i()));
    let differences = each!(e in 4 => each!(c in 3 => codes[e][c] - codes[0][c]));
    let mut words = [s.i(0); 4];
    for choice in &CHOICES {
        let has_mode = mode.eq(s.i(choice.mode as i32));
        if !has_mode.any() {
            continue;
        }
        let of = &MODES[choice.mode];
        let mut of_mode = [s.i(of.prefix as i32), s.i(0), s.i(0), s.i(0)];
        let mut at = of.prefix_bits;
        for field in of.fields {
            let endpoint = if of.has_deltas && field.endpoint > 0 {
                differences[field.endpoint]
            } else {
                codes[field.endpoint]
            };
            let bits = endpoint[field.channel].shr_by(s.i(field.first as i32)) & s.i((1 << field.count) - 1);
            let (word, place) = ((at / 32) as usize, at % 32);
            of_mode[word] = of_mode[word] | bits.shl_by(s.i(place as i32));
            if place + field.count > 32 {
                of_mode[word + 1] = bits.shr_by(s.i(32 - place as i32));
            }
            at += field.count;
        }
        words = each!(i in 4 => words[i].or_if(has_mode, of_mode[i]));
    }
    let [low, high] = index_words(s, keys, halves);
    [words[0], words[1], words[2] | keys.shr::<20>().shl::<13>() | low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_become_more_precise() {
        assert!(CHOICES.is_sorted_by(|a, b| a.step >= b.step));
        // Blue of the mode with 8.5.5.6 bits: 30 steps of 256.
        assert_eq!((CHOICES[2].step, CHOICES[2].reaches), (256.0, [3584.0, 3584.0, 7680.0]));
    }
}
