//! Conversion of stored texels to displayed ones: swizzled, upright, with straight alpha. It is the same for
//! blocks and images.

use crate::{
    Cancelled, Swizzle, Task,
    texture::{AlphaMode, TextureDesc},
};
use brickwork_image::{AlphaProduct, Channel, ColorSpace, flip_rows, make_straight};

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

/// Replaces the channels of each texel by their sources.
pub(crate) fn swizzle<C: Channel>(texels: &mut [[C; 4]], swizzle: Swizzle) {
    if swizzle == Swizzle::IDENTITY {
        return;
    }
    let ends = [C::of(0.0), C::of(C::ONE)];
    texels.iter_mut().for_each(|texel| *texel = swizzle.applied(*texel, ends));
}

#[cfg(test)]
mod tests {
    use super::*;

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
