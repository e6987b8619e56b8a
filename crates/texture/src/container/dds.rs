//! DDS: the magic `DDS `, a header of 124 bytes, for newer formats a second one of 20 bytes, and the data in
//! the order of [`Texture`].
//!
//! The legacy header names a format by a four-CC or by bit masks. It has no colour space and no arrays. It
//! states an alpha mode only by the even numbers (`DXT2`, `DXT4`: premultiplied). The DX10 header has a
//! `DXGI_FORMAT`, an array size, and the alpha mode in `miscFlags2`. A depth, array size or mip count of 0
//! counts as 1. As in Direct3D's loaders, the flags that state the valid fields are ignored, because many
//! writers set them wrong.
//!
//! `DDPF_ALPHAPIXELS` with `DXT1` states that there is punch-through alpha. NVIDIA Texture Tools set it, but
//! other writers do not. If it is missing, blocks are therefore searched for transparent texels.
//!
//! A flag of NVIDIA Texture Tools and GIMP states normals. In BC3, x is then in alpha and y in green: the
//! swizzle is `ag11`.
//!
//! Source: Microsoft, *Programming Guide for DDS*,
//! <https://learn.microsoft.com/en-us/windows/win32/direct3ddds/dx-graphics-dds-pguide>.

use super::byte_source::ByteSource;
use super::dds_format::{LegacyFormat, dxgi, legacy_format, of_dxgi, of_four_cc, of_masks, of_typeless};
use super::dds_header::{
    ChannelOrder, DIMENSION_1D, DIMENSION_2D, DIMENSION_3D, DX10_BYTES, Dx10, FourCc, HEADER_BYTES,
    LEGACY_BYTES, PIXEL_FORMAT_BYTES, RawHeader, caps, caps2, dxgi_name, flags, misc_flag, pixel_flags,
};
use super::{ContainerError, ContainerFormat, DdsHeader, HeaderKind, Info, TextureWriteOptions};
use crate::{
    AlphaMode, BlockFormat, ColorSpace, Swizzle, SwizzleSource, Task, Texture, TextureDesc, TextureFormat,
    TextureKind, TextureOrientation,
};
use brickwork_base::task_io::TaskWriter;
use std::io::Write;

/// `DDS_ALPHA_MODE` is in the lowest three bits of `miscFlags2`.
const ALPHA_MODE_MASK: u32 = 7;

/// Swizzle of BC3 with x in alpha and y in green: z is not stored.
const X_IN_ALPHA: Swizzle =
    Swizzle([SwizzleSource::Alpha, SwizzleSource::Green, SwizzleSource::One, SwizzleSource::One]);

/// Note about a texture with that swizzle.
pub(crate) const X_IN_ALPHA_NOTE: &str = "the header says normal map: x is in alpha, y in green";

/// Offsets of fields from the start of the file, for errors.
mod offset {
    pub const SIZE: u64 = 4;
    pub const HEIGHT: u64 = 12;
    pub const WIDTH: u64 = 16;
    pub const PIXEL_FORMAT_SIZE: u64 = 76;
    pub const CAPS2: u64 = 112;
    pub const RESOURCE_DIMENSION: u64 = 132;
    pub const ARRAY_SIZE: u64 = 140;
    pub const MISC_FLAGS2: u64 = 144;
}

/// Contents of the header.
struct Parsed {
    /// `alpha_mode` is a guess if `alpha_is_known` is false.
    desc: TextureDesc,
    alpha_is_known: bool,
    format_name: String,
    header: HeaderKind,
    is_typeless: bool,
    data_offset: u64,
    /// Faults of the header that are tolerated.
    notes: Vec<String>,
    /// Order of the channels of colours, if the header states one.
    channel_order: Option<&'static ChannelOrder>,
}

impl Parsed {
    /// Returns the notes about a texture, which keeps its blocks.
    fn texture_notes(&self) -> Vec<String> {
        let order = self.channel_order.map(|ChannelOrder { letters, .. }| {
            format!("the header says {letters}, another order of channels; blocks are as stored")
        });
        self.notes.iter().cloned().chain(order).collect()
    }
}

pub(super) fn read(source: &mut ByteSource<'_>) -> Result<Texture, ContainerError> {
    let parsed = parse(source)?;
    let notes = parsed.texture_notes();
    let Parsed { mut desc, alpha_is_known, data_offset, .. } = parsed;
    let data = source.bytes(data_offset, desc.data_bytes())?;
    if desc.format == BlockFormat::Bc1 && !alpha_is_known {
        desc.alpha_mode = alpha_mode_of_blocks(has_transparent_texel(&data));
    }
    Ok(Texture::new(desc, data)?.with_notes(notes))
}

