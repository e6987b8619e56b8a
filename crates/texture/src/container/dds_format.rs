//! Formats of DDS files: DXGI numbers, four-CCs and bit masks.
//!
//! Direct3D 9 named formats by a four-CC, by a number of `D3DFORMAT` in its place, or by the bits of each
//! channel. Grey (`D3DFMT_L8`) and signed masks (`D3DFMT_V8U8`) are no formats of [`PlainFormat`].
//!
//! Sources: Microsoft, *DXGI_FORMAT enumeration*, *D3DFORMAT* and *DDS_PIXELFORMAT structure*.

use super::dds_header::FourCc;
use crate::{AlphaMode, BlockFormat, ColorSpace, PlainFormat, TextureDesc, TextureFormat};

/// Number of bits of a texel, and the masks of red, green, blue and alpha.
pub(super) type Masks = [u32; 5];

/// Pixel format of a legacy header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LegacyFormat {
    FourCc(FourCc),
    Masks(Masks),
}

/// Numbers of `D3DFORMAT` that are stored as four-CCs.
const NUMBERS: [(u32, PlainFormat); 8] = [
    (36, PlainFormat::Rgba16Unorm),
    (110, PlainFormat::Rgba16Snorm),
    (111, PlainFormat::R16Float),
    (112, PlainFormat::Rg16Float),
    (113, PlainFormat::Rgba16Float),
    (114, PlainFormat::R32Float),
    (115, PlainFormat::Rg32Float),
    (116, PlainFormat::Rgba32Float),
];

/// Masks of plain formats.
const MASKS: [(Masks, PlainFormat); 3] = [
    ([32, 0xff, 0xff00, 0xff_0000, 0xff00_0000], PlainFormat::Rgba8Unorm),
    ([32, 0xff_0000, 0xff00, 0xff, 0xff00_0000], PlainFormat::Bgra8Unorm),
    ([32, 0xffff, 0xffff_0000, 0, 0], PlainFormat::Rg16Unorm),
];

/// Typeless formats, the format of `DXGI_FORMAT` that is read in place of each, and their names. The numbers
/// become those of `UNORM`, or of floats if there is no such format.
const TYPELESS: [(u32, u32, &str); 17] = [
    (1, 2, "DXGI_FORMAT_R32G32B32A32_TYPELESS"),
    (9, 11, "DXGI_FORMAT_R16G16B16A16_TYPELESS"),
    (15, 16, "DXGI_FORMAT_R32G32_TYPELESS"),
    (27, 28, "DXGI_FORMAT_R8G8B8A8_TYPELESS"),
    (33, 35, "DXGI_FORMAT_R16G16_TYPELESS"),
    (39, 41, "DXGI_FORMAT_R32_TYPELESS"),
    (48, 49, "DXGI_FORMAT_R8G8_TYPELESS"),
    (53, 56, "DXGI_FORMAT_R16_TYPELESS"),
    (60, 61, "DXGI_FORMAT_R8_TYPELESS"),
    (70, 71, "DXGI_FORMAT_BC1_TYPELESS"),
    (73, 74, "DXGI_FORMAT_BC2_TYPELESS"),
    (76, 77, "DXGI_FORMAT_BC3_TYPELESS"),
    (79, 80, "DXGI_FORMAT_BC4_TYPELESS"),
    (82, 83, "DXGI_FORMAT_BC5_TYPELESS"),
    (90, 87, "DXGI_FORMAT_B8G8R8A8_TYPELESS"),
    (94, 95, "DXGI_FORMAT_BC6H_TYPELESS"),
    (97, 98, "DXGI_FORMAT_BC7_TYPELESS"),
];

/// Returns the number of the format that is read in place of a typeless one, and the name of the typeless
/// one, if `number` is one.
pub(super) fn of_typeless(number: u32) -> Option<(u32, &'static str)> {
    let (_, typed, name) = TYPELESS.iter().find(|(typeless, ..)| *typeless == number)?;
    Some((*typed, name))
}

