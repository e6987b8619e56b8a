//! Words of the errors of texture jobs.

use super::TextureLayout;
use brickwork_texture::{JoinError, TextureFormat, container::ContainerFormat, image_file::PictureUse};

/// Returns the images with a use, in the plural.
pub(super) fn use_name(usage: PictureUse) -> &'static str {
    match usage {
        PictureUse::Normals => "normal maps",
        PictureUse::OneChannel => "one-channel images",
        PictureUse::Color => "colours",
        PictureUse::Data => "data",
        _ => "images",
    }
}

pub(super) fn format_names(formats: &[TextureFormat]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

pub(super) fn count_fault(layout: TextureLayout, given: usize) -> String {
    match layout {
        TextureLayout::Faces if given == 1 => "a cube has six faces, and 1 input is given; \
            an image that contains all is a cross, a strip or a panorama"
            .to_owned(),
        TextureLayout::Faces => format!("a cube has six faces, and {given} inputs are given"),
        layout => format!("{given} inputs do not fit the mip levels of {}", images_name(layout)),
    }
}

/// Returns the reason without the number of the texture.
pub(super) fn join_fault(error: &JoinError) -> String {
    match error {
        JoinError::Kind { found, needed, .. } => format!("is {found}; {needed} are joined"),
        JoinError::Differs { property, first, found, .. } => {
            format!("has {property} {found}, the first texture {first}")
        }
        error => error.to_string(),
    }
}

pub(super) fn images_name(layout: TextureLayout) -> &'static str {
    match layout {
        TextureLayout::Layers => "layers",
        TextureLayout::Faces => "cubes",
        TextureLayout::Slices => "slices",
    }
}

pub(super) fn other(container: ContainerFormat) -> &'static str {
    match container {
        ContainerFormat::Dds => ContainerFormat::Ktx2.extension(),
        _ => ContainerFormat::Dds.extension(),
    }
}

pub(super) fn no_container(extension: Option<&str>) -> String {
    match extension {
        Some(extension) => format!("cannot write .{extension} files"),
        None => "the name has no extension to choose a container by".to_owned(),
    }
}