pub(super) fn info(source: &mut ByteSource<'_>, reads_blocks: bool) -> Result<Info, ContainerError> {
    let parsed = parse(source)?;
    let notes = parsed.texture_notes();
    let Parsed { mut desc, alpha_is_known, format_name, header, is_typeless, data_offset, .. } = parsed;
    if reads_blocks && desc.format == BlockFormat::Bc1 && !alpha_is_known {
        let mut chunk = [0; 1 << 16];
        let (mut at, end) = (data_offset, data_offset + desc.data_bytes());
        let mut transparent = false;
        while at < end && !transparent {
            let count = (end - at).min(chunk.len() as u64);
            let blocks = &mut chunk[..count as usize];
            source.fill(at, blocks)?;
            transparent = has_transparent_texel(blocks);
            at += count;
        }
        desc.alpha_mode = alpha_mode_of_blocks(transparent);
    }
    Ok(Info { notes, is_typeless, ..Info::new(ContainerFormat::Dds, desc, format_name, header) })
}

/// Returns the shape that [`read`] gives a texture, and the faults of the header that it tolerates, without
/// the order of channels. Data is not read.
#[cfg(feature = "io")]
pub(crate) fn texture_shape(
    source: &mut ByteSource<'_>,
) -> Result<(TextureDesc, Vec<String>), ContainerError> {
    let Parsed { desc, notes, .. } = parse(source)?;
    Ok((desc, notes))
}