/// Returns the pixel format of a legacy header for a texture, if there is one. `BC4U` and `BC5U` are the
/// names that DirectXTex writes. In some tools, the older `ATI2` means swapped channels.
pub(super) fn legacy_format(desc: &TextureDesc) -> Option<LegacyFormat> {
    if desc.layers > 1 {
        return None;
    }
    let premultiplied = desc.alpha_mode == AlphaMode::Premultiplied;
    let format = match desc.format {
        TextureFormat::Block(format) => format,
        TextureFormat::Plain(format) => {
            let number = NUMBERS.iter().find(|(_, known)| *known == format);
            let masks = MASKS.iter().find(|(_, known)| *known == format);
            let masks = masks.map(|(masks, _)| LegacyFormat::Masks(*masks));
            return number.map(|(number, _)| LegacyFormat::FourCc(FourCc(*number))).or(masks);
        }
    };
    Some(LegacyFormat::FourCc(match format {
        BlockFormat::Bc1 => FourCc::DXT1,
        BlockFormat::Bc2 if premultiplied => FourCc::DXT2,
        BlockFormat::Bc2 => FourCc::DXT3,
        BlockFormat::Bc3 if premultiplied => FourCc::DXT4,
        BlockFormat::Bc3 => FourCc::DXT5,
        BlockFormat::Bc4Unorm => FourCc::BC4U,
        BlockFormat::Bc4Snorm => FourCc::BC4S,
        BlockFormat::Bc5Unorm => FourCc::BC5U,
        BlockFormat::Bc5Snorm => FourCc::BC5S,
        BlockFormat::Bc6hUfloat
        | BlockFormat::Bc6hSfloat
        | BlockFormat::Bc7
        | BlockFormat::Etc2Rgb
        | BlockFormat::Etc2RgbA1
        | BlockFormat::Etc2Rgba
        | BlockFormat::EacR11Unorm
        | BlockFormat::EacR11Snorm
        | BlockFormat::EacRg11Unorm
        | BlockFormat::EacRg11Snorm
        | BlockFormat::Astc(_) => return None,
    }))
}

/// Returns the format of a four-CC, and the alpha mode if it states one.
pub(super) fn of_four_cc(four_cc: FourCc) -> Option<(TextureFormat, Option<AlphaMode>)> {
    let (format, alpha_mode) = match four_cc {
        FourCc::DXT1 => (BlockFormat::Bc1, None),
        FourCc::DXT2 => (BlockFormat::Bc2, Some(AlphaMode::Premultiplied)),
        FourCc::DXT3 => (BlockFormat::Bc2, Some(AlphaMode::Straight)),
        FourCc::DXT4 => (BlockFormat::Bc3, Some(AlphaMode::Premultiplied)),
        FourCc::DXT5 => (BlockFormat::Bc3, Some(AlphaMode::Straight)),
        FourCc::ATI1 | FourCc::BC4U => (BlockFormat::Bc4Unorm, None),
        FourCc::BC4S => (BlockFormat::Bc4Snorm, None),
        FourCc::ATI2 | FourCc::BC5U => (BlockFormat::Bc5Unorm, None),
        FourCc::BC5S => (BlockFormat::Bc5Snorm, None),
        FourCc(number) => {
            let known = NUMBERS.iter().find(|(known, _)| *known == number);
            return known.map(|(_, format)| ((*format).into(), None));
        }
    };
    Some((format.into(), alpha_mode))
}

/// Returns the plain format with these masks. The fields of channels without a flag are 0.
pub(super) fn of_masks(masks: Masks) -> Option<PlainFormat> {
    MASKS.iter().find(|(known, _)| *known == masks).map(|(_, format)| *format)
}

/// Returns the number and name of the DXGI format (*DXGI_FORMAT enumeration*), if there is one.
pub(crate) fn dxgi(format: TextureFormat, color_space: ColorSpace) -> Option<(u32, &'static str)> {
    let is_srgb = color_space == ColorSpace::Srgb;
    if is_srgb && !format.has_srgb() {
        return None;
    }
    Some(match format {
        TextureFormat::Block(format) => dxgi_blocks(format, is_srgb)?,
        TextureFormat::Plain(format) => dxgi_plain(format, is_srgb),
    })
}

/// DXGI has no ETC2 and no EAC. It had numbers for ASTC, which no version of Direct3D supports.
fn dxgi_blocks(format: BlockFormat, is_srgb: bool) -> Option<(u32, &'static str)> {
    Some(match (format, is_srgb) {
        (BlockFormat::Bc1, false) => (71, "DXGI_FORMAT_BC1_UNORM"),
        (BlockFormat::Bc1, true) => (72, "DXGI_FORMAT_BC1_UNORM_SRGB"),
        (BlockFormat::Bc2, false) => (74, "DXGI_FORMAT_BC2_UNORM"),
        (BlockFormat::Bc2, true) => (75, "DXGI_FORMAT_BC2_UNORM_SRGB"),
        (BlockFormat::Bc3, false) => (77, "DXGI_FORMAT_BC3_UNORM"),
        (BlockFormat::Bc3, true) => (78, "DXGI_FORMAT_BC3_UNORM_SRGB"),
        (BlockFormat::Bc4Unorm, _) => (80, "DXGI_FORMAT_BC4_UNORM"),
        (BlockFormat::Bc4Snorm, _) => (81, "DXGI_FORMAT_BC4_SNORM"),
        (BlockFormat::Bc5Unorm, _) => (83, "DXGI_FORMAT_BC5_UNORM"),
        (BlockFormat::Bc5Snorm, _) => (84, "DXGI_FORMAT_BC5_SNORM"),
        (BlockFormat::Bc6hUfloat, _) => (95, "DXGI_FORMAT_BC6H_UF16"),
        (BlockFormat::Bc6hSfloat, _) => (96, "DXGI_FORMAT_BC6H_SF16"),
        (BlockFormat::Bc7, false) => (98, "DXGI_FORMAT_BC7_UNORM"),
        (BlockFormat::Bc7, true) => (99, "DXGI_FORMAT_BC7_UNORM_SRGB"),
        (
            BlockFormat::Etc2Rgb
            | BlockFormat::Etc2RgbA1
            | BlockFormat::Etc2Rgba
            | BlockFormat::EacR11Unorm
            | BlockFormat::EacR11Snorm
            | BlockFormat::EacRg11Unorm
            | BlockFormat::EacRg11Snorm
            | BlockFormat::Astc(_),
            _,
        ) => return None,
    })
}

