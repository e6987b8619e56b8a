//! Texels that the `tiff` crate reads as rows of bytes.

use super::{
    super::{failure::Failure, feature::ImageFeature, patched::Patch},
    directory::{BLACK_IS_ZERO, Directory, Field, RGB, WHITE_IS_ZERO, value},
};
use ::tiff::ColorType;

/// Layout of texels that the `tiff` crate reads as rows of bytes.
pub(super) struct Packed {
    /// Colours and bits of the texels.
    pub color: ColorType,
    /// Fields that state rows of bytes.
    pub fields: Vec<Patch>,
}

impl Directory {
    /// Returns the layout of texels that the `tiff` crate does not read, but whose rows it reads as grey of 8
    /// bits; `None` for other texels.
    ///
    /// # Errors
    /// [`ImageFeature::Packing`] if the rows cannot be read in this way.
    pub fn packed(&self) -> Result<Option<Packed>, Failure> {
        let (bits, channels) = (self.bits(), value(self.channels, 1));
        let is_read = matches!(bits, 8 | 16) || matches!(bits, 1 | 2 | 4) && channels <= 2;
        if is_read || self.is_float() {
            return Ok(None);
        }
        let packed = || {
            let has_other = self.extra_samples.is_some() && !self.has_alpha();
            let color = match (channels, value(self.photometric, WHITE_IS_ZERO)) {
                (1, WHITE_IS_ZERO | BLACK_IS_ZERO) => ColorType::Gray(bits as u8),
                (2, WHITE_IS_ZERO | BLACK_IS_ZERO) if !self.has_alpha() => ColorType::Gray(bits as u8),
                (2, WHITE_IS_ZERO | BLACK_IS_ZERO) => {
                    ColorType::Multiband { bit_depth: bits as u8, num_samples: 2 }
                }
                (3, RGB) => ColorType::RGB(bits as u8),
                (4, RGB) if !has_other => ColorType::RGBA(bits as u8),
                _ => return None,
            };
            let texel_bits = if self.is_planar() { bits } else { bits * channels };
            let starts_at_bytes = |tile: Field| tile.value.saturating_mul(texel_bits).is_multiple_of(8);
            let can_be_bytes = bits != 0
                && !self.has_mixed_bits
                && !self.has_predictor()
                && !self.is_jpeg()
                && self.tile_width.is_none_or(starts_at_bytes);
            let width = self.whole_width().or(self.width)?;
            let sides = [Some(width), self.tile_width].into_iter().flatten();
            let sides = sides.map(|side| (side, side.value.saturating_mul(texel_bits).div_ceil(8)));
            let grey = [(self.channels, 1), (self.photometric, BLACK_IS_ZERO)];
            let grey = grey.into_iter().filter_map(|(field, value)| Some((field?, value)));
            // The crate inverts grey whose 0 is white, and needs the number of channels to find planes.
            let grey = grey.filter(|_| channels > 1 && !self.is_planar());
            let fields = sides.chain(grey).map(|(field, value)| self.patch(field, value));
            let fields: Vec<Patch> = fields.chain([self.patch_only(self.bits?, 8)]).collect::<Option<_>>()?;
            can_be_bytes.then_some(Packed { color, fields })
        };
        match packed() {
            None => Err(Failure::Unsupported(ImageFeature::Packing { bits })),
            packed => Ok(packed),
        }
    }
}
