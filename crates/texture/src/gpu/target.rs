//! Source of texels and target of blocks that the caller passes to `record`; constructors of compressed
//! targets, which need the encoder's device.

use super::GpuEncoder;
use crate::{
    EncodeError, Task, TexelFormat, TextureDesc,
    direct::{CompressedTarget, Strategy, TargetError},
};
use brickwork_gpu::wgpu;

/// Rectangle of texels that is encoded, starting at its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a rectangle has no more")]
pub struct BlockRegion {
    /// Left and upper edge in texels.
    pub origin: [u32; 2],
    /// Width and height in texels, each at least 1.
    pub size: [u32; 2],
}

/// Source of texels.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TexelSource<'a> {
    /// RGBA in the first 4 GiB of a buffer with usage `STORAGE`, row by row.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// The form of a texel.
        texels: TexelFormat,
        /// Byte where texel (0, 0) starts; a multiple of 4.
        offset: u32,
        /// Bytes from row to row; a multiple of 4, and no less than a row of the region.
        bytes_per_row: u32,
    },
    /// A 2D texture with usage `TEXTURE_BINDING` whose texels are floats in shaders, for formats of integers
    /// between 0 and 1. Texels are encoded as stored. An sRGB texture is viewed in its linear format, which
    /// must be among its `view_formats`.
    Texture {
        /// The texture.
        texture: &'a wgpu::Texture,
        /// The texture's mip level.
        mip_level: u32,
        /// The texture's array layer.
        layer: u32,
    },
}

/// Target of blocks.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BlockTarget<'a> {
    /// The first 4 GiB of a buffer with usage `STORAGE`. Blocks of ASTC are those of linear textures.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// Byte where the first block starts; a multiple of a block's bytes.
        offset: u32,
        /// Bytes from row of blocks to row of blocks; a multiple of a block's bytes, and no less than a row.
        bytes_per_row: u32,
    },
    /// A texture of the block format with usage `COPY_DST`. Blocks are copied through a buffer.
    Texture {
        /// The texture.
        texture: &'a wgpu::Texture,
        /// The texture's mip level.
        mip_level: u32,
        /// The texture's array layer.
        layer: u32,
        /// Texel of the mip level where the region's origin goes; multiples of 4.
        origin: [u32; 2],
    },
    /// A texture that is written as directly as the device allows.
    Direct {
        /// The texture.
        target: &'a CompressedTarget,
        /// The texture's mip level.
        mip_level: u32,
        /// The texture's array layer.
        layer: u32,
        /// Texel of the mip level where the region's origin goes; multiples of 4.
        origin: [u32; 2],
    },
}

/// One encoding within the application's own commands: the argument of
/// [`GpuEncoder::record`](super::GpuEncoder::record).
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    pub(super) source: TexelSource<'a>,
    pub(super) region: BlockRegion,
    pub(super) target: BlockTarget<'a>,
}

impl<'a> Recording<'a> {
    /// Returns the encoding of a region of `source` into `target`.
    pub const fn new(source: TexelSource<'a>, region: BlockRegion, target: BlockTarget<'a>) -> Self {
        Self { source, region, target }
    }
}

impl CompressedTarget {
    /// Creates a 2D texture, or an array of them, that the best available strategy writes: the first of
    /// [`Strategy::ALL`] that works on this device.
    ///
    /// To find out, test blocks are written and read back: through a view of a small texture, once for each
    /// format, or in the memory of this texture. The call waits for the GPU meanwhile, mainly the first time
    /// on a device. All blocks of the texture are zero afterwards. The task reports nothing.
    ///
    /// # Errors
    /// [`EncodeError::Texture`] if there is no such shape, [`EncodeError::Shape`] if it is not 2D,
    /// [`EncodeError::Gpu`] if the device does not sample the format, has no textures of this size, is out of
    /// memory or lost, [`EncodeError::Cancelled`].
    pub fn new(encoder: &GpuEncoder, desc: &TextureDesc, task: &Task<'_>) -> Result<Self, EncodeError> {
        Self::best(encoder.context(), &encoder.machine.direct, desc, task)
    }

    /// Creates a texture as [`new`](Self::new) does, for one strategy.
    ///
    /// # Errors
    /// [`TargetError::Encode`] with the errors of [`new`](Self::new), [`TargetError::Refused`] if the device
    /// does not support the strategy, or the test blocks are not those of the texture.
    pub fn with_strategy(
        encoder: &GpuEncoder,
        desc: &TextureDesc,
        strategy: Strategy,
        task: &Task<'_>,
    ) -> Result<Self, TargetError> {
        Self::by_strategy(encoder.context(), &encoder.machine.direct, desc, strategy, task)
    }
}