/// Reads the header and checks that the stream has the length that it states.
fn parse(source: &mut ByteSource<'_>) -> Result<Parsed, ContainerError> {
    let invalid = |offset, reason, found: u32| ContainerError::Header { offset, reason, found: found.into() };
    source.check_range(0, LEGACY_BYTES)?;
    let head = source.bytes(4, source.len().min(DX10_BYTES) - 4)?;
    let Some(mut raw) = RawHeader::read(&head) else {
        return source.check_range(0, DX10_BYTES).and(Err(invalid(0, "no header", 0)));
    };
    let mut notes = raw.repair();
    if let Some(texels) = raw.gimp_texels {
        return Err(ContainerError::unsupported(format!("DDS with {}", texels.name())));
    }
    if raw.size != HEADER_BYTES {
        return Err(invalid(offset::SIZE, "the header's size is not 124", raw.size));
    }
    if raw.pixel_format_size != PIXEL_FORMAT_BYTES {
        let reason = "the pixel format's size is not 32";
        return Err(invalid(offset::PIXEL_FORMAT_SIZE, reason, raw.pixel_format_size));
    }
    if raw.height == 0 {
        return Err(invalid(offset::HEIGHT, "the height is 0", 0));
    }
    if raw.width == 0 {
        return Err(invalid(offset::WIDTH, "the width is 0", 0));
    }
    let mut desc =
        TextureDesc::new_2d(BlockFormat::Bc1, raw.width, raw.height).with_mip_levels(raw.mip_levels.max(1));
    let alpha_mode;
    let (format_name, header, data_offset);
    let mut is_typeless = false;
    if let Some(dx10) = &raw.dx10 {
        let typeless = of_typeless(dx10.dxgi_format);
        let number = typeless.map_or(dx10.dxgi_format, |(typed, _)| typed);
        let Some((format, color_space, name)) = of_dxgi(number) else {
            return Err(ContainerError::unsupported(format!("DDS with {}", dxgi_name(dx10.dxgi_format))));
        };
        if let Some((_, typeless)) = typeless {
            notes.push(format!("{typeless} states no type of numbers; {name} is read"));
            is_typeless = true;
        }
        (desc.format, desc.color_space) = (format, color_space);
        let cube = dx10.misc_flag & misc_flag::CUBE != 0;
        desc.kind = match (dx10.resource_dimension, cube) {
            (DIMENSION_1D, _) => return Err(ContainerError::unsupported("DDS with a 1D texture")),
            (DIMENSION_2D, false) => TextureKind::D2,
            (DIMENSION_2D, true) => TextureKind::Cube,
            (DIMENSION_3D, false) => TextureKind::D3,
            (found, _) => {
                let reason = "the resource dimension is not 2 (1D), 3 (2D or cube) or 4 (3D, no cube)";
                return Err(invalid(offset::RESOURCE_DIMENSION, reason, found));
            }
        };
        desc.layers = dx10.array_size.max(1);
        if desc.kind == TextureKind::D3 && desc.layers > 1 {
            return Err(invalid(offset::ARRAY_SIZE, "a 3D texture has an array size", desc.layers));
        }
        alpha_mode = match dx10.misc_flags2 & ALPHA_MODE_MASK {
            0 => None,
            // 4 is "custom": a fourth channel that is not transparency. It must not be dropped.
            1 | 4 => Some(AlphaMode::Straight),
            2 => Some(AlphaMode::Premultiplied),
            3 => Some(AlphaMode::Opaque),
            found => return Err(invalid(offset::MISC_FLAGS2, "the alpha mode is above 4", found)),
        };
        format_name = typeless.map_or(name, |(_, typeless)| typeless).to_owned();
        (header, data_offset) = (HeaderKind::DdsDx10, DX10_BYTES);
    } else {
        let (format, alpha, name) = legacy_format_of(&raw)?;
        desc.format = format;
        let punch_through = raw.pixel_flags & pixel_flags::ALPHA_PIXELS != 0;
        alpha_mode =
            if punch_through && format == BlockFormat::Bc1 { Some(AlphaMode::Straight) } else { alpha };
        let volume = raw.caps2 & caps2::VOLUME != 0 || raw.flags & flags::DEPTH != 0 && raw.depth > 1;
        desc.kind = match (raw.caps2 & caps2::CUBE != 0, volume) {
            (false, false) => TextureKind::D2,
            (false, true) => TextureKind::D3,
            (true, false) if raw.caps2 & caps2::ALL_FACES == caps2::ALL_FACES => TextureKind::Cube,
            (true, false) => return Err(ContainerError::unsupported("DDS with a cube that lacks faces")),
            (true, true) => {
                return Err(invalid(offset::CAPS2, "a cube cannot have a depth", raw.caps2));
            }
        };
        format_name = name;
        (header, data_offset) = (HeaderKind::DdsLegacy, LEGACY_BYTES);
    }
    if desc.kind == TextureKind::D3 {
        desc.depth = raw.depth.max(1);
    }
    desc.alpha_mode = alpha_mode.unwrap_or_else(|| AlphaMode::usual(desc.format));
    if raw.has_x_in_alpha() {
        desc.swizzle = X_IN_ALPHA;
        desc.color_space = ColorSpace::Linear;
        notes.push(X_IN_ALPHA_NOTE.to_owned());
    }
    let channel_order = raw.channel_order().filter(|_| !raw.has_x_in_alpha());
    desc.check()?;
    let available = source.len().saturating_sub(data_offset);
    if desc.format.plain().is_some() && has_padded_rows(&raw, &desc, available) {
        return Err(ContainerError::unsupported("DDS with padding between rows"));
    }
    notes.extend(fit_to(&mut desc, available));
    source.check_range(data_offset, desc.data_bytes())?;
    let alpha_is_known = alpha_mode.is_some();
    Ok(Parsed { desc, alpha_is_known, format_name, header, is_typeless, data_offset, notes, channel_order })
}

/// Returns the format of a legacy header, the alpha mode if it states one, and the name of the format: a
/// four-CC, a name of `D3DFORMAT`, or the masks.
fn legacy_format_of(raw: &RawHeader) -> Result<(TextureFormat, Option<AlphaMode>, String), ContainerError> {
    let has = |flag| raw.pixel_flags & flag != 0;
    if has(pixel_flags::FOUR_CC) {
        let name = raw.four_cc.name();
        return match of_four_cc(raw.four_cc) {
            Some((format @ TextureFormat::Block(_), alpha_mode)) => Ok((format, alpha_mode, name)),
            Some((format, alpha_mode)) => Ok((format, alpha_mode, format!("D3DFORMAT {}", raw.four_cc.0))),
            None => Err(ContainerError::unsupported(format!("DDS with the pixel format {name}"))),
        };
    }
    let [bits, red, green, blue, alpha] = raw.masks;
    let used_alpha = if has(pixel_flags::ALPHA_PIXELS) { alpha } else { 0 };
    let format = of_masks([bits, red, green, blue, used_alpha]).filter(|_| has(pixel_flags::RGB));
    let masks = format!("{bits} bits and the masks {red:08x}, {green:08x}, {blue:08x}, {alpha:08x}");
    match format {
        Some(format) => Ok((format.into(), None, masks)),
        None => Err(ContainerError::unsupported(format!("DDS with texels of {masks}"))),
    }
}

