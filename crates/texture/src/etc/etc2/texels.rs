//! Texels in lanes, one block in each, and the errors of a half of a block.
//!
//! Numbers in lanes are integers below 2²⁴: the weights of a texel's channels have a sum of at most 32, and
//! 8 · 255² · 32 is below. Where no colour of a half is clamped, a texel's error depends on the modifier only
//! through the sum of its channels: |x − b − m|² = |x − b|² − 2·m·Σ(x − b) + 3·m².

use super::tables::MODIFIERS;
use crate::{
    ChannelWeights,
    bc::batch::{BATCH, BatchTexels},
    bc::block::bytes,
    etc::RECIPROCALS,
    simd::{Float, Int, LaneFn, Mask, Simd, each},
};

/// Maximum sum of the weights of red, green and blue.
const MAX_WEIGHTS: f32 = 32.0;

/// Texels of the halves of a block, row by row: left and right, upper and lower.
const HALVES: [[usize; 8]; 4] = [
    [0, 1, 4, 5, 8, 9, 12, 13],
    [2, 3, 6, 7, 10, 11, 14, 15],
    [0, 1, 2, 3, 4, 5, 6, 7],
    [8, 9, 10, 11, 12, 13, 14, 15],
];

/// Small, then large modifiers of each table.
static MODIFIER_LANES: [f32; 16] = {
    let mut lanes = [0.0; 16];
    let mut table = 0;
    while table < 8 {
        lanes[table] = MODIFIERS[table][0] as f32;
        lanes[8 + table] = MODIFIERS[table][1] as f32;
        table += 1;
    }
    lanes
};

/// The four colours of a texel.
pub(super) type Palette<S> = [[<S as Simd>::F; 3]; 4];

/// Returns the colours of a half with a base colour and modifiers.
#[inline(always)]
pub(super) fn half_palette<S: Simd>(s: S, base: [S::F; 3], [small, large]: [S::F; 2]) -> Palette<S> {
    let (zero, top) = (s.f(0.0), s.f(255.0));
    let values = [small, large, zero - small, zero - large];
    each!(k in 4 => each!(c in 3 => (base[c] + values[k]).max(zero).min(top)))
}

/// Terms of the errors of four colours: |p − x|² = p² − 2·p·x + x², weighted. The last term is left out,
/// because it is the same for all colours.
pub(super) struct Terms<S: Simd> {
    doubles: [[S::F; 3]; 4],
    squares: [S::F; 4],
}

impl<S: Simd> Terms<S> {
    #[inline(always)]
    pub fn new(s: S, block: &Block<S>, palette: &Palette<S>) -> Self {
        let (mut doubles, mut squares) = ([[s.f(0.0); 3]; 4], [s.f(0.0); 4]);
        for k in 0..4 {
            for c in 0..3 {
                let weighted = palette[k][c] * block.weights[c];
                doubles[k][c] = s.f(-2.0) * weighted;
                squares[k] = weighted.mul_add(palette[k][c], squares[k]);
            }
        }
        Self { doubles, squares }
    }

    /// Returns the error of each colour for texel `t`.
    #[inline(always)]
    pub fn errors(&self, block: &Block<S>, t: usize) -> [S::F; 4] {
        let mut errors = self.squares;
        for k in 0..4 {
            for c in 0..3 {
                errors[k] = block.x[c][t].mul_add(self.doubles[k][c], errors[k]);
            }
        }
        errors
    }

    /// Returns the smallest error for texel `t`.
    #[inline(always)]
    pub fn least(&self, block: &Block<S>, t: usize) -> S::F {
        let errors = self.errors(block, t);
        errors[0].min(errors[1]).min(errors[2].min(errors[3]))
    }
}

/// Weights of squared errors in red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights(pub [f32; 3]);

impl Weights {
    pub fn new(weights: ChannelWeights) -> Self {
        let rgb = weights.rgb().map(f32::from);
        let sum: f32 = rgb.iter().sum();
        if rgb == [rgb[0]; 3] {
            return Self([1.0; 3]);
        }
        let scale = if sum > MAX_WEIGHTS { (MAX_WEIGHTS - 1.5) / sum } else { 1.0 };
        Self(rgb.map(|weight| (weight * scale).round().max(1.0)))
    }
}

