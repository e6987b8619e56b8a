//! Result of a decoder.

use super::{
    FileFormat, ImageReadOptions, Picture, Texels,
    budget::Budget,
    color::{Converted, FileColor},
    failure::Failure,
    halves::Halves,
    orient,
    primaries::Primaries,
};
use crate::ChannelType;
use crate::{AlphaProduct, make_straight};
use image::metadata::Orientation;

/// Result of a decoder, before orientation is applied and alpha is made straight.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// Width and height in texels.
    pub size: [u32; 2],
    /// The texels, in the file's order.
    pub texels: Texels,
    /// True if the file has an alpha channel, or transparent texels in another way.
    pub has_alpha: bool,
    pub(super) orientation: Orientation,
    /// Colour space of the texels.
    pub color: FileColor,
    /// Values by which the texels' colours were multiplied by alpha; `None` if alpha is straight.
    pub premultiplied: Option<AlphaProduct>,
    /// Faults of the file that the decoder tolerated, without those that `halves` counts.
    pub notes: Vec<String>,
    /// Conversion of the file's numbers to half floats.
    pub halves: Halves,
    /// Type of the channels in the file: `F32` if single floats were rounded to half floats, else that of the
    /// texels.
    pub stored_type: ChannelType,
}

impl Decoded {
    /// Returns upright texels with straight alpha.
    pub fn upright(size: [u32; 2], texels: Texels, has_alpha: bool, color: impl Into<FileColor>) -> Self {
        Self::new(size, texels, has_alpha, Orientation::NoTransforms, color)
    }

    /// Returns a result with straight alpha, to be turned to `orientation`.
    pub(super) fn new(
        size: [u32; 2],
        texels: Texels,
        has_alpha: bool,
        orientation: Orientation,
        color: impl Into<FileColor>,
    ) -> Self {
        let color = color.into();
        let (notes, halves) = (Vec::new(), Halves::default());
        let stored_type = texels.texel_type().channel_type();
        Self { size, texels, has_alpha, orientation, color, premultiplied: None, notes, halves, stored_type }
    }

    /// Mirrors the picture: from left to right if the first item is true, from top to bottom if the second
    /// is.
    pub fn mirror(&mut self, [columns, rows]: [bool; 2]) {
        self.orientation = match (columns, rows) {
            (false, false) => Orientation::NoTransforms,
            (false, true) => Orientation::FlipVertical,
            (true, false) => Orientation::FlipHorizontal,
            (true, true) => Orientation::Rotate180,
        };
    }

    /// Converts colours in floats from these primaries to Rec. 709, and returns notes.
    pub(super) fn convert(&mut self, primaries: &Primaries) -> Vec<String> {
        match &mut self.texels {
            Texels::RgbF16(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbaF16(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbF32(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbaF32(texels) => primaries.convert(texels, &mut self.halves),
            _ => Vec::new(),
        }
    }

    /// Returns the picture, upright, with straight alpha and colours in Rec. 709, unless the options keep the
    /// numbers of the file.
    pub(super) fn into_picture(
        mut self,
        file_format: FileFormat,
        options: &ImageReadOptions,
        budget: &Budget<'_>,
    ) -> Result<Picture, Failure> {
        let (mut texels, [width, height]) = orient::apply(self.texels, self.size, self.orientation, budget)?;
        let divided = self.premultiplied.filter(|_| !options.stored_alpha);
        if let Some(product) = divided {
            match &mut texels {
                Texels::Rgba8(texels) => make_straight(texels, product),
                Texels::Rgba16(texels) => make_straight(texels, product),
                Texels::RgbaF16(texels) => make_straight(texels, product),
                Texels::RgbaF32(texels) => make_straight(texels, product),
                _ => {}
            }
        }
        // Products of a colour and alpha have no tone curve.
        let keeps_products = self.premultiplied.is_some() && options.stored_alpha;
        let keeps_colors = options.stored_colors || keeps_products;
        let single_floats = options.single_floats;
        let conversion = if keeps_colors { None } else { self.color.conversion(&texels) };
        let color_space_origin = self.color.origin;
        let is_hdr_signal = conversion.is_some() && self.color.is_hdr();
        let converted = match conversion {
            Some(conversion) => {
                let new_bytes = conversion.new_bytes(&texels, single_floats);
                budget.check((texels.byte_count() as u64).saturating_add(new_bytes))?;
                self.color.converted(texels, &conversion, single_floats, &mut self.halves, budget.task)?
            }
            None if keeps_colors => self.color.kept(texels),
            None => self.color.unchanged(texels),
        };
        let Converted { texels, space, reason, notes } = converted;
        let is_opaque = texels.is_opaque();
        let has_alpha = self.has_alpha;
        Ok(Picture {
            width,
            height,
            texels,
            file_format: Some(file_format),
            stored_channel_type: self.stored_type,
            color_space: space,
            color_space_origin,
            color_space_reason: reason,
            is_hdr_signal,
            has_alpha,
            is_opaque,
            is_premultiplied: has_alpha && self.premultiplied.is_some(),
            is_divided: has_alpha && divided.is_some(),
            part: None,
            notes: [self.notes, self.halves.notes(), notes].concat(),
            overflow_count: self.halves.overflow_count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tone_curve::ToneCurve, *};
    use crate::Task;

    #[test]
    fn only_8_bit_integers_are_converted_to_new_memory() {
        let read = |texels, limit| {
            let color = FileColor::with_curves("x".to_owned(), vec![ToneCurve::Gamma(2.0)]);
            let decoded = Decoded::new([4, 1], texels, false, Orientation::NoTransforms, color);
            let task = Task::new();
            decoded.into_picture(FileFormat::Png, &ImageReadOptions::default(), &Budget::new(limit, 0, &task))
        };
        // Four bytes and four words, or the same four words.
        assert!(read(Texels::Grey8(vec![9; 4]), 12).is_ok());
        assert!(matches!(read(Texels::Grey8(vec![9; 4]), 11), Err(Failure::Limit(Some(12)))));
        assert!(read(Texels::Grey16(vec![9; 4]), 8).is_ok());
    }

    #[test]
    fn products_of_alpha_that_are_kept_are_not_converted() {
        let read = |options: ImageReadOptions| {
            let color = FileColor::with_curves("x".to_owned(), vec![ToneCurve::Gamma(2.0)]);
            let texels = Texels::Rgba16(vec![[900, 0, 30_000, 32_768]]);
            let decoded = Decoded::new([1, 1], texels, true, Orientation::NoTransforms, color);
            let decoded = Decoded { premultiplied: Some(AlphaProduct::Stored), ..decoded };
            let task = Task::new();
            decoded.into_picture(FileFormat::Tiff, &options, &Budget::new(100, 0, &task)).ok().unwrap()
        };
        let kept = read(ImageReadOptions::default().with(|o| o.stored_alpha = true));
        assert_eq!(kept.texels, Texels::Rgba16(vec![[900, 0, 30_000, 32_768]]));
        assert_eq!(kept.notes, ["numbers keep the tone curve of x, which is not that of sRGB"]);
        assert_ne!(read(ImageReadOptions::default()).texels, kept.texels);
    }
}
