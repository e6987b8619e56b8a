//! Planar blocks: a plane for each channel, by least squares, and the codes around it.

use super::{
    found::{Found, PLANAR},
    texels::Block,
};
use crate::simd::{Float, LaneFn, Simd, each};

/// Part of a plane's error at the right that is corrected below: about 9/14, by least squares.
pub(super) const CORRECTED: f32 = 0.625;

/// Value of the last code of a plane, times the divisor of the least squares.
pub(super) const PLANE_UNIT: f32 = 80.0 * 255.0;

/// Number of steps of single codes.
pub(super) const STEPS: usize = 6;

/// Codes of one channel: origin, right and below, and their error.
#[derive(Clone, Copy)]
struct Plane<S: Simd> {
    cost: S::F,
    codes: [S::F; 3],
}

impl<S: Simd> Plane<S> {
    #[inline(always)]
    fn offer(&mut self, cost: S::F, codes: [S::F; 3]) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.codes = each!(k in 3 => self.codes[k].or_if(better, codes[k]));
    }
}

/// Error of a channel.
struct PlaneCost<'a, S: Simd> {
    x: &'a [S::F; 16],
    counted: &'a [S::F; 16],
    codes: [S::F; 3],
    /// True if codes have 7 bits, not 6.
    is_green: bool,
}

/// Returns the 8-bit value of a code.
#[inline(always)]
fn plane_value<S: Simd>(s: S, code: S::F, is_green: bool) -> S::F {
    let (scale, shift) = if is_green { (2.0, 1.0 / 64.0) } else { (4.0, 1.0 / 16.0) };
    code.mul_add(s.f(scale), (code * s.f(shift)).floor())
}

impl<S: Simd> LaneFn<S> for PlaneCost<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let [origin, right, below] = each!(i in 3 => plane_value(s, self.codes[i], self.is_green));
        let (zero, top, quarter) = (s.f(0.0), s.f(255.0), s.f(0.25));
        let steps = [(right - origin) * quarter, (below - origin) * quarter];
        // Quarters of a value, and a half that rounds.
        let start = origin + s.f(0.5);
        let mut cost = zero;
        for y in 0..4 {
            for x in 0..4 {
                let value = steps[0].mul_add(s.f(x as f32), steps[1].mul_add(s.f(y as f32), start));
                let error = self.x[4 * y + x] - value.floor().max(zero).min(top);
                cost = (error * error).mul_add(self.counted[4 * y + x], cost);
            }
        }
        cost
    }
}

/// Offers the planar block by least squares and, unless `windows` is `None`, those after steps of the codes:
/// first of single ones, then in this number of windows of 27. There is no planar block where the block has
/// transparent texels.
#[inline(always)]
pub(super) fn search<S: Simd>(s: S, block: &Block<S>, windows: Option<usize>, found: &mut Found<S>) {
    let planes = each!(c in 3 => s.call(FitPlane { block, channel: c, windows }));
    let cost = planes[0].cost * block.weights[0]
        + planes[1].cost * block.weights[1]
        + planes[2].cost * block.weights[2];
    let codes = each!(i in 3 => [planes[0].codes[i], planes[1].codes[i], planes[2].codes[i]]);
    found.offer(&Found {
        cost: cost.or_if(block.punched, s.f(f32::MAX)),
        mode: s.f(PLANAR),
        flip: s.f(0.0),
        codes,
        tables: [s.f(0.0); 2],
    });
}

/// The plane of a channel.
struct FitPlane<'a, S: Simd> {
    block: &'a Block<S>,
    channel: usize,
    windows: Option<usize>,
}

impl<S: Simd> LaneFn<S> for FitPlane<'_, S> {
    type Output = Plane<S>;

    #[inline(always)]
    fn run(self, s: S) -> Plane<S> {
        let Self { block, channel, windows } = self;
        let (x, counted, is_green) = (&block.x[channel], &block.counted, channel == 1);
        let (zero, most) = (s.f(0.0), s.f(if is_green { 127.0 } else { 63.0 }));
        // Sums of the texels, times 1, and 2x − 3 and 2y − 3.
        let mut sums = [zero; 3];
        for t in 0..16 {
            sums[0] = sums[0] + x[t];
            sums[1] = x[t].mul_add(s.f(2.0 * (t % 4) as f32 - 3.0), sums[1]);
            sums[2] = x[t].mul_add(s.f(2.0 * (t / 4) as f32 - 3.0), sums[2]);
        }
        // The values at the first texel and four texels to the right and below, times 80.
        let origin = sums[0] * s.f(5.0) - (sums[1] + sums[2]) * s.f(3.0);
        let [right, below] = [sums[1].mul_add(s.f(8.0), origin), sums[2].mul_add(s.f(8.0), origin)];
        let scale = s.f(if is_green { 127.0 } else { 63.0 } / PLANE_UNIT);
        let origin = plane_code(s, origin, scale, most);
        let of_right = plane_code(s, right, scale, most);
        let error = plane_value(s, of_right, is_green) * s.f(80.0) - right;
        let codes = [origin, of_right, plane_code(s, below - error * s.f(CORRECTED), scale, most)];
        let mut best = Plane { cost: s.call(PlaneCost { x, counted, codes, is_green }), codes };
        let Some(windows) = windows else { return best };
        for step in 0..STEPS {
            let mut codes: [S::F; 3] = best.codes;
            let code = &mut codes[step / 2];
            *code = (*code + s.f(if step % 2 == 0 { 1.0 } else { -1.0 })).max(zero).min(most);
            best.offer(s.call(PlaneCost { x, counted, codes, is_green }), codes);
        }
        for _ in 0..windows {
            let start: Plane<S> = best;
            for i in (0..27).filter(|&i| i != 13) {
                let offset: [i32; 3] = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1];
                let codes = each!(k in 3 => (start.codes[k] + s.f(offset[k] as f32)).max(zero).min(most));
                best.offer(s.call(PlaneCost { x, counted, codes, is_green }), codes);
            }
        }
        best
    }
}

#[inline(always)]
fn plane_code<S: Simd>(s: S, end: S::F, scale: S::F, most: S::F) -> S::F {
    (end * scale + s.f(0.5)).floor().max(s.f(0.0)).min(most)
}
