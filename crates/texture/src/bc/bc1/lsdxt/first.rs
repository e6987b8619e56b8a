//! Step 1: endpoints from linear regression of each channel's unique values against their rank.
//!
//! With k unique values u₀ < u₁ < …, S = Σu and T = Σi·uᵢ, the line through the points (i, uᵢ) ends at
//!
//! ```text
//! low = (S·(k + 1) − 3·(2·T − (k − 1)·S)) / (k·(k + 1))        high = the same with +
//! ```
//!
//! The numerators are integers below 2¹⁸ (|u| ≤ 128 and k ≤ 16), k·(k + 1) is at most 272, so a code is a
//! product with an entry of the tables of fit.rs, rounded once.
//!
//! Regressed separately, all channels rise from the first endpoint to the second, which is wrong if one falls
//! while another rises. The paper does not mention this; here a channel whose covariance with the widest
//! channel is negative has its ends exchanged.

use crate::{
    bc::bc1::{
        fit::{CODE_SCALES_5, CODE_SCALES_6},
        lanes::{Block, Endpoints, RuleLanes},
    },
    bc::{block::CENTER, order::SORT},
    simd::{Float, Simd, each},
};

/// Returns the endpoints of step 1.
#[inline(always)]
pub(crate) fn endpoints<S: Simd>(s: S, rule: &RuleLanes<S>, block: &Block<S, true>) -> Endpoints<S> {
    let zero = [s.f(0.0); 3];
    let (mut low, mut high, mut range) = (zero, zero, zero);
    for c in 0..3 {
        let mut sorted = block.x[c];
        // Texels that are left out repeat the lowest of the others, so that they add no unique value.
        let mut least = s.f(CENTER);
        for t in 0..16 {
            least = least.min(sorted[t].or_if(block.out[t], s.f(CENTER)));
        }
        for t in 0..16 {
            sorted[t] = sorted[t].or_if(block.out[t], least);
        }
        for (lower, upper) in SORT {
            let (a, b) = (sorted[lower], sorted[upper]);
            sorted[lower] = a.min(b);
            sorted[upper] = a.max(b);
        }
        range[c] = sorted[15] - sorted[0];
        (low[c], high[c]) = line(s, rule.channels[c].top, c == 1, &sorted);
    }

    let cov = each!(pair in 3 => covariance(s, block, [0, 0, 1][pair], [1, 2, 2][pair]));
    let [rg, rb, gb] = each!(pair in 3 => cov[pair].lt(s.f(0.0)));
    // True if the widest channel is green or blue; the first in a tie.
    let blue_widest = range[0].max(range[1]).lt(range[2]);
    let green_widest = range[0].lt(range[1]) & !blue_widest;
    let red_widest = !blue_widest & !green_widest;
    let different_blue = (rb & !gb) | (gb & !rb);
    let different_green = (rg & !gb) | (gb & !rg);
    // Red stays; if another channel is the widest, the exchanges are relative to that one.
    let exchange_green = (rg & !blue_widest) | (different_blue & blue_widest);
    let exchange_blue = (rb & (red_widest | blue_widest)) | (different_green & green_widest);
    let exchange = [s.none(), exchange_green, exchange_blue];
    Endpoints {
        a: each!(c in 3 => low[c].or_if(exchange[c], high[c])),
        b: each!(c in 3 => high[c].or_if(exchange[c], low[c])),
    }
}

/// Returns the codes at the ends of the line through one channel's sorted values.
#[inline(always)]
fn line<S: Simd>(s: S, top: S::F, is_green: bool, sorted: &[S::F; 16]) -> (S::F, S::F) {
    let (zero, one) = (s.f(0.0), s.f(1.0));
    let mut rank = zero;
    let mut sum = sorted[0];
    let mut ranked = zero;
    for t in 1..16 {
        let is_new = sorted[t - 1].lt(sorted[t]);
        rank = rank.add_if(is_new, one);
        sum = sum.add_if(is_new, sorted[t]);
        ranked = ranked.add_if(is_new, rank * sorted[t]);
    }
    let more = rank + s.f(2.0);
    let count = (rank + one) * more;
    let index = count.to_i();
    let scale = s.gather(if is_green { &CODE_SCALES_6 } else { &CODE_SCALES_5 }, index);
    // A code's numerator belongs to the value itself, not to the centred one.
    let middle = sum.mul_add(more, count * s.f(CENTER));
    let rise = (ranked + ranked - rank * sum) * s.f(3.0);
    (
        ((middle - rise) * scale).round().max(zero).min(top),
        ((middle + rise) * scale).round().max(zero).min(top),
    )
}

/// Returns n·Σx·y − Σx·Σy of two channels, which is below 2²³.
#[inline(always)]
fn covariance<S: Simd>(s: S, block: &Block<S, true>, x: usize, y: usize) -> S::F {
    let mut products = s.f(0.0);
    for t in 0..16 {
        products = block.x[x][t].mul_add(block.x[y][t], products);
    }
    block.count * products - block.sum[x] * block.sum[y]
}
