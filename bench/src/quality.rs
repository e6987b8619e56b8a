//! The error of blocks against the source image.

use crate::picture::Picture;
use anyhow::Result;
use brickwork_texture::{BlockFormat, ImageView, ImageViewMut, RoundingRule, Task, decode_into, metrics};

/// Errors found by decoding one image's blocks.
pub struct Decoded {
    /// PSNR in dB: that of the mean square error over texels × channels.
    pub psnr_db: f64,
    /// Texels with an alpha below 255.
    pub transparent_count: usize,
}

/// Returns the channels whose errors count: red, green and blue of BC1, all that other formats store.
pub fn channels(format: BlockFormat) -> &'static str {
    if format == BlockFormat::Bc1 { "RGB" } else { format.channels() }
}

/// Decodes `blocks` by `rule` and compares them with `picture`. Values of BC4 and BC5 are not rounded to 8
/// bits under [`RoundingRule::Real`].
pub fn decode(picture: &Picture, format: BlockFormat, blocks: &[u8], rule: RoundingRule) -> Result<Decoded> {
    let mut texels = vec![[0u8; 4]; picture.texel_count()];
    let mut image = ImageViewMut::new(&mut texels[..], picture.width, picture.height)?;
    decode_into(format, blocks, rule, &mut image, &Task::new())?;
    let picture = ImageView::new(&picture.texels, picture.width, picture.height)?;
    let mse = metrics::compare_blocks(&picture, format, blocks, rule, &Task::new())?.mse;
    let channels = channels(format).len();
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
        let decoded = decode(&picture, BlockFormat::Bc1, &red, RoundingRule::Exact).unwrap();
        let expected = 10.0 * (255.0 * 255.0 * 3.0 / 34.0f64).log10();
        assert!((decoded.psnr_db - expected).abs() < 1e-12, "{}", decoded.psnr_db);
        assert_eq!(decoded.transparent_count, 0);
        let clear = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(
            decode(&picture, BlockFormat::Bc1, &clear, RoundingRule::Exact).unwrap().transparent_count,
            16
        );
    }
}
