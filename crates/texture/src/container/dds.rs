//! DDS: the magic `DDS `, a header of 124 bytes, for newer formats a second one of 20 bytes, then the blocks
//! in the order of [`Texture`].
//!
//! The legacy header names a format by a four-CC. It has no colour space and no arrays, and states an alpha
//! mode only by the even numbers (`DXT2`, `DXT4`: premultiplied). The DX10 header has a `DXGI_FORMAT`, an
//! array size, and the alpha mode in `miscFlags2`. A depth, array size or mip count of 0 counts as 1. As in
//! Direct3D's loaders, the flags that say which fields are valid are ignored: many writers set them wrong.
//!
//! `DDPF_ALPHAPIXELS` with `DXT1` says that there is punch-through alpha. NVIDIA Texture Tools set it; other
//! writers do not, which is why blocks are searched for transparent texels if it is missing.
//!
//! Source: Microsoft, *Programming Guide for DDS*,
//! <https://learn.microsoft.com/en-us/windows/win32/direct3ddds/dx-graphics-dds-pguide>.

use super::byte_source::ByteSource;
use super::{ContainerError, ContainerFormat, DdsHeader, Info, WriteOptions};
use crate::{AlphaMode, BlockFormat, ColorSpace, Texture, TextureDesc, TextureKind};
use ::dds::header::{
    Caps, Caps2, DdsFlags, DxgiFormat, FourCC, Header, MiscFlags, PixelFormatFlags, RawDx10Header, RawHeader,
    RawPixelFormat,
};
use std::io::Write;

/// Magic and header.
/// What [`Info::header`] calls the header without a second one.
pub(super) const LEGACY_HEADER: &str = "DDS, legacy header";
const LEGACY_BYTES: u64 = 4 + HEADER_BYTES as u64;
/// Magic, header and DX10 header.
const DX10_BYTES: u64 = LEGACY_BYTES + 20;
/// `dwSize` of the header.
const HEADER_BYTES: u32 = 124;
/// `dwSize` of the pixel format in the header.
const PIXEL_FORMAT_BYTES: u32 = 32;
/// `D3D10_RESOURCE_DIMENSION_TEXTURE1D` and so on.
const DIMENSION_1D: u32 = 2;
const DIMENSION_2D: u32 = 3;
const DIMENSION_3D: u32 = 4;
/// `DDS_ALPHA_MODE` lies in the lowest three bits of `miscFlags2`.
const ALPHA_MODE_MASK: u32 = 7;

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

/// What the header says.
struct Parsed {
    /// `alpha_mode` is a guess if `alpha_is_known` is false.
    desc: TextureDesc,
    alpha_is_known: bool,
    format_name: String,
    header: &'static str,
    data_offset: u64,
}

pub(super) fn read(source: &mut ByteSource<'_>) -> Result<Texture, ContainerError> {
    let Parsed { mut desc, alpha_is_known, data_offset, .. } = parse(source)?;
    let data = source.bytes(data_offset, desc.data_bytes())?;
    if desc.format == BlockFormat::Bc1 && !alpha_is_known {
        desc.alpha_mode = alpha_mode_of_blocks(has_transparent_texel(&data));
    }
    Ok(Texture::new(desc, data)?)
}

