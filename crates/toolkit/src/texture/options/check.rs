//! Options that fit each other.

use super::{MipLevels, TextureOptions};
use crate::texture::{OptionsError, PackingError, TextureLayout, misfit, packing};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    ColorSpace, CpuEncoder, EncodeOptions, ImageView, Task, TextureDesc, TextureFormat, bc::bc1::Bc1Options,
};

impl TextureOptions {
    /// Checks that the options are compatible, before any picture is read.
    ///
    /// # Errors
    /// [`OptionsError`] if two options contradict each other or the format ignores one of them.
    pub fn check(&self) -> Result<(), OptionsError> {
        let has_lambda = !self.encode.rdo().is_off();
        if self.encode.weigh_by_alpha() && (has_lambda || self.rdo_target.is_some()) {
            return Err(OptionsError::ByAlphaWithRdo);
        }
        if has_lambda && self.rdo_target.is_some() {
            return Err(OptionsError::LambdaWithTarget);
        }
        self.check_exclusive()?;
        if self.encode.keep_coverage().is_some()
            && matches!(self.mip_levels, MipLevels::AtMost(0 | 1))
            && self.given_mip_levels() == 1
        {
            return Err(OptionsError::CoverageWithoutMips);
        }
        if let (Some(chosen), Some(named)) = (self.color_space, self.format.color_space())
            && chosen != named
        {
            return Err(OptionsError::ColorSpaceOfName { named, format: self.format.format() });
        }
        let is_opaque = self.encode.bc1().alpha_threshold() == 0;
        let default = Bc1Options::new().alpha_threshold();
        let has_threshold = !is_opaque && self.encode.bc1().alpha_threshold() != default;
        let is_about_alpha =
            has_threshold || self.encode.bc1().transparent_black() || self.encode.keep_coverage().is_some();
        if self.format.is_without_alpha() && is_about_alpha {
            return Err(OptionsError::AlphaOfName);
        }
        let is_srgb = self.stated_color_space() == Some(ColorSpace::Srgb);
        let is_data = matches!(self.usage, PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data);
        if is_srgb && is_data {
            return Err(OptionsError::SrgbUse { usage: self.usage });
        }
        self.check_roughness()?;
        self.check_packing()?;
        self.check_premultiply()?;
        self.check_transfer()?;
        let Some(format) = self.format.format() else { return Ok(()) };
        if is_data && self.usage != PictureUse::Data && !self.are_normals_of(format) {
            return Err(OptionsError::UseOfFormat { usage: self.usage, format });
        }
        check_color_space(self.color_space, format)?;
        packing::check_format(self, format)?;
        misfit::check(self, format)?;
        let TextureFormat::Block(format) = format else { return Ok(()) };
        // Encoding one block shows if there is an encoder.
        let texel = [[0u8; 4]];
        let mut block = vec![0; format.block_bytes()];
        if let Ok(image) = ImageView::new(&texel, 1, 1) {
            let options = self.effective_encode_options();
            CpuEncoder::new().encode_into(&image, format, &options, &mut block, &Task::new())?;
        }
        Ok(())
    }
}

