//! Conversion of stored texels to displayed ones: swizzled, upright, with straight alpha. It is the same for
//! blocks and images.

mod channel;

pub(crate) use channel::Channel;

use crate::{
    Cancelled, Swizzle, Task,
    texture::{AlphaMode, ColorSpace, TextureDesc},
};

/// Values by which colours were multiplied by alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AlphaProduct {
    /// Products of the stored numbers.
    Stored,
    /// Products of linear light, stored as sRGB.
    Light,
}

impl AlphaProduct {
    /// Returns the products for a texture, depending on its colour space.
    pub fn of(is_srgb: bool) -> Self {
        if is_srgb { Self::Light } else { Self::Stored }
    }
}

/// Turns the texels of one image of a texture into those to show.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub(crate) fn apply<C: Channel>(
    texels: &mut [[C; 4]],
    width: usize,
    desc: &TextureDesc,
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    task.in_pieces(texels, |texels| {
        swizzle(texels, desc.swizzle);
        if desc.alpha_mode == AlphaMode::Premultiplied {
            make_straight(texels, AlphaProduct::of(desc.color_space == ColorSpace::Srgb));
        }
    })?;
    if desc.orientation.left {
        texels.chunks_exact_mut(width).for_each(<[_]>::reverse);
    }
    if desc.orientation.up {
        flip_rows(texels, width);
    }
    Ok(())
}

/// Reverses the order of the rows, in place.
pub(crate) fn flip_rows<T>(texels: &mut [T], width: usize) {
    let height = texels.len() / width;
    let (upper, lower) = texels.split_at_mut(height / 2 * width);
    for (a, b) in upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev()) {
        a.swap_with_slice(b);
    }
}

/// Replaces the channels of each texel by their sources.
pub(crate) fn swizzle<C: Channel>(texels: &mut [[C; 4]], swizzle: Swizzle) {
    if swizzle == Swizzle::IDENTITY {
        return;
    }
    let ends = [C::of(0.0), C::of(C::ONE)];
    texels.iter_mut().for_each(|texel| *texel = swizzle.applied(*texel, ends));
}

/// Divides colours by alpha, integers at most to 1. Texels of alpha 0 stay as they are.
pub(crate) fn make_straight<C: Channel>(texels: &mut [[C; 4]], product: AlphaProduct) {
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
#[cfg(any(feature = "io", test))]
pub(crate) fn premultiply<C: Channel>(texels: &mut [[C; 4]], product: AlphaProduct) {
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

    #[test]
    fn texels_are_swizzled_and_turned() {
        let mut desc = TextureDesc::new_2d(crate::BlockFormat::Bc7, 2, 3);
        desc.swizzle = Swizzle::parse("grr1").unwrap();
        desc.orientation.up = true;
        let mut texels: Vec<[u8; 4]> = (0..6).map(|i| [i, 10 + i, 0, 0]).collect();
        apply(&mut texels, 2, &desc, &Task::new()).unwrap();
        assert_eq!(texels[0], [14, 4, 4, 255]);
        assert_eq!(texels.iter().map(|texel| texel[1]).collect::<Vec<_>>(), [4, 5, 2, 3, 0, 1]);
        desc.swizzle = Swizzle::IDENTITY;
        desc.orientation.left = true;
        apply(&mut texels, 2, &desc, &Task::new()).unwrap();
        assert_eq!(texels.iter().map(|texel| texel[1]).collect::<Vec<_>>(), [1, 0, 3, 2, 5, 4]);
    }
}
