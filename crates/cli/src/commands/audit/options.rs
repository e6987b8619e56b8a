//! Options of audits.

use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{EncodeOptions, Quality};
use brickwork_toolkit::texture::{FormatChoice, FormatFamily, MipLevels, TextureOptions};

/// Options of an [audit](super::AuditPlan::run).
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// PSNR in dB below which an image is left alone. Default: [`MIN_PSNR`](Self::MIN_PSNR).
    pub min_psnr: f64,
    /// Family of the block formats that are tried. Default: [`FormatFamily::Bc`].
    pub family: FormatFamily,
    /// True to make thumbnails for a page. Default: false.
    pub thumbnails: bool,
    /// Options of the readers of pictures.
    pub reading: ImageReadOptions,
}

impl AuditOptions {
    /// Default of the PSNR in dB below which an image is left alone. Kodak's odd-numbered photographs have
    /// more than 31 dB in BC1 with the exact decoder (docs/quality.md).
    pub const MIN_PSNR: f64 = 30.0;

    /// Quality of the encodings that are measured.
    pub const QUALITY: Quality = Quality::Ultrafast;

    /// Returns the options of the encodings that are measured.
    pub(super) fn texture_options(&self) -> TextureOptions {
        let mut options = TextureOptions::default();
        options.format = FormatChoice::AUTO;
        options.family = Some(self.family);
        options.mip_levels = MipLevels::AtMost(1);
        options.encode = EncodeOptions::default().with(|o| o.quality = Self::QUALITY);
        options.reading = self.reading.clone();
        options
    }
}

impl Default for AuditOptions {
    fn default() -> Self {
        let (min_psnr, family) = (Self::MIN_PSNR, FormatFamily::Bc);
        Self { min_psnr, family, thumbnails: false, reading: ImageReadOptions::default() }
    }
}
