//! Block-compressed textures that kernels write where they are sampled, without a copy.
//!
//! WebGPU has no storage textures of compressed formats. The APIs below it offer two ways. Vulkan allows a
//! view of a block image as an integer image with one texel per block. And if a buffer shares the memory of
//! an image, a kernel can write the blocks in the stored order, if it knows that order.
//!
//! wgpu knows such an image twice. One texture is sampled, and is always in the state of a texture that is
//! read. The other texture carries every change of that state. One encoder can therefore sample the image,
//! write it and sample it again. [`BlockImage::begin`] and [`BlockImage::end`] enclose the commands that
//! write.

#[cfg(windows)]
mod d3d12;
#[cfg(target_vendor = "apple")]
mod metal;
#[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
mod vulkan;

#[cfg(any(target_vendor = "apple", target_arch = "wasm32"))]
use crate::UnsupportedReason;
use crate::{BlockImageFault, Context, GpuError};
use std::ops::Range;
use wgpu::{TextureUsages, TextureUses};

/// Shape of a [`BlockImage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockImageDesc {
    /// A format of 4×4 blocks.
    pub format: wgpu::TextureFormat,
    /// Width and height of mip level 0 in texels.
    pub size: [u32; 2],
    /// Number of mip levels.
    pub mip_levels: u32,
    /// Number of array layers.
    pub layers: u32,
}

impl BlockImageDesc {
    /// Returns a shape with one mip level and one array layer.
    pub const fn new(format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        Self { format, size, mip_levels: 1, layers: 1 }
    }

    /// Sets the number of mip levels. Default: 1.
    #[must_use]
    pub const fn with_mip_levels(self, mip_levels: u32) -> Self {
        Self { mip_levels, ..self }
    }

    /// Sets the number of array layers. Default: 1.
    #[must_use]
    pub const fn with_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Returns the size of a block in bytes: 8 or 16.
    pub fn block_bytes(&self) -> u32 {
        self.format.block_copy_size(None).unwrap_or_default()
    }

    /// Returns the columns and rows of blocks in a mip level.
    pub fn blocks(&self, mip_level: u32) -> [u32; 2] {
        self.size.map(|texels| (texels >> mip_level).max(1).div_ceil(4))
    }

    fn extent(&self) -> wgpu::Extent3d {
        wgpu::Extent3d { width: self.size[0], height: self.size[1], depth_or_array_layers: self.layers }
    }

    /// Returns the formats in which the texture may be viewed: with and without sRGB.
    fn view_formats(&self) -> [wgpu::TextureFormat; 2] {
        [self.format.remove_srgb_suffix(), self.format.add_srgb_suffix()]
    }

    /// Checks that wgpu can sample such a texture here, by creating one without blocks to write.
    fn check(&self, context: &Context) -> Result<(), GpuError> {
        let what = "a texture of blocks";
        if self.format.block_dimensions() != (4, 4) || !matches!(self.block_bytes(), 8 | 16) {
            return Err(BlockImageFault::Format(self.format).into());
        }
        let limits = context.device().limits();
        let largest = self.size[0].max(self.size[1]);
        if largest > limits.max_texture_dimension_2d {
            let limit = limits.max_texture_dimension_2d.into();
            return Err(GpuError::Limit { what, needed: largest.into(), limit });
        }
        // The smallest texture with these mip levels and layers.
        let side = (4 << self.mip_levels.saturating_sub(3).min(16)).min(limits.max_texture_dimension_2d);
        let least = Self { size: [side, 4], layers: self.layers, ..*self };
        if self.size.contains(&0) || self.mip_levels == 0 || self.mip_levels > 32 - largest.leading_zeros() {
            let Self { size, mip_levels, .. } = *self;
            return Err(BlockImageFault::MipLevels { size, mip_levels }.into());
        }
        let made = context.checked(what, || context.device().create_texture(&least.texture(what)))?;
        made.destroy();
        Ok(())
    }