/// Blocks, one in each lane.
pub(super) struct Block<S: Simd> {
    /// Channels of each texel, 0 to 255.
    pub x: [[S::F; 16]; 3],
    /// 1 for texels that have an error, else 0.
    pub counted: [S::F; 16],
    /// True where the block has transparent texels. They have no error.
    pub punched: S::M,
    pub transparent: [S::M; 16],
    /// Weights of the channels, and their sum.
    pub weights: [S::F; 3],
    pub weight: S::F,
    /// Weighted sum of the channels of each texel.
    pub totals: [S::F; 16],
    /// Weighted sum of the squares of the channels of each texel that has an error.
    squares: [S::F; 16],
    /// Sum of `squares`.
    pub square: S::F,
}

/// A texel with less alpha is transparent, if the format has 1-bit alpha.
pub(super) const OPAQUE_FROM: i32 = 128;

impl<S: Simd> Block<S> {
    /// Loads the lanes from `first` on, with or without 1-bit alpha.
    #[inline(always)]
    pub fn load(
        s: S,
        has_alpha: bool,
        weights: &Weights,
        texels: &BatchTexels,
        visible: &[i32; BATCH],
        first: usize,
    ) -> Self {
        let visible = s.load_i(&visible[first..]);
        let zero = s.f(0.0);
        let (mut x, mut counted, mut transparent) = ([[zero; 16]; 3], [zero; 16], [s.none(); 16]);
        let mut punched = s.none();
        for t in 0..16 {
            let packed = s.load_i(&texels[t][first..]);
            let channels = bytes(s, packed);
            for c in 0..3 {
                x[c][t] = channels[c];
            }
            counted[t] = (visible.shr_by(s.i(t as i32)) & s.i(1)).to_f();
            if has_alpha {
                let is_counted = zero.lt(counted[t]);
                transparent[t] = packed.shr::<24>().lt(s.i(OPAQUE_FROM)) & is_counted;
                punched = punched | transparent[t];
                counted[t] = counted[t].or_if(transparent[t], zero);
            }
        }
        let weights = each!(c in 3 => s.f(weights.0[c]));
        let weight = weights[0] + weights[1] + weights[2];
        let (mut totals, mut squares, mut square) = ([zero; 16], [zero; 16], zero);
        for t in 0..16 {
            let weighted = each!(c in 3 => weights[c] * x[c][t]);
            totals[t] = weighted[0] + weighted[1] + weighted[2];
            let of_texel = weighted[1].mul_add(x[1][t], weighted[0] * x[0][t]);
            squares[t] = weighted[2].mul_add(x[2][t], of_texel) * counted[t];
            square = square + squares[t];
        }
        Self { x, counted, punched, transparent, weights, weight, totals, squares, square }
    }

    /// Returns a half of the block.
    #[inline(always)]
    pub fn half(&self, s: S, index: usize) -> Half<S> {
        let zero = s.f(0.0);
        let (mut sum, mut square, mut count) = ([zero; 3], zero, zero);
        for t in HALVES[index] {
            count = count + self.counted[t];
            square = square + self.squares[t];
            for c in 0..3 {
                sum[c] = self.x[c][t].mul_add(self.counted[t], sum[c]);
            }
        }
        let reciprocal = s.gather(&RECIPROCALS, count.to_i());
        let mean = each!(c in 3 => sum[c] * reciprocal);
        Half { index, sum, square, count, reciprocal, mean }
    }
}

/// Sums of halves of blocks.
#[derive(Clone, Copy)]
pub(super) struct Half<S: Simd> {
    /// Left, right, upper or lower half.
    index: usize,
    /// Sums of the channels.
    pub sum: [S::F; 3],
    /// Weighted sum of the squares.
    pub square: S::F,
    pub count: S::F,
    /// 1 / count.
    pub reciprocal: S::F,
    pub mean: [S::F; 3],
}

impl<S: Simd> Half<S> {
    /// Returns texel `i` of 8 of the half.
    #[inline(always)]
    pub fn texel(&self, i: usize) -> usize {
        HALVES[self.index][i] % 16
    }
}

/// Returns the small and large modifiers of tables. Where a block has transparent texels, small ones are 0.
#[inline(always)]
pub(super) fn modifiers<S: Simd>(s: S, table: S::F, punched: S::M) -> [S::F; 2] {
    let table = table.to_i();
    let small = s.gather(&MODIFIER_LANES, table).or_if(punched, s.f(0.0));
    [small, s.gather(&MODIFIER_LANES, table + s.i(8))]
}

