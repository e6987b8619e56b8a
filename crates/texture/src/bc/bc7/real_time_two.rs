//! Mode 1 in real time: two subsets. `real_time_two.wgsl` takes the same steps.
//!
//! ```text
//! sides of the mean on the axis, a bit for each texel → the nearest of 64 partitions, at level 3 two
//!   each subset: covariance → axis → ends of the projections, on the line through the mean → 7 bits
//! ```

use super::{
    moments::{Moments, projections},
    partitions::{TWO_ANCHORS, TWO_SUBSETS},
};
use crate::{
    bc::{
        batch::BATCH,
        numbers::reciprocal,
        real_time::sixteen::{dot, sum},
    },
    simd::{Float, Int, LaneFn, Simd, each},
};
use std::sync::LazyLock;

/// Factor from 8 bits to the 7 bits of endpoints.
pub(super) const SEVEN_BITS: f32 = 127.0 / 255.0;

/// Returns the number of a partition, its second anchor and the texels of its second subset, from bits 20,
/// 16 and 0 on.
pub(super) const fn key(partition: usize) -> u32 {
    (partition as u32) << 20 | (TWO_ANCHORS[partition] as u32) << 16 | TWO_SUBSETS[partition] as u32
}

/// Returns the keys of those two of the first `count` partitions that differ from the sides in the fewest
/// texels, the nearest first. Sides may change places.
fn nearest(sides: u16, count: usize) -> [u32; 2] {
    let distance = |partition: usize| 8 - (sides ^ TWO_SUBSETS[partition]).count_ones().abs_diff(8);
    let mut found = [u64::MAX; 2];
    for partition in 0..count {
        let new = u64::from(distance(partition)) << 32 | u64::from(key(partition));
        found = [found[0].min(new), found[1].min(found[0].max(new))];
    }
    found.map(|key| key as u32)
}

/// Returns the keys of the two nearest of the first `count` partitions, for all sides in which that of texel
/// 0 is 0.
pub(in crate::bc) fn nearest_partitions(count: usize) -> Vec<[u32; 2]> {
    (0..1 << 15).map(|bits| nearest(bits << 1, count)).collect()
}

static NEAREST: LazyLock<Vec<[u32; 2]>> = LazyLock::new(|| nearest_partitions(64));

/// Encoding with two subsets, and its error.
pub(super) struct TwoSubsets<'a, S: Simd> {
    pub x: &'a [[S::F; 16]; 3],
    pub moments: &'a Moments<S, 4>,
    /// The partition's [`key`].
    pub keys: S::I,
    pub visible: S::I,
}

/// Endpoints of a subset in 8 bits, their codes without the p-bit, and the p-bit.
#[derive(Clone, Copy)]
struct Line<S: Simd> {
    a: [S::F; 3],
    step: [S::F; 3],
    codes: [[S::F; 3]; 2],
    p: S::F,
    /// Places per product with `step`, and the product of `a`.
    scale: S::F,
    start: S::F,
}

impl<S: Simd> LaneFn<S> for TwoSubsets<'_, S> {
    type Output = ([S::I; 4], S::F);

    #[inline(always)]
    fn run(self, s: S) -> Self::Output {
        let Self { x, moments, keys, visible } = self;
        let is_second = each!(t in 16 => s.i(0).lt(keys & s.i(1 << t)));
        let zero = s.f(0.0);
        let second_x = each!(c in 3 => each!(t in 16 => zero.or_if(is_second[t], x[c][t])));
        let count = sum(&each!(t in 16 => zero.or_if(is_second[t], s.f(1.0))));
        let second = Moments::new(s, count, &second_x);
        let first = moments.without(s, &second);
        let axes = [first.axis(s), second.axis(s)];
        let on_axes = each!(i in 2 => projections(s, x, &axes[i]));
        let far = s.f(FAR);
        let mut ranges = [[far, zero - far]; 2];
        for t in 0..16 {
            let [first, second] = &mut ranges;
            first[0] = first[0].min(on_axes[0][t].or_if(is_second[t], far));
            first[1] = first[1].max(on_axes[0][t].or_if(is_second[t], zero - far));
            second[0] = second[0].min(far.or_if(is_second[t], on_axes[1][t]));
            second[1] = second[1].max((zero - far).or_if(is_second[t], on_axes[1][t]));
        }
        let lines =
            [line(s, first.points(s, &axes[0], ranges[0])), line(s, second.points(s, &axes[1], ranges[1]))];
        let mut error = zero;
        let mut halves = [s.i(0); 2];
        for t in (0..16).rev() {
            let [first, second] = &lines;
            let is_second = is_second[t];
            let step = each!(c in 3 => first.step[c].or_if(is_second, second.step[c]));
            let a = each!(c in 3 => first.a[c].or_if(is_second, second.a[c]));
            let along = x[0][t].mul_add(step[0], x[1][t].mul_add(step[1], x[2][t] * step[2]));
            let along = along - first.start.or_if(is_second, second.start);
            let scale = first.scale.or_if(is_second, second.scale);
            let index = (along * scale).max(zero).min(s.f(7.0)).round();
            halves[t / 8] = halves[t / 8].shl::<3>() | index.to_i();
            // The weight is 64·index/7, to nearest.
            let weight = (index.mul_add(s.f(64.0), s.f(3.5)) * s.f(1.0 / 7.0)).floor();
            let mut squares = zero;
            for c in 0..3 {
                let value = weight.mul_add(step[c], a[c].mul_add(s.f(64.0), s.f(32.0)));
                let difference = (value * s.f(1.0 / 64.0)).floor() - x[c][t];
                squares = difference.mul_add(difference, squares);
            }
            error = error.add_if(!(visible & s.i(1 << t)).eq(s.i(0)), squares);
        }
        (pack(s, keys, &lines, halves), error)
    }
}