    /// Creates a texture with this shape that no kernel writes, on any backend. Its usages are
    /// `TEXTURE_BINDING`, `COPY_SRC` and `COPY_DST`. Views with and without sRGB are allowed. wgpu refuses
    /// sizes that are not multiples of 4; Vulkan does not. All blocks are zero.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a size that is not a multiple of 4, without Vulkan; else as
    /// [`BlockImage::with_view`].
    pub fn create_texture(&self, context: &Context) -> Result<wgpu::Texture, GpuError> {
        self.check(context)?;
        let what = "a texture of blocks";
        if self.size.iter().all(|texels| texels % 4 == 0) {
            let formats = self.view_formats();
            let description = wgpu::TextureDescriptor { view_formats: &formats, ..self.texture(what) };
            return context.checked(what, || context.device().create_texture(&description));
        }
        #[cfg(target_vendor = "apple")]
        let made = metal::plain(context, self);
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        let made = vulkan::plain(context, self);
        #[cfg(target_arch = "wasm32")]
        let made = Err(GpuError::Unsupported { what, reason: UnsupportedReason::PartialBlocks });
        made.and_then(|texture| {
            self.clear(context, &texture)?;
            Ok(texture)
        })
    }

    /// Fills all blocks of a new texture with zeros.
    fn clear(&self, context: &Context, texture: &wgpu::Texture) -> Result<(), GpuError> {
        let mut commands = context.device().create_command_encoder(&Default::default());
        let row_bytes = |columns: u32| {
            (columns * self.block_bytes()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
        };
        const MOST: u32 = 16 << 20;
        let [columns, rows] = self.blocks(0);
        let whole = u64::from(row_bytes(columns)) * u64::from(rows);
        let size = whole.min(u64::from(MOST.max(row_bytes(columns))));
        let zeros = context.buffer("zeros", size, wgpu::BufferUsages::COPY_SRC)?;
        context.checked("clearing a texture", || {
            for level in 0..self.mip_levels {
                let [columns, rows] = self.blocks(level);
                let bytes_per_row = row_bytes(columns);
                let band = (size / u64::from(bytes_per_row)) as u32;
                for layer in 0..self.layers {
                    for first in (0..rows).step_by(band as usize) {
                        let layout = wgpu::TexelCopyBufferLayout {
                            offset: 0,
                            bytes_per_row: Some(bytes_per_row),
                            rows_per_image: None,
                        };
                        let to = wgpu::TexelCopyTextureInfo {
                            texture,
                            mip_level: level,
                            origin: wgpu::Origin3d { x: 0, y: 4 * first, z: layer },
                            aspect: wgpu::TextureAspect::All,
                        };
                        let height = 4 * band.min(rows - first);
                        let size = wgpu::Extent3d { width: 4 * columns, height, depth_or_array_layers: 1 };
                        let from = wgpu::TexelCopyBufferInfo { buffer: &zeros, layout };
                        commands.copy_buffer_to_texture(from, to, size);
                    }
                }
            }
            change(&mut commands, texture, TextureUses::RESOURCE);
            context.queue().submit([commands.finish()]);
        })
    }

    fn texture(&self, label: &'static str) -> wgpu::TextureDescriptor<'static> {
        wgpu::TextureDescriptor {
            label: Some(label),
            size: self.extent(),
            mip_level_count: self.mip_levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
            view_formats: &[],
        }
    }
}

/// Object to which kernels write.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BlockWords {
    /// A texture of format `Rg32Uint` or `Rgba32Uint`, one texel per block.
    View(wgpu::Texture),
    /// All the memory of the image as a buffer, in its own layout.
    Memory(wgpu::Buffer),
}

/// A block-compressed texture whose memory kernels can write.
///
/// Between [`begin`](Self::begin) and [`end`](Self::end), recorded in one encoder, kernels may write
/// [`words`](Self::words), and nothing may use [`texture`](Self::texture). Otherwise, the texture is used
/// like any other.
#[derive(Clone, Debug)]
pub struct BlockImage {
    desc: BlockImageDesc,
    texture: wgpu::Texture,
    words: BlockWords,
    /// Second handle of the image, which carries the changes of state.
    state: wgpu::Texture,
}

impl BlockImage {
    /// Creates an image that kernels access with one texel per block, by Vulkan's
    /// `BLOCK_TEXEL_VIEW_COMPATIBLE` or Direct3D 12's relaxed format casting. All blocks are zero.
    ///
    /// # Errors
    /// - [`GpuError::Unsupported`] on other backends, or if the driver has no such images.
    /// - [`GpuError::Limit`], [`GpuError::OutOfMemory`] or [`GpuError::Lost`].
    /// - [`GpuError::BlockImage`] if there are no images of this description.
    /// - [`GpuError::Validation`] if the device has no textures of this shape.
    pub fn with_view(context: &Context, desc: &BlockImageDesc) -> Result<Self, GpuError> {
        desc.check(context)?;
        #[cfg(windows)]
        if let Some(image) = d3d12::with_view(context, desc) {
            return image.and_then(|image| image.cleared(context));
        }
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        return vulkan::with_view(context, desc).and_then(|image| image.cleared(context));
        #[cfg(any(target_vendor = "apple", target_arch = "wasm32"))]
        Err(GpuError::Unsupported {
            what: "a view of blocks as integers",
            reason: UnsupportedReason::Backend,
        })
    }