/// True if rows of plain texels are followed by padding.
fn has_padded_rows(raw: &RawHeader, desc: &TextureDesc, available: u64) -> bool {
    let row_bytes = desc.format.image_bytes(desc.width, 1);
    let face_bytes = desc.with_layers(1).data_bytes() / u64::from(desc.faces());
    raw.padding_bytes(row_bytes, face_bytes, available) > 0
}

/// Reduces layers and mip levels to those for which `available` bytes suffice, and returns a note.
///
/// Some writers state the six faces of a cube as the array size. Mip levels are missing if the file has
/// exactly the length without them; other files are cut short.
fn fit_to(desc: &mut TextureDesc, available: u64) -> Option<String> {
    if desc.data_bytes() <= available {
        return None;
    }
    let layers = desc.layers;
    if desc.kind == TextureKind::Cube && layers.is_multiple_of(6) {
        let one = desc.with_layers(layers / 6);
        if one.data_bytes() == available {
            *desc = one;
            return Some(format!("the array size {layers} counts faces, not cubes"));
        }
    }
    let promised = desc.mip_levels;
    let fits = |&levels: &u32| desc.with_mip_levels(levels).data_bytes() == available;
    let mip_levels = (1..promised).rev().find(fits)?;
    *desc = desc.with_mip_levels(mip_levels);
    Some(format!("the header promises {promised} mip levels, the file has {mip_levels}"))
}

pub(super) fn write(
    writer: &mut dyn Write,
    texture: &Texture,
    options: &TextureWriteOptions,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    let desc = texture.desc();
    if !ContainerFormat::Dds.has_format(desc.format) {
        return Err(ContainerError::NoDdsFormat { format: desc.format });
    }
    for (is_usual, what) in [
        (desc.orientation == TextureOrientation::default(), "an orientation"),
        (desc.swizzle == Swizzle::IDENTITY || desc.has_x_in_alpha(), "a swizzle"),
    ] {
        if !is_usual {
            return Err(ContainerError::unsupported(format!("{what} in DDS")));
        }
    }
    let legacy = match options.dds_header {
        DdsHeader::Auto => legacy_says_all(texture),
        DdsHeader::Legacy => true,
        DdsHeader::Dx10 => false,
    };
    let (pixel_format, dx10) = if legacy {
        let what = if desc.layers > 1 { "an array" } else { desc.format.name() };
        let pixel_format = legacy_format(desc).ok_or(ContainerError::LegacyHeader { what })?;
        (pixel_format, None)
    } else {
        let (dxgi_format, _) = dxgi(desc.format, desc.color_space)
            .ok_or_else(|| ContainerError::unsupported(format!("sRGB {} in DDS", desc.format)))?;
        let cube = desc.kind == TextureKind::Cube;
        let dx10 = Dx10 {
            dxgi_format,
            resource_dimension: if desc.kind == TextureKind::D3 { DIMENSION_3D } else { DIMENSION_2D },
            misc_flag: if cube { misc_flag::CUBE } else { 0 },
            array_size: desc.layers,
            misc_flags2: match desc.alpha_mode {
                AlphaMode::Straight => 1,
                AlphaMode::Premultiplied => 2,
                AlphaMode::Opaque => 3,
            },
        };
        (LegacyFormat::FourCc(FourCc::DX10), Some(dx10))
    };
    let header = raw_header(desc, pixel_format, dx10).to_bytes();
    let total = (header.len() + texture.data().len()) as u64;
    let mut writer = TaskWriter::new(writer, total, task);
    writer.write_all(&header)?;
    writer.write_all(texture.data())?;
    Ok(())
}

