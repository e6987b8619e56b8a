//! Endpoints of a mode: their codes, and the 16-bit values that are interpolated.

use super::{kind::Kind, modes::MODES};
use crate::simd::{Float, Int, Simd, each};

/// Endpoints of a block, or their codes: `[endpoint][channel]`. The first subset has 0 and 1, the second 2
/// and 3.
pub(super) type Endpoints<S> = [[<S as Simd>::F; 3]; 4];

/// Numbers in [`NUMBERS`] for each mode.
const COLUMNS: usize = 8;

/// Columns of [`NUMBERS`]; the limits of differences take three each.
const SCALE: usize = 0;
const CODES: usize = 1;
const LEAST: usize = 2;
const MOST: usize = 5;

/// Scale, number of codes, and limits of differences of each mode.
static NUMBERS: [f32; COLUMNS * MODES.len()] = {
    let mut numbers = [0.0; COLUMNS * MODES.len()];
    let mut index = 0;
    while index < MODES.len() {
        let (mode, at) = (&MODES[index], COLUMNS * index);
        numbers[at + SCALE] = (1u32 << (16 - mode.endpoint_bits)) as f32;
        numbers[at + CODES] = (1u32 << mode.endpoint_bits) as f32;
        let mut channel = 0;
        while channel < 3 {
            // Without differences, no pair of codes is too far apart.
            let half = if mode.has_deltas { 1i32 << (mode.stored_bits[channel] - 1) } else { 1 << 17 };
            numbers[at + LEAST + channel] = -half as f32;
            numbers[at + MOST + channel] = (half - 1) as f32;
            channel += 1;
        }
        index += 1;
    }
    numbers
};

/// Numbers of one mode in each lane.
#[derive(Clone, Copy)]
pub(super) struct Coding<S: Simd> {
    /// Distance of the values of two codes.
    scale: S::F,
    /// 1 / `scale`, exact.
    inverse: S::F,
    /// Value in the middle of code 0, which other codes add: half of `scale`, or 0 for codes of 16 bits.
    offset: S::F,
    /// Highest code of the mode.
    top: S::F,
    /// Lowest and highest code of the block.
    bottom: S::F,
    end: S::F,
    /// Limits of each channel's differences from the first endpoint.
    pub least: [S::F; 3],
    pub most: [S::F; 3],
}

impl<S: Simd> Coding<S> {
    /// Returns the numbers of one mode in every lane.
    #[inline(always)]
    pub fn splat<K: Kind>(s: S, mode: usize) -> Self {
        let numbers = &NUMBERS[COLUMNS * mode..];
        let (scale, codes) = (s.f(numbers[SCALE]), s.f(numbers[CODES]));
        let limits = each!(c in 3 => (s.f(numbers[LEAST + c]), s.f(numbers[MOST + c])));
        Self::new::<K>(s, scale, codes, limits)
    }

    /// Returns the numbers of each lane's mode.
    #[inline(always)]
    pub fn gather<K: Kind>(s: S, mode: S::I) -> Self {
        let at = mode.mul(s.i(COLUMNS as i32));
        let scale = s.gather(&NUMBERS, at);
        let codes = s.gather(&NUMBERS, at + s.i(CODES as i32));
        let limits = each!(c in 3 => (
            s.gather(&NUMBERS, at + s.i((LEAST + c) as i32)),
            s.gather(&NUMBERS, at + s.i((MOST + c) as i32)),
        ));
        Self::new::<K>(s, scale, codes, limits)
    }

    /// Returns the numbers for codes whose values have a distance of `step`, without limits of differences.
    #[inline(always)]
    pub fn of_step<K: Kind>(s: S, step: S::F, inverse: S::F) -> Self {
        let none = [(s.f(0.0), s.f(0.0)); 3];
        Self { inverse, ..Self::new::<K>(s, step, inverse * s.f(65536.0), none) }
    }

    #[inline(always)]
    fn new<K: Kind>(s: S, scale: S::F, codes: S::F, limits: [(S::F, S::F); 3]) -> Self {
        let top = if K::SIGNED { codes * s.f(0.5) - s.f(1.0) } else { codes - s.f(1.0) };
        Self {
            scale,
            inverse: s.f(1.0) / scale,
            offset: (scale * s.f(0.5)).or_if(scale.lt(s.f(1.5)), s.f(0.0)),
            top,
            bottom: if K::SIGNED { s.f(0.0) - top } else { s.f(0.0) },
            end: top,
            least: each!(c in 3 => limits[c].0),
            most: each!(c in 3 => limits[c].1),
        }
    }

