//! Formats: names and sizes.

use crate::{
    names::{self, FORMATS},
    pointer::{Out, Text},
    status::{Failure, Status, guarded},
};
use brickwork_texture::{AstcFootprint, BlockFormat, PlainFormat, TextureFormat};
use std::ffi::{CStr, c_char};

const fn name(format: TextureFormat) -> &'static CStr {
    match format {
        TextureFormat::Block(format) => match format {
            BlockFormat::Bc1 => c"bc1",
            BlockFormat::Bc2 => c"bc2",
            BlockFormat::Bc3 => c"bc3",
            BlockFormat::Bc4Unorm => c"bc4",
            BlockFormat::Bc4Snorm => c"bc4s",
            BlockFormat::Bc5Unorm => c"bc5",
            BlockFormat::Bc5Snorm => c"bc5s",
            BlockFormat::Bc6hUfloat => c"bc6h",
            BlockFormat::Bc6hSfloat => c"bc6hs",
            BlockFormat::Bc7 => c"bc7",
            BlockFormat::Etc2Rgb => c"etc2",
            BlockFormat::Etc2RgbA1 => c"etc2-a1",
            BlockFormat::Etc2Rgba => c"etc2-a8",
            BlockFormat::EacR11Unorm => c"eac-r11",
            BlockFormat::EacR11Snorm => c"eac-r11s",
            BlockFormat::EacRg11Unorm => c"eac-rg11",
            BlockFormat::EacRg11Snorm => c"eac-rg11s",
            BlockFormat::Astc(AstcFootprint::B4x4) => c"astc-4x4",
            BlockFormat::Astc(AstcFootprint::B5x4) => c"astc-5x4",
            BlockFormat::Astc(AstcFootprint::B5x5) => c"astc-5x5",
            BlockFormat::Astc(AstcFootprint::B6x5) => c"astc-6x5",
            BlockFormat::Astc(AstcFootprint::B6x6) => c"astc-6x6",
            BlockFormat::Astc(AstcFootprint::B8x5) => c"astc-8x5",
            BlockFormat::Astc(AstcFootprint::B8x6) => c"astc-8x6",
            BlockFormat::Astc(AstcFootprint::B8x8) => c"astc-8x8",
            BlockFormat::Astc(AstcFootprint::B10x5) => c"astc-10x5",
            BlockFormat::Astc(AstcFootprint::B10x6) => c"astc-10x6",
            BlockFormat::Astc(AstcFootprint::B10x8) => c"astc-10x8",
            BlockFormat::Astc(AstcFootprint::B10x10) => c"astc-10x10",
            BlockFormat::Astc(AstcFootprint::B12x10) => c"astc-12x10",
            BlockFormat::Astc(AstcFootprint::B12x12) => c"astc-12x12",
            // The enum may grow.
            _ => c"",
        },
        TextureFormat::Plain(format) => match format {
            PlainFormat::R8Unorm => c"r8",
            PlainFormat::R8Snorm => c"r8s",
            PlainFormat::Rg8Unorm => c"rg8",
            PlainFormat::Rg8Snorm => c"rg8s",
            PlainFormat::Rgba8Unorm => c"rgba8",
            PlainFormat::Rgba8Snorm => c"rgba8s",
            PlainFormat::Bgra8Unorm => c"bgra8",
            PlainFormat::R16Unorm => c"r16",
            PlainFormat::R16Snorm => c"r16s",
            PlainFormat::Rg16Unorm => c"rg16",
            PlainFormat::Rg16Snorm => c"rg16s",
            PlainFormat::Rgba16Unorm => c"rgba16",
            PlainFormat::Rgba16Snorm => c"rgba16s",
            PlainFormat::R16Float => c"r16f",
            PlainFormat::Rg16Float => c"rg16f",
            PlainFormat::Rgba16Float => c"rgba16f",
            PlainFormat::R32Float => c"r32f",
            PlainFormat::Rg32Float => c"rg32f",
            PlainFormat::Rgba32Float => c"rgba32f",
            PlainFormat::Rgb9e5 => c"rgb9e5",
            PlainFormat::Rg11b10Float => c"rg11b10f",
            // The enum may grow.
            _ => c"",
        },
    }
}

/// Returns a format's name, or null.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_format_name(format: u32) -> *const c_char {
    names::value(FORMATS, format, "").map_or(std::ptr::null(), |format| name(format).as_ptr())
}

/// Finds a format by its name.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_format_from_name(text: Text, mut format: Out<u32>) -> Status {
    guarded(|| {
        let parsed = text.utf8("name")?.parse::<TextureFormat>();
        let parsed = parsed.map_err(|error| Failure::of(error.kind(), error))?;
        format.put(names::number(FORMATS, parsed), "format")
    })
}

/// Returns the size of an image's blocks or plain texels.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_image_bytes(
    format: u32,
    width: u32,
    height: u32,
    mut image_bytes: Out<u64>,
) -> Status {
    guarded(|| {
        let format = names::value(FORMATS, format, "format")?;
        image_bytes.put(format.image_bytes(width, height), "image_bytes")
    })
}

#[cfg(test)]
mod c_tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_libraries() {
        for format in TextureFormat::all() {
            assert_eq!(name(format).to_str(), Ok(format.name()));
        }
    }
}