/// A number that no projection of a texel exceeds.
pub(super) const FAR: f32 = 1_048_576.0;

/// Returns the [`key`]s of the two nearest partitions to the sides of the mean. `center` is the sum of the
/// projections.
#[inline(always)]
pub(super) fn keys<S: Simd>(s: S, projections: &[S::F; 16], center: S::F) -> [S::I; 2] {
    keys_from(s, &NEAREST, projections, center)
}

/// The same from a list of [`nearest_partitions`].
#[inline(always)]
pub(in crate::bc) fn keys_from<S: Simd>(
    s: S,
    nearest: &[[u32; 2]],
    projections: &[S::F; 16],
    center: S::F,
) -> [S::I; 2] {
    let mut sides = s.i(0);
    for (t, &projection) in projections.iter().enumerate() {
        sides = sides.or_if(center.lt(projection * s.f(16.0)), sides | s.i(1 << t));
    }
    let mut lanes = [0; BATCH];
    sides.store(&mut lanes);
    let mut keys = [[0; BATCH]; 2];
    for lane in 0..S::LANES {
        let sides = lanes[lane] as usize;
        let [first, second] = nearest[(if sides & 1 == 0 { sides } else { sides ^ 0xffff }) >> 1];
        (keys[0][lane], keys[1][lane]) = (first as i32, second as i32);
    }
    each!(i in 2 => s.load_i(&keys[i]))
}

/// Returns the line between two points, with the p-bit that moves them less.
#[inline(always)]
fn line<S: Simd>(s: S, points: [[S::F; 3]; 2]) -> Line<S> {
    let zero = s.f(0.0);
    let seven = each!(i in 2 => each!(c in 3 => points[i][c] * s.f(SEVEN_BITS)));
    let mut of_p = [([[zero; 3]; 2], [[zero; 3]; 2]); 2];
    let mut errors = [zero; 2];
    for p in 0..2 {
        let (codes, values) = &mut of_p[p];
        for i in 0..2 {
            for c in 0..3 {
                let code = ((seven[i][c] - s.f(p as f32)) * s.f(0.5)).round().max(zero).min(s.f(63.0));
                codes[i][c] = code;
                // The 7 bits, widened to 8.
                let bits = code.mul_add(s.f(2.0), s.f(p as f32));
                values[i][c] = bits.mul_add(s.f(2.0), (bits * s.f(1.0 / 64.0)).floor());
                let moved = values[i][c] - points[i][c];
                errors[p] = moved.mul_add(moved, errors[p]);
            }
        }
    }
    let odd = errors[1].lt(errors[0]);
    let [(even_codes, even_values), (odd_codes, odd_values)] = of_p;
    let codes = each!(i in 2 => each!(c in 3 => even_codes[i][c].or_if(odd, odd_codes[i][c])));
    let [a, b] = each!(i in 2 => each!(c in 3 => even_values[i][c].or_if(odd, odd_values[i][c])));
    let step = each!(c in 3 => b[c] - a[c]);
    let scale = reciprocal(s, dot(&step, &step).max(s.f(1.0))) * s.f(7.0);
    Line { a, step, codes, p: zero.or_if(odd, s.f(1.0)), scale, start: dot(&a, &step) }
}