fn raw_header(desc: &TextureDesc, pixel_format: LegacyFormat, dx10: Option<Dx10>) -> RawHeader {
    let mut flags = flags::REQUIRED;
    let mut caps = caps::TEXTURE;
    let mut caps2 = 0;
    if desc.mip_levels > 1 {
        flags |= flags::MIP_LEVELS;
        caps |= caps::MIP_LEVELS | caps::COMPLEX;
    }
    match desc.kind {
        TextureKind::D2 => {}
        TextureKind::Cube => {
            caps |= caps::COMPLEX;
            caps2 |= caps2::CUBE | caps2::ALL_FACES;
        }
        TextureKind::D3 => {
            flags |= flags::DEPTH;
            caps |= caps::COMPLEX;
            caps2 |= caps2::VOLUME;
        }
    }
    // Bytes of mip level 0, counting one slice like DirectXTex; for plain texels, those of a row. Left out if
    // they do not fit 32 bits.
    let (size_flag, linear_size) = match desc.format {
        TextureFormat::Block(_) => {
            (flags::LINEAR_SIZE, u32::try_from(desc.format.image_bytes(desc.width, desc.height)).ok())
        }
        TextureFormat::Plain(_) => (flags::PITCH, u32::try_from(desc.format.image_bytes(desc.width, 1)).ok()),
    };
    if linear_size.is_some() {
        flags |= size_flag;
    }
    let (mut pixel_flags, four_cc, masks) = match pixel_format {
        LegacyFormat::FourCc(four_cc) => (pixel_flags::FOUR_CC, four_cc, [0; 5]),
        LegacyFormat::Masks(masks) => (pixel_flags::RGB, FourCc(0), masks),
    };
    if four_cc == FourCc::DXT1 && desc.alpha_mode != AlphaMode::Opaque || masks[4] != 0 {
        pixel_flags |= pixel_flags::ALPHA_PIXELS;
    }
    if desc.has_x_in_alpha() {
        pixel_flags |= pixel_flags::NORMALS;
    }
    RawHeader {
        size: HEADER_BYTES,
        flags,
        height: desc.height,
        width: desc.width,
        linear_size: linear_size.unwrap_or(0),
        depth: if desc.kind == TextureKind::D3 { desc.depth } else { 0 },
        mip_levels: desc.mip_levels,
        gimp_texels: None,
        pixel_format_size: PIXEL_FORMAT_BYTES,
        pixel_flags,
        four_cc,
        masks,
        caps,
        caps2,
        dx10,
    }
}

/// True if the same texture can be read from the legacy header alone. Signed BC4 and BC5 have a four-CC, but
/// few readers support it. Plain formats always have the DX10 header, which names all of them.
fn legacy_says_all(texture: &Texture) -> bool {
    let desc = texture.desc();
    let is_sayable = match desc.format {
        TextureFormat::Block(BlockFormat::Bc4Unorm | BlockFormat::Bc5Unorm) => {
            desc.alpha_mode == AlphaMode::Opaque
        }
        // The legacy header does not state if colours are sRGB.
        TextureFormat::Block(
            BlockFormat::Bc1
            | BlockFormat::Bc2
            | BlockFormat::Bc3
            | BlockFormat::Bc4Snorm
            | BlockFormat::Bc5Snorm
            | BlockFormat::Bc6hUfloat
            | BlockFormat::Bc6hSfloat
            | BlockFormat::Bc7
            | BlockFormat::Etc2Rgb
            | BlockFormat::Etc2RgbA1
            | BlockFormat::Etc2Rgba
            | BlockFormat::EacR11Unorm
            | BlockFormat::EacR11Snorm
            | BlockFormat::EacRg11Unorm
            | BlockFormat::EacRg11Snorm
            | BlockFormat::Astc(_),
        )
        | TextureFormat::Plain(_) => false,
    };
    is_sayable && desc.color_space == ColorSpace::Linear && legacy_format(desc).is_some()
}

fn alpha_mode_of_blocks(has_transparent_texel: bool) -> AlphaMode {
    if has_transparent_texel { AlphaMode::Straight } else { AlphaMode::Opaque }
}

/// True if a BC1 block uses index 3 in its three-colour mode, which is transparent black.
fn has_transparent_texel(blocks: &[u8]) -> bool {
    blocks.as_chunks::<8>().0.iter().any(|&[a, b, c, d, e, f, g, h]| {
        let indices = u32::from_le_bytes([e, f, g, h]);
        u16::from_le_bytes([a, b]) <= u16::from_le_bytes([c, d])
            && indices & (indices >> 1) & 0x5555_5555 != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transparent_texels_are_found() {
        // Endpoints 1 and 2: three colours. Index 3 in the last texel only.
        assert!(has_transparent_texel(&[1, 0, 2, 0, 0, 0, 0, 0xc0]));
        assert!(has_transparent_texel(&[1, 0, 1, 0, 3, 0, 0, 0]));
        // The neighbours 1 and 2 have two adjacent set bits, but neither is 3.
        assert!(!has_transparent_texel(&[1, 0, 2, 0, 0b0110, 0, 0, 0]));
        // Endpoints 2 and 1: four colours.
        assert!(!has_transparent_texel(&[2, 0, 1, 0, 0xff, 0xff, 0xff, 0xff]));
    }
}
