//! Headers of KTX2 files whose texels are not read, such as those of Basis Universal.

use super::{
    super::{ContainerError, byte_source::ByteSource},
    head::{
        Descriptor, HEADER_BYTES, LEVEL_INDEX_BYTES, format_name, kind_of, model_name, read_header,
        scheme_name,
    },
    shown_key_values,
};
use crate::{ColorSpace, TextureKind, texture::check_shape};
use ::ktx2::LevelIndex;

/// Colour models of Basis Universal, and their names (Khronos Data Format Specification 1.4, 5.6; Basis
/// Universal's `basisu_transcoder.h` for the later ones).
const BASIS_MODELS: [(u8, &str); 4] = [
    (163, "Basis Universal ETC1S"),
    (166, "Basis Universal UASTC"),
    (167, "Basis Universal UASTC HDR 4×4"),
    (168, "Basis Universal UASTC HDR 6×6"),
];

/// Header of a KTX2 file in any format, also in those that are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ktx2Header {
    /// Format of the texels: Vulkan's name, or that of the colour model if the file has no Vulkan format.
    pub format_name: String,
    /// Shape of the texture.
    pub kind: TextureKind,
    /// Width, height and depth in texels, each at least 1.
    pub size: [u32; 3],
    /// Number of array layers, at least 1.
    pub layers: u32,
    /// Number of mip levels, at least 1.
    pub mip_levels: u32,
    /// Colour space that the descriptor states.
    pub color_space: ColorSpace,
    /// True if colours are multiplied by alpha.
    pub is_premultiplied: bool,
    /// Name of the supercompression, if any.
    pub supercompression: Option<String>,
    /// Size of all mip levels in the file, in bytes.
    pub data_bytes: u64,
    /// Key/value pairs in the order of the file. If a value is not text, its length is shown instead.
    pub key_values: Vec<(String, String)>,
}

pub(in super::super) fn header(source: &mut ByteSource<'_>) -> Result<Ktx2Header, ContainerError> {
    let header = read_header(source)?;
    let kind = kind_of(&header)?;
    let size = [header.pixel_width, header.pixel_height, header.pixel_depth.max(1)];
    let (layers, mip_levels) = (header.layer_count.max(1), header.level_count.max(1));
    check_shape(kind, size, layers, mip_levels)?;
    let descriptor = Descriptor::read(source, &header.index)?;
    let mut data_bytes = 0u64;
    for level in 0..mip_levels {
        let entry =
            LevelIndex::from_bytes(&source.array(HEADER_BYTES + LEVEL_INDEX_BYTES * u64::from(level))?);
        source.check_range(entry.byte_offset, entry.byte_length)?;
        data_bytes = data_bytes.saturating_add(entry.byte_length);
    }
    let basis = BASIS_MODELS.iter().find(|(model, _)| *model == descriptor.color_model);
    let format_name = match (header.format, basis) {
        (Some(format), _) => format_name(format),
        (None, Some((_, name))) => (*name).to_owned(),
        (None, None) => format!("colour model {}", model_name(descriptor.color_model)),
    };
    Ok(Ktx2Header {
        format_name,
        kind,
        size,
        layers,
        mip_levels,
        color_space: descriptor.color_space(),
        is_premultiplied: descriptor.is_premultiplied(),
        supercompression: header.supercompression_scheme.map(scheme_name),
        data_bytes,
        key_values: shown_key_values(source, &header.index)?,
    })
}