    /// Creates an image whose memory is shared with a buffer. Its blocks and the padding between them are
    /// zero.
    ///
    /// # Errors
    /// As [`with_view`](Self::with_view); also [`GpuError::Limit`] if the memory is larger than a storage
    /// binding may be.
    pub fn with_memory(context: &Context, desc: &BlockImageDesc) -> Result<Self, GpuError> {
        desc.check(context)?;
        #[cfg(target_vendor = "apple")]
        return metal::with_memory(context, desc).and_then(|image| image.cleared(context));
        #[cfg(not(any(target_vendor = "apple", target_arch = "wasm32")))]
        return vulkan::with_memory(context, desc).and_then(|image| image.cleared(context));
        #[cfg(target_arch = "wasm32")]
        Err(GpuError::Unsupported {
            what: "a buffer in an image's memory",
            reason: UnsupportedReason::Backend,
        })
    }

    /// Returns the image's shape.
    pub fn desc(&self) -> &BlockImageDesc {
        &self.desc
    }

    /// Returns the texture. Its usages are `TEXTURE_BINDING`, `COPY_SRC` and `COPY_DST`. Views with and
    /// without sRGB are allowed.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Returns the object to which kernels write.
    pub fn words(&self) -> &BlockWords {
        &self.words
    }

    /// Records the barrier before kernels write. It waits for all earlier reads of the image.
    pub fn begin(&self, commands: &mut wgpu::CommandEncoder) {
        change(commands, &self.texture, TextureUses::RESOURCE);
        change(commands, &self.state, TextureUses::RESOURCE);
        change(commands, &self.state, TextureUses::STORAGE_WRITE_ONLY);
    }

    /// Records the barrier after kernels have written. Their data can then be sampled.
    pub fn end(&self, commands: &mut wgpu::CommandEncoder) {
        change(commands, &self.state, TextureUses::RESOURCE);
    }

    /// Records copies of parts of the memory, one after the other, into `to`, which must have `COPY_DST`. The
    /// parts are given in bytes, in multiples of 4. The copies wait for previously recorded copies into the
    /// texture.
    ///
    /// # Panics
    /// If kernels write a view.
    pub fn copy_memory(
        &self,
        commands: &mut wgpu::CommandEncoder,
        parts: impl IntoIterator<Item = Range<u64>>,
        to: &wgpu::Buffer,
    ) {
        let BlockWords::Memory(memory) = &self.words else { panic!("kernels write a view") };
        change(commands, &self.texture, TextureUses::COPY_SRC);
        let mut at = 0;
        for part in parts {
            let bytes = part.end - part.start;
            commands.copy_buffer_to_buffer(memory, part.start, to, at, bytes);
            at += bytes;
        }
        change(commands, &self.texture, TextureUses::RESOURCE);
    }

    /// Fills all blocks with zeros immediately.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`], [`GpuError::Lost`].
    pub fn clear(&self, context: &Context) -> Result<(), GpuError> {
        self.desc.clear(context, &self.texture)
    }

    /// Returns the image with zeros in all blocks, before it is read.
    #[cfg(not(target_arch = "wasm32"))]
    fn cleared(self, context: &Context) -> Result<Self, GpuError> {
        if let BlockWords::Memory(memory) = &self.words {
            let mut commands = context.device().create_command_encoder(&Default::default());
            context.checked("clearing a texture's memory", || {
                commands.clear_buffer(memory, 0, None);
                context.queue().submit([commands.finish()]);
            })?;
        }
        self.clear(context)?;
        Ok(self)
    }
}

fn change(commands: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, state: TextureUses) {
    let transition = wgpu::TextureTransition { texture, selector: None, state };
    commands.transition_resources(std::iter::empty(), std::iter::once(transition));
}

#[cfg(test)]
mod tests;