pub(super) fn info(source: &mut ByteSource<'_>) -> Result<Info, ContainerError> {
    let Parsed { mut desc, alpha_is_known, format_name, header, data_offset } = parse(source)?;
    if desc.format == BlockFormat::Bc1 && !alpha_is_known {
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
    Ok(Info::new(ContainerFormat::Dds, desc, format_name, header))
}

/// Reads the header and checks that the stream is as long as it says.
fn parse(source: &mut ByteSource<'_>) -> Result<Parsed, ContainerError> {
    let invalid = |offset, reason, found: u32| ContainerError::Header { offset, reason, found: found.into() };
    source.check_range(0, LEGACY_BYTES)?;
    // RawHeader also reads the second header if the four-CC is DX10.
    let head = source.bytes(4, source.len().min(DX10_BYTES) - 4)?;
    let raw = match RawHeader::read(&mut head.as_slice()) {
        Ok(raw) => raw,
        Err(_) => return source.check_range(0, DX10_BYTES).and(Err(invalid(0, "no header", 0))),
    };
    if raw.size != HEADER_BYTES {
        return Err(invalid(offset::SIZE, "the header's size is not 124", raw.size));
    }
    let pixel_format = &raw.pixel_format;
    if pixel_format.size != PIXEL_FORMAT_BYTES {
        let reason = "the pixel format's size is not 32";
        return Err(invalid(offset::PIXEL_FORMAT_SIZE, reason, pixel_format.size));
    }
    if raw.height == 0 {
        return Err(invalid(offset::HEIGHT, "the height is 0", 0));
    }
    if raw.width == 0 {
        return Err(invalid(offset::WIDTH, "the width is 0", 0));
    }
    let mut desc =
        TextureDesc::new_2d(BlockFormat::Bc1, raw.width, raw.height).with_mip_levels(raw.mipmap_count.max(1));
    let alpha_mode;
    let (format_name, header, data_offset);
    if let Some(dx10) = &raw.dx10 {
        let Some((format, color_space, name)) = of_dxgi(dx10.dxgi_format) else {
            let name = DxgiFormat::try_from(dx10.dxgi_format).map(|format| format!("{format:?}"));
            let name = name.unwrap_or_else(|number| number.to_string());
            return Err(ContainerError::unsupported(format!("DDS with DXGI_FORMAT_{name}")));
        };
        (desc.format, desc.color_space) = (format, color_space);
        let cube = dx10.misc_flag.contains(MiscFlags::TEXTURE_CUBE);
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
        format_name = name.to_owned();
        (header, data_offset) = ("DDS, DX10 header", DX10_BYTES);
    } else {
        let four_cc = FourCC::from(u32::from(pixel_format.four_cc));
        let known =
            pixel_format.flags.contains(PixelFormatFlags::FOURCC).then(|| of_four_cc(four_cc)).flatten();
        let Some((format, alpha)) = known else {
            let name = four_cc_name(four_cc);
            return Err(ContainerError::unsupported(format!("DDS with the pixel format {name}")));
        };
        desc.format = format;
        let punch_through = pixel_format.flags.contains(PixelFormatFlags::ALPHAPIXELS);
        alpha_mode =
            if punch_through && format == BlockFormat::Bc1 { Some(AlphaMode::Straight) } else { alpha };
        let volume =
            raw.caps2.contains(Caps2::VOLUME) || raw.flags.contains(DdsFlags::DEPTH) && raw.depth > 1;
        desc.kind = match (raw.caps2.contains(Caps2::CUBE_MAP), volume) {
            (false, false) => TextureKind::D2,
            (false, true) => TextureKind::D3,
            (true, false) if raw.caps2.contains(Caps2::CUBE_MAP_ALL_FACES) => TextureKind::Cube,
            (true, false) => return Err(ContainerError::unsupported("DDS with a cube that lacks faces")),
            (true, true) => {
                return Err(invalid(offset::CAPS2, "a cube cannot have a depth", raw.caps2.bits()));
            }
        };
        format_name = four_cc_name(four_cc);
        (header, data_offset) = (LEGACY_HEADER, LEGACY_BYTES);
    }
    if desc.kind == TextureKind::D3 {
        desc.depth = raw.depth.max(1);
    }
    desc.alpha_mode = alpha_mode.unwrap_or_else(|| AlphaMode::usual(desc.format));
    desc.check()?;
    source.check_range(data_offset, desc.data_bytes())?;
    Ok(Parsed { desc, alpha_is_known: alpha_mode.is_some(), format_name, header, data_offset })
}

pub(super) fn write(
    writer: &mut dyn Write,
    texture: &Texture,
    options: &WriteOptions,
) -> Result<(), ContainerError> {
    let desc = texture.desc();
    let legacy = match options.dds_header {
        DdsHeader::Auto => legacy_says_all(texture),
        DdsHeader::Legacy => true,
        DdsHeader::Dx10 => false,
    };
    let (four_cc, dx10) = if legacy {
        let four_cc = legacy_four_cc(desc).ok_or_else(|| {
            let what = if desc.layers > 1 { "an array" } else { desc.format.name() };
            ContainerError::unsupported(format!("{what} in a legacy DDS header"))
        })?;
        (four_cc, None)
    } else {
        let (dxgi_format, _) = dxgi(desc.format, desc.color_space)
            .ok_or_else(|| ContainerError::unsupported(format!("sRGB {} in DDS", desc.format)))?;
        let cube = desc.kind == TextureKind::Cube;
        let dx10 = RawDx10Header {
            dxgi_format: dxgi_format.into(),
            resource_dimension: if desc.kind == TextureKind::D3 { DIMENSION_3D } else { DIMENSION_2D },
            misc_flag: if cube { MiscFlags::TEXTURE_CUBE } else { MiscFlags::empty() },
            array_size: desc.layers,
            misc_flags2: match desc.alpha_mode {
                AlphaMode::Straight => 1,
                AlphaMode::Premultiplied => 2,
                AlphaMode::Opaque => 3,
            },
        };
        (FourCC::DX10, Some(dx10))
    };
    let mut head = Header::MAGIC.to_vec();
    raw_header(desc, four_cc, dx10).write(&mut head)?;
    writer.write_all(&head)?;
    writer.write_all(texture.data())?;
    Ok(())
}

fn raw_header(desc: &TextureDesc, four_cc: FourCC, dx10: Option<RawDx10Header>) -> RawHeader {
    let mut flags = DdsFlags::REQUIRED;
    let mut caps = Caps::REQUIRED;
    let mut caps2 = Caps2::empty();
    if desc.mip_levels > 1 {
        flags |= DdsFlags::MIPMAP_COUNT;
        caps |= Caps::MIPMAP | Caps::COMPLEX;
    }
    match desc.kind {
        TextureKind::D2 => {}
        TextureKind::Cube => {
            caps |= Caps::COMPLEX;
            caps2 |= Caps2::CUBE_MAP | Caps2::CUBE_MAP_ALL_FACES;
        }
        TextureKind::D3 => {
            flags |= DdsFlags::DEPTH;
            caps |= Caps::COMPLEX;
            caps2 |= Caps2::VOLUME;
        }
    }
    // The bytes of mip level 0, of one slice as DirectXTex counts them. Left out if they do not fit 32 bits.
    let linear_size = u32::try_from(desc.format.image_bytes(desc.width, desc.height)).ok();
    if linear_size.is_some() {
        flags |= DdsFlags::LINEAR_SIZE;
    }
    let mut pixel_flags = PixelFormatFlags::FOURCC;
    if four_cc == FourCC::DXT1 && desc.alpha_mode != AlphaMode::Opaque {
        pixel_flags |= PixelFormatFlags::ALPHAPIXELS;
    }
    RawHeader {
        size: HEADER_BYTES,
        flags,
        height: desc.height,
        width: desc.width,
        pitch_or_linear_size: linear_size.unwrap_or(0),
        depth: if desc.kind == TextureKind::D3 { desc.depth } else { 0 },
        mipmap_count: desc.mip_levels,
        reserved1: [0; 11],
        pixel_format: RawPixelFormat {
            size: PIXEL_FORMAT_BYTES,
            flags: pixel_flags,
            four_cc,
            rgb_bit_count: 0,
            r_bit_mask: 0,
            g_bit_mask: 0,
            b_bit_mask: 0,
            a_bit_mask: 0,
        },
        caps,
        caps2,
        caps3: 0,
        caps4: 0,
        reserved2: 0,
        dx10,
    }
}

/// Whether the legacy header alone gives the same texture back. Signed BC4 and BC5 have a four-CC, but few
/// readers know it.
fn legacy_says_all(texture: &Texture) -> bool {
    let desc = texture.desc();
    let is_sayable = match desc.format {
        BlockFormat::Bc4Unorm | BlockFormat::Bc5Unorm => desc.alpha_mode == AlphaMode::Opaque,
        // Whether colours are sRGB it does not say.
        BlockFormat::Bc1
        | BlockFormat::Bc2
        | BlockFormat::Bc3
        | BlockFormat::Bc4Snorm
        | BlockFormat::Bc5Snorm
        | BlockFormat::Bc6hUfloat
        | BlockFormat::Bc6hSfloat
        | BlockFormat::Bc7 => false,
    };
    is_sayable && desc.color_space == ColorSpace::Linear && legacy_four_cc(desc).is_some()
}

/// Whether a file that starts with these bytes says whether its colours are sRGB: all but those of BC1, BC2
/// and BC3 with a legacy header.
pub(super) fn states_color_space(first_bytes: &[u8]) -> bool {
    let Some(four_cc) = first_bytes.get(84..88) else { return true };
    let four_cc = FourCC(u32::from_le_bytes([four_cc[0], four_cc[1], four_cc[2], four_cc[3]]));
    let colors = [FourCC::DXT1, FourCC::DXT2, FourCC::DXT3, FourCC::DXT4, FourCC::DXT5];
    !first_bytes.starts_with(b"DDS ") || !colors.contains(&four_cc)
}

/// The four-CC for a texture, if there is one. `BC4U` and `BC5U` are the names that DirectXTex writes; the
/// older `ATI2` stands for swapped channels in some tools.
fn legacy_four_cc(desc: &TextureDesc) -> Option<FourCC> {
    if desc.layers > 1 {
        return None;
    }
    let premultiplied = desc.alpha_mode == AlphaMode::Premultiplied;
    match desc.format {
        BlockFormat::Bc1 => Some(FourCC::DXT1),
        BlockFormat::Bc2 => Some(if premultiplied { FourCC::DXT2 } else { FourCC::DXT3 }),
        BlockFormat::Bc3 => Some(if premultiplied { FourCC::DXT4 } else { FourCC::DXT5 }),
        BlockFormat::Bc4Unorm => Some(FourCC::BC4U),
        BlockFormat::Bc4Snorm => Some(FourCC::BC4S),
        BlockFormat::Bc5Unorm => Some(FourCC::BC5U),
        BlockFormat::Bc5Snorm => Some(FourCC::BC5S),
        BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat | BlockFormat::Bc7 => None,
    }
}

/// The format of a four-CC, and the alpha mode if it states one.
fn of_four_cc(four_cc: FourCC) -> Option<(BlockFormat, Option<AlphaMode>)> {
    Some(match four_cc {
        FourCC::DXT1 => (BlockFormat::Bc1, None),
        FourCC::DXT2 => (BlockFormat::Bc2, Some(AlphaMode::Premultiplied)),
        FourCC::DXT3 => (BlockFormat::Bc2, Some(AlphaMode::Straight)),
        FourCC::DXT4 => (BlockFormat::Bc3, Some(AlphaMode::Premultiplied)),
        FourCC::DXT5 => (BlockFormat::Bc3, Some(AlphaMode::Straight)),
        FourCC::ATI1 | FourCC::BC4U => (BlockFormat::Bc4Unorm, None),
        FourCC::BC4S => (BlockFormat::Bc4Snorm, None),
        FourCC::ATI2 | FourCC::BC5U => (BlockFormat::Bc5Unorm, None),
        FourCC::BC5S => (BlockFormat::Bc5Snorm, None),
        _ => return None,
    })
}

/// The four letters, or the number if they are not letters.
fn four_cc_name(four_cc: FourCC) -> String {
    let bytes = four_cc.0.to_le_bytes();
    if bytes.iter().all(u8::is_ascii_alphanumeric) {
        bytes.into_iter().map(char::from).collect()
    } else {
        format!("{:#010x}", four_cc.0)
    }
}

/// The DXGI format and its name, if there is one.
fn dxgi(format: BlockFormat, color_space: ColorSpace) -> Option<(DxgiFormat, &'static str)> {
    use ColorSpace::{Linear, Srgb};
    Some(match (format, color_space) {
        (BlockFormat::Bc1, Linear) => (DxgiFormat::BC1_UNORM, "DXGI_FORMAT_BC1_UNORM"),
        (BlockFormat::Bc1, Srgb) => (DxgiFormat::BC1_UNORM_SRGB, "DXGI_FORMAT_BC1_UNORM_SRGB"),
        (BlockFormat::Bc2, Linear) => (DxgiFormat::BC2_UNORM, "DXGI_FORMAT_BC2_UNORM"),
        (BlockFormat::Bc2, Srgb) => (DxgiFormat::BC2_UNORM_SRGB, "DXGI_FORMAT_BC2_UNORM_SRGB"),
        (BlockFormat::Bc3, Linear) => (DxgiFormat::BC3_UNORM, "DXGI_FORMAT_BC3_UNORM"),
        (BlockFormat::Bc3, Srgb) => (DxgiFormat::BC3_UNORM_SRGB, "DXGI_FORMAT_BC3_UNORM_SRGB"),
        (BlockFormat::Bc4Unorm, Linear) => (DxgiFormat::BC4_UNORM, "DXGI_FORMAT_BC4_UNORM"),
        (BlockFormat::Bc4Snorm, Linear) => (DxgiFormat::BC4_SNORM, "DXGI_FORMAT_BC4_SNORM"),
        (BlockFormat::Bc5Unorm, Linear) => (DxgiFormat::BC5_UNORM, "DXGI_FORMAT_BC5_UNORM"),
        (BlockFormat::Bc5Snorm, Linear) => (DxgiFormat::BC5_SNORM, "DXGI_FORMAT_BC5_SNORM"),
        (BlockFormat::Bc6hUfloat, Linear) => (DxgiFormat::BC6H_UF16, "DXGI_FORMAT_BC6H_UF16"),
        (BlockFormat::Bc6hSfloat, Linear) => (DxgiFormat::BC6H_SF16, "DXGI_FORMAT_BC6H_SF16"),
        (BlockFormat::Bc7, Linear) => (DxgiFormat::BC7_UNORM, "DXGI_FORMAT_BC7_UNORM"),
        (BlockFormat::Bc7, Srgb) => (DxgiFormat::BC7_UNORM_SRGB, "DXGI_FORMAT_BC7_UNORM_SRGB"),
        (
            BlockFormat::Bc4Unorm
            | BlockFormat::Bc4Snorm
            | BlockFormat::Bc5Unorm
            | BlockFormat::Bc5Snorm
            | BlockFormat::Bc6hUfloat
            | BlockFormat::Bc6hSfloat,
            Srgb,
        ) => return None,
    })
}

/// What a `DXGI_FORMAT` number stands for: the inverse of [`dxgi`].
fn of_dxgi(number: u32) -> Option<(BlockFormat, ColorSpace, &'static str)> {
    let all = BlockFormat::ALL.iter().copied();
    let mut all = all.flat_map(|format| [(format, ColorSpace::Linear), (format, ColorSpace::Srgb)]);
    all.find_map(|(format, color_space)| {
        let (dxgi, name) = dxgi(format, color_space)?;
        (u32::from(dxgi) == number).then_some((format, color_space, name))
    })
}

fn alpha_mode_of_blocks(has_transparent_texel: bool) -> AlphaMode {
    if has_transparent_texel { AlphaMode::Straight } else { AlphaMode::Opaque }
}

/// Whether a BC1 block uses index 3 in its three-colour mode, which is transparent black.
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
