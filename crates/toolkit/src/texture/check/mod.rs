//! Checks that options fit each other and, in `misfit.rs`, the format: by exclusions and needs of the rows.

mod misfit;

use super::{
    Exclusion, FormatFamily, Need, OptionRow, OptionsError, PackingError, TextureLayout, TextureOptions,
    Value, error::format_names, packing,
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{ColorSpace, CpuEncoder, ImageView, Task, TextureDesc, TextureFormat};

impl TextureOptions {
    /// Checks that the options are compatible, before any picture is read.
    ///
    /// # Errors
    /// [`OptionsError`] if two options contradict each other or the format ignores one of them.
    pub fn check(&self) -> Result<(), OptionsError> {
        let used: Vec<_> = self.demanded().collect();
        check_exclusions(&used)?;
        if let (Some(chosen), Some(named)) = (self.color_space, self.format.color_space())
            && chosen != named
        {
            return Err(OptionsError::ColorSpaceOfName { named, format: self.format.format() });
        }
        let needs_alpha = used.iter().any(|(row, _)| row.needs_alpha());
        if self.format.is_without_alpha() && needs_alpha {
            return Err(OptionsError::AlphaOfName);
        }
        let is_srgb = self.stated_color_space() == Some(ColorSpace::Srgb);
        if is_srgb && (self.are_data() || self.encode.normals) {
            let usage = if self.are_data() { self.usage } else { PictureUse::Normals };
            return Err(OptionsError::SrgbUse { usage });
        }
        self.check_use()?;
        self.check_inputs()?;
        self.check_mips(&used)?;
        self.check_transfer()?;
        let Some(format) = self.format.format() else { return self.check_family(&used) };
        if let (Some(family), Some(block)) = (self.family, format.block())
            && FormatFamily::of(block) != family
        {
            return Err(OptionsError::FormatOfFamily { format: block, family });
        }
        if self.are_data() && self.usage != PictureUse::Data && !self.are_normals_of(format) {
            let is_meant = |&format: &TextureFormat| self.are_normals_of(format);
            let formats = format_names(TextureFormat::all().filter(is_meant));
            return Err(OptionsError::UseOfFormat { usage: self.usage, formats, format });
        }
        check_color_space(self.color_space, format)?;
        packing::check_format(self, format)?;
        self.check_format(format)?;
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

    /// Checks that there is something to filter if the filter or the edges are chosen: mip levels, a new
    /// size, or for the edges a normal map of heights or transparent texels that get colours.
    /// [`check`](Self::check) does not, because textures with and without mip levels may share options.
    ///
    /// # Errors
    /// [`OptionsError::WithoutFilter`].
    pub fn check_filter(&self) -> Result<(), OptionsError> {
        if self.has_mips() || self.size_rules.change_sizes() {
            return Ok(());
        }
        let reads_edges = self.normals.height_scale.is_some() || self.dilate == Some(true);
        let is_without = |need: &Need| match need {
            Need::Filter => true,
            Need::FilterOrEdges => !reads_edges,
            _ => false,
        };
        match self.used().find(|(row, _)| row.needs.iter().any(is_without)) {
            Some((row, _)) => Err(OptionsError::WithoutFilter { option: row.name }),
            None => Ok(()),
        }
    }

    /// Checks that the options are for this use of the pictures.
    pub(in crate::texture) fn check_use(&self) -> Result<(), OptionsError> {
        let usage = self.usage;
        let is_data = matches!(usage, PictureUse::OneChannel | PictureUse::Data);
        let misfit = |need: &Need| match need {
            Need::Colors if self.are_data() => Some("colours"),
            Need::Data if !is_data => Some("data"),
            _ => None,
        };
        let mut misfits =
            self.demanded().filter_map(|(row, _)| Some((row.name, row.needs.iter().find_map(misfit)?)));
        match misfits.next() {
            Some((option, images)) => Err(OptionsError::UseOfOption { option, images, usage }),
            None => Ok(()),
        }
    }

    /// Checks that a format of the family uses each option, before the format is chosen.
    fn check_family(&self, used: &[(&'static OptionRow, Value)]) -> Result<(), OptionsError> {
        let Some(family) = self.family else { return Ok(()) };
        let is_of_family =
            |format: TextureFormat| format.block().is_some_and(|format| FormatFamily::of(format) == family);
        match used.iter().find(|(row, _)| !row.formats().any(is_of_family)) {
            Some((OptionRow { name: option, .. }, _)) => Err(OptionsError::OptionOfFamily { option, family }),
            None => Ok(()),
        }
    }

    /// Checks that there are mip levels if an option needs them.
    fn check_mips(&self, used: &[(&OptionRow, Value)]) -> Result<(), OptionsError> {
        if self.has_mips() || self.given_levels() > 1 {
            return Ok(());
        }
        match used.iter().find(|(row, _)| row.needs.contains(&Need::MipLevels)) {
            Some((row, _)) => Err(OptionsError::WithoutMips { option: row.name }),
            None => Ok(()),
        }
    }

    /// Checks that only colours are converted, and to the colour space of the texture.
    fn check_transfer(&self) -> Result<(), OptionsError> {
        if !self.has_transfer() {
            return Ok(());
        }
        if self.are_data() {
            return Err(OptionsError::TransferOfData { usage: self.usage });
        }
        match (self.convert_oetf, self.stated_color_space(), self.format.format()) {
            (Some(converted), Some(stated), _) if converted != stated => {
                Err(OptionsError::OtherColorSpace { converted, stated })
            }
            (converted, _, Some(format)) => check_color_space(converted, format),
            (_, _, None) => Ok(()),
        }
    }

    /// Checks that channels are packed into one image, that a roughness map is one image, and that faces of
    /// cubes are not flipped.
    fn check_inputs(&self) -> Result<(), OptionsError> {
        let is_single = self.layout == TextureLayout::Layers && self.given_levels() == 1;
        if self.roughness_from_normals && !is_single {
            return Err(OptionsError::RoughnessInputs { given: 0 });
        }
        if self.packing.picture_count() > 0 && !is_single {
            return Err(PackingError::Inputs.into());
        }
        let flip =
            if self.flip_y { Some("flip-y") } else { Some("flip").filter(|_| self.flip != [false; 2]) };
        match flip.filter(|_| self.layout == TextureLayout::Faces) {
            Some(option) => Err(OptionsError::FlippedCube { option }),
            None => Ok(()),
        }
    }
}

/// Checks that no option excludes another.
fn check_exclusions(used: &[(&'static OptionRow, Value)]) -> Result<(), OptionsError> {
    for (row, _) in used {
        let is_used = |exclusion: &&Exclusion| {
            let (Exclusion::Always(name) | Exclusion::Used(name)) = exclusion else { return false };
            used.iter().any(|(other, _)| other.name == *name)
        };
        if let Some(exclusion) = row.exclusions.iter().find(is_used) {
            return Err(OptionsError::Exclusive { options: [row.name, exclusion.name()] });
        }
    }
    Ok(())
}

/// Checks that a texture in `format` may have the colour space, if one is stated.
fn check_color_space(color_space: Option<ColorSpace>, format: TextureFormat) -> Result<(), OptionsError> {
    let Some(color_space) = color_space else { return Ok(()) };
    Ok(TextureDesc::new_2d(format, 1, 1).with_color_space(color_space).check()?)
}
