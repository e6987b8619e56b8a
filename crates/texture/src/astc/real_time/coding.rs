//! Endpoints to codes and back.
//!
//! Targets are in quarters, 0 to 1,020. Blocks of one part without alpha have 64 levels of colours, and four
//! ways to code them (endpoint modes 8 and 9, each with blue contraction or without).

use crate::{
    astc::coding::Ends,
    simd::{Float, Simd, each},
};

/// Endpoints and their codes.
#[derive(Clone, Copy)]
pub(super) struct Coded<S: Simd, const CHANNELS: usize> {
    /// Colours for weight 0 and 64.
    pub ends: Ends<S, CHANNELS>,
    /// Codes of even (`a`) and odd (`b`) integers.
    pub codes: Ends<S, CHANNELS>,
    /// Added to the endpoint mode: 1 for bases and offsets.
    pub is_offset: S::F,
    /// Sum of squares of the endpoints' errors in quarters, or more.
    loss: S::F,
}

impl<S: Simd, const CHANNELS: usize> Coded<S, CHANNELS> {
    #[inline(always)]
    pub fn or_if(self, mask: S::M, other: &Self) -> Self {
        Self {
            ends: self.ends.or_if(mask, &other.ends),
            codes: self.codes.or_if(mask, &other.codes),
            is_offset: self.is_offset.or_if(mask, other.is_offset),
            loss: self.loss.or_if(mask, other.loss),
        }
    }

    #[inline(always)]
    fn better(self, other: &Self) -> Self {
        self.or_if(other.loss.lt(self.loss), other)
    }
}

/// Loss of codes that mean something else.
const INVALID: f32 = 16_000_000.0;

/// Returns the loss of decoded endpoints: about the mean squared error along the line.
#[inline(always)]
fn loss<S: Simd, const CHANNELS: usize>(s: S, ends: &Ends<S, CHANNELS>, target: &Ends<S, CHANNELS>) -> S::F {
    let (four, mut loss) = (s.f(4.0), s.f(0.0));
    for c in 0..CHANNELS {
        let a = ends.a[c] * four - target.a[c];
        let b = ends.b[c] * four - target.b[c];
        loss = a.mul_add(a, loss);
        loss = b.mul_add(a + b, loss);
    }
    loss
}

#[inline(always)]
fn sum<S: Simd, const CHANNELS: usize>(color: &[S::F; CHANNELS]) -> S::F {
    color[0] + color[1] + color[2]
}

/// Returns the sum of a colour before blue contraction, for a comparison.
#[inline(always)]
fn sum_before<S: Simd>(color: &[S::F; 3]) -> S::F {
    let both = color[0] + color[1];
    both + both - color[2]
}

/// Numbers of the kernels.
#[cfg(feature = "gpu")]
pub(super) const CONSTANTS: [(&str, f32); 6] = [
    ("SCALE_64", SCALE_64),
    ("SCALE_24", SCALE_24),
    ("SCALE_96", SCALE_96),
    ("SCALE_BASE", SCALE_BASE),
    ("THIRD", THIRD),
    ("INVALID", INVALID),
];

/// Factors from quarters to places of 64 levels, and of half of 24 and 96 levels.
const SCALE_64: f32 = 63.0 / 1020.0;
const SCALE_24: f32 = 1.0 / 44.0;
const SCALE_96: f32 = 47.0 / 508.0;
/// Factor from quarters to codes of half of the bases.
const SCALE_BASE: f32 = 63.0 / 508.0;
const THIRD: f32 = 1.0 / 3.0;

/// Coding of single values.
pub(super) trait Levels<S: Simd> {
    /// Returns the code nearest to a target in quarters, and its level.
    fn nearest(s: S, target: S::F) -> (S::F, S::F);
}

/// 64 levels, of 6 bits.
pub(super) struct Levels64;

impl<S: Simd> Levels<S> for Levels64 {
    #[inline(always)]
    fn nearest(s: S, target: S::F) -> (S::F, S::F) {
        let code = (target * s.f(SCALE_64)).round().max(s.f(0.0)).min(s.f(63.0));
        (code, code.mul_add(s.f(4.0), (code * s.f(1.0 / 16.0)).floor()))
    }
}

/// 24 levels, of 3 bits and a trit.
pub(super) struct Levels24;

impl<S: Simd> Levels<S> for Levels24 {
    #[inline(always)]
    fn nearest(s: S, target: S::F) -> (S::F, S::F) {
        let is_high = s.f(510.0).lt(target);
        let folded = target.or_if(is_high, s.f(1020.0) - target);
        let place = (folded * s.f(SCALE_24)).round().max(s.f(0.0)).min(s.f(11.0));
        let low = place * s.f(11.0);
        let level = low.or_if(is_high, s.f(255.0) - low);
        let thirds = ((place + s.f(0.5)) * s.f(THIRD)).floor();
        let trit = thirds.mul_add(s.f(-3.0), place);
        let code = trit.mul_add(s.f(8.0), thirds + thirds).add_if(is_high, s.f(1.0));
        (code, level)
    }
}

