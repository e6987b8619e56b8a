//! Vulkan's numbers of formats.
//!
//! The sRGB forms of one and two channels, which DXGI lacks, are no formats of [`PlainFormat`].

use crate::{AlphaMode, AstcFootprint, BlockFormat, ColorSpace, PlainFormat, TextureDesc, TextureFormat};
use ::ktx2::Format;

/// Returns the Vulkan format of a texture.
pub(super) fn vk_format(desc: &TextureDesc) -> Format {
    let srgb = desc.color_space == ColorSpace::Srgb;
    match desc.format {
        TextureFormat::Block(format) => vk_blocks(format, srgb, desc.alpha_mode == AlphaMode::Opaque),
        TextureFormat::Plain(format) => vk_plain(format, srgb),
    }
}

fn vk_blocks(format: BlockFormat, srgb: bool, opaque: bool) -> Format {
    match format {
        BlockFormat::Bc1 => match (opaque, srgb) {
            (true, false) => Format::BC1_RGB_UNORM_BLOCK,
            (true, true) => Format::BC1_RGB_SRGB_BLOCK,
            (false, false) => Format::BC1_RGBA_UNORM_BLOCK,
            (false, true) => Format::BC1_RGBA_SRGB_BLOCK,
        },
        BlockFormat::Bc2 if srgb => Format::BC2_SRGB_BLOCK,
        BlockFormat::Bc2 => Format::BC2_UNORM_BLOCK,
        BlockFormat::Bc3 if srgb => Format::BC3_SRGB_BLOCK,
        BlockFormat::Bc3 => Format::BC3_UNORM_BLOCK,
        BlockFormat::Bc4Unorm => Format::BC4_UNORM_BLOCK,
        BlockFormat::Bc4Snorm => Format::BC4_SNORM_BLOCK,
        BlockFormat::Bc5Unorm => Format::BC5_UNORM_BLOCK,
        BlockFormat::Bc5Snorm => Format::BC5_SNORM_BLOCK,
        BlockFormat::Bc6hUfloat => Format::BC6H_UFLOAT_BLOCK,
        BlockFormat::Bc6hSfloat => Format::BC6H_SFLOAT_BLOCK,
        BlockFormat::Bc7 if srgb => Format::BC7_SRGB_BLOCK,
        BlockFormat::Bc7 => Format::BC7_UNORM_BLOCK,
        BlockFormat::Etc2Rgb if srgb => Format::ETC2_R8G8B8_SRGB_BLOCK,
        BlockFormat::Etc2Rgb => Format::ETC2_R8G8B8_UNORM_BLOCK,
        BlockFormat::Etc2RgbA1 if srgb => Format::ETC2_R8G8B8A1_SRGB_BLOCK,
        BlockFormat::Etc2RgbA1 => Format::ETC2_R8G8B8A1_UNORM_BLOCK,
        BlockFormat::Etc2Rgba if srgb => Format::ETC2_R8G8B8A8_SRGB_BLOCK,
        BlockFormat::Etc2Rgba => Format::ETC2_R8G8B8A8_UNORM_BLOCK,
        BlockFormat::EacR11Unorm => Format::EAC_R11_UNORM_BLOCK,
        BlockFormat::EacR11Snorm => Format::EAC_R11_SNORM_BLOCK,
        BlockFormat::EacRg11Unorm => Format::EAC_R11G11_UNORM_BLOCK,
        BlockFormat::EacRg11Snorm => Format::EAC_R11G11_SNORM_BLOCK,
        BlockFormat::Astc(footprint) => vk_astc(footprint, srgb),
    }
}

/// Formats of ASTC with a low dynamic range: linear and sRGB.
const ASTC: [[Format; 2]; 14] = [
    [Format::ASTC_4x4_UNORM_BLOCK, Format::ASTC_4x4_SRGB_BLOCK],
    [Format::ASTC_5x4_UNORM_BLOCK, Format::ASTC_5x4_SRGB_BLOCK],
    [Format::ASTC_5x5_UNORM_BLOCK, Format::ASTC_5x5_SRGB_BLOCK],
    [Format::ASTC_6x5_UNORM_BLOCK, Format::ASTC_6x5_SRGB_BLOCK],
    [Format::ASTC_6x6_UNORM_BLOCK, Format::ASTC_6x6_SRGB_BLOCK],
    [Format::ASTC_8x5_UNORM_BLOCK, Format::ASTC_8x5_SRGB_BLOCK],
    [Format::ASTC_8x6_UNORM_BLOCK, Format::ASTC_8x6_SRGB_BLOCK],
    [Format::ASTC_8x8_UNORM_BLOCK, Format::ASTC_8x8_SRGB_BLOCK],
    [Format::ASTC_10x5_UNORM_BLOCK, Format::ASTC_10x5_SRGB_BLOCK],
    [Format::ASTC_10x6_UNORM_BLOCK, Format::ASTC_10x6_SRGB_BLOCK],
    [Format::ASTC_10x8_UNORM_BLOCK, Format::ASTC_10x8_SRGB_BLOCK],
    [Format::ASTC_10x10_UNORM_BLOCK, Format::ASTC_10x10_SRGB_BLOCK],
    [Format::ASTC_12x10_UNORM_BLOCK, Format::ASTC_12x10_SRGB_BLOCK],
    [Format::ASTC_12x12_UNORM_BLOCK, Format::ASTC_12x12_SRGB_BLOCK],
];

