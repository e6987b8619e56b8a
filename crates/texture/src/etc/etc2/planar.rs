//! Planar blocks: a plane for each channel, by least squares, and the codes around it.

use super::{
    found::{Found, PLANAR},
    texels::Block,
};
use crate::simd::{Float, LaneFn, Simd, each};

/// Codes of one channel: origin, right and below, and their error.
#[derive(Clone, Copy)]
pub(super) struct Plane<S: Simd> {
    pub cost: S::F,
    pub codes: [S::F; 3],
}

impl<S: Simd> Plane<S> {
    #[inline(always)]
    pub fn offer(&mut self, cost: S::F, codes: [S::F; 3]) {
        let better = cost.lt(self.cost);
        self.cost = self.cost.min(cost);
        self.codes = each!(k in 3 => self.codes[k].or_if(better, codes[k]));
    }
}

/// Error of a channel.
pub(super) struct PlaneCost<'a, S: Simd> {
    pub x: &'a [S::F; 16],
    pub counted: &'a [S::F; 16],
    pub codes: [S::F; 3],
    /// True if codes have 7 bits, not 6.
    pub is_green: bool,
}

/// Returns the 8-bit value of a code.
#[inline(always)]
pub(super) fn plane_value<S: Simd>(s: S, code: S::F, is_green: bool) -> S::F {
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
    let planes = each!(c in 3 => plane(s, block, c, windows));
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

#[inline(always)]
fn plane<S: Simd>(s: S, block: &Block<S>, channel: usize, windows: Option<usize>) -> Plane<S> {
    let (x, counted, is_green) = (&block.x[channel], &block.counted, channel == 1);
    let most = s.f(if is_green { 127.0 } else { 63.0 });
    // Sums of the texels, times 1, and 2x − 3 and 2y − 3.
    let mut sums = [s.f(0.0); 3];
    for t in 0..16 {
        sums[0] = sums[0] + x[t];
        sums[1] = x[t].mul_add(s.f(2.0 * (t % 4) as f32 - 3.0), sums[1]);
        sums[2] = x[t].mul_add(s.f(2.0 * (t / 4) as f32 - 3.0), sums[2]);
    }
    // Four steps to the right and below, and the value at the first texel, times 80.
    let slopes = [sums[1] * s.f(8.0), sums[2] * s.f(8.0)];
    let origin = sums[0] * s.f(5.0) - (sums[1] + sums[2]) * s.f(3.0);
    let ends = [origin, origin + slopes[0], origin + slopes[1]];
    let scale = most * s.f(1.0 / (80.0 * 255.0));
    let codes = each!(i in 3 => (ends[i] * scale + s.f(0.5)).floor().max(s.f(0.0)).min(most));
    let mut best = Plane { cost: s.call(PlaneCost { x, counted, codes, is_green }), codes };
    let Some(windows) = windows else { return best };
    for step in 0..6 {
        let mut codes: [S::F; 3] = best.codes;
        let code = &mut codes[step / 2];
        *code = (*code + s.f(if step % 2 == 0 { 1.0 } else { -1.0 })).max(s.f(0.0)).min(most);
        best.offer(s.call(PlaneCost { x, counted, codes, is_green }), codes);
    }
    for _ in 0..windows {
        let start: Plane<S> = best;
        for i in (0..27).filter(|&i| i != 13) {
            let offset: [i32; 3] = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1];
            let codes = each!(k in 3 => (start.codes[k] + s.f(offset[k] as f32)).max(s.f(0.0)).min(most));
            best.offer(s.call(PlaneCost { x, counted, codes, is_green }), codes);
        }
    }
    best
}
