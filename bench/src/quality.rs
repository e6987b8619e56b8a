//! The error of blocks against the source image.

use crate::picture::{Picture, are_opaque};
use anyhow::Result;
use brickwork_texture::{BlockFormat, ImageView, ImageViewMut, RoundingRule, Task, decode_into, metrics};

/// Errors found by decoding one image's blocks.
pub struct Decoded {
    /// PSNR in dB: that of the mean square error over texels × channels.
    pub psnr_db: f64,
    /// Texels with an alpha below 255.
    pub transparent_count: usize,
}

/// Returns the channels whose errors count: all that the format stores, without the alpha of BC1, and without
/// that of opaque images in formats for phones.
pub fn channels(format: BlockFormat, pictures: &[Picture]) -> &'static str {
    let is_rgb = format.is_mobile() && format.has_alpha() && are_opaque(pictures);
    if is_rgb || format == BlockFormat::Bc1 { "RGB" } else { format.channels() }
}

/// Decodes `blocks` by `rule` and compares their `channels`, from the first, with `picture`. Values of BC4,
/// BC5 and EAC are not rounded to 8 bits under [`RoundingRule::Real`]. ASTC is decoded as in linear textures.
pub fn decode(
    picture: &Picture,
    format: BlockFormat,
    channels: &str,
    blocks: &[u8],
    rule: RoundingRule,
) -> Result<Decoded> {
    let mut texels = vec![[0u8; 4]; picture.texel_count()];
    let mut image = ImageViewMut::new(&mut texels[..], picture.width, picture.height)?;
    decode_into(format, blocks, rule, &mut image, &Task::new())?;
    let picture = ImageView::new(&picture.texels, picture.width, picture.height)?;
    let mse = metrics::compare_blocks(&picture, format, blocks, rule, &Task::new())?.mse;
    let channels = channels.len();
    let psnr_db = metrics::psnr(mse[..channels].iter().sum::<f64>() / channels as f64);
    Ok(Decoded { psnr_db, transparent_count: texels.iter().filter(|texel| texel[3] < 255).count() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_error_has_the_psnr_of_the_formula() {
        let picture = Picture { width: 4, height: 4, texels: vec![[250, 0, 3, 255]; 16] };
        // Decodes to (255, 0, 0): squares of 5, 0 and 3 in each texel.
        let red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
        let decode =
            |blocks: &[u8]| decode(&picture, BlockFormat::Bc1, "RGB", blocks, RoundingRule::Exact).unwrap();
        let decoded = decode(&red);
        let expected = 10.0 * (255.0 * 255.0 * 3.0 / 34.0f64).log10();
        assert!((decoded.psnr_db - expected).abs() < 1e-12, "{}", decoded.psnr_db);
        assert_eq!(decoded.transparent_count, 0);
        let clear = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(decode(&clear).transparent_count, 16);
    }

    #[test]
    fn alpha_of_opaque_images_counts_in_formats_for_desktops_only() {
        let opaque = Picture { width: 1, height: 1, texels: vec![[1, 2, 3, 255]] };
        let translucent = Picture { width: 1, height: 1, texels: vec![[1, 2, 3, 254]] };
        let of = |format, picture: &Picture| channels(format, std::slice::from_ref(picture));
        assert_eq!([of(BlockFormat::Bc7, &opaque), of(BlockFormat::Bc1, &translucent)], ["RGBA", "RGB"]);
        assert_eq!(
            [of(BlockFormat::Etc2Rgba, &opaque), of(BlockFormat::Etc2Rgba, &translucent)],
            ["RGB", "RGBA"]
        );
        assert_eq!([of(BlockFormat::Etc2Rgb, &opaque), of(BlockFormat::EacR11Unorm, &opaque)], ["RGB", "R"]);
    }
}
