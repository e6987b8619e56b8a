//! Colours multiplied by alpha.

use crate::Channel;

/// Values by which colours were multiplied by alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum AlphaProduct {
    /// Products of the stored numbers.
    Stored,
    /// Products of linear light, stored as sRGB.
    Light,
}

impl AlphaProduct {
    /// Returns the products for numbers that are sRGB or not.
    pub fn of(is_srgb: bool) -> Self {
        if is_srgb { Self::Light } else { Self::Stored }
    }
}

/// Divides colours by alpha, integers at most to 1. Texels of alpha 0 stay as they are.
pub fn make_straight<C: Channel>(texels: &mut [[C; 4]], product: AlphaProduct) {
    for [colors @ .., alpha] in texels {
        let alpha = alpha.value();
        if !(alpha > 0.0 && alpha < C::ONE) {
            continue;
        }
        for color in colors {
            *color = match product {
                AlphaProduct::Stored => C::of((color.value() * C::ONE / alpha).min(C::MAX)),
                AlphaProduct::Light => C::of_light((color.light() * C::ONE / alpha).min(1.0)),
            };
        }
    }
}

/// Multiplies colours by alpha. Colours become 0 where alpha is 0, and stay as they are where it is 1 or
/// more.
pub fn premultiply<C: Channel>(texels: &mut [[C; 4]], product: AlphaProduct) {
    for [colors @ .., alpha] in texels {
        let alpha = alpha.value() / C::ONE;
        if alpha >= 1.0 {
            continue;
        }
        for color in colors {
            *color = match product {
                _ if alpha.max(0.0) == 0.0 => C::of(0.0),
                AlphaProduct::Stored => C::of(color.value() * alpha),
                AlphaProduct::Light => C::of_light(color.light() * alpha),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_divided_by_alpha() {
        let straight = |texel: [u8; 4], product| {
            let mut texels = [texel];
            make_straight(&mut texels, product);
            texels[0]
        };
        assert_eq!(straight([64, 127, 255, 128], AlphaProduct::Stored), [128, 253, 255, 128]);
        assert_eq!(straight([9, 8, 7, 0], AlphaProduct::Stored), [9, 8, 7, 0]);
        assert_eq!(straight([9, 8, 7, 255], AlphaProduct::Light), [9, 8, 7, 255]);
        // Half the light of white is 188 in sRGB.
        assert_eq!(straight([188, 0, 255, 128], AlphaProduct::Light), [255, 0, 255, 128]);
        assert_eq!(straight([137, 0, 0, 128], AlphaProduct::Light)[0], 187);
    }

    #[test]
    fn colours_are_multiplied_by_alpha() {
        let product = |texel: [u8; 4], product| {
            let mut texels = [texel];
            premultiply(&mut texels, product);
            texels[0]
        };
        assert_eq!(product([128, 253, 255, 128], AlphaProduct::Stored), [64, 127, 128, 128]);
        assert_eq!(product([9, 8, 7, 0], AlphaProduct::Stored), [0; 4]);
        assert_eq!(product([9, 8, 7, 255], AlphaProduct::Light), [9, 8, 7, 255]);
        assert_eq!(product([255, 128, 10, 128], AlphaProduct::Light), [188, 93, 5, 128]);
        let mut halves = [[4.0, -2.0, 0.0, 0.5].map(half::f16::from_f32)];
        premultiply(&mut halves, AlphaProduct::Stored);
        assert_eq!(halves[0].map(half::f16::to_f32), [2.0, -1.0, 0.0, 0.5]);
    }
}