/// 96 levels, of 5 bits and a trit.
pub(super) struct Levels96;

impl<S: Simd> Levels<S> for Levels96 {
    #[inline(always)]
    fn nearest(s: S, target: S::F) -> (S::F, S::F) {
        let is_high = s.f(510.0).lt(target);
        let folded = target.or_if(is_high, s.f(1020.0) - target);
        let place = (folded * s.f(SCALE_96)).round().max(s.f(0.0)).min(s.f(47.0));
        let thirds = ((place + s.f(0.5)) * s.f(THIRD)).floor();
        let quarters = (thirds * s.f(0.25)).floor() - thirds;
        let low = (place.mul_add(s.f(11.0), quarters) * s.f(0.25)).floor();
        let level = low.or_if(is_high, s.f(255.0) - low);
        let trit = thirds.mul_add(s.f(-3.0), place);
        let code = trit.mul_add(s.f(32.0), thirds + thirds).add_if(is_high, s.f(1.0));
        (code, level)
    }
}

/// Returns a target moved against half of the error of the other endpoint, which reduces the mean error.
#[inline(always)]
fn opposite<S: Simd>(s: S, target: S::F, other: S::F, other_target: S::F) -> S::F {
    target + ((other_target - other * s.f(4.0)) * s.f(0.5)).floor()
}

/// Returns the codes of endpoint modes 8 and 12.
#[inline(always)]
pub(super) fn direct<S: Simd, L: Levels<S>, const CHANNELS: usize>(
    s: S,
    target: &Ends<S, CHANNELS>,
) -> Coded<S, CHANNELS> {
    let (mut ends, mut codes) = (*target, *target);
    for c in 0..CHANNELS {
        (codes.a[c], ends.a[c]) = L::nearest(s, target.a[c]);
        // Opaque endpoints stay so.
        let b = if c < 3 { opposite(s, target.b[c], ends.a[c], target.a[c]) } else { target.b[c] };
        (codes.b[c], ends.b[c]) = L::nearest(s, b);
    }
    let loss = loss(s, &ends, target);
    let is_reversed = sum::<S, CHANNELS>(&ends.b).lt(sum::<S, CHANNELS>(&ends.a));
    Coded {
        ends: ends.exchanged(is_reversed),
        codes: codes.exchanged(is_reversed),
        is_offset: s.f(0.0),
        loss,
    }
}

/// Blue contraction.
#[inline(always)]
fn contracted<S: Simd>(s: S, color: [S::F; 3]) -> [S::F; 3] {
    let half = s.f(0.5);
    [((color[0] + color[2]) * half).floor(), ((color[1] + color[2]) * half).floor(), color[2]]
}

/// Returns a target of red or green before blue contraction.
#[inline(always)]
fn before<S: Simd>(s: S, target: S::F, blue: S::F) -> S::F {
    target + target + s.f(2.0) - blue * s.f(4.0)
}

/// Returns the codes of endpoint mode 8 with blue contraction.
#[inline(always)]
pub(super) fn direct_contracted<S: Simd, L: Levels<S>>(s: S, target: &Ends<S, 3>) -> Coded<S, 3> {
    let (mut levels, mut codes) = (*target, *target);
    (codes.a[2], levels.a[2]) = L::nearest(s, target.a[2]);
    (codes.b[2], levels.b[2]) = L::nearest(s, opposite(s, target.b[2], levels.a[2], target.a[2]));
    for c in 0..2 {
        (codes.a[c], levels.a[c]) = L::nearest(s, before(s, target.a[c], levels.a[2]));
        let mean = ((levels.a[c] + levels.a[2]) * s.f(0.5)).floor();
        let b = opposite(s, target.b[c], mean, target.a[c]);
        (codes.b[c], levels.b[c]) = L::nearest(s, before(s, b, levels.b[2]));
    }
    let ends = Ends { a: contracted(s, levels.a), b: contracted(s, levels.b) };
    let [of_a, of_b] = [sum::<S, 3>(&levels.a), sum::<S, 3>(&levels.b)];
    let differs = of_a.lt(of_b) | of_b.lt(of_a);
    let loss = s.f(INVALID).or_if(differs, loss(s, &ends, target));
    // The even integers have the larger sum, and are the colour of weight 64.
    let is_reversed = of_b.lt(of_a);
    Coded {
        ends: ends.exchanged(is_reversed),
        codes: Ends { a: codes.b, b: codes.a }.exchanged(is_reversed),
        is_offset: s.f(0.0),
        loss,
    }
}

