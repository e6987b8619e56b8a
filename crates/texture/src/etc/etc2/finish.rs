//! The bytes of the best encodings: indices in lanes, then each block by itself.

use super::{
    found::{DIFFERENTIAL, Found, H, INDIVIDUAL, PLANAR, T},
    pack::Codes,
    paint,
    texels::{Block, five, four, modifiers},
};
use crate::{
    bc::batch::BATCH,
    etc::eac::BatchBlocks,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

/// The four colors of a texel.
pub(super) type Palette<S> = [[<S as Simd>::F; 3]; 4];

/// Returns the colors of a half.
#[inline(always)]
fn palette<S: Simd>(s: S, base: [S::F; 3], [small, large]: [S::F; 2]) -> Palette<S> {
    let (zero, top) = (s.f(0.0), s.f(255.0));
    let values = [small, large, zero - small, zero - large];
    each!(k in 4 => each!(c in 3 => (base[c] + values[k]).max(zero).min(top)))
}

/// Returns `b` where the mask is true, else `a`.
#[inline(always)]
fn select<S: Simd>(mask: S::M, a: &Palette<S>, b: &Palette<S>) -> Palette<S> {
    each!(k in 4 => each!(c in 3 => a[k][c].or_if(mask, b[k][c])))
}

/// Indices of a quarter of a block.
struct Indices<'a, S: Simd> {
    block: &'a Block<S>,
    palette: &'a Palette<S>,
    /// First texel.
    first: usize,
}

impl<S: Simd> LaneFn<S> for Indices<'_, S> {
    type Output = S::I;

    #[inline(always)]
    fn run(self, s: S) -> S::I {
        let Block { x, weights, transparent, .. } = self.block;
        let mut doubles = [[s.f(0.0); 3]; 4];
        let mut squares = [s.f(0.0); 4];
        for k in 0..4 {
            for c in 0..3 {
                let weighted = self.palette[k][c] * weights[c];
                doubles[k][c] = s.f(-2.0) * weighted;
                squares[k] = weighted.mul_add(self.palette[k][c], squares[k]);
            }
        }
        let mut word = s.i(0);
        for t in [0, 1, 4, 5].map(|t| self.first + t) {
            let place = t as i32 % 4 * 4 + t as i32 / 4;
            let mut errors = squares;
            for k in 0..4 {
                for c in 0..3 {
                    errors[k] = x[c][t].mul_add(doubles[k][c], errors[k]);
                }
            }
            let (mut bits, mut least) = (s.i(0), errors[0]);
            for k in 1..4 {
                let index = (k as i32 & 1) << place | (k as i32 >> 1) << (place + 16);
                bits = bits.or_if(errors[k].lt(least), s.i(index));
                least = least.min(errors[k]);
            }
            word = word | bits.or_if(transparent[t], s.i(1 << (place + 16)));
        }
        word
    }
}

/// Writes blocks from lane `first` on.
#[inline(always)]
pub(super) fn finish<S: Simd>(
    s: S,
    block: &Block<S>,
    found: &Found<S>,
    first: usize,
    blocks: &mut BatchBlocks,
) {
    let Found { mode, flip, codes, tables, .. } = found;
    let is_individual = mode.lt(s.f(DIFFERENTIAL));
    let mut palettes = [0, 1].map(|half| {
        let (four, five) = (four(s, codes[half]), five(s, codes[half]));
        let base = each!(c in 3 => five[c].or_if(is_individual, four[c]));
        palette(s, base, modifiers(s, tables[half], block.punched))
    });
    let is_painted = s.f(DIFFERENTIAL).lt(*mode) & mode.lt(s.f(PLANAR));
    if is_painted.any() {
        let colors = [codes[0], codes[1]];
        let (t, h) = (paint::t(s, colors, tables[0], block.punched), paint::h(s, colors, tables[0], block.punched));
        let of_mode = select::<S>(s.f(T).lt(*mode), &t, &h);
        palettes = [0, 1].map(|half| select::<S>(is_painted, &palettes[half], &of_mode));
    }
    let is_flipped = s.f(0.0).lt(*flip);
    let upper_right = select::<S>(is_flipped, &palettes[1], &palettes[0]);
    let lower_left = select::<S>(is_flipped, &palettes[0], &palettes[1]);
    let indices = s.call(Indices { block, palette: &palettes[0], first: 0 })
        | s.call(Indices { block, palette: &upper_right, first: 2 })
        | s.call(Indices { block, palette: &lower_left, first: 8 })
        | s.call(Indices { block, palette: &palettes[1], first: 10 });
    let mut lanes = [[0; BATCH]; 14];
    let numbers = [*mode, *flip, tables[0], tables[1]];
    for (lanes, number) in lanes.iter_mut().zip(numbers.iter().chain(codes.as_flattened())) {
        number.to_i().store(lanes);
    }
    indices.store(&mut lanes[13]);
    let mut opaque = [0; BATCH];
    s.i(1).or_if(block.punched, s.i(0)).store(&mut opaque);
    for lane in 0..S::LANES {
        let of_lane = |i: usize| lanes[i][lane];
        let color = |i: usize| [0, 1, 2].map(|c| of_lane(4 + 3 * i + c));
        let (colors, tables, is_flipped) = ([color(0), color(1)], [of_lane(2), of_lane(3)], of_lane(1) == 1);
        let codes = match of_lane(0) as f32 {
            INDIVIDUAL => Codes::Individual { colors, tables, is_flipped },
            DIFFERENTIAL => Codes::Differential { colors, tables, is_flipped },
            T => Codes::T { colors, distance: tables[0] },
            H => Codes::H { colors, distance: tables[0] },
            _ => Codes::Planar { colors: [color(0), color(1), color(2)] },
        };
        let block = codes.pack(of_lane(13) as u32, opaque[lane] == 1);
        blocks[0][first + lane] = (block >> 32) as i32;
        blocks[1][first + lane] = block as i32;
    }
}
