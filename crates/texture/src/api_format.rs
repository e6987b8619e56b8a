//! Formats of graphics APIs: Vulkan, Direct3D, Metal, WebGPU.
//!
//! Sources: Khronos, *VkFormat*; Microsoft, *DXGI_FORMAT enumeration*; Apple, *MTLPixelFormat*; W3C,
//! *WebGPU*, GPUTextureFormat.

#[cfg(feature = "gpu")]
use crate::AstcFootprint;
use crate::{BlockFormat, ColorSpace, PlainFormat, TextureDesc, TextureFormat, container};
#[cfg(feature = "gpu")]
use brickwork_gpu::wgpu;

/// Format of a graphics API.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ApiFormat {
    /// Value of the API's constant.
    pub number: u32,
    /// Name of the API's constant, such as `VK_FORMAT_BC7_SRGB_BLOCK`.
    pub name: String,
}

/// Formats of ASTC in Metal: numbers of the sRGB and linear forms.
const METAL_ASTC: [[u32; 2]; 14] = [
    [186, 204],
    [187, 205],
    [188, 206],
    [189, 207],
    [190, 208],
    [192, 210],
    [193, 211],
    [194, 212],
    [195, 213],
    [196, 214],
    [197, 215],
    [198, 216],
    [199, 217],
    [200, 218],
];

/// Methods for applications that upload a texture's data.
impl TextureDesc {
    /// Returns the `VkFormat`.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, ColorSpace, TextureDesc};
    ///
    /// let desc = TextureDesc::new_2d(BlockFormat::Bc7, 4, 4).with_color_space(ColorSpace::Srgb);
    /// let (vulkan, dxgi) = (desc.vulkan_format(), desc.dxgi_format().unwrap());
    /// assert_eq!((vulkan.number, vulkan.name.as_str()), (146, "VK_FORMAT_BC7_SRGB_BLOCK"));
    /// assert_eq!((dxgi.number, dxgi.name.as_str()), (99, "DXGI_FORMAT_BC7_UNORM_SRGB"));
    /// assert_eq!(desc.metal_format().unwrap().name, "MTLPixelFormatBC7_RGBAUnorm_sRGB");
    /// assert_eq!(desc.webgpu_format().as_deref(), Some("bc7-rgba-unorm-srgb"));
    /// ```
    pub fn vulkan_format(&self) -> ApiFormat {
        let (number, name) = container::vulkan(self);
        ApiFormat { number, name }
    }

    /// Returns the `DXGI_FORMAT`. There is none for ASTC, ETC2, EAC, and sRGB in formats without an sRGB
    /// variant.
    pub fn dxgi_format(&self) -> Option<ApiFormat> {
        let (number, name) = container::dxgi(self.format, self.color_space)?;
        Some(ApiFormat { number, name: name.to_owned() })
    }

    /// Returns the `MTLPixelFormat`. There is none for sRGB in formats without an sRGB variant.
    pub fn metal_format(&self) -> Option<ApiFormat> {
        let is_srgb = self.is_srgb()?;
        let (number, name) = match self.format {
            TextureFormat::Block(BlockFormat::Astc(footprint)) => {
                let [srgb, linear] = METAL_ASTC[footprint as usize];
                let [width, height] = footprint.extent();
                let (number, suffix) = if is_srgb { (srgb, "sRGB") } else { (linear, "LDR") };
                (number, format!("ASTC_{width}x{height}_{suffix}"))
            }
            format => {
                let (number, name, _) = metal_and_webgpu(format);
                let suffix = if is_srgb { "_sRGB" } else { "" };
                (number + u32::from(is_srgb), format!("{name}{suffix}"))
            }
        };
        Some(ApiFormat { number, name: format!("MTLPixelFormat{name}") })
    }

