//! Data that every stage of the encoder works on: a block in each lane, and the decoder's rule in lanes.
//!
//! Channel values are *centred*: 128 is subtracted, so that the values −128..=127 and their weighted squares
//! stay exact in 24 bits. An error is kept as its *cost*: Σ w·(p² − 2·p·x) over texels and channels, which is
//! the squared error minus the constant Σ w·x². Costs are integers.

use super::palette::{ChannelRule, Interpolant, PaletteRule};
use crate::{
    ChannelWeights,
    bc::block::{self, CENTER},
    simd::{Float, Int, Simd, each},
};

/// Meanings of a texel's alpha byte in a masked block.
pub(crate) mod class {
    /// Transparent texel: index 3 of the three-colour mode.
    pub const TRANSPARENT: i32 = 0;
    /// Texel past the image's edge: it has a colour, but no error.
    pub const PADDING: i32 = 1;
    /// Marks a block that is already written. On the GPU only, in the block's first texel.
    #[cfg(feature = "gpu")]
    pub const DONE: i32 = 2;
    /// Texel that counts.
    pub const OPAQUE: i32 = 255;
}

/// Texels of one block per lane. If `MASKED`, those whose alpha byte is not [`class::OPAQUE`] are left out.
pub(crate) type Block<S, const MASKED: bool> = block::Block<S, 3, MASKED>;

impl<S: Simd, const MASKED: bool> Block<S, MASKED> {
    /// Unpacks texels with red in the lowest byte and the class in the highest.
    #[inline(always)]
    pub fn new(s: S, packed: [S::I; 16]) -> Self {
        let mut out = [s.none(); 16];
        if MASKED {
            for t in 0..16 {
                out[t] = packed[t].shr::<24>().lt(s.i(class::OPAQUE));
            }
        }
        Self::of(s, packed, out)
    }

    /// Returns the same block without the texels for which `black` is true.
    #[inline(always)]
    pub fn without(&self, s: S, black: &[S::M; 16]) -> Block<S, true> {
        let opaque = s.i(if MASKED { 0 } else { class::OPAQUE << 24 });
        Block::new(s, each!(t in 16 => (self.packed[t] | opaque).or_if(black[t], s.i(0))))
    }
}

/// [`Interpolant`] in lanes, multiplied out; its values are centred.
#[derive(Clone, Copy)]
pub(crate) struct InterpolantLanes<S: Simd> {
    k0: S::F,
    k1: S::F,
    bias: S::F,
    falling_bias: Option<S::F>,
}

impl<S: Simd> InterpolantLanes<S> {
    #[inline(always)]
    fn new(s: S, rule: &Interpolant) -> Self {
        let scale = rule.lane_scale();
        let falling_bias = f32::from(rule.falling_bias) * scale;
        Self {
            k0: s.f(f32::from(rule.k0) * scale),
            k1: s.f(f32::from(rule.k1) * scale),
            bias: s.f(rule.lane_bias() * scale),
            falling_bias: if rule.falling_bias == 0 { None } else { Some(s.f(falling_bias)) },
        }
    }

    /// Returns true if exchanging the operands of a half changes nothing.
    #[inline(always)]
    pub fn is_symmetric(&self) -> bool {
        self.falling_bias.is_none()
    }

    /// Returns the centred value for two operands (see [`ChannelLanes::operand`]). The sum is at most 256,
    /// and is rounded by 2⁻¹³ in all. It is at least 2⁻¹¹ from an integer ([`Interpolant::lane_bias`]), so
    /// rounding does not carry it across one.
    #[inline(always)]
    pub fn value(&self, s: S, a: S::F, b: S::F) -> S::F {
        let mut sum = a.mul_add(self.k0, b.mul_add(self.k1, self.bias));
        if let Some(bias) = self.falling_bias {
            sum = sum + s.f(0.0).or_if(b.lt(a), bias);
        }
        sum.floor()
    }

    /// Returns the values for each pair of two first operands and two second ones.
    #[inline(always)]
    pub fn values(&self, s: S, a: [S::F; 2], b: [S::F; 2]) -> [[S::F; 2]; 2] {
        let second = each!(j in 2 => b[j].mul_add(self.k1, self.bias));
        let mut values = each!(i in 2 => each!(j in 2 => a[i].mul_add(self.k0, second[j])));
        if let Some(bias) = self.falling_bias {
            for (values, a) in values.iter_mut().zip(a) {
                for (value, b) in values.iter_mut().zip(b) {
                    *value = *value + s.f(0.0).or_if(b.lt(a), bias);
                }
            }
        }
        each!(i in 2 => each!(j in 2 => values[i][j].floor()))
    }
}