/// Returns three bits for each of eight bits.
#[inline(always)]
fn spread<S: Simd>(s: S, bits: S::I) -> S::I {
    let bits = (bits | bits.shl::<8>()) & s.i(0x00_f00f);
    let bits = (bits | bits.shl::<4>()) & s.i(0x0c_30c3);
    let bits = (bits | bits.shl::<2>()) & s.i(0x24_9249);
    bits | bits.shl::<1>() | bits.shl::<2>()
}

/// Returns bits without the bit at `place`.
#[inline(always)]
fn without_bit<S: Simd>(s: S, bits: S::I, place: S::I) -> S::I {
    let one = s.i(1);
    let below = bits & (one.shl_by(place) - one);
    below | bits.shr_by(place + one).shl_by(place)
}

/// Returns the last two words of a block with 46 bits of indices at its end, without its other bits. Indices
/// have three bits each: those of eight texels, then those of the others. The anchors' highest bits are left
/// out.
#[inline(always)]
pub(in crate::bc) fn index_words<S: Simd>(s: S, keys: S::I, [low, high]: [S::I; 2]) -> [S::I; 2] {
    let anchor = keys.shr::<16>() & s.i(15);
    let is_late = s.i(7).lt(anchor);
    let place = (anchor & s.i(7)).mul(s.i(3)) + s.i(2);
    let low = low.or_if(!is_late, without_bit(s, low, place));
    let low = (low & s.i(3)) | (low.shr::<3>()).shl::<2>();
    let high = high.or_if(is_late, without_bit(s, high, place));
    [low.shl::<18>(), low.shr::<14>() | high.shl::<8>().or_if(is_late, high.shl::<9>())]
}

/// Returns a block's four words: the mode, the partition, endpoints channel by channel, p-bits, indices.
#[inline(always)]
fn pack<S: Simd>(s: S, keys: S::I, lines: &[Line<S>; 2], halves: [S::I; 2]) -> [S::I; 4] {
    let (zero, one) = (s.i(0), s.i(1));
    let anchor = keys.shr::<16>() & s.i(15);
    let is_late = s.i(7).lt(anchor);
    let all = s.i(0xff_ffff);
    let seconds = [spread(s, keys & s.i(255)), spread(s, keys.shr::<8>() & s.i(255))];
    // The anchors' indices lack their highest bits: if one is set, the subset's endpoints change places.
    let place = (anchor & s.i(7)).mul(s.i(3)) + s.i(2);
    let of_anchor = halves[0].or_if(is_late, halves[1]).shr_by(place) & one;
    let exchanged = [zero.lt(halves[0] & s.i(4)), zero.lt(of_anchor)];
    let inverted = each!(i in 2 => {
        let of_first = zero.or_if(exchanged[0], all - seconds[i]);
        let mask = of_first | zero.or_if(exchanged[1], seconds[i]);
        (halves[i] | mask) - (halves[i] & mask)
    });
    let [low, high] = index_words(s, keys, inverted);

    let codes = each!(i in 2 => {
        let [a, b] = lines[i].codes;
        each!(c in 3 => {
            let (first, second) = (a[c].or_if(exchanged[i], b[c]), b[c].or_if(exchanged[i], a[c]));
            first.to_i() | second.to_i().shl::<6>()
        })
    });
    let [r, g, b] = each!(c in 3 => codes[0][c] | codes[1][c].shl::<12>());
    let p = each!(i in 2 => lines[i].p.to_i());
    [
        s.i(2) | keys.shr::<20>().shl::<2>() | r.shl::<8>(),
        g | b.shl::<24>(),
        b.shr::<8>() | p[0].shl::<16>() | p[1].shl::<17>() | low,
        high,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_partitions_differ_least() {
        for bits in (0..1 << 15).step_by(7) {
            let sides = (bits as u16) << 1;
            let distance = |of: u16| (sides ^ of).count_ones().min((!sides ^ of).count_ones());
            let mut partitions: Vec<_> = (0..64).collect();
            partitions.sort_by_key(|&partition| distance(TWO_SUBSETS[partition]));
            assert_eq!(NEAREST[bits], [key(partitions[0]), key(partitions[1])], "{sides:04x}");
        }
    }
}
