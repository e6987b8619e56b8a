//! Faults of recordings, found before anything is recorded.

use brickwork_gpu::wgpu::{TextureDimension, TextureFormat, TextureUsages};
use std::fmt;

/// The reason why a [`Recording`](crate::gpu::Recording) does not fit its source or target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The region has no texels.
    #[error("it is empty")]
    Empty,
    /// Shaders do not load the texture's texels as floats.
    #[error("{0:?} is not loaded as floats")]
    NotFloats(TextureFormat),
    /// The texture has several samples per texel.
    #[error("the texture has {0} samples per texel, not 1")]
    Samples(u32),
    /// The texture's format is not that of the blocks.
    #[error("{format:?} is not {}", list(expected))]
    Format {
        /// The texture's format.
        format: TextureFormat,
        /// The formats of the blocks.
        expected: &'static [TextureFormat],
    },
    /// Blocks do not start at a multiple of 4 texels.
    #[error("its origin is {0:?}, not a multiple of 4")]
    Origin([u32; 2]),
    /// The buffer was created without the usage `STORAGE`.
    #[error("the buffer's usage lacks STORAGE")]
    BufferUsage,
    /// The offset is not a multiple of the unit of reading or writing.
    #[error("its offset is {offset}, not a multiple of {unit}")]
    Offset {
        /// The offset in bytes.
        offset: u32,
        /// Bytes of the unit.
        unit: u32,
    },
    /// The bytes per row are not a multiple of the unit of reading or writing.
    #[error("its bytes per row are {bytes_per_row}, not a multiple of {unit}")]
    BytesPerRow {
        /// Bytes from one row to the next.
        bytes_per_row: u32,
        /// Bytes of the unit.
        unit: u32,
    },
    /// Rows overlap.
    #[error("a row has {row_bytes} bytes, but rows are {bytes_per_row} apart")]
    Rows {
        /// Bytes of a row.
        row_bytes: u64,
        /// Bytes from one row to the next.
        bytes_per_row: u32,
    },
    /// The region ends after the buffer.
    #[error("the region ends at byte {end}, the buffer at {size}")]
    BufferEnd {
        /// Byte at which the region ends.
        end: u64,
        /// Bytes of the buffer that can be used.
        size: u64,
    },
    /// The buffer's size is not a multiple of 4 bytes.
    #[error("the buffer has {0} bytes, not a multiple of 4")]
    BufferSize(u64),
    /// The texture was created without a usage.
    #[error("the texture's usage lacks {}", usage_name(*.0))]
    TextureUsage(TextureUsages),
    /// The texture is not 2D.
    #[error("the texture is {0:?}, not D2")]
    Dimension(TextureDimension),
    /// The texture does not have the mip level.
    #[error("there is no mip level {mip_level} of {mip_levels}")]
    MipLevel {
        /// The mip level.
        mip_level: u32,
        /// Number of mip levels of the texture.
        mip_levels: u32,
    },
    /// The texture does not have the layer.
    #[error("there is no layer {layer} of {layers}")]
    Layer {
        /// The layer.
        layer: u32,
        /// Number of layers of the texture.
        layers: u32,
    },
    /// The region ends after the mip level.
    #[error("the region ends at {}×{}, the mip level at {}×{}", end[0], end[1], size[0], size[1])]
    TextureEnd {
        /// Column and row of texels at which the region ends.
        end: [u64; 2],
        /// Width and height of the mip level in texels.
        size: [u32; 2],
    },
}

/// The part of a [`Recording`](crate::gpu::Recording) that has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordPart {
    /// The region of texels.
    Region,
    /// The source of the texels.
    Source,
    /// The target of the blocks.
    Target,
}

impl fmt::Display for RecordPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Region => "the region",
            Self::Source => "the source",
            Self::Target => "the target",
        })
    }
}

fn usage_name(usage: TextureUsages) -> String {
    usage.iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(" | ")
}

fn list(formats: &[TextureFormat]) -> String {
    formats.iter().map(|format| format!("{format:?}")).collect::<Vec<_>>().join(" or ")
}
