//! Result of a decoder.

use super::{
    FileFormat, Picture, Texels, budget::Budget, color::FileColor, failure::Failure, halves::Halves, orient,
    primaries::Primaries, read::ImageReadOptions,
};
use crate::display::{AlphaProduct, make_straight};
use image::metadata::Orientation;

/// Result of a decoder, before orientation is applied and alpha is made straight.
pub(super) struct Decoded {
    pub size: [u32; 2],
    pub texels: Texels,
    pub has_alpha: bool,
    pub orientation: Orientation,
    pub color: FileColor,
    /// Values by which the texels' colours were multiplied by alpha; `None` if alpha is straight.
    pub premultiplied: Option<AlphaProduct>,
    /// Faults of the file that the decoder tolerated, without those that `halves` counts.
    pub notes: Vec<String>,
    /// Conversion of the file's numbers to half floats.
    pub halves: Halves,
}

impl Decoded {
    /// Returns a result with straight alpha, to be turned to `orientation`.
    pub fn new(
        size: [u32; 2],
        texels: Texels,
        has_alpha: bool,
        orientation: Orientation,
        color: impl Into<FileColor>,
    ) -> Self {
        let color = color.into();
        let (notes, halves) = (Vec::new(), Halves::default());
        Self { size, texels, has_alpha, orientation, color, premultiplied: None, notes, halves }
    }

    /// Converts colours in floats from these primaries to Rec. 709, and returns notes.
    pub fn convert(&mut self, primaries: &Primaries) -> Vec<String> {
        match &mut self.texels {
            Texels::RgbF16(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbaF16(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbF32(texels) => primaries.convert(texels, &mut self.halves),
            Texels::RgbaF32(texels) => primaries.convert(texels, &mut self.halves),
            _ => Vec::new(),
        }
    }

    /// Returns the picture, upright, with straight alpha and without other tone curves than that of sRGB,
    /// unless the options keep the numbers of the file.
    pub fn into_picture(
        self,
        file_format: FileFormat,
        options: &ImageReadOptions,
        budget: &Budget<'_>,
    ) -> Result<Picture, Failure> {
        let (mut texels, [width, height]) = orient::apply(self.texels, self.size, self.orientation, budget)?;
        let divided = self.premultiplied.filter(|_| !options.stored_alpha());
        if let Some(product) = divided {
            let task = budget.task;
            match &mut texels {
                Texels::Rgba8(texels) => task.in_pieces(texels, |texels| make_straight(texels, product))?,
                Texels::Rgba16(texels) => task.in_pieces(texels, |texels| make_straight(texels, product))?,
                Texels::RgbaF16(texels) => task.in_pieces(texels, |texels| make_straight(texels, product))?,
                Texels::RgbaF32(texels) => task.in_pieces(texels, |texels| make_straight(texels, product))?,
                _ => {}
            }
        }
        let (color_space, color_space_origin) = (self.color.space, self.color.origin);
        let keeps_curves = options.stored_curves();
        let is_8_bit = matches!(texels, Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Rgba8(_));
        if self.color.curves.is_some() && !keeps_curves && is_8_bit {
            // Integers of 8 bits become new ones of 16 bits. Those of 16 bits are converted in place.
            budget.check((texels.byte_count() as u64).saturating_mul(3))?;
        }
        let (texels, color_space_reason, color_notes) =
            self.color.converted(texels, keeps_curves, budget.task)?;
        let is_opaque = texels.is_opaque();
        let has_alpha = self.has_alpha;
        Ok(Picture {
            width,
            height,
            texels,
            file_format: Some(file_format),
            color_space,
            color_space_origin,
            color_space_reason,
            has_alpha,
            is_opaque,
            is_premultiplied: has_alpha && self.premultiplied.is_some(),
            is_divided: has_alpha && divided.is_some(),
            part: None,
            notes: [self.notes, self.halves.notes(), color_notes].concat(),
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
            decoded.into_picture(FileFormat::Png, &ImageReadOptions::new(), &Budget::new(limit, 0, &task))
        };
        // Four bytes and four words, or the same four words.
        assert!(read(Texels::Grey8(vec![9; 4]), 12).is_ok());
        assert!(matches!(read(Texels::Grey8(vec![9; 4]), 11), Err(Failure::Limit(Some(12)))));
        assert!(read(Texels::Grey16(vec![9; 4]), 8).is_ok());
    }
}
