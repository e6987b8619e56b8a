//! KTX2 files as pictures: mip level 0 of the first layer, face or slice. This includes block formats and
//! plain texels, uncompressed or compressed with Zstandard. No other level data is read.
//!
//! Rows have no gaps, so DDS and KTX2 share [`Surface`]. The keys `KTXorientation` and `KTXswizzle` are
//! applied; others are ignored.

use super::{
    surface::{Storage, Surface},
    swizzled::swizzled,
};
use crate::{
    ColorSpace, Swizzle, TextureFormat,
    container::{
        ContainerError,
        byte_source::ByteSource,
        dds_format::dxgi,
        ktx2::{
            head::{Head, STATED_LINEAR_NOTE, format_name},
            of_vk_format, zstd,
        },
    },
};
use ::ktx2::{Format, LevelIndex};
use brickwork_image::AlphaProduct;
use brickwork_image::image_file::{
    ImageFault, ImageFeature, Texels,
    decoder::{Budget, Decoded, Failure, FileColor, Halves, TrackedReader},
};
use dds::header::DxgiFormat;
use std::io::{self, Read, Seek, SeekFrom};

pub(super) fn decode(
    mut source: TrackedReader<'_>,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let mut container = ByteSource::new(&mut source, budget.limit)?;
    let head = Head::read(&mut container)?;
    let name = format_name(head.format);
    let Some((storage, color_space)) = of_format(&head) else {
        return Err(Failure::Unsupported(ImageFeature::Other(format!("{name} is not supported"))));
    };
    let [width, height, depth] = head.size();
    let surface = Surface { storage, size: [width, height], keeps_singles };
    let image_count = u64::from(depth) * u64::from(head.layers()) * u64::from(head.header.face_count);
    let level = head.level(&mut container, 0, surface.byte_count().saturating_mul(image_count))?;

    source.seek(SeekFrom::Start(level.byte_offset))?;
    let (mut texels, mut has_alpha, halves) = if head.zstd {
        inflate(&surface, &level, image_count, source, budget)?
    } else {
        surface.decode(source, budget)?
    };
    if matches!(head.format, Format::BC1_RGB_UNORM_BLOCK | Format::BC1_RGB_SRGB_BLOCK) {
        make_opaque(&mut texels);
        has_alpha = false;
    }
    let color = match color_space.unwrap_or(head.color_space) {
        ColorSpace::Srgb => (ColorSpace::Srgb, format!("KTX2 format {name} with sRGB")),
        ColorSpace::Linear => (ColorSpace::Linear, format!("KTX2 format {name} is linear")),
    };
    if head.swizzle != Swizzle::IDENTITY {
        texels = swizzled(texels, head.swizzle, has_alpha, budget)?;
        has_alpha = texels.texel_type().has_alpha();
    }
    let premultiplied = head.is_premultiplied.then(|| AlphaProduct::of(color.0 == ColorSpace::Srgb));
    let stored_type = surface.stored_type(&texels);
    let mut color = FileColor::from(color);
    color.ignored = ignored_colors(head.colors);
    let mut decoded = Decoded::upright(surface.size, texels, has_alpha, color);
    decoded.mirror([head.orientation.left, head.orientation.up]);
    if color_space == Some(ColorSpace::Srgb) && head.is_stated_linear() {
        decoded.notes.push(STATED_LINEAR_NOTE.to_owned());
    }
    decoded.notes.extend(head.unused);
    (decoded.premultiplied, decoded.halves, decoded.stored_type) = (premultiplied, halves, stored_type);
    Ok(decoded)
}

