//! Texels and channels that count in the PSNR of a texture.

use brickwork_texture::{AlphaMode, BlockFormat, ColorSpace, EncodeOptions, TextureDesc, TextureFormat};

/// Texels and channels that count in the PSNR of a texture. It is that of colours, or that of alpha if it is
/// lower.
///
/// | texture | texels whose colours count, by the original's alpha | alpha |
/// |---|---|---|
/// | opaque | all | does not count |
/// | BC1, ETC2 with 1-bit alpha | the threshold or more | does not count |
/// | sRGB or premultiplied, with alpha | more than 0 | counts |
/// | linear, with alpha; pictures | all | counts |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PsnrScope {
    least_alpha: u8,
    is_punched: bool,
    has_alpha: bool,
}

impl PsnrScope {
    /// The scope of pictures: all texels and channels.
    pub const ALL: Self = Self { least_alpha: 0, is_punched: false, has_alpha: true };

    /// Returns the scope of a texture. Formats with 1-bit alpha make texels transparent whose alpha is below
    /// `alpha_threshold`.
    pub fn of(desc: &TextureDesc, alpha_threshold: u8) -> Self {
        let has_one_bit = desc.format.block().is_some_and(has_one_bit_alpha);
        let hides_colors = match desc.alpha_mode {
            AlphaMode::Opaque => return Self { has_alpha: false, ..Self::ALL },
            AlphaMode::Straight => desc.color_space == ColorSpace::Srgb,
            mode => mode == AlphaMode::Premultiplied,
        };
        match has_one_bit {
            true => Self { least_alpha: alpha_threshold, is_punched: true, has_alpha: false },
            false => Self { least_alpha: u8::from(hides_colors), ..Self::ALL },
        }
    }

    /// Returns the minimum alpha of texels that the encoder with these options makes opaque in formats of
    /// 1-bit alpha; 128 for other formats.
    pub fn alpha_threshold(format: TextureFormat, options: &EncodeOptions) -> u8 {
        if format == BlockFormat::Bc1 { options.bc1.alpha_threshold } else { 128 }
    }

    /// Returns the scope of a comparison with another texture or picture.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let least_alpha = match (self.is_punched, other.is_punched) {
            (true, false) => self.least_alpha,
            (false, true) => other.least_alpha,
            _ => self.least_alpha.max(other.least_alpha),
        };
        Self {
            least_alpha,
            is_punched: self.is_punched || other.is_punched,
            has_alpha: self.has_alpha && other.has_alpha,
        }
    }

    /// Returns the minimum alpha of the original's texels whose colours count.
    pub const fn least_alpha(self) -> u8 {
        self.least_alpha
    }

    /// True if alpha has one bit, and transparent texels have no colour.
    pub const fn is_punched(self) -> bool {
        self.is_punched
    }

    /// Returns the PSNR in dB: that of the colours that count, or that of alpha. Colours of which no texel
    /// counts have an infinite PSNR.
    pub const fn psnr(self, colors: f64, alpha: f64) -> f64 {
        if self.has_alpha { colors.min(alpha) } else { colors }
    }
}

/// True for formats whose alpha has one bit.
pub(super) const fn has_one_bit_alpha(format: BlockFormat) -> bool {
    matches!(format, BlockFormat::Bc1 | BlockFormat::Etc2RgbA1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_psnr_counts_unless_alpha_is_opaque_or_one_bit() {
        let of = |format, color_space, alpha_mode| {
            let desc = TextureDesc::new_2d(format, 4, 4).with_color_space(color_space);
            let scope = PsnrScope::of(&desc.with_alpha_mode(alpha_mode), 100);
            (scope.least_alpha(), scope.is_punched(), scope.psnr(40.0, 30.0))
        };
        use ColorSpace::{Linear, Srgb};
        let (bc1, bc7) = (BlockFormat::Bc1, BlockFormat::Bc7);
        assert_eq!(of(bc7, Srgb, AlphaMode::Opaque), (0, false, 40.0));
        assert_eq!(of(bc7, Srgb, AlphaMode::Straight), (1, false, 30.0));
        assert_eq!(of(bc7, Linear, AlphaMode::Straight), (0, false, 30.0));
        assert_eq!(of(bc7, Linear, AlphaMode::Premultiplied), (1, false, 30.0));
        assert_eq!(of(bc1, Srgb, AlphaMode::Straight), (100, true, 40.0));
        assert_eq!(of(BlockFormat::Etc2RgbA1, Linear, AlphaMode::Straight), (100, true, 40.0));
        assert_eq!(of(bc1, Srgb, AlphaMode::Opaque), (0, false, 40.0));
        let of = |format, alpha_mode| {
            PsnrScope::of(&TextureDesc::new_2d(format, 4, 4).with_alpha_mode(alpha_mode), 9)
        };
        let cut_out = of(bc1, AlphaMode::Straight);
        assert_eq!(PsnrScope::ALL.with(cut_out), cut_out);
        assert_eq!(cut_out.with(of(bc7, AlphaMode::Premultiplied)), cut_out);
        assert_eq!(PsnrScope::ALL.with(of(bc7, AlphaMode::Opaque)).psnr(40.0, 30.0), 40.0);
    }
}
