//! Packing of the best encodings into the endpoints and indices of blocks.

use super::{
    assign,
    best::Best,
    context::Context,
    distinct::Distinct,
    lanes::{self, Block, Endpoints, Mode, RuleLanes},
};
use crate::{
    bc::block::CENTER,
    simd::{Float, Int, Mask as _, Simd},
};

/// Returns endpoint codes as stored in a block.
#[inline(always)]
fn pack<S: Simd>(codes: &[S::F; 3]) -> S::I {
    codes[0].to_i().shl::<11>() | codes[1].to_i().shl::<5>() | codes[2].to_i()
}

/// Puts the endpoints in the order that selects their mode and finds the indices.
#[inline(always)]
pub(crate) fn finish<S: Simd, const MASKED: bool>(
    s: S,
    rule: &RuleLanes<S>,
    block: &Block<S, MASKED>,
    best: &Best<S>,
) -> (S::I, S::I) {
    let [a, b] = [pack::<S>(&best.ends.a), pack::<S>(&best.ends.b)];
    // Four colours need c0 > c1, three c0 <= c1.
    let swap = (a.lt(b) & !best.three) | (b.lt(a) & best.three);
    let ends = best.ends.or_if(swap, Endpoints { a: best.ends.b, b: best.ends.a });
    let (c0, c1) = (a.or_if(swap, b), b.or_if(swap, a));
    let mut palette = lanes::palette(s, rule, Mode::Four, &ends);
    if best.three.any() {
        let three = lanes::palette(s, rule, Mode::Three, &ends);
        for (entry, three) in palette.iter_mut().zip(&three) {
            for c in 0..3 {
                entry[c] = entry[c].or_if(best.three, three[c]);
            }
        }
        for entry in &mut palette[3] {
            *entry = entry.or_if(best.black, s.f(-CENTER));
        }
    }
    // Equal endpoints select three colours, even if four were intended. All entries are then equal. The first
    // wins a tie, so index 3 never occurs.
    let context = Context { simd: s, rule, mode: Mode::Four, block, distinct: &Distinct::none(s) };
    let indices = assign::indices(&context, &palette);
    (c0 | c1.shl::<16>(), indices)
}