/// Returns the code nearest to a base, the base, and 1 if its top bit is set.
#[inline(always)]
fn base<S: Simd>(s: S, target: S::F) -> (S::F, S::F, S::F) {
    let top = s.f(0.0).add_if(s.f(510.0).lt(target), s.f(1.0));
    let rest = (target - top * s.f(512.0)).max(s.f(0.0)).min(s.f(508.0));
    let code = (rest * s.f(SCALE_BASE)).round();
    let low = code + code + (code * s.f(1.0 / 32.0)).floor();
    (code, top.mul_add(s.f(128.0), low), top)
}

/// Returns the code nearest to an offset, for a base with this top bit, and the offset.
#[inline(always)]
fn offset<S: Simd>(s: S, target: S::F, top: S::F) -> (S::F, S::F) {
    let half = ((target - top * s.f(4.0)) * s.f(0.125)).round().max(s.f(-16.0)).min(s.f(15.0));
    let code = top.mul_add(s.f(32.0), half.add_if(half.lt(s.f(0.0)), s.f(32.0)));
    (code, half + half + top)
}

#[inline(always)]
fn clamped<S: Simd>(s: S, color: [S::F; 3]) -> [S::F; 3] {
    each!(c in 3 => color[c].max(s.f(0.0)).min(s.f(255.0)))
}

/// Returns the codes of endpoint mode 9, for 64 levels.
#[inline(always)]
pub(super) fn offsets<S: Simd>(s: S, target: &Ends<S, 3>) -> Coded<S, 3> {
    let target = target.exchanged(sum::<S, 3>(&target.b).lt(sum::<S, 3>(&target.a)));
    let (mut ends, mut codes) = (target, target);
    let mut offsets = s.f(0.0);
    for c in 0..3 {
        let (code, base, top) = base(s, target.a[c]);
        let b = opposite(s, target.b[c], base, target.a[c]);
        let (odd, offset) = offset(s, b - base * s.f(4.0), top);
        (codes.a[c], codes.b[c], ends.a[c], ends.b[c]) = (code, odd, base, base + offset);
        offsets = offsets + offset;
    }
    ends.b = clamped(s, ends.b);
    let loss = loss(s, &ends, &target).or_if(offsets.lt(s.f(0.0)), s.f(INVALID));
    Coded { ends, codes, is_offset: s.f(1.0), loss }
}

/// Returns the codes of endpoint mode 9 with blue contraction, for 64 levels.
#[inline(always)]
pub(super) fn offsets_contracted<S: Simd>(s: S, target: &Ends<S, 3>) -> Coded<S, 3> {
    // The base has the larger sum before contraction, and is the colour of weight 64.
    let target = target.exchanged(sum_before::<S>(&target.b).lt(sum_before::<S>(&target.a)));
    let (mut stored, mut codes) = (target, target);
    let mut offsets = s.f(0.0);
    for c in [2, 1, 0] {
        let is_blue = c == 2;
        let of_base = if is_blue { target.b[2] } else { before(s, target.b[c], stored.b[2]) };
        let (code, base, top) = base(s, of_base);
        let decoded = if is_blue { base } else { ((base + stored.b[2]) * s.f(0.5)).floor() };
        let other = opposite(s, target.a[c], decoded, target.b[c]);
        let other = if is_blue { other } else { before(s, other, stored.a[2]) };
        let (odd, offset) = offset(s, other - base * s.f(4.0), top);
        (codes.a[c], codes.b[c], stored.b[c], stored.a[c]) = (code, odd, base, base + offset);
        offsets = offsets + offset;
    }
    let ends = Ends { a: clamped(s, contracted(s, stored.a)), b: clamped(s, contracted(s, stored.b)) };
    let loss = s.f(INVALID).or_if(offsets.lt(s.f(0.0)), loss(s, &ends, &target));
    Coded { ends, codes, is_offset: s.f(1.0), loss }
}

/// Returns the best codes of one part without alpha.
#[inline(always)]
pub(super) fn one_part<S: Simd>(s: S, target: &Ends<S, 3>) -> Coded<S, 3> {
    direct::<S, Levels64, 3>(s, target)
        .better(&direct_contracted::<S, Levels64>(s, target))
        .better(&offsets(s, target))
        .better(&offsets_contracted(s, target))
}

/// Returns the best codes of one of two parts.
#[inline(always)]
pub(super) fn of_two<S: Simd>(s: S, target: &Ends<S, 3>) -> Coded<S, 3> {
    direct::<S, Levels24, 3>(s, target).better(&direct_contracted::<S, Levels24>(s, target))
}
