//! Texts of errors that name options, as a front end spells them.

use super::words::{format_names, use_name};
use crate::{
    report::color_space_name,
    texture::{FormatFamily, OptionRow},
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{ColorSpace, TextureFormat, container::ContainerFormat};

/// Function from the program's name of an option, such as `keep-coverage`, to that of a front end.
pub type Spelling<'a> = &'a dyn Fn(&'static str) -> String;

/// Returns the program's name of an option.
pub fn key(name: &'static str) -> String {
    name.to_owned()
}

pub fn exclusive([first, second]: [&'static str; 2], spell: Spelling<'_>) -> String {
    format!("{} and {} exclude each other", spell(first), spell(second))
}

pub fn needs_option([option, needed]: [&'static str; 2], spell: Spelling<'_>) -> String {
    format!("{} needs {}", spell(option), spell(needed))
}

pub fn needs_mip_levels(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs mip levels", spell(option))
}

pub fn needs_filtering(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs mip levels or a new size", spell(option))
}

pub fn is_for(option: &'static str, images: &str, usage: PictureUse, spell: Spelling<'_>) -> String {
    format!("{} is for {images}, not {}", spell(option), use_name(usage))
}

pub fn transfer_of_data(usage: PictureUse, spell: Spelling<'_>) -> String {
    let (assign, convert) = (spell("assign-oetf"), spell("convert-oetf"));
    format!("{assign} and {convert} are for colours, not {}", use_name(usage))
}

pub fn other_color_space(converted: ColorSpace, stated: ColorSpace, spell: Spelling<'_>) -> String {
    format!(
        "{} is {}, but the format's name or another option states {}",
        spell("convert-oetf"),
        color_space_name(converted),
        color_space_name(stated)
    )
}

pub fn ignored(option: &'static str, format: TextureFormat, spell: Spelling<'_>) -> String {
    let formats = OptionRow::named(option).into_iter().flat_map(OptionRow::formats);
    format!("{} is for {}, not {format}", spell(option), format_names(formats))
}

pub fn ignored_by_family(option: &'static str, family: FormatFamily, spell: Spelling<'_>) -> String {
    let formats = OptionRow::named(option).into_iter().flat_map(OptionRow::formats);
    let formats = format_names(formats);
    format!("{} is for {formats}, none of which is of the family {family}", spell(option))
}

pub fn needs_images(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} needs images; the inputs are textures, whose blocks are copied", spell(option))
}

pub fn wrap_of_cube(spell: Spelling<'_>) -> String {
    format!("{} is for 2D and 3D textures; the edges of a cube's faces are clamped", spell("mip-wrap"))
}

pub fn flip_of_cube(option: &'static str, spell: Spelling<'_>) -> String {
    format!("{} is for 2D and 3D textures; the faces of a cube always start with the top row", spell(option))
}

pub fn of_container(
    option: &'static str,
    output: &str,
    [needed, container]: [ContainerFormat; 2],
    spell: Spelling<'_>,
) -> String {
    let (named, extension) = (needed.extension(), container.extension());
    format!("{} is for {named}, but {output} would be {extension}", spell(option))
}