    /// Returns the `GPUTextureFormat` of WebGPU, which wgpu also uses in texts. There is none for sRGB in
    /// formats without an sRGB variant.
    pub fn webgpu_format(&self) -> Option<String> {
        let suffix = if self.is_srgb()? { "-srgb" } else { "" };
        let name = match self.format {
            TextureFormat::Block(BlockFormat::Astc(footprint)) => {
                let [width, height] = footprint.extent();
                format!("astc-{width}x{height}-unorm")
            }
            format => metal_and_webgpu(format).2.to_owned(),
        };
        Some(name + suffix)
    }

    /// Returns the format of wgpu. There is none for sRGB in formats without an sRGB variant.
    #[cfg(feature = "gpu")]
    pub fn wgpu_format(&self) -> Option<wgpu::TextureFormat> {
        let is_srgb = self.is_srgb()?;
        let linear = wgpu_format(self.format);
        Some(if is_srgb { linear.add_srgb_suffix() } else { linear })
    }

    /// True for sRGB. `None` if the format has no such variant.
    fn is_srgb(&self) -> Option<bool> {
        let is_srgb = self.color_space == ColorSpace::Srgb;
        (!is_srgb || self.format.has_srgb()).then_some(is_srgb)
    }
}

/// Returns the number and name of Metal's linear format, and the name of WebGPU's. Metal's sRGB forms have
/// the next number. Not for ASTC.
fn metal_and_webgpu(format: TextureFormat) -> (u32, &'static str, &'static str) {
    match format {
        TextureFormat::Block(format) => match format {
            BlockFormat::Bc1 => (130, "BC1_RGBA", "bc1-rgba-unorm"),
            BlockFormat::Bc2 => (132, "BC2_RGBA", "bc2-rgba-unorm"),
            BlockFormat::Bc3 => (134, "BC3_RGBA", "bc3-rgba-unorm"),
            BlockFormat::Bc4Unorm => (140, "BC4_RUnorm", "bc4-r-unorm"),
            BlockFormat::Bc4Snorm => (141, "BC4_RSnorm", "bc4-r-snorm"),
            BlockFormat::Bc5Unorm => (142, "BC5_RGUnorm", "bc5-rg-unorm"),
            BlockFormat::Bc5Snorm => (143, "BC5_RGSnorm", "bc5-rg-snorm"),
            BlockFormat::Bc6hSfloat => (150, "BC6H_RGBFloat", "bc6h-rgb-float"),
            BlockFormat::Bc6hUfloat => (151, "BC6H_RGBUfloat", "bc6h-rgb-ufloat"),
            BlockFormat::Bc7 => (152, "BC7_RGBAUnorm", "bc7-rgba-unorm"),
            BlockFormat::EacR11Unorm => (170, "EAC_R11Unorm", "eac-r11unorm"),
            BlockFormat::EacR11Snorm => (172, "EAC_R11Snorm", "eac-r11snorm"),
            BlockFormat::EacRg11Unorm => (174, "EAC_RG11Unorm", "eac-rg11unorm"),
            BlockFormat::EacRg11Snorm => (176, "EAC_RG11Snorm", "eac-rg11snorm"),
            BlockFormat::Etc2Rgba => (178, "EAC_RGBA8", "etc2-rgba8unorm"),
            BlockFormat::Etc2Rgb => (180, "ETC2_RGB8", "etc2-rgb8unorm"),
            BlockFormat::Etc2RgbA1 => (182, "ETC2_RGB8A1", "etc2-rgb8a1unorm"),
            BlockFormat::Astc(_) => unreachable!("ASTC has its own names"),
        },
        TextureFormat::Plain(format) => match format {
            PlainFormat::R8Unorm => (10, "R8Unorm", "r8unorm"),
            PlainFormat::R8Snorm => (12, "R8Snorm", "r8snorm"),
            PlainFormat::R16Unorm => (20, "R16Unorm", "r16unorm"),
            PlainFormat::R16Snorm => (22, "R16Snorm", "r16snorm"),
            PlainFormat::R16Float => (25, "R16Float", "r16float"),
            PlainFormat::Rg8Unorm => (30, "RG8Unorm", "rg8unorm"),
            PlainFormat::Rg8Snorm => (32, "RG8Snorm", "rg8snorm"),
            PlainFormat::R32Float => (55, "R32Float", "r32float"),
            PlainFormat::Rg16Unorm => (60, "RG16Unorm", "rg16unorm"),
            PlainFormat::Rg16Snorm => (62, "RG16Snorm", "rg16snorm"),
            PlainFormat::Rg16Float => (65, "RG16Float", "rg16float"),
            PlainFormat::Rgba8Unorm => (70, "RGBA8Unorm", "rgba8unorm"),
            PlainFormat::Rgba8Snorm => (72, "RGBA8Snorm", "rgba8snorm"),
            PlainFormat::Bgra8Unorm => (80, "BGRA8Unorm", "bgra8unorm"),
            PlainFormat::Rg11b10Float => (92, "RG11B10Float", "rg11b10ufloat"),
            PlainFormat::Rgb9e5 => (93, "RGB9E5Float", "rgb9e5ufloat"),
            PlainFormat::Rg32Float => (105, "RG32Float", "rg32float"),
            PlainFormat::Rgba16Unorm => (110, "RGBA16Unorm", "rgba16unorm"),
            PlainFormat::Rgba16Snorm => (112, "RGBA16Snorm", "rgba16snorm"),
            PlainFormat::Rgba16Float => (115, "RGBA16Float", "rgba16float"),
            PlainFormat::Rgba32Float => (125, "RGBA32Float", "rgba32float"),
        },
    }
}

