//! Blocks of one colour: the base colour and the modifier whose sum is nearest.

use super::{
    found::{DIFFERENTIAL, Found},
    texels::{Block, code, five, modifiers_of},
};
use crate::simd::{Float, Mask, Simd, each};

/// Offers a differential block where all texels have the same colour.
#[inline(always)]
pub(super) fn search<S: Simd>(s: S, block: &Block<S>, found: &mut Found<S>) {
    let color = each!(c in 3 => block.x[c][0]);
    let (mut mixed, mut count) = (s.none(), s.f(0.0));
    for t in 0..16 {
        count = count + block.counted[t];
        for c in 0..3 {
            mixed = mixed | block.x[c][t].lt(color[c]) | color[c].lt(block.x[c][t]);
        }
    }
    if !(!mixed).any() {
        return;
    }
    let (zero, top) = (s.f(0.0), s.f(255.0));
    for table in 0..8 {
        let [small, large] = modifiers_of(s, table, block.punched);
        for modifier in [small, large, zero - small, zero - large] {
            let codes = each!(c in 3 => code(s, color[c] - modifier, 31.0));
            let base = five(s, codes);
            let mut cost = zero;
            for c in 0..3 {
                let error = (base[c] + modifier).max(zero).min(top) - color[c];
                cost = (error * error).mul_add(block.weights[c], cost);
            }
            found.offer(&Found {
                cost: (cost * count).or_if(mixed, s.f(f32::MAX)),
                mode: s.f(DIFFERENTIAL),
                flip: zero,
                codes: [codes, codes, [zero; 3]],
                tables: [s.f(table as f32); 2],
            });
        }
    }
}
