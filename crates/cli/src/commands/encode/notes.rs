//! Notes about textures, with the relevant options.

use brickwork_texture::BlockFormat;
use brickwork_toolkit::texture::TextureNote;

/// Returns the note in words. A note that concerns all pictures has the same text for each.
pub fn text(note: &TextureNote) -> String {
    let hint = match note {
        TextureNote::NormalMap { .. } => "; -f bc5 or --linear is for normals, --srgb for colours",
        TextureNote::NotColors { .. } => "; --linear is for data, -f bc5 for normals, --srgb for colours",
        TextureNote::LooksLike { .. } => "; --data or --linear is for data, --srgb for colours",
        TextureNote::Decision { .. } => "; --srgb is for colours, --data for data",
        TextureNote::DenseAlpha { .. } => "; with --data it does not, and colours are linear",
        TextureNote::FacingAway { format, .. } if format.block().is_some_and(BlockFormat::is_mobile) => {
            "; -f astc and -f etc2 do"
        }
        TextureNote::FacingAway { .. } => "; -f bc7 does",
        TextureNote::SwizzledAlpha { .. } => "; --linear or --data is for numbers that are not colours",
        TextureNote::DataInBc1 { format, .. } if *format == BlockFormat::Etc2RgbA1 => {
            "; -f etc2-a8 and -f astc do"
        }
        TextureNote::SoftAlpha { format, .. } if *format == BlockFormat::Etc2RgbA1 => {
            "; -f etc2-a8 and -f astc can"
        }
        TextureNote::DataInBc1 { .. } => "; -f bc7 and -f bc3 do",
        TextureNote::SoftAlpha { .. } => "; -f bc7 and -f bc3 can",
        TextureNote::Dilated { .. } => "; --dilate=no keeps them",
        TextureNote::Normalized { .. } => "; --normalize=no keeps all",
        TextureNote::Coverage { .. } => "; --keep-coverage keeps it",
        TextureNote::CoverageThreshold { format, .. } if *format == BlockFormat::Etc2RgbA1 => {
            "; the test should be at 0.5"
        }
        TextureNote::CoverageThreshold { .. } => "; --alpha-threshold should be the number of the test",
        TextureNote::AlphaDropped { .. } => "; bc1 without \"RGB\" in its name has",
        TextureNote::Clamped { .. } => "; -f bc6h and -f rgba16f can",
        TextureNote::NotMultipleOf4 { .. } => "; --multiple-of-4 resizes the image",
        TextureNote::LegacyHeader | TextureNote::LegacyAlpha => "; --dx10 does",
        _ => "",
    };
    format!("{note}{hint}")
}
