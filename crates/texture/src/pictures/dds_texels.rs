//! Texels of DDS files that are not colours with alpha: normals in BC3, and what GIMP writes.

use crate::{
    Task,
    container::dds_header::{GimpTexels, RawHeader},
    mips::restored_z,
};
use brickwork_image::image_file::{
    ImageFeature, Texels,
    decoder::{Failure, one_line},
};

/// Returns red, green, blue and alpha of stored texels, and true if there is alpha. Most headers change
/// nothing.
///
/// Normals get z of vectors of length 1, and are opaque, as in NVIDIA Texture Tools (`buildNormal`).
///
/// # Errors
/// [`Failure`] if the texels have no alpha of 8 bits, or the task is cancelled.
pub(super) fn decoded(
    header: &RawHeader,
    mut texels: Texels,
    has_alpha: bool,
    task: &Task<'_>,
) -> Result<(Texels, bool), Failure> {
    if let (Some(order), Texels::Rgba8(rgba)) = (header.channel_order(), &mut texels) {
        let [red, green, blue] = order.stored;
        let texel = |stored: [u8; 4]| [stored[red], stored[green], stored[blue], u8::MAX];
        task.in_pieces(rgba, |texels| texels.iter_mut().for_each(|each| *each = texel(*each)))?;
        return Ok((texels, false));
    }
    if !header.has_x_in_alpha() && header.gimp_texels.is_none() {
        return Ok((texels, has_alpha));
    }
    let name = header.gimp_texels.map_or("normals with x in alpha", GimpTexels::name);
    let Texels::Rgba8(rgba) = &mut texels else {
        let text = one_line(&format!("texels without alpha of 8 bits cannot be {name}"));
        return Err(Failure::Unsupported(ImageFeature::Other(text)));
    };
    let texel: fn([u8; 4]) -> [u8; 4] = match header.gimp_texels {
        None => |[_, y, _, x]| [x, y, restored_z(x, y), u8::MAX],
        Some(GimpTexels::AlphaExponent) => |[r, g, b, max]| {
            let [r, g, b] = [r, g, b].map(|color| product(color, max));
            [r, g, b, u8::MAX]
        },
        Some(GimpTexels::YCoCg) => |[co, cg, alpha, y]| {
            let [r, g, b] = of_ycocg(y, co, cg, 1.0);
            [r, g, b, alpha]
        },
        // Blocks have the scales 1, 2 and 4, as 0, 8 and 24.
        Some(GimpTexels::ScaledYCoCg) => |[co, cg, scale, y]| {
            let [r, g, b] = of_ycocg(y, co, cg, f32::from(scale) / 8.0 + 1.0);
            [r, g, b, u8::MAX]
        },
    };
    task.in_pieces(rgba, |texels| texels.iter_mut().for_each(|each| *each = texel(*each)))?;
    let has_alpha = !texels.is_opaque();
    Ok((texels, has_alpha))
}

/// Returns the product of two numbers that mean 0 to 1.
fn product(a: u8, b: u8) -> u8 {
    ((u32::from(a) * u32::from(b) + 127) / 255) as u8
}

/// Returns red, green and blue. Co and Cg are 128 for grey, and were multiplied by `scale`.
///
/// Source: van Waveren and Castaño, *Real-Time YCoCg-DXT Compression*, 2007.
fn of_ycocg(y: u8, co: u8, cg: u8, scale: f32) -> [u8; 3] {
    let y = f32::from(y);
    let [co, cg] = [co, cg].map(|chroma| (f32::from(chroma) - 128.0) / scale);
    [y + co - cg, y + cg, y - co - cg].map(|color| color.round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luma_and_chroma_become_colors() {
        assert_eq!(of_ycocg(150, 178, 128, 1.0), [200, 150, 100]);
        // Chroma that was multiplied by 4.
        assert_eq!(of_ycocg(100, 128 + 40, 128 - 20, 4.0), [115, 95, 95]);
        assert_eq!(of_ycocg(10, 0, 255, 1.0), [0, 137, 11]);
        assert_eq!([product(255, 255), product(200, 128), product(9, 0)], [255, 100, 0]);
    }
}
