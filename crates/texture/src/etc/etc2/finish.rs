//! The bytes of the best encodings: indices in lanes, then each block by itself.

use super::{
    found::{DIFFERENTIAL, Found, H, PLANAR, T},
    pack::Codes,
    paint,
    texels::{Block, Palette, Terms, five, four, half_palette, modifiers},
};
use crate::{
    bc::batch::BATCH,
    etc::eac::BatchBlocks,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

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
        let terms = Terms::new(s, self.block, self.palette);
        let mut word = s.i(0);
        for t in [0, 1, 4, 5].map(|t| self.first + t) {
            let place = t as i32 % 4 * 4 + t as i32 / 4;
            let errors = terms.errors(self.block, t);
            let (mut bits, mut least) = (s.i(0), errors[0]);
            for k in 1..4 {
                let index = (k as i32 & 1) << place | (k as i32 >> 1) << (place + 16);
                bits = bits.or_if(errors[k].lt(least), s.i(index));
                least = least.min(errors[k]);
            }
            word = word | bits.or_if(self.block.transparent[t], s.i(1 << (place + 16)));
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
    let mut palettes = each!(half in 2 => {
        let (four, five) = (four(s, codes[half]), five(s, codes[half]));
        let base = each!(c in 3 => five[c].or_if(is_individual, four[c]));
        half_palette(s, base, modifiers(s, tables[half], block.punched))
    });
    let is_painted = s.f(DIFFERENTIAL).lt(*mode) & mode.lt(s.f(PLANAR));
    if is_painted.any() {
        let colors = [codes[0], codes[1]];
        let (t, h) =
            (paint::t(s, colors, tables[0], block.punched), paint::h(s, colors, tables[0], block.punched));
        let of_mode = select::<S>(s.f(T).lt(*mode), &t, &h);
        palettes = each!(half in 2 => select::<S>(is_painted, &palettes[half], &of_mode));
    }
    let is_flipped = s.f(0.0).lt(*flip);
    let upper_right = select::<S>(is_flipped, &palettes[1], &palettes[0]);
    let lower_left = select::<S>(is_flipped, &palettes[0], &palettes[1]);
    let indices = s.call(Indices { block, palette: &palettes[0], first: 0 })
        | s.call(Indices { block, palette: &upper_right, first: 2 })
        | s.call(Indices { block, palette: &lower_left, first: 8 })
        | s.call(Indices { block, palette: &palettes[1], first: 10 });
    halves_head(s, found, block.punched).store(&mut blocks[0][first..]);
    indices.store(&mut blocks[1][first..]);
    if !s.f(DIFFERENTIAL).lt(*mode).any() {
        return;
    }
    // The other modes are packed one by one.
    let mut lanes = [[0; BATCH]; 12];
    let numbers = [*mode, tables[0]];
    for (lanes, number) in lanes.iter_mut().zip(numbers.iter().chain(codes.as_flattened())) {
        number.to_i().store(lanes);
    }
    s.i(1).or_if(block.punched, s.i(0)).store(&mut lanes[11]);
    for lane in 0..S::LANES {
        let [mode, distance, codes @ .., is_opaque] = lanes.each_ref().map(|lanes| lanes[lane]);
        let [first_color, second_color, third_color] = *codes.as_chunks().0 else { continue };
        let colors = [first_color, second_color];
        let codes = match mode {
            T_NUMBER => Codes::T { colors, distance },
            H_NUMBER => Codes::H { colors, distance },
            PLANAR_NUMBER => Codes::Planar { colors: [first_color, second_color, third_color] },
            _ => continue,
        };
        let block = codes.pack(blocks[1][first + lane] as u32, is_opaque == 1);
        blocks[0][first + lane] = (block >> 32) as i32;
        blocks[1][first + lane] = block as i32;
    }
}

/// Modes as integers.
const T_NUMBER: i32 = T as i32;
const H_NUMBER: i32 = H as i32;
const PLANAR_NUMBER: i32 = PLANAR as i32;

/// Returns the first word of individual and differential blocks.
#[inline(always)]
fn halves_head<S: Simd>(s: S, found: &Found<S>, punched: S::M) -> S::I {
    let Found { mode, flip, codes, tables, .. } = found;
    let first = each!(c in 3 => codes[0][c].to_i());
    let second = each!(c in 3 => codes[1][c].to_i());
    let difference = each!(c in 3 => (second[c] - first[c]) & s.i(7));
    let individual = first[0].shl::<28>()
        | second[0].shl::<24>()
        | first[1].shl::<20>()
        | second[1].shl::<16>()
        | first[2].shl::<12>()
        | second[2].shl::<8>();
    let differential = first[0].shl::<27>()
        | difference[0].shl::<24>()
        | first[1].shl::<19>()
        | difference[1].shl::<16>()
        | first[2].shl::<11>()
        | difference[2].shl::<8>()
        | s.i(2).or_if(punched, s.i(0));
    let colors = differential.or_if(mode.lt(s.f(DIFFERENTIAL)), individual);
    colors | tables[0].to_i().shl::<5>() | tables[1].to_i().shl::<2>() | flip.to_i()
}
