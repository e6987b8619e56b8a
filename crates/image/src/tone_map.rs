//! Light of any range as 8-bit sRGB, to be displayed.

use crate::srgb::{self, power};
use brickwork_base::UnknownName;
use half::f16;
use std::fmt;

/// Curve from light, multiplied by the exposure, to 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToneCurve {
    /// Light above 1 is 1.
    #[default]
    Clamp,
    /// x / (1 + x), per channel (E. Reinhard et al., "Photographic tone reproduction for digital images",
    /// 2002, equation 3).
    Reinhard,
    /// K. Narkowicz's fit of the ACES filmic curve (2015): x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14), at
    /// most 1. It resembles ACES but is no ACES transform.
    AcesLike,
}

impl ToneCurve {
    /// Every curve.
    pub const ALL: &[Self] = &[Self::Clamp, Self::Reinhard, Self::AcesLike];

    /// The short name, as in `--tone-map`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Reinhard => "reinhard",
            Self::AcesLike => "aces-like",
        }
    }
}

impl fmt::Display for ToneCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for ToneCurve {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find(name, Self::ALL, Self::name)
    }
}

/// Rule that turns linear light into 8-bit sRGB: exposure, curve, sRGB's transfer function (IEC 61966-2-1),
/// rounding to nearest. Negative light and NaN become 0, infinite light 1.
///
/// ```
/// use brickwork_image::{ToneCurve, ToneMap, half::f16};
///
/// let texel = [4.0, 1.0, -1.0, 1.0].map(f16::from_f32);
/// assert_eq!(ToneMap::default().map(texel), [255, 255, 0, 255]);
/// let mut darker = ToneMap::default();
/// darker.exposure = -2.0;
/// assert_eq!(darker.map(texel), [255, 137, 0, 255]);
/// darker.curve = ToneCurve::Reinhard;
/// assert_eq!(darker.map(texel), [188, 124, 0, 255]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToneMap {
    /// Exposure in stops: light is multiplied by 2 to this power before the curve. Default: 0 stops.
    pub exposure: f32,
    /// Curve. Default: [`ToneCurve::Clamp`].
    pub curve: ToneCurve,
}

impl ToneMap {
    /// Returns the tone map after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns a texel as 8-bit sRGB. Alpha is clamped to 0..=1.
    pub fn map(&self, [colors @ .., alpha]: [f16; 4]) -> [u8; 4] {
        let scale = power(2.0, self.exposure.into());
        let [r, g, b] = colors.map(|light| self.color(f64::from(light) * scale));
        [r, g, b, rounded(f64::from(alpha))]
    }

    /// Returns the 8-bit values of all colours, by the bit pattern of the half float: for many texels.
    pub fn table(&self) -> Vec<u8> {
        let scale = power(2.0, self.exposure.into());
        (0..=u16::MAX).map(|bits| self.color(f16::from_bits(bits).to_f64() * scale)).collect()
    }

    fn color(&self, light: f64) -> u8 {
        // NaN is 0, too.
        let x = if light > 0.0 { light.min(1e9) } else { 0.0 };
        let shown = match self.curve {
            ToneCurve::Clamp => x,
            ToneCurve::Reinhard => x / (1.0 + x),
            ToneCurve::AcesLike => x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14),
        };
        rounded(srgb::number(shown.min(1.0)))
    }
}

fn rounded(value: f64) -> u8 {
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_their_known_values() {
        let red = |curve, exposure, light: f32| {
            let map = ToneMap::default().with(|o| {
                o.curve = curve;
                o.exposure = exposure;
            });
            map.map([f16::from_f32(light), f16::ZERO, f16::NAN, f16::ONE])
        };
        assert_eq!(red(ToneCurve::Clamp, 0.0, 0.5), [188, 0, 0, 255]);
        assert_eq!(red(ToneCurve::Clamp, 1.0, 0.25)[0], 188);
        assert_eq!(red(ToneCurve::Reinhard, 0.0, 1.0)[0], 188);
        // 2.54 / 3.16 = 0.8038.
        assert_eq!(red(ToneCurve::AcesLike, 0.0, 1.0)[0], 232);
        for &curve in ToneCurve::ALL {
            assert_eq!(red(curve, 0.0, f32::INFINITY)[0], 255, "{curve}");
            assert_eq!(red(curve, 0.0, -2.0)[0], 0, "{curve}");
            assert_eq!(curve.name().parse(), Ok(curve));
            let map = ToneMap::default().with(|o| {
                o.curve = curve;
                o.exposure = -1.5;
            });
            let table = map.table();
            for bits in (0..=u16::MAX).step_by(7) {
                let texel = map.map([f16::from_bits(bits), f16::ZERO, f16::ZERO, f16::ONE]);
                assert_eq!(texel[0], table[usize::from(bits)], "{curve} {bits:04x}");
            }
        }
    }
}