/// [`ChannelRule`] in lanes.
#[derive(Clone, Copy)]
pub(crate) struct ChannelLanes<S: Simd> {
    /// Largest code: 31 or 63.
    pub top: S::F,
    widen: Option<S::F>,
    endpoint: InterpolantLanes<S>,
    pub third: InterpolantLanes<S>,
    pub half: InterpolantLanes<S>,
    /// Weight of the channel's squared error.
    pub weight: S::F,
}

impl<S: Simd> ChannelLanes<S> {
    #[inline(always)]
    fn new(s: S, rule: &ChannelRule, weight: u8) -> Self {
        Self {
            top: s.f(f32::from(rule.top())),
            widen: if rule.widened { Some(s.f(rule.widening())) } else { None },
            endpoint: InterpolantLanes::new(s, &rule.endpoint),
            third: InterpolantLanes::new(s, &rule.third),
            half: InterpolantLanes::new(s, &rule.half),
            weight: s.f(f32::from(weight)),
        }
    }

    /// Returns an endpoint code after a step, clamped to the range of codes.
    #[inline(always)]
    pub fn stepped(&self, s: S, code: S::F, step: f32) -> S::F {
        (code + s.f(step)).max(s.f(0.0)).min(self.top)
    }

    /// Returns the operand of interpolants for an endpoint code.
    #[inline(always)]
    pub fn operand(&self, code: S::F) -> S::F {
        if let Some(widen) = self.widen { (code * widen).floor() } else { code }
    }

    /// Returns the centred half of channel `c` of `ends`.
    #[inline(always)]
    fn half_value(&self, s: S, ends: &Endpoints<S>, c: usize) -> S::F {
        self.half.value(s, self.operand(ends.a[c]), self.operand(ends.b[c]))
    }

    /// Returns the centred value of an endpoint, from its operand.
    #[inline(always)]
    pub fn endpoint_value(&self, operand: S::F) -> S::F {
        operand.mul_add(self.endpoint.k0, self.endpoint.bias).floor()
    }
}

/// [`PaletteRule`] and channel weights in lanes.
#[derive(Clone, Copy)]
pub(crate) struct RuleLanes<S: Simd> {
    pub channels: [ChannelLanes<S>; 3],
}

impl<S: Simd> RuleLanes<S> {
    #[inline(always)]
    pub fn new(s: S, rule: &PaletteRule, weights: ChannelWeights) -> Self {
        let weights = weights.rgb();
        Self {
            channels: [
                ChannelLanes::new(s, &rule.channels[0], weights[0]),
                ChannelLanes::new(s, &rule.channels[1], weights[1]),
                ChannelLanes::new(s, &rule.channels[2], weights[2]),
            ],
        }
    }
}

/// Two endpoints per lane, as 5-, 6- and 5-bit codes.
#[derive(Clone, Copy)]
pub(crate) struct Endpoints<S: Simd> {
    pub a: [S::F; 3],
    pub b: [S::F; 3],
}

impl<S: Simd> Endpoints<S> {
    /// Returns `other` where the mask is true, else `self`.
    #[inline(always)]
    pub fn or_if(self, mask: S::M, other: Self) -> Self {
        Self {
            a: each!(c in 3 => self.a[c].or_if(mask, other.a[c])),
            b: each!(c in 3 => self.b[c].or_if(mask, other.b[c])),
        }
    }
}

impl<S: Simd> Endpoints<S> {
    /// Returns the endpoints in the order in which a block of three colours stores them.
    #[inline(always)]
    fn ascending(&self, s: S) -> Self {
        let a = self.a[0].mul_add(s.f(2048.0), self.a[1].mul_add(s.f(32.0), self.a[2]));
        let b = self.b[0].mul_add(s.f(2048.0), self.b[1].mul_add(s.f(32.0), self.b[2]));
        self.or_if(b.lt(a), Self { a: self.b, b: self.a })
    }
}

/// Number of colours that a block interpolates from its endpoints, which decides how its indices weight them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// c0, c1 and the two thirds.
    Four,
    /// c0, c1 and their half; index 3 is reserved for transparent texels.
    Three,
    /// c0, c1, their half, and transparent black.
    ThreeBlack,
}