/// The same for one table.
#[inline(always)]
pub(super) fn modifiers_of<S: Simd>(s: S, table: usize, punched: S::M) -> [S::F; 2] {
    let [small, large] = MODIFIERS[table];
    [s.f(small as f32).or_if(punched, s.f(0.0)), s.f(large as f32)]
}

/// Weighted squared error of a half with a base colour and modifiers.
pub(super) struct HalfCost<'a, S: Simd> {
    pub block: &'a Block<S>,
    pub half: &'a Half<S>,
    pub base: [S::F; 3],
    pub modifiers: [S::F; 2],
}

impl<S: Simd> LaneFn<S> for HalfCost<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let Self { block, half, base, modifiers: [small, large] } = self;
        let Block { counted, totals, weights, weight, .. } = block;
        let Half { sum, square, count, .. } = half;
        let (zero, top) = (s.f(0.0), s.f(255.0));
        let lowest = base[0].min(base[1]).min(base[2]);
        let highest = base[0].max(base[1]).max(base[2]);
        let mut cost = *square;
        if (lowest.lt(large) | (top - large).lt(highest)).any() {
            let terms = Terms::new(s, block, &half_palette(s, base, [small, large]));
            for i in 0..8 {
                let t = half.texel(i);
                cost = terms.least(block, t).mul_add(counted[t], cost);
            }
            return cost;
        }
        let mut of_base = zero;
        for c in 0..3 {
            // n·b² − 2·b·Σx.
            let square = base[c] * (base[c] * *count - (sum[c] + sum[c]));
            cost = square.mul_add(weights[c], cost);
            of_base = base[c].mul_add(weights[c], of_base);
        }
        let squares = [small * small * *weight, large * large * *weight];
        let doubles = [s.f(-2.0) * small, s.f(-2.0) * large];
        for i in 0..8 {
            let t = half.texel(i);
            let d = (totals[t] - of_base).max(of_base - totals[t]);
            let least = d.mul_add(doubles[0], squares[0]).min(d.mul_add(doubles[1], squares[1]));
            cost = least.mul_add(counted[t], cost);
        }
        cost
    }
}

/// Mean of the modifiers that the texels of a half take, if its base colour is the mean of its texels minus
/// `shift`, and no colour is clamped.
pub(super) struct Shift<'a, S: Simd> {
    pub block: &'a Block<S>,
    pub half: &'a Half<S>,
    pub shift: S::F,
    pub modifiers: [S::F; 2],
}

impl<S: Simd> LaneFn<S> for Shift<'_, S> {
    type Output = S::F;

    #[inline(always)]
    fn run(self, s: S) -> S::F {
        let Block { counted, totals, weights, weight, .. } = self.block;
        let Half { mean, reciprocal, .. } = self.half;
        let [small, large] = self.modifiers;
        let of_base = (mean[0] - self.shift) * weights[0]
            + (mean[1] - self.shift) * weights[1]
            + (mean[2] - self.shift) * weights[2];
        let limit = (small + large) * *weight * s.f(0.5);
        let (mut sum, sign) = (s.f(0.0), s.i(i32::MIN));
        for i in 0..8 {
            let t = self.half.texel(i);
            let d = totals[t] - of_base;
            let modifier = small.or_if(limit.lt(d.max(of_base - totals[t])), large);
            let signed = (modifier.bits() | (d.bits() & sign)).float_of_bits();
            sum = signed.mul_add(counted[t], sum);
        }
        sum * *reciprocal
    }
}

/// Returns the nearest code with this number of steps, 15 or 31.
#[inline(always)]
pub(super) fn code<S: Simd>(s: S, value: S::F, steps: f32) -> S::F {
    (value * s.f(steps / 255.0) + s.f(0.5)).floor().max(s.f(0.0)).min(s.f(steps))
}

/// Returns the 8-bit values of codes of 5 bits.
#[inline(always)]
pub(super) fn five<S: Simd>(s: S, codes: [S::F; 3]) -> [S::F; 3] {
    each!(c in 3 => codes[c].mul_add(s.f(8.0), (codes[c] * s.f(0.25)).floor()))
}

/// Returns the 8-bit values of codes of 4 bits.
#[inline(always)]
pub(super) fn four<S: Simd>(s: S, codes: [S::F; 3]) -> [S::F; 3] {
    each!(c in 3 => codes[c] * s.f(17.0))
}