    /// For logarithmic errors, leaves out the codes whose values have a larger magnitude than `limit`.
    #[inline(always)]
    pub fn limited<K: Kind>(self, s: S, limit: S::F) -> Self {
        if !K::LOG {
            return self;
        }
        let end = ((limit - self.offset) * self.inverse).floor().max(s.f(0.0)).min(self.top);
        Self { end, bottom: if K::SIGNED { s.f(0.0) - end } else { s.f(0.0) }, ..self }
    }

    /// Returns the scale, its inverse, the offset, the highest code and the lowest differences.
    #[cfg(feature = "gpu")]
    pub fn numbers(&self) -> [S::F; 7] {
        let [red, green, blue] = self.least;
        [self.scale, self.inverse, self.offset, self.top, red, green, blue]
    }

    /// Returns the 16-bit value of a code.
    #[inline(always)]
    pub fn value<K: Kind>(&self, s: S, code: S::F) -> S::F {
        let (zero, half) = (s.f(0.0), s.f(0.5));
        let magnitude = if K::SIGNED { code.max(zero - code) } else { code };
        let inside = magnitude.mul_add(self.scale, self.offset);
        let value =
            inside.or_if(magnitude.lt(half), zero).or_if((self.top - half).lt(magnitude), s.f(K::TOP));
        if K::SIGNED { value.or_if(code.lt(zero), zero - value) } else { value }
    }

    /// Returns the code with the nearest value, or one beside it near the ends of the range.
    #[inline(always)]
    pub fn code<K: Kind>(&self, s: S, value: S::F) -> S::F {
        let zero = s.f(0.0);
        let magnitude = if K::SIGNED { value.max(zero - value) } else { value.max(zero) };
        let code = ((magnitude - self.offset) * self.inverse + s.f(0.5)).floor().max(zero).min(self.end);
        if K::SIGNED { code.or_if(value.lt(zero), zero - code) } else { code }
    }

    /// Returns the values of codes.
    #[inline(always)]
    pub fn values<K: Kind>(&self, s: S, codes: &Endpoints<S>) -> Endpoints<S> {
        let mut values = *codes;
        for endpoint in &mut values {
            for c in 0..3 {
                endpoint[c] = self.value::<K>(s, endpoint[c]);
            }
        }
        values
    }

    /// Returns the nearest code whose difference from `base` can be stored.
    #[inline(always)]
    pub fn within_reach(&self, channel: usize, code: S::F, base: S::F) -> S::F {
        code.max(base + self.least[channel]).min(base + self.most[channel])
    }

    /// Returns true if a code's difference from `base` cannot be stored.
    #[inline(always)]
    pub fn is_out_of_reach(&self, channel: usize, code: S::F, base: S::F) -> S::M {
        let difference = code - base;
        difference.lt(self.least[channel]) | self.most[channel].lt(difference)
    }

    /// Returns true if there is no such code.
    #[inline(always)]
    pub fn is_no_code(&self, code: S::F) -> S::M {
        code.lt(self.bottom) | self.end.lt(code)
    }
}

/// Returns the 16-bit value in the middle of those that become the value of a half.
#[inline(always)]
pub(super) fn widened<S: Simd, K: Kind>(s: S, half: S::F) -> S::F {
    let zero = s.f(0.0);
    if K::SIGNED {
        let wide = (half.max(zero - half) + s.f(0.5)) * s.f(K::WIDEN);
        let wide = wide.min(s.f(K::TOP));
        wide.or_if(half.lt(zero), zero - wide)
    } else {
        ((half + s.f(0.5)) * s.f(K::WIDEN)).max(zero).min(s.f(K::TOP))
    }
}

/// Returns the value of a half from an interpolated 16-bit value.
#[inline(always)]
pub(super) fn finished<S: Simd, K: Kind>(s: S, value: S::F) -> S::F {
    // At most 21 bits: exact.
    let scaled = value * s.f(K::FINISH);
    if K::SIGNED {
        let zero = s.f(0.0);
        scaled.floor().or_if(scaled.lt(zero), zero - (zero - scaled).floor())
    } else {
        scaled.floor()
    }
}