impl Mode {
    /// Returns the number of parts in which the first endpoint's weight is counted.
    pub const fn parts(self) -> f32 {
        match self {
            Self::Four => 3.0,
            Self::Three | Self::ThreeBlack => 2.0,
        }
    }

    /// Returns the number of palette entries that an opaque texel may use.
    pub const fn entry_count(self) -> usize {
        match self {
            Self::Four | Self::ThreeBlack => 4,
            Self::Three => 3,
        }
    }
}

/// [`Mode`], or a type that represents one mode, so that the search is compiled for it alone.
pub(crate) trait SearchMode: Copy {
    fn get(self) -> Mode;
}

impl SearchMode for Mode {
    #[inline(always)]
    fn get(self) -> Mode {
        self
    }
}

macro_rules! search_modes {
    ($($mode:ident)*) => {$(
        /// Type for the mode of the same name.
        #[derive(Clone, Copy)]
        pub(crate) struct $mode;

        impl SearchMode for $mode {
            #[inline(always)]
            fn get(self) -> Mode {
                Mode::$mode
            }
        }
    )*};
}
search_modes!(Four Three ThreeBlack);

/// Returns the centred palette of endpoints in `mode`, `palette[index][channel]`. In [`Mode::Three`], the
/// last entry repeats that of index 0.
#[inline(always)]
pub(crate) fn palette<S: Simd>(s: S, rule: &RuleLanes<S>, mode: Mode, ends: &Endpoints<S>) -> [[S::F; 3]; 4] {
    let mut palette = [[s.f(0.0); 3]; 4];
    // A half that is not symmetric depends on the order of the endpoints in the block.
    let is_symmetric = mode == Mode::Four || rule.channels[1].half.is_symmetric();
    let halved = if is_symmetric { *ends } else { ends.ascending(s) };
    for (c, channel) in rule.channels.iter().enumerate() {
        let mut entries = channel_entries(s, channel, mode, ends.a[c], ends.b[c]);
        if !is_symmetric {
            entries[2] = channel.half_value(s, &halved, c);
        }
        for (entry, value) in palette.iter_mut().zip(entries) {
            entry[c] = value;
        }
    }
    palette
}

/// Returns the centred values of one channel of the palette, if the half is symmetric.
#[inline(always)]
pub(crate) fn channel_entries<S: Simd>(
    s: S,
    channel: &ChannelLanes<S>,
    mode: Mode,
    a: S::F,
    b: S::F,
) -> [S::F; 4] {
    let (a, b) = (channel.operand(a), channel.operand(b));
    let ends = [channel.endpoint_value(a), channel.endpoint_value(b)];
    match mode {
        Mode::Four => [ends[0], ends[1], channel.third.value(s, a, b), channel.third.value(s, b, a)],
        Mode::Three => [ends[0], ends[1], channel.half.value(s, a, b), ends[0]],
        Mode::ThreeBlack => [ends[0], ends[1], channel.half.value(s, a, b), s.f(-CENTER)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RoundingRule, simd::Scalar};

    #[test]
    fn lanes_agree_with_the_integer_rule() {
        for &rounding in RoundingRule::ALL {
            let rule = PaletteRule::new(rounding);
            let lanes = RuleLanes::new(Scalar, &rule, ChannelWeights::UNIFORM);
            for (channel, lanes) in rule.channels.iter().zip(&lanes.channels).take(2) {
                for a in 0..1u8 << channel.bits {
                    let operand_a = lanes.operand(f32::from(a));
                    assert_eq!(operand_a, f32::from(channel.operand(a)), "{rounding:?} {a}");
                    let end = lanes.endpoint_value(operand_a) + CENTER;
                    assert_eq!(end, f32::from(channel.endpoint_value(a)), "{rounding:?} {a}");
                    for b in 0..1u8 << channel.bits {
                        let operand_b = lanes.operand(f32::from(b));
                        let third = lanes.third.value(Scalar, operand_a, operand_b) + CENTER;
                        assert_eq!(third, f32::from(channel.third_value(a, b)), "{rounding:?} {a} {b}");
                        let half = lanes.half.value(Scalar, operand_a, operand_b) + CENTER;
                        assert_eq!(half, f32::from(channel.half_value(a, b)), "{rounding:?} {a} {b}");
                    }
                }
            }
        }
    }
}