/// Returns wgpu's linear format.
#[cfg(feature = "gpu")]
fn wgpu_format(format: TextureFormat) -> wgpu::TextureFormat {
    use wgpu::TextureFormat as F;
    match format {
        TextureFormat::Block(format) => match format {
            BlockFormat::Bc1 => F::Bc1RgbaUnorm,
            BlockFormat::Bc2 => F::Bc2RgbaUnorm,
            BlockFormat::Bc3 => F::Bc3RgbaUnorm,
            BlockFormat::Bc4Unorm => F::Bc4RUnorm,
            BlockFormat::Bc4Snorm => F::Bc4RSnorm,
            BlockFormat::Bc5Unorm => F::Bc5RgUnorm,
            BlockFormat::Bc5Snorm => F::Bc5RgSnorm,
            BlockFormat::Bc6hUfloat => F::Bc6hRgbUfloat,
            BlockFormat::Bc6hSfloat => F::Bc6hRgbFloat,
            BlockFormat::Bc7 => F::Bc7RgbaUnorm,
            BlockFormat::Etc2Rgb => F::Etc2Rgb8Unorm,
            BlockFormat::Etc2RgbA1 => F::Etc2Rgb8A1Unorm,
            BlockFormat::Etc2Rgba => F::Etc2Rgba8Unorm,
            BlockFormat::EacR11Unorm => F::EacR11Unorm,
            BlockFormat::EacR11Snorm => F::EacR11Snorm,
            BlockFormat::EacRg11Unorm => F::EacRg11Unorm,
            BlockFormat::EacRg11Snorm => F::EacRg11Snorm,
            BlockFormat::Astc(footprint) => {
                F::Astc { block: wgpu_block(footprint), channel: wgpu::AstcChannel::Unorm }
            }
        },
        TextureFormat::Plain(format) => match format {
            PlainFormat::R8Unorm => F::R8Unorm,
            PlainFormat::R8Snorm => F::R8Snorm,
            PlainFormat::Rg8Unorm => F::Rg8Unorm,
            PlainFormat::Rg8Snorm => F::Rg8Snorm,
            PlainFormat::Rgba8Unorm => F::Rgba8Unorm,
            PlainFormat::Rgba8Snorm => F::Rgba8Snorm,
            PlainFormat::Bgra8Unorm => F::Bgra8Unorm,
            PlainFormat::R16Unorm => F::R16Unorm,
            PlainFormat::R16Snorm => F::R16Snorm,
            PlainFormat::Rg16Unorm => F::Rg16Unorm,
            PlainFormat::Rg16Snorm => F::Rg16Snorm,
            PlainFormat::Rgba16Unorm => F::Rgba16Unorm,
            PlainFormat::Rgba16Snorm => F::Rgba16Snorm,
            PlainFormat::R16Float => F::R16Float,
            PlainFormat::Rg16Float => F::Rg16Float,
            PlainFormat::Rgba16Float => F::Rgba16Float,
            PlainFormat::R32Float => F::R32Float,
            PlainFormat::Rg32Float => F::Rg32Float,
            PlainFormat::Rgba32Float => F::Rgba32Float,
            PlainFormat::Rgb9e5 => F::Rgb9e5Ufloat,
            PlainFormat::Rg11b10Float => F::Rg11b10Ufloat,
        },
    }
}

