//! Texts of errors that name options, as each front end spells them.

use super::{
    OptionRow, OptionsError,
    error_words::{format_names, other, use_name},
};
use crate::report::color_space_name;
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{ColorSpace, TextureFormat, container::ContainerFormat};

/// Function from the program's name of an option, such as `keep-coverage`, to that of a front end.
type Spelling<'a> = &'a dyn Fn(&'static str) -> String;

impl OptionsError {
    /// Returns the text of the error, with the names of options as `spell` returns them. It receives the
    /// program's names, such as `keep-coverage`. The error itself is displayed with these.
    pub fn with_option_names(&self, spell: impl Fn(&'static str) -> String) -> String {
        let spell: Spelling<'_> = &spell;
        match self {
            Self::Exclusive { options } => exclusive(*options, spell),
            Self::WithoutOption { options } => needs_option(*options, spell),
            Self::WithoutMips { option } => needs_mip_levels(option, spell),
            Self::WithoutFilter { option } => needs_filtering(option, spell),
            Self::UseOfOption { option, images, usage } => is_for(option, images, *usage, spell),
            Self::TransferOfData { usage } => transfer_of_data(*usage, spell),
            Self::OtherColorSpace { converted, stated } => other_color_space(*converted, *stated, spell),
            Self::Ignored { option, format } => ignored(option, *format, spell),
            Self::NeedsImages { option } => needs_images(option, spell),
            Self::WrapOfCube => wrap_of_cube(spell),
            Self::OfContainer { option, output, container } => {
                of_container(option, output, *container, spell)
            }
            error => error.to_string(),
        }
    }
}

/// Returns the program's name of an option.
pub(super) fn key(name: &'static str) -> String {
    name.to_owned()
}

pub(super) fn exclusive([first, second]: [&'static str; 2], spell: Spelling<'_>) -> String {
    format!("{} and {} exclude each other", spell(first), spell(second))
}

pub(super) fn needs_option([option, needed]: [&'static str; 2], spell: Spelling<'_>) -> String {
    format!("{} needs {}", spell(option), spell(needed))
}

pub(super) fn needs_mip_levels(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs mip levels", spell(option))
}

pub(super) fn needs_filtering(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs mip levels or a new size", spell(option))
}

pub(super) fn is_for(option: &'static str, images: &str, usage: PictureUse, spell: Spelling<'_>) -> String {
    format!("{} is for {images}, not {}", spell(option), use_name(usage))
}

pub(super) fn transfer_of_data(usage: PictureUse, spell: Spelling<'_>) -> String {
    let (assign, convert) = (spell("assign-oetf"), spell("convert-oetf"));
    format!("{assign} and {convert} are for colours, not {}", use_name(usage))
}

pub(super) fn other_color_space(converted: ColorSpace, stated: ColorSpace, spell: Spelling<'_>) -> String {
    format!(
        "{} is {}, but the format's name or another option states {}",
        spell("convert-oetf"),
        color_space_name(converted),
        color_space_name(stated)
    )
}

pub(super) fn ignored(option: &'static str, format: TextureFormat, spell: Spelling<'_>) -> String {
    let formats = OptionRow::named(option).into_iter().flat_map(OptionRow::formats);
    format!("{} is for {}, not {format}", spell(option), format_names(formats))
}

pub(super) fn needs_images(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs images; the inputs are textures, whose blocks are copied", spell(option))
}

pub(super) fn wrap_of_cube(spell: Spelling<'_>) -> String {
    format!("{} is for 2D and 3D textures; the edges of a cube's faces are clamped", spell("mip-wrap"))
}

pub(super) fn of_container(
    option: &'static str,
    output: &str,
    container: ContainerFormat,
    spell: Spelling<'_>,
) -> String {
    let (named, extension) = (other(container), container.extension());
    format!("{} is for {named}, but {output} would be {extension}", spell(option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::BlockFormat;

    #[test]
    fn every_name_is_spelled() {
        let (usage, format) = (PictureUse::Normals, TextureFormat::from(BlockFormat::Bc4Unorm));
        let (converted, stated) = (ColorSpace::Srgb, ColorSpace::Linear);
        let output = "a.dds".to_owned();
        for (error, names) in [
            (OptionsError::Exclusive { options: ["real-time", "modes"] }, 2),
            (OptionsError::WithoutOption { options: ["roughness-channel", "roughness-from"] }, 2),
            (OptionsError::WithoutMips { option: "keep-coverage" }, 1),
            (OptionsError::WithoutFilter { option: "mip-filter" }, 1),
            (OptionsError::UseOfOption { option: "premultiply", images: "colours", usage }, 1),
            (OptionsError::TransferOfData { usage }, 2),
            (OptionsError::OtherColorSpace { converted, stated }, 1),
            (OptionsError::Ignored { option: "dither", format }, 1),
            (OptionsError::NeedsImages { option: "format" }, 1),
            (OptionsError::WrapOfCube, 1),
            (OptionsError::OfContainer { option: "zstd", output, container: ContainerFormat::Dds }, 1),
            (OptionsError::NoPicture, 0),
        ] {
            let marked = error.with_option_names(|name| format!("<{name}>"));
            assert_eq!(marked.matches('<').count(), names, "{marked}");
            assert_eq!(marked.replace(['<', '>'], ""), error.to_string());
        }
    }
}