impl TextureOptions {
    /// Checks that there is something to filter if the filter or the edges are chosen: mip levels, a new
    /// size, or for the edges a normal map of heights. [`check`](Self::check) does not, because textures with
    /// and without mip levels may share options.
    ///
    /// # Errors
    /// [`OptionsError::FilterWithoutUse`].
    pub fn check_filter(&self) -> Result<(), OptionsError> {
        let sizes = &self.size_rules;
        let has_size = sizes.size.is_some()
            || sizes.max.is_some()
            || sizes.power_of_two.is_some()
            || sizes.multiple_of_4;
        if has_size || !matches!(self.mip_levels, MipLevels::AtMost(0 | 1)) {
            return Ok(());
        }
        let has_wrap = self.encode.mip_wrap() != EncodeOptions::new().mip_wrap();
        let unused = [
            (self.encode.mip_filter().is_some(), "mip-filter"),
            (has_wrap && self.normals.height_scale().is_none(), "mip-wrap"),
        ];
        match unused.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(OptionsError::FilterWithoutUse { option }),
            None => Ok(()),
        }
    }

    /// Checks that no option makes the encoder ignore another.
    fn check_exclusive(&self) -> Result<(), OptionsError> {
        let (encode, default) = (&self.encode, EncodeOptions::new());
        let (bc1, bc7) = (encode.bc1(), encode.bc7());
        let is_real_time = bc7.real_time().is_some();
        let (has_levels, sizes) = (self.given_mip_levels() > 1, self.size_rules);
        let pairs = [
            (has_levels && sizes.size.is_some(), ["level", "resize"]),
            (has_levels && sizes.max.is_some(), ["level", "max-size"]),
            (has_levels && sizes.power_of_two.is_some(), ["level", "power-of-two"]),
            (has_levels && sizes.multiple_of_4, ["level", "multiple-of-4"]),
            (has_levels && self.normals.height_scale().is_some(), ["level", "from-height"]),
            (has_levels && self.roughness_from_normals, ["level", "roughness-from"]),
            (has_levels && self.packing.picture_count() > 0, ["level", "channel"]),
            (self.premultiply && encode.weigh_by_alpha(), ["premultiply", "weigh-by-alpha"]),
            (self.premultiply && encode.alpha_is_data(), ["premultiply", "alpha-is-data"]),
            (self.premultiply && encode.keep_coverage().is_some(), ["premultiply", "keep-coverage"]),
            (is_real_time && encode.quality() != default.quality(), ["real-time", "quality"]),
            (is_real_time && bc7.modes() != default.bc7().modes(), ["real-time", "modes"]),
            (is_real_time && encode.weights() != default.weights(), ["real-time", "weights"]),
            (!bc1.three_color() && bc1.transparent_black(), ["no-three-color", "transparent-black"]),
        ];
        match pairs.into_iter().find(|(are_both, _)| *are_both) {
            Some((_, options)) => Err(OptionsError::Exclusive { options }),
            None => Ok(()),
        }
    }
}

/// Checks that a texture in `format` may have the colour space, if one is stated.
fn check_color_space(color_space: Option<ColorSpace>, format: TextureFormat) -> Result<(), OptionsError> {
    let Some(color_space) = color_space else { return Ok(()) };
    Ok(TextureDesc::new_2d(format, 1, 1).with_color_space(color_space).check()?)
}

impl TextureOptions {
    /// Checks that only colours are converted, and to the colour space of the texture.
    fn check_transfer(&self) -> Result<(), OptionsError> {
        if !self.has_transfer() {
            return Ok(());
        }
        if matches!(self.usage, PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data) {
            return Err(OptionsError::TransferOfData { usage: self.usage });
        }
        match (self.converted_color_space, self.stated_color_space(), self.format.format()) {
            (Some(converted), Some(stated), _) if converted != stated => {
                Err(OptionsError::OtherColorSpace { converted, stated })
            }
            (converted, _, Some(format)) => check_color_space(converted, format),
            (_, _, None) => Ok(()),
        }
    }

    /// Checks that only colours are multiplied by alpha.
    pub(in crate::texture) fn check_premultiply(&self) -> Result<(), OptionsError> {
        let usage = self.usage;
        let is_data = matches!(usage, PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data);
        if self.premultiply && is_data { Err(OptionsError::PremultiplyUse { usage }) } else { Ok(()) }
    }

    /// Checks that channels are packed into one image.
    fn check_packing(&self) -> Result<(), OptionsError> {
        let is_single = self.layout == TextureLayout::Layers && self.given_mip_levels() == 1;
        if self.packing.picture_count() > 0 && !is_single {
            return Err(PackingError::Inputs.into());
        }
        Ok(())
    }

    /// Checks that a roughness map is one image of data with mip levels.
    fn check_roughness(&self) -> Result<(), OptionsError> {
        if !self.roughness_from_normals {
            return Ok(());
        }
        if !matches!(self.usage, PictureUse::OneChannel | PictureUse::Data) {
            return Err(OptionsError::RoughnessUse { usage: self.usage });
        }
        if self.layout != TextureLayout::Layers || self.given_mip_levels() > 1 {
            return Err(OptionsError::RoughnessInputs { given: 0 });
        }
        match self.mip_levels {
            MipLevels::AtMost(0 | 1) => Err(OptionsError::RoughnessWithoutMips),
            _ => Ok(()),
        }
    }
}