fn dxgi_plain(format: PlainFormat, is_srgb: bool) -> (u32, &'static str) {
    match (format, is_srgb) {
        (PlainFormat::Rgba32Float, _) => (2, "DXGI_FORMAT_R32G32B32A32_FLOAT"),
        (PlainFormat::Rgba16Float, _) => (10, "DXGI_FORMAT_R16G16B16A16_FLOAT"),
        (PlainFormat::Rgba16Unorm, _) => (11, "DXGI_FORMAT_R16G16B16A16_UNORM"),
        (PlainFormat::Rgba16Snorm, _) => (13, "DXGI_FORMAT_R16G16B16A16_SNORM"),
        (PlainFormat::Rg32Float, _) => (16, "DXGI_FORMAT_R32G32_FLOAT"),
        (PlainFormat::Rg11b10Float, _) => (26, "DXGI_FORMAT_R11G11B10_FLOAT"),
        (PlainFormat::Rgba8Unorm, false) => (28, "DXGI_FORMAT_R8G8B8A8_UNORM"),
        (PlainFormat::Rgba8Unorm, true) => (29, "DXGI_FORMAT_R8G8B8A8_UNORM_SRGB"),
        (PlainFormat::Rgba8Snorm, _) => (31, "DXGI_FORMAT_R8G8B8A8_SNORM"),
        (PlainFormat::Rg16Float, _) => (34, "DXGI_FORMAT_R16G16_FLOAT"),
        (PlainFormat::Rg16Unorm, _) => (35, "DXGI_FORMAT_R16G16_UNORM"),
        (PlainFormat::Rg16Snorm, _) => (37, "DXGI_FORMAT_R16G16_SNORM"),
        (PlainFormat::R32Float, _) => (41, "DXGI_FORMAT_R32_FLOAT"),
        (PlainFormat::Rg8Unorm, _) => (49, "DXGI_FORMAT_R8G8_UNORM"),
        (PlainFormat::Rg8Snorm, _) => (51, "DXGI_FORMAT_R8G8_SNORM"),
        (PlainFormat::R16Float, _) => (54, "DXGI_FORMAT_R16_FLOAT"),
        (PlainFormat::R16Unorm, _) => (56, "DXGI_FORMAT_R16_UNORM"),
        (PlainFormat::R16Snorm, _) => (58, "DXGI_FORMAT_R16_SNORM"),
        (PlainFormat::R8Unorm, _) => (61, "DXGI_FORMAT_R8_UNORM"),
        (PlainFormat::R8Snorm, _) => (63, "DXGI_FORMAT_R8_SNORM"),
        (PlainFormat::Rgb9e5, _) => (67, "DXGI_FORMAT_R9G9B9E5_SHAREDEXP"),
        (PlainFormat::Bgra8Unorm, false) => (87, "DXGI_FORMAT_B8G8R8A8_UNORM"),
        (PlainFormat::Bgra8Unorm, true) => (91, "DXGI_FORMAT_B8G8R8A8_UNORM_SRGB"),
    }
}

/// Returns the format of a `DXGI_FORMAT` number: the inverse of [`dxgi`].
pub(super) fn of_dxgi(number: u32) -> Option<(TextureFormat, ColorSpace, &'static str)> {
    let mut all =
        TextureFormat::all().flat_map(|format| [(format, ColorSpace::Linear), (format, ColorSpace::Srgb)]);
    all.find_map(|(format, color_space)| {
        let (dxgi, name) = dxgi(format, color_space)?;
        (dxgi == number).then_some((format, color_space, name))
    })
}