#[cfg(feature = "gpu")]
fn wgpu_block(footprint: AstcFootprint) -> wgpu::AstcBlock {
    use wgpu::AstcBlock as B;
    match footprint {
        AstcFootprint::B4x4 => B::B4x4,
        AstcFootprint::B5x4 => B::B5x4,
        AstcFootprint::B5x5 => B::B5x5,
        AstcFootprint::B6x5 => B::B6x5,
        AstcFootprint::B6x6 => B::B6x6,
        AstcFootprint::B8x5 => B::B8x5,
        AstcFootprint::B8x6 => B::B8x6,
        AstcFootprint::B8x8 => B::B8x8,
        AstcFootprint::B10x5 => B::B10x5,
        AstcFootprint::B10x6 => B::B10x6,
        AstcFootprint::B10x8 => B::B10x8,
        AstcFootprint::B10x10 => B::B10x10,
        AstcFootprint::B12x10 => B::B12x10,
        AstcFootprint::B12x12 => B::B12x12,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All formats, linear and sRGB.
    fn all() -> impl Iterator<Item = TextureDesc> {
        TextureFormat::all().flat_map(|format| {
            let linear = TextureDesc::new_2d(format, 12, 12);
            let srgb = format.has_srgb().then(|| linear.with_color_space(ColorSpace::Srgb));
            [Some(linear), srgb].into_iter().flatten()
        })
    }

    #[test]
    fn names_lead_back_to_formats_and_numbers() {
        let number_of =
            |name: &str| METAL.iter().find(|(known, _)| *known == name).map(|&(_, number)| number);
        for desc in all() {
            let metal = desc.metal_format().unwrap();
            let name = metal.name.strip_prefix("MTLPixelFormat").unwrap();
            assert_eq!(number_of(name), Some(metal.number), "{desc:?}");
            let is_srgb = desc.color_space == ColorSpace::Srgb;
            assert_eq!(metal.name.ends_with("_sRGB"), is_srgb, "{metal:?}");
            assert_eq!(desc.webgpu_format().unwrap().ends_with("-srgb"), is_srgb, "{desc:?}");
            let named = [Some(desc.vulkan_format()), desc.dxgi_format()];
            for ApiFormat { name, .. } in named.into_iter().flatten() {
                assert_eq!(name.parse(), Ok(desc.format), "{name}");
                // Vulkan names BC4 and half floats without a colour space.
                let stated = ColorSpace::of_format_name(&name);
                assert!(stated.is_none_or(|stated| stated == desc.color_space), "{name}");
                assert_eq!(name.contains("SRGB"), is_srgb, "{name}");
            }
            assert_eq!(desc.dxgi_format().is_none(), desc.format.block().is_some_and(BlockFormat::is_mobile));
        }
        let odd = TextureDesc::new_2d(BlockFormat::Bc4Unorm, 4, 4).with_color_space(ColorSpace::Srgb);
        assert_eq!((odd.metal_format(), odd.dxgi_format(), odd.webgpu_format()), (None, None, None));
    }

    /// Numbers of MTLPixelFormat.h by name, without the prefix.
    #[rustfmt::skip]
    const METAL: [(&str, u32); 77] = [
        ("R8Unorm", 10), ("R8Unorm_sRGB", 11), ("R8Snorm", 12), ("R16Unorm", 20), ("R16Snorm", 22),
        ("R16Float", 25), ("RG8Unorm", 30), ("RG8Unorm_sRGB", 31), ("RG8Snorm", 32), ("R32Float", 55),
        ("RG16Unorm", 60), ("RG16Snorm", 62), ("RG16Float", 65), ("RGBA8Unorm", 70), ("RGBA8Unorm_sRGB", 71),
        ("RGBA8Snorm", 72), ("BGRA8Unorm", 80), ("BGRA8Unorm_sRGB", 81), ("RG11B10Float", 92),
        ("RGB9E5Float", 93), ("RG32Float", 105), ("RGBA16Unorm", 110), ("RGBA16Snorm", 112),
        ("RGBA16Float", 115), ("RGBA32Float", 125),
        ("BC1_RGBA", 130), ("BC1_RGBA_sRGB", 131), ("BC2_RGBA", 132), ("BC2_RGBA_sRGB", 133),
        ("BC3_RGBA", 134), ("BC3_RGBA_sRGB", 135), ("BC4_RUnorm", 140), ("BC4_RSnorm", 141),
        ("BC5_RGUnorm", 142), ("BC5_RGSnorm", 143), ("BC6H_RGBFloat", 150), ("BC6H_RGBUfloat", 151),
        ("BC7_RGBAUnorm", 152), ("BC7_RGBAUnorm_sRGB", 153),
        ("EAC_R11Unorm", 170), ("EAC_R11Snorm", 172), ("EAC_RG11Unorm", 174), ("EAC_RG11Snorm", 176),
        ("EAC_RGBA8", 178), ("EAC_RGBA8_sRGB", 179), ("ETC2_RGB8", 180), ("ETC2_RGB8_sRGB", 181),
        ("ETC2_RGB8A1", 182), ("ETC2_RGB8A1_sRGB", 183),
        ("ASTC_4x4_sRGB", 186), ("ASTC_5x4_sRGB", 187), ("ASTC_5x5_sRGB", 188), ("ASTC_6x5_sRGB", 189),
        ("ASTC_6x6_sRGB", 190), ("ASTC_8x5_sRGB", 192), ("ASTC_8x6_sRGB", 193), ("ASTC_8x8_sRGB", 194),
        ("ASTC_10x5_sRGB", 195), ("ASTC_10x6_sRGB", 196), ("ASTC_10x8_sRGB", 197), ("ASTC_10x10_sRGB", 198),
        ("ASTC_12x10_sRGB", 199), ("ASTC_12x12_sRGB", 200),
        ("ASTC_4x4_LDR", 204), ("ASTC_5x4_LDR", 205), ("ASTC_5x5_LDR", 206), ("ASTC_6x5_LDR", 207),
        ("ASTC_6x6_LDR", 208), ("ASTC_8x5_LDR", 210), ("ASTC_8x6_LDR", 211), ("ASTC_8x8_LDR", 212),
        ("ASTC_10x5_LDR", 213), ("ASTC_10x6_LDR", 214), ("ASTC_10x8_LDR", 215), ("ASTC_10x10_LDR", 216),
        ("ASTC_12x10_LDR", 217), ("ASTC_12x12_LDR", 218),
    ];

    /// wgpu knows extents, sizes, and, by `Debug`, the names of WebGPU in capitals.
    #[cfg(feature = "gpu")]
    #[test]
    fn wgpu_agrees() {
        for desc in all() {
            let found = desc.wgpu_format().unwrap();
            let [width, height] = desc.format.block_extent();
            assert_eq!(found.block_dimensions(), (width, height), "{desc:?}");
            assert_eq!(found.block_copy_size(None), Some(desc.format.block_bytes() as u32), "{desc:?}");
            assert_eq!(found.is_srgb(), desc.color_space == ColorSpace::Srgb, "{desc:?}");
            if !matches!(found, wgpu::TextureFormat::Astc { .. }) {
                let name = desc.webgpu_format().unwrap().replace('-', "");
                assert_eq!(format!("{found:?}").to_lowercase(), name);
            }
        }
    }
}
