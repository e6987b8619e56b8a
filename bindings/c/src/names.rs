//! Numbers of the header for formats and properties. Each table lists number, name in the header, and value.
//! The numbers never change.

use crate::status::Failure;
use brickwork_base::Stage;
use brickwork_texture::{
    AlphaMode, AstcFootprint, BlockFormat, ChannelType, ColorSpace, PlainFormat, RoundingRule,
    TextureFormat::{self, Block, Plain},
    TextureKind,
    container::{ContainerFormat, DdsHeader},
};

/// A table of numbers.
pub type Table<T> = [(u32, &'static str, T)];

pub const FORMATS: &Table<TextureFormat> = &[
    (1, "BRICKWORK_FORMAT_BC1", Block(BlockFormat::Bc1)),
    (2, "BRICKWORK_FORMAT_BC2", Block(BlockFormat::Bc2)),
    (3, "BRICKWORK_FORMAT_BC3", Block(BlockFormat::Bc3)),
    (4, "BRICKWORK_FORMAT_BC4", Block(BlockFormat::Bc4Unorm)),
    (5, "BRICKWORK_FORMAT_BC4S", Block(BlockFormat::Bc4Snorm)),
    (6, "BRICKWORK_FORMAT_BC5", Block(BlockFormat::Bc5Unorm)),
    (7, "BRICKWORK_FORMAT_BC5S", Block(BlockFormat::Bc5Snorm)),
    (8, "BRICKWORK_FORMAT_BC6H", Block(BlockFormat::Bc6hUfloat)),
    (9, "BRICKWORK_FORMAT_BC6HS", Block(BlockFormat::Bc6hSfloat)),
    (10, "BRICKWORK_FORMAT_BC7", Block(BlockFormat::Bc7)),
    (11, "BRICKWORK_FORMAT_R8", Plain(PlainFormat::R8Unorm)),
    (12, "BRICKWORK_FORMAT_R8S", Plain(PlainFormat::R8Snorm)),
    (13, "BRICKWORK_FORMAT_RG8", Plain(PlainFormat::Rg8Unorm)),
    (14, "BRICKWORK_FORMAT_RG8S", Plain(PlainFormat::Rg8Snorm)),
    (15, "BRICKWORK_FORMAT_RGBA8", Plain(PlainFormat::Rgba8Unorm)),
    (16, "BRICKWORK_FORMAT_RGBA8S", Plain(PlainFormat::Rgba8Snorm)),
    (17, "BRICKWORK_FORMAT_BGRA8", Plain(PlainFormat::Bgra8Unorm)),
    (18, "BRICKWORK_FORMAT_R16", Plain(PlainFormat::R16Unorm)),
    (19, "BRICKWORK_FORMAT_R16S", Plain(PlainFormat::R16Snorm)),
    (20, "BRICKWORK_FORMAT_RG16", Plain(PlainFormat::Rg16Unorm)),
    (21, "BRICKWORK_FORMAT_RG16S", Plain(PlainFormat::Rg16Snorm)),
    (22, "BRICKWORK_FORMAT_RGBA16", Plain(PlainFormat::Rgba16Unorm)),
    (23, "BRICKWORK_FORMAT_RGBA16S", Plain(PlainFormat::Rgba16Snorm)),
    (24, "BRICKWORK_FORMAT_R16F", Plain(PlainFormat::R16Float)),
    (25, "BRICKWORK_FORMAT_RG16F", Plain(PlainFormat::Rg16Float)),
    (26, "BRICKWORK_FORMAT_RGBA16F", Plain(PlainFormat::Rgba16Float)),
    (27, "BRICKWORK_FORMAT_R32F", Plain(PlainFormat::R32Float)),
    (28, "BRICKWORK_FORMAT_RG32F", Plain(PlainFormat::Rg32Float)),
    (29, "BRICKWORK_FORMAT_RGBA32F", Plain(PlainFormat::Rgba32Float)),
    (30, "BRICKWORK_FORMAT_RGB9E5", Plain(PlainFormat::Rgb9e5)),
    (31, "BRICKWORK_FORMAT_RG11B10F", Plain(PlainFormat::Rg11b10Float)),
    (32, "BRICKWORK_FORMAT_ETC2", Block(BlockFormat::Etc2Rgb)),
    (33, "BRICKWORK_FORMAT_ETC2_A1", Block(BlockFormat::Etc2RgbA1)),
    (34, "BRICKWORK_FORMAT_ETC2_A8", Block(BlockFormat::Etc2Rgba)),
    (35, "BRICKWORK_FORMAT_EAC_R11", Block(BlockFormat::EacR11Unorm)),
    (36, "BRICKWORK_FORMAT_EAC_R11S", Block(BlockFormat::EacR11Snorm)),
    (37, "BRICKWORK_FORMAT_EAC_RG11", Block(BlockFormat::EacRg11Unorm)),
    (38, "BRICKWORK_FORMAT_EAC_RG11S", Block(BlockFormat::EacRg11Snorm)),
    (39, "BRICKWORK_FORMAT_ASTC_4X4", Block(BlockFormat::Astc(AstcFootprint::B4x4))),
    (40, "BRICKWORK_FORMAT_ASTC_5X4", Block(BlockFormat::Astc(AstcFootprint::B5x4))),
    (41, "BRICKWORK_FORMAT_ASTC_5X5", Block(BlockFormat::Astc(AstcFootprint::B5x5))),
    (42, "BRICKWORK_FORMAT_ASTC_6X5", Block(BlockFormat::Astc(AstcFootprint::B6x5))),
    (43, "BRICKWORK_FORMAT_ASTC_6X6", Block(BlockFormat::Astc(AstcFootprint::B6x6))),
    (44, "BRICKWORK_FORMAT_ASTC_8X5", Block(BlockFormat::Astc(AstcFootprint::B8x5))),
    (45, "BRICKWORK_FORMAT_ASTC_8X6", Block(BlockFormat::Astc(AstcFootprint::B8x6))),
    (46, "BRICKWORK_FORMAT_ASTC_8X8", Block(BlockFormat::Astc(AstcFootprint::B8x8))),
    (47, "BRICKWORK_FORMAT_ASTC_10X5", Block(BlockFormat::Astc(AstcFootprint::B10x5))),
    (48, "BRICKWORK_FORMAT_ASTC_10X6", Block(BlockFormat::Astc(AstcFootprint::B10x6))),
    (49, "BRICKWORK_FORMAT_ASTC_10X8", Block(BlockFormat::Astc(AstcFootprint::B10x8))),
    (50, "BRICKWORK_FORMAT_ASTC_10X10", Block(BlockFormat::Astc(AstcFootprint::B10x10))),
    (51, "BRICKWORK_FORMAT_ASTC_12X10", Block(BlockFormat::Astc(AstcFootprint::B12x10))),
    (52, "BRICKWORK_FORMAT_ASTC_12X12", Block(BlockFormat::Astc(AstcFootprint::B12x12))),
];
pub const KINDS: &Table<TextureKind> = &[
    (1, "BRICKWORK_KIND_2D", TextureKind::D2),
    (2, "BRICKWORK_KIND_CUBE", TextureKind::Cube),
    (3, "BRICKWORK_KIND_3D", TextureKind::D3),
];
pub const COLOR_SPACES: &Table<Option<ColorSpace>> = &[
    (0, "BRICKWORK_COLOR_SPACE_AUTO", None),
    (1, "BRICKWORK_COLOR_SPACE_SRGB", Some(ColorSpace::Srgb)),
    (2, "BRICKWORK_COLOR_SPACE_LINEAR", Some(ColorSpace::Linear)),
];
pub const ALPHA_MODES: &Table<Option<AlphaMode>> = &[
    (0, "BRICKWORK_ALPHA_AUTO", None),
    (1, "BRICKWORK_ALPHA_OPAQUE", Some(AlphaMode::Opaque)),
    (2, "BRICKWORK_ALPHA_STRAIGHT", Some(AlphaMode::Straight)),
    (3, "BRICKWORK_ALPHA_PREMULTIPLIED", Some(AlphaMode::Premultiplied)),
];
pub const ROUNDING_RULES: &Table<RoundingRule> = &[
    (0, "BRICKWORK_ROUNDING_REAL", RoundingRule::Real),
    (1, "BRICKWORK_ROUNDING_EXACT", RoundingRule::Exact),
    (2, "BRICKWORK_ROUNDING_TRUNC", RoundingRule::Trunc),
    (3, "BRICKWORK_ROUNDING_NVIDIA", RoundingRule::Nvidia),
    (4, "BRICKWORK_ROUNDING_AMD", RoundingRule::Amd),
    (5, "BRICKWORK_ROUNDING_INTEL", RoundingRule::Intel),
];
pub const CHANNEL_TYPES: &Table<ChannelType> = &[
    (1, "BRICKWORK_CHANNEL_U8", ChannelType::U8),
    (2, "BRICKWORK_CHANNEL_U16", ChannelType::U16),
    (3, "BRICKWORK_CHANNEL_F16", ChannelType::F16),
    (4, "BRICKWORK_CHANNEL_F32", ChannelType::F32),
];
pub const CONTAINERS: &Table<ContainerFormat> = &[
    (1, "BRICKWORK_CONTAINER_DDS", ContainerFormat::Dds),
    (2, "BRICKWORK_CONTAINER_KTX2", ContainerFormat::Ktx2),
    (3, "BRICKWORK_CONTAINER_ASTC", ContainerFormat::Astc),
];
pub const DDS_HEADERS: &Table<DdsHeader> = &[
    (0, "BRICKWORK_DDS_HEADER_AUTO", DdsHeader::Auto),
    (1, "BRICKWORK_DDS_HEADER_LEGACY", DdsHeader::Legacy),
    (2, "BRICKWORK_DDS_HEADER_DX10", DdsHeader::Dx10),
];
pub const STAGES: &Table<Stage> = &[
    (1, "BRICKWORK_STAGE_READING", Stage::Reading),
    (2, "BRICKWORK_STAGE_ENCODING", Stage::Encoding),
    (3, "BRICKWORK_STAGE_DECODING", Stage::Decoding),
    (4, "BRICKWORK_STAGE_WRITING", Stage::Writing),
    (5, "BRICKWORK_STAGE_PREPARING", Stage::Preparing),
    (6, "BRICKWORK_STAGE_COMPARING", Stage::Comparing),
];

/// Returns the value of a number.
pub fn value<T: Copy>(table: &Table<T>, number: u32, field: &str) -> Result<T, Failure> {
    let found = table.iter().find(|&&(known, ..)| known == number).map(|&(_, _, value)| value);
    found.ok_or_else(|| {
        let first = table.first().map_or(0, |&(number, ..)| number);
        let last = table.last().map_or(0, |&(number, ..)| number);
        Failure::argument(format!("{field} is {number}, expected a number from {first} to {last}"))
    })
}

/// Returns the number of a value; 0 if it has none.
pub fn number<T: Copy + PartialEq>(table: &Table<T>, value: T) -> u32 {
    table.iter().find(|&&(_, _, known)| known == value).map_or(0, |&(number, ..)| number)
}

#[cfg(test)]
mod c_tests {
    use super::*;

    #[test]
    fn every_value_has_a_number() {
        fn all<T: Copy + PartialEq>(table: &Table<T>, values: &[T]) {
            assert_eq!(table.len(), values.len());
            assert!(values.iter().all(|&value| table.iter().any(|&(.., known)| known == value)));
            assert!(table.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0));
        }
        all(FORMATS, &TextureFormat::all().collect::<Vec<_>>());
        all(ROUNDING_RULES, RoundingRule::ALL);
        all(CHANNEL_TYPES, ChannelType::ALL);
        all(CONTAINERS, ContainerFormat::ALL);
        let error = value(FORMATS, 53, "format").unwrap_err();
        assert!(format!("{error:?}").contains("format is 53, expected a number from 1 to 52"), "{error:?}");
    }
}
