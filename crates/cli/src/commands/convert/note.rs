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
    /// The output, such as `a legacy DDS header`, does not state that colours are sRGB.
    LostColorSpace(&'static str),
    /// The output does not state the alpha mode.
    LostAlphaMode(&'static str, AlphaMode),
    /// The output does not state that alpha is opaque.
    LostOpaque,
    /// The output, such as `DDS`, does not contain these keys of the input.
    LostKeys(&'static str, Vec<String>),
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
            Self::LostColorSpace(file) => write!(f, "{file} does not state that colours are sRGB"),
            Self::LostAlphaMode(file, mode) => {
                let mode = alpha_mode_name(*mode);
                write!(f, "{file} does not state that alpha is {mode}")
            }
            Self::LostOpaque => f.write_str(
                "KTX2 states only for bc1 that alpha is opaque; readers of the new file take it for straight",
            ),
            Self::LostKeys(file, keys) => write!(f, "{file} cannot store the keys {}", keys.join(", ")),
            Self::NotMultipleOf4(text) => f.write_str(text),
            Self::DifferentKeys(keys) => {
                write!(f, "the inputs differ in {}, which the new file leaves out", keys.join(", "))
            }
        }
    }
}

/// True if a file in this form states the colour space of a texture of this format.
pub fn states_color_space(format: TextureFormat, container: ContainerFormat, header: DdsHeader) -> bool {
    silent_file(container, header).is_none() || !format.has_srgb()
}

/// Returns the name of files in this form if they state neither colour space nor alpha mode.
fn silent_file(container: ContainerFormat, header: DdsHeader) -> Option<&'static str> {
    match container {
        ContainerFormat::Dds if header == DdsHeader::Legacy => Some("a legacy DDS header"),
        ContainerFormat::Astc => Some("an .astc file"),
        _ => None,
    }
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
    let silent = silent_file(container, header);
    let mut notes: Vec<_> = texture.notes().iter().cloned().map(ConvertNote::Fault).collect();
    if !states_color_space && silent.is_none() {
        notes.push(ConvertNote::UnknownColorSpace);
    }
    if let Some(file) = silent.filter(|_| desc.color_space == ColorSpace::Srgb) {
        notes.push(ConvertNote::LostColorSpace(file));
    }
    let is_stated = match (desc.format, desc.alpha_mode) {
        (TextureFormat::Block(BlockFormat::Bc1), mode) => mode != AlphaMode::Premultiplied,
        (TextureFormat::Block(BlockFormat::Bc2 | BlockFormat::Bc3), mode) => mode != AlphaMode::Opaque,
        (TextureFormat::Plain(format), mode) => !format.has_alpha() || mode == AlphaMode::Straight,
        (TextureFormat::Block(BlockFormat::Astc(_)), mode) => mode == AlphaMode::Straight,
        _ => true,
    };
    if let Some(file) = silent.filter(|_| !is_stated) {
        notes.push(ConvertNote::LostAlphaMode(file, desc.alpha_mode));
    }
    let usual = AlphaMode::usual(desc.format);
    let is_opaque_kept = desc.format == BlockFormat::Bc1 || usual == AlphaMode::Opaque;
    if container == ContainerFormat::Ktx2 && desc.alpha_mode == AlphaMode::Opaque && !is_opaque_kept {
        notes.push(ConvertNote::LostOpaque);
    }
    let without_keys = match container {
        ContainerFormat::Dds => Some("DDS"),
        ContainerFormat::Astc => Some("an .astc file"),
        _ => None,
    };
    if let Some(file) = without_keys.filter(|_| !texture.key_values().is_empty()) {
        let keys = texture.key_values().iter().map(|(key, _)| key.clone());
        notes.push(ConvertNote::LostKeys(file, keys.collect()));
    }
    notes
}