fn vk_astc(footprint: AstcFootprint, srgb: bool) -> Format {
    ASTC[footprint as usize][usize::from(srgb)]
}

fn of_vk_astc(format: Format) -> Option<(BlockFormat, Option<ColorSpace>)> {
    AstcFootprint::ALL.iter().zip(ASTC).find_map(|(&footprint, [linear, srgb])| {
        let color_space = if format == srgb { SRGB } else { LINEAR };
        (format == linear || format == srgb).then_some((BlockFormat::Astc(footprint), color_space))
    })
}

fn vk_plain(format: PlainFormat, srgb: bool) -> Format {
    match format {
        PlainFormat::R8Unorm => Format::R8_UNORM,
        PlainFormat::R8Snorm => Format::R8_SNORM,
        PlainFormat::Rg8Unorm => Format::R8G8_UNORM,
        PlainFormat::Rg8Snorm => Format::R8G8_SNORM,
        PlainFormat::Rgba8Unorm if srgb => Format::R8G8B8A8_SRGB,
        PlainFormat::Rgba8Unorm => Format::R8G8B8A8_UNORM,
        PlainFormat::Rgba8Snorm => Format::R8G8B8A8_SNORM,
        PlainFormat::Bgra8Unorm if srgb => Format::B8G8R8A8_SRGB,
        PlainFormat::Bgra8Unorm => Format::B8G8R8A8_UNORM,
        PlainFormat::R16Unorm => Format::R16_UNORM,
        PlainFormat::R16Snorm => Format::R16_SNORM,
        PlainFormat::Rg16Unorm => Format::R16G16_UNORM,
        PlainFormat::Rg16Snorm => Format::R16G16_SNORM,
        PlainFormat::Rgba16Unorm => Format::R16G16B16A16_UNORM,
        PlainFormat::Rgba16Snorm => Format::R16G16B16A16_SNORM,
        PlainFormat::R16Float => Format::R16_SFLOAT,
        PlainFormat::Rg16Float => Format::R16G16_SFLOAT,
        PlainFormat::Rgba16Float => Format::R16G16B16A16_SFLOAT,
        PlainFormat::R32Float => Format::R32_SFLOAT,
        PlainFormat::Rg32Float => Format::R32G32_SFLOAT,
        PlainFormat::Rgba32Float => Format::R32G32B32A32_SFLOAT,
        PlainFormat::Rgb9e5 => Format::E5B9G9R9_UFLOAT_PACK32,
        PlainFormat::Rg11b10Float => Format::B10G11R11_UFLOAT_PACK32,
    }
}

/// Returns the format of a Vulkan format, and its colour space, which is `None` if the descriptor must state
/// it.
pub(crate) fn of_vk_format(format: Format) -> Option<(TextureFormat, Option<ColorSpace>)> {
    let block = of_vk_blocks(format).map(|(format, color_space)| (format.into(), color_space));
    block.or_else(|| of_vk_plain(format).map(|(format, color_space)| (format.into(), color_space)))
}

const LINEAR: Option<ColorSpace> = Some(ColorSpace::Linear);
const SRGB: Option<ColorSpace> = Some(ColorSpace::Srgb);

