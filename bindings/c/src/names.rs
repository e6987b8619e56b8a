//! Numbers of the header for formats and options. Each table lists number, name in the header, and value. The
//! numbers never change.

use crate::status::Failure;
use brickwork_base::Stage;
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, ColorSpace, MipFilter, MipWrap, Quality, RoundingRule, TextureKind,
    bc::{bc6h::Bc6hMetric, bc7::RealTime},
    container::{ContainerFormat, DdsHeader},
};

/// A table of numbers.
pub type Table<T> = [(u32, &'static str, T)];

pub const FORMATS: &Table<BlockFormat> = &[
    (1, "BRICKWORK_FORMAT_BC1", BlockFormat::Bc1),
    (2, "BRICKWORK_FORMAT_BC2", BlockFormat::Bc2),
    (3, "BRICKWORK_FORMAT_BC3", BlockFormat::Bc3),
    (4, "BRICKWORK_FORMAT_BC4", BlockFormat::Bc4Unorm),
    (5, "BRICKWORK_FORMAT_BC4S", BlockFormat::Bc4Snorm),
    (6, "BRICKWORK_FORMAT_BC5", BlockFormat::Bc5Unorm),
    (7, "BRICKWORK_FORMAT_BC5S", BlockFormat::Bc5Snorm),
    (8, "BRICKWORK_FORMAT_BC6H", BlockFormat::Bc6hUfloat),
    (9, "BRICKWORK_FORMAT_BC6HS", BlockFormat::Bc6hSfloat),
    (10, "BRICKWORK_FORMAT_BC7", BlockFormat::Bc7),
];
pub const QUALITIES: &Table<Quality> = &[
    (1, "BRICKWORK_QUALITY_ULTRAFAST", Quality::Ultrafast),
    (2, "BRICKWORK_QUALITY_FAST", Quality::Fast),
    (3, "BRICKWORK_QUALITY_NORMAL", Quality::Normal),
    (4, "BRICKWORK_QUALITY_HIGH", Quality::High),
    (5, "BRICKWORK_QUALITY_BEST", Quality::Best),
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
pub const MIP_FILTERS: &Table<Option<MipFilter>> = &[
    (0, "BRICKWORK_MIP_FILTER_AUTO", None),
    (1, "BRICKWORK_MIP_FILTER_BOX", Some(MipFilter::Box)),
    (2, "BRICKWORK_MIP_FILTER_TRIANGLE", Some(MipFilter::Triangle)),
    (3, "BRICKWORK_MIP_FILTER_KAISER", Some(MipFilter::Kaiser)),
    (4, "BRICKWORK_MIP_FILTER_MITCHELL", Some(MipFilter::Mitchell)),
    (5, "BRICKWORK_MIP_FILTER_CATMULL_ROM", Some(MipFilter::CatmullRom)),
    (6, "BRICKWORK_MIP_FILTER_LANCZOS3", Some(MipFilter::Lanczos3)),
];
pub const MIP_WRAPS: &Table<MipWrap> = &[
    (0, "BRICKWORK_MIP_WRAP_CLAMP", MipWrap::Clamp),
    (1, "BRICKWORK_MIP_WRAP_REPEAT", MipWrap::Repeat),
    (2, "BRICKWORK_MIP_WRAP_MIRROR", MipWrap::Mirror),
];
pub const ROUNDING_RULES: &Table<RoundingRule> = &[
    (0, "BRICKWORK_ROUNDING_REAL", RoundingRule::Real),
    (1, "BRICKWORK_ROUNDING_EXACT", RoundingRule::Exact),
    (2, "BRICKWORK_ROUNDING_TRUNC", RoundingRule::Trunc),
    (3, "BRICKWORK_ROUNDING_NVIDIA", RoundingRule::Nvidia),
    (4, "BRICKWORK_ROUNDING_AMD", RoundingRule::Amd),
    (5, "BRICKWORK_ROUNDING_INTEL", RoundingRule::Intel),
];
pub const REAL_TIME_LEVELS: &Table<Option<RealTime>> = &[
    (0, "BRICKWORK_REAL_TIME_OFF", None),
    (1, "BRICKWORK_REAL_TIME_1", Some(RealTime::Level1)),
    (2, "BRICKWORK_REAL_TIME_2", Some(RealTime::Level2)),
];
pub const BC6H_METRICS: &Table<Option<Bc6hMetric>> = &[
    (0, "BRICKWORK_BC6H_METRIC_AUTO", None),
    (1, "BRICKWORK_BC6H_METRIC_PATTERN", Some(Bc6hMetric::Pattern)),
    (2, "BRICKWORK_BC6H_METRIC_LOG", Some(Bc6hMetric::Log)),
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

/// Returns a flag, which is 0 or 1.
pub fn flag(number: u32, field: &str) -> Result<bool, Failure> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Failure::argument(format!("{field} is {number}, expected 0 or 1"))),
    }
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
        fn all_or_none<T: Copy + PartialEq>(table: &Table<Option<T>>, values: &[T]) {
            all(table, &[None].into_iter().chain(values.iter().copied().map(Some)).collect::<Vec<_>>());
        }
        all(FORMATS, BlockFormat::ALL);
        all(QUALITIES, Quality::ALL);
        all_or_none(MIP_FILTERS, MipFilter::ALL);
        all(MIP_WRAPS, MipWrap::ALL);
        all(ROUNDING_RULES, RoundingRule::ALL);
        all_or_none(REAL_TIME_LEVELS, RealTime::ALL);
        all_or_none(BC6H_METRICS, Bc6hMetric::ALL);
        all(CHANNEL_TYPES, ChannelType::ALL);
        all(CONTAINERS, ContainerFormat::ALL);
        let error = value(FORMATS, 11, "format").unwrap_err();
        assert!(format!("{error:?}").contains("format is 11, expected a number from 1 to 10"), "{error:?}");
    }
}