/// Returns notes about primaries and a transfer function that are not applied. 0 states none; 1 is Rec. 709
/// and linear, and 2 is the function of sRGB (Khronos Data Format Specification 1.3, 5.6 and 5.7).
fn ignored_colors([primaries, transfer_function]: [u8; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    if primaries > 1 {
        let text = "are not converted; Rec. 709 is assumed";
        notes.push(format!("the primaries of the KTX2 file, {primaries}, {text}"));
    }
    if transfer_function > 2 {
        notes.push(format!("the transfer function of the KTX2 file, {transfer_function}, is not applied"));
    }
    notes
}

/// Decodes the first of `image_count` images in a mip level compressed with Zstandard, while inflating it. If
/// it is the only image, the stream must end with it.
fn inflate(
    surface: &Surface,
    level: &LevelIndex,
    image_count: u64,
    source: TrackedReader<'_>,
    budget: &Budget<'_>,
) -> Result<(Texels, bool, Halves), Failure> {
    let failure = |reason| {
        let (offset, needed) = (level.byte_offset, level.uncompressed_byte_length);
        Failure::from(ContainerError::Compressed { offset, level: 0, needed, reason })
    };
    let taken = surface.memory_bytes(budget)?;
    // Zstandard's window may use the remaining memory.
    let mut reader = zstd::reader(source.take(level.byte_length), budget.limit - taken)?;
    let decoded = surface.decode(&mut reader, &Budget::new(taken, budget.file_bytes, budget.task));
    let decoded = decoded.map_err(|error| match error {
        Failure::Io(error) if is_window_too_large(&error) => Failure::Limit(None),
        Failure::Io(_) => failure("is damaged or ends early"),
        other => other,
    })?;
    if image_count == 1 {
        match reader.read(&mut [0]) {
            Ok(0) => {}
            Ok(_) => return Err(failure("holds more")),
            Err(_) => return Err(failure("is damaged at its end")),
        }
    }
    Ok(decoded)
}

/// True if Zstandard refused a stream because of the memory that it needs. The crate passes on the library's
/// error only as text: that of `ZSTD_error_frameParameter_windowTooLarge`.
fn is_window_too_large(error: &io::Error) -> bool {
    error.to_string().starts_with("Frame requires too much memory")
}

/// Makes all texels opaque. Vulkan samples `BC1_RGB` as opaque, even where a block contains transparent
/// black.
fn make_opaque(texels: &mut Texels) {
    if let Texels::Rgba8(texels) = texels {
        texels.iter_mut().for_each(|texel| texel[3] = u8::MAX);
    }
}

/// Returns the storage and colour space of the texels. The colour space is `None` if the descriptor must
/// state it. Returns `None` for an unsupported format.
fn of_format(head: &Head) -> Option<(Storage, Option<ColorSpace>)> {
    const LINEAR: Option<ColorSpace> = Some(ColorSpace::Linear);
    const SRGB: Option<ColorSpace> = Some(ColorSpace::Srgb);
    if let Some((format, color_space)) = of_vk_format(head.format) {
        let storage = match dds_format(format) {
            Some(format) => Storage::Dds(format),
            None => Storage::Blocks(format.block()?, color_space.unwrap_or(ColorSpace::Linear)),
        };
        return Some((storage, color_space));
    }
    // Formats that textures do not have.
    let (format, color_space) = match head.format {
        Format::R8_SRGB => (dds::Format::R8_UNORM, SRGB),
        Format::R8G8_SRGB => (dds::Format::R8G8_UNORM, SRGB),
        Format::R8G8B8_UNORM => (dds::Format::R8G8B8_UNORM, LINEAR),
        Format::R8G8B8_SRGB => (dds::Format::R8G8B8_UNORM, SRGB),
        Format::B8G8R8_UNORM => (dds::Format::B8G8R8_UNORM, LINEAR),
        Format::B8G8R8_SRGB => (dds::Format::B8G8R8_UNORM, SRGB),
        Format::R16G16B16_UNORM => return Some((Storage::Rgb16, None)),
        Format::R16G16B16_SFLOAT => return Some((Storage::RgbF16, None)),
        Format::R32G32B32_SFLOAT => (dds::Format::R32G32B32_FLOAT, None),
        _ => return None,
    };
    Some((Storage::Dds(format), color_space))
}

/// Returns the format under which DDS stores the same bytes.
fn dds_format(format: TextureFormat) -> Option<dds::Format> {
    let (number, _) = dxgi(format, ColorSpace::Linear)?;
    dds::Format::from_dxgi(DxgiFormat::try_from(number).ok()?)
}

impl From<ContainerError> for Failure {
    fn from(error: ContainerError) -> Self {
        match error {
            ContainerError::Truncated { offset, needed, available } => {
                Self::MalformedAt(offset, ImageFault::EndsWithin { needed, available })
            }
            ContainerError::Header { offset, reason, found } => {
                Self::MalformedAt(offset, ImageFault::Decoder(format!("{reason} (found {found})")))
            }
            ContainerError::Compressed { offset, level, needed, reason } => {
                let text = format!(
                    "the Zstandard data of mip level {level} {reason} (the shape needs {needed} bytes)"
                );
                Self::MalformedAt(offset, ImageFault::Decoder(text))
            }
            // Every message starts with the file format.
            ContainerError::Unsupported { what } => {
                let what = what.strip_prefix("KTX2 with ").unwrap_or(&what);
                Self::Unsupported(ImageFeature::Other(format!("{what} is not supported")))
            }
            // The limit of the machine, in addresses or memory.
            ContainerError::TooLarge { needed, limit } if limit == isize::MAX as u64 => {
                Self::OutOfMemory(needed)
            }
            ContainerError::TooLarge { needed, .. } => Self::Limit(Some(needed)),
            error @ (ContainerError::UnknownContainer { .. }
            | ContainerError::UnknownExtension { .. }
            | ContainerError::NoDdsFormat { .. }
            | ContainerError::NoAstcFile { .. }
            | ContainerError::LegacyHeader { .. }
            | ContainerError::Texture(_)) => Self::Malformed(ImageFault::Decoder(error.to_string())),
            ContainerError::Io(error) => Self::Io(error),
            ContainerError::Cancelled(cancelled) => Self::Io(io::Error::other(cancelled)),
        }
    }
}
