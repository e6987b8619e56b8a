//! Words of the errors of texture jobs.

use crate::texture::{FormatFamily, TextureLayout};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{BlockFormat, JoinError, TextureFormat, container::ContainerFormat};

/// Returns the images with a use, in the plural.
pub fn use_name(usage: PictureUse) -> &'static str {
    match usage {
        PictureUse::Normals => "normal maps",
        PictureUse::OneChannel => "one-channel images",
        PictureUse::Color => "colours",
        PictureUse::Data => "data",
        _ => "images",
    }
}

/// Returns the names of formats, except those that are only decoded.
pub fn format_names(formats: impl Iterator<Item = TextureFormat>) -> String {
    let encoded = formats.filter(|format| format.block().is_none_or(BlockFormat::has_encoder));
    encoded.map(TextureFormat::name).collect::<Vec<_>>().join(", ")
}

pub fn count_fault(layout: TextureLayout, given: usize) -> String {
    match layout {
        TextureLayout::Faces if given == 1 => "a cube has six faces, and 1 input is given; \
            an image that contains all is a cross, a strip or a panorama"
            .to_owned(),
        TextureLayout::Faces => format!("a cube has six faces, and {given} inputs are given"),
        layout if given == 1 => format!("1 input does not fit the mip levels of {}", images_name(layout)),
        layout => format!("{given} inputs do not fit the mip levels of {}", images_name(layout)),
    }
}

/// Returns the reason for faces whose names state all except some.
pub fn missing_faces(given: usize, missing: &[&str]) -> String {
    let inputs = match given {
        1 => "1 input is given".to_owned(),
        given => format!("{given} inputs are given"),
    };
    let faces = match missing {
        [face] => format!("the face {face} is missing"),
        faces => format!("the faces {} are missing", faces.join(", ")),
    };
    format!("a cube has six faces, and {inputs}; by their names, {faces}")
}

/// Returns the reason for another number of layers, cubes or slices than the expected one.
pub fn expected_count(layout: TextureLayout, expected: u32, found: usize) -> String {
    let plural = images_name(layout);
    let expected = match expected {
        1 => format!("1 {} is", plural.trim_end_matches('s')),
        count => format!("{count} {plural} are"),
    };
    format!("{expected} expected, the inputs have {found}")
}

/// Returns the reason without the number of the texture.
pub fn join_fault(error: &JoinError) -> String {
    match error {
        JoinError::Kind { found, needed, .. } => format!("is {found}; {needed} are joined"),
        JoinError::Differs { first, found, .. } => format!("has {found}, the first texture {first}"),
        JoinError::LevelSize { mip_level, needed, found, .. } => {
            let sides = |&[width, height, depth]: &[u32; 3]| match depth {
                1 => format!("{width}×{height}"),
                _ => format!("{width}×{height}×{depth}"),
            };
            format!("is {}, but mip level {mip_level} is {}", sides(found), sides(needed))
        }
        JoinError::LevelCount { .. } => "follows the smallest mip level".to_owned(),
        error => error.to_string(),
    }
}

pub fn images_name(layout: TextureLayout) -> &'static str {
    match layout {
        TextureLayout::Layers => "layers",
        TextureLayout::Faces => "cubes",
        TextureLayout::Slices => "slices",
    }
}

pub fn container_name(container: ContainerFormat) -> &'static str {
    if container == ContainerFormat::Astc { ".astc" } else { container.name() }
}

/// Returns the containers that can have formats of the family.
pub fn containers_of(family: FormatFamily) -> String {
    let containers = ContainerFormat::ALL.iter().copied().filter(|&container| family.is_of(container));
    containers.map(container_name).collect::<Vec<_>>().join(" or ")
}

pub fn no_container(extension: Option<&str>) -> String {
    match extension {
        Some(extension) => format!("cannot write .{extension} files"),
        None => "the name has no extension to choose a container by".to_owned(),
    }
}
