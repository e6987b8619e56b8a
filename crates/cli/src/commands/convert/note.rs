//! Facts about a conversion that the user may not expect.

use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, Texture, TextureDesc, TextureFormat,
    container::{ContainerFormat, DdsHeader},
};
use brickwork_toolkit::{report::alpha_mode_name, texture::refused_size};
use std::fmt;

/// A fact about a conversion that the user may not expect. It is displayed in one line, without a period and
/// without the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertNote {
    /// The reader tolerated a fault of the input.
    Fault(String),
    /// The input does not state its colour space, and the output states linear.
    UnknownColorSpace,
    /// The output does not state that colours are sRGB: a DDS file has a legacy header.
    LostColorSpace(ContainerFormat),
    /// The output does not state the alpha mode: a DDS file has a legacy header.
    LostAlphaMode(ContainerFormat, AlphaMode),
    /// The output does not state that alpha is opaque.
    LostOpaque,
    /// The output does not contain these keys of the input.
    LostKeys(ContainerFormat, Vec<String>),
    /// The sides of a block-compressed texture in a DDS file are no multiples of 4, which Direct3D requires.
    NotMultipleOf4(String),
    /// Inputs that are joined differ in these keys, and the output does not contain them.
    DifferentKeys(Vec<String>),
}

impl fmt::Display for ConvertNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => f.write_str(fault),
            Self::UnknownColorSpace => {
                f.write_str("the file does not state its colour space; the new file states linear")
            }
            Self::LostColorSpace(container) => {
                write!(f, "{} does not state that colours are sRGB", silent_file(*container))
            }
            Self::LostAlphaMode(container, mode) => {
                let mode = alpha_mode_name(*mode);
                write!(f, "{} does not state that alpha is {mode}", silent_file(*container))
            }
            Self::LostOpaque => f.write_str(
                "KTX2 states only for bc1 that alpha is opaque; readers of the new file take it for straight",
            ),
            Self::LostKeys(container, keys) => {
                write!(f, "{} cannot store the keys {}", container.name(), keys.join(", "))
            }
            Self::NotMultipleOf4(text) => f.write_str(text),
            Self::DifferentKeys(keys) => {
                write!(f, "the inputs differ in {}, which the new file leaves out", keys.join(", "))
            }
        }
    }
}

/// True if a file in this form states the colour space of a texture of this format.
pub fn states_color_space(format: TextureFormat, container: ContainerFormat, header: DdsHeader) -> bool {
    !is_silent(container, header) || !format.has_srgb()
}

/// True if files in this form state neither colour space nor alpha mode.
fn is_silent(container: ContainerFormat, header: DdsHeader) -> bool {
    match container {
        ContainerFormat::Dds => header == DdsHeader::Legacy,
        container => container == ContainerFormat::Astc,
    }
}

/// Returns the name of such files.
fn silent_file(container: ContainerFormat) -> &'static str {
    if container == ContainerFormat::Dds { "a legacy DDS header" } else { "an .astc file" }
}

/// Returns the note about the size of a texture whose file has this container.
pub fn note_of_size(desc: &TextureDesc, container: ContainerFormat) -> Option<ConvertNote> {
    refused_size(desc, container).map(ConvertNote::NotMultipleOf4)
}

/// Returns the notes about a texture whose file is written in this form, except that about its size.
/// `states_color_space` is about the input.
pub fn notes_of(
    texture: &Texture,
    container: ContainerFormat,
    header: DdsHeader,
    states_color_space: bool,
) -> Vec<ConvertNote> {
    let desc = texture.desc();
    let is_silent = is_silent(container, header);
    let mut notes: Vec<_> = texture.notes().iter().cloned().map(ConvertNote::Fault).collect();
    if !states_color_space && !is_silent {
        notes.push(ConvertNote::UnknownColorSpace);
    }
    if is_silent && desc.color_space == ColorSpace::Srgb {
        notes.push(ConvertNote::LostColorSpace(container));
    }
    let is_stated = match (desc.format, desc.alpha_mode) {
        (TextureFormat::Block(BlockFormat::Bc1), mode) => mode != AlphaMode::Premultiplied,
        (TextureFormat::Block(BlockFormat::Bc2 | BlockFormat::Bc3), mode) => mode != AlphaMode::Opaque,
        (TextureFormat::Plain(format), mode) => !format.has_alpha() || mode == AlphaMode::Straight,
        (TextureFormat::Block(BlockFormat::Astc(_)), mode) => mode == AlphaMode::Straight,
        _ => true,
    };
    if is_silent && !is_stated {
        notes.push(ConvertNote::LostAlphaMode(container, desc.alpha_mode));
    }
    let usual = AlphaMode::usual(desc.format);
    let is_opaque_kept = desc.format == BlockFormat::Bc1 || usual == AlphaMode::Opaque;
    if container == ContainerFormat::Ktx2 && desc.alpha_mode == AlphaMode::Opaque && !is_opaque_kept {
        notes.push(ConvertNote::LostOpaque);
    }
    if container != ContainerFormat::Ktx2 && !texture.key_values().is_empty() {
        let keys = texture.key_values().iter().map(|(key, _)| key.clone());
        notes.push(ConvertNote::LostKeys(container, keys.collect()));
    }
    notes
}