fn of_vk_blocks(format: Format) -> Option<(BlockFormat, Option<ColorSpace>)> {
    Some(match format {
        Format::BC1_RGB_UNORM_BLOCK | Format::BC1_RGBA_UNORM_BLOCK => (BlockFormat::Bc1, LINEAR),
        Format::BC1_RGB_SRGB_BLOCK | Format::BC1_RGBA_SRGB_BLOCK => (BlockFormat::Bc1, SRGB),
        Format::BC2_UNORM_BLOCK => (BlockFormat::Bc2, LINEAR),
        Format::BC2_SRGB_BLOCK => (BlockFormat::Bc2, SRGB),
        Format::BC3_UNORM_BLOCK => (BlockFormat::Bc3, LINEAR),
        Format::BC3_SRGB_BLOCK => (BlockFormat::Bc3, SRGB),
        Format::BC4_UNORM_BLOCK => (BlockFormat::Bc4Unorm, None),
        Format::BC4_SNORM_BLOCK => (BlockFormat::Bc4Snorm, None),
        Format::BC5_UNORM_BLOCK => (BlockFormat::Bc5Unorm, None),
        Format::BC5_SNORM_BLOCK => (BlockFormat::Bc5Snorm, None),
        Format::BC6H_UFLOAT_BLOCK => (BlockFormat::Bc6hUfloat, None),
        Format::BC6H_SFLOAT_BLOCK => (BlockFormat::Bc6hSfloat, None),
        Format::BC7_UNORM_BLOCK => (BlockFormat::Bc7, LINEAR),
        Format::BC7_SRGB_BLOCK => (BlockFormat::Bc7, SRGB),
        Format::ETC2_R8G8B8_UNORM_BLOCK => (BlockFormat::Etc2Rgb, LINEAR),
        Format::ETC2_R8G8B8_SRGB_BLOCK => (BlockFormat::Etc2Rgb, SRGB),
        Format::ETC2_R8G8B8A1_UNORM_BLOCK => (BlockFormat::Etc2RgbA1, LINEAR),
        Format::ETC2_R8G8B8A1_SRGB_BLOCK => (BlockFormat::Etc2RgbA1, SRGB),
        Format::ETC2_R8G8B8A8_UNORM_BLOCK => (BlockFormat::Etc2Rgba, LINEAR),
        Format::ETC2_R8G8B8A8_SRGB_BLOCK => (BlockFormat::Etc2Rgba, SRGB),
        Format::EAC_R11_UNORM_BLOCK => (BlockFormat::EacR11Unorm, None),
        Format::EAC_R11_SNORM_BLOCK => (BlockFormat::EacR11Snorm, None),
        Format::EAC_R11G11_UNORM_BLOCK => (BlockFormat::EacRg11Unorm, None),
        Format::EAC_R11G11_SNORM_BLOCK => (BlockFormat::EacRg11Snorm, None),
        _ => return of_vk_astc(format),
    })
}

fn of_vk_plain(format: Format) -> Option<(PlainFormat, Option<ColorSpace>)> {
    Some(match format {
        Format::R8_UNORM => (PlainFormat::R8Unorm, LINEAR),
        Format::R8_SNORM => (PlainFormat::R8Snorm, None),
        Format::R8G8_UNORM => (PlainFormat::Rg8Unorm, LINEAR),
        Format::R8G8_SNORM => (PlainFormat::Rg8Snorm, None),
        Format::R8G8B8A8_UNORM => (PlainFormat::Rgba8Unorm, LINEAR),
        Format::R8G8B8A8_SRGB => (PlainFormat::Rgba8Unorm, SRGB),
        Format::R8G8B8A8_SNORM => (PlainFormat::Rgba8Snorm, None),
        Format::B8G8R8A8_UNORM => (PlainFormat::Bgra8Unorm, LINEAR),
        Format::B8G8R8A8_SRGB => (PlainFormat::Bgra8Unorm, SRGB),
        Format::R16_UNORM => (PlainFormat::R16Unorm, None),
        Format::R16_SNORM => (PlainFormat::R16Snorm, None),
        Format::R16G16_UNORM => (PlainFormat::Rg16Unorm, None),
        Format::R16G16_SNORM => (PlainFormat::Rg16Snorm, None),
        Format::R16G16B16A16_UNORM => (PlainFormat::Rgba16Unorm, None),
        Format::R16G16B16A16_SNORM => (PlainFormat::Rgba16Snorm, None),
        Format::R16_SFLOAT => (PlainFormat::R16Float, None),
        Format::R16G16_SFLOAT => (PlainFormat::Rg16Float, None),
        Format::R16G16B16A16_SFLOAT => (PlainFormat::Rgba16Float, None),
        Format::R32_SFLOAT => (PlainFormat::R32Float, None),
        Format::R32G32_SFLOAT => (PlainFormat::Rg32Float, None),
        Format::R32G32B32A32_SFLOAT => (PlainFormat::Rgba32Float, None),
        Format::E5B9G9R9_UFLOAT_PACK32 => (PlainFormat::Rgb9e5, None),
        Format::B10G11R11_UFLOAT_PACK32 => (PlainFormat::Rg11b10Float, None),
        _ => return None,
    })
}
