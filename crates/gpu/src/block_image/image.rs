//! The image, its states and its contents.

use super::BlockImageDesc;
use crate::{Context, GpuError};
use std::ops::Range;
use wgpu::TextureUses;

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
    pub(super) desc: BlockImageDesc,
    pub(super) texture: wgpu::Texture,
    pub(super) words: BlockWords,
    /// Second handle of the image, which carries the changes of state.
    pub(super) state: wgpu::Texture,
}

impl BlockImage {
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
    pub(super) fn cleared(self, context: &Context) -> Result<Self, GpuError> {
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

impl BlockImageDesc {
    /// Fills all blocks of a new texture with zeros.
    pub(super) fn clear(&self, context: &Context, texture: &wgpu::Texture) -> Result<(), GpuError> {
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
}

/// Records a change of a texture's state.
fn change(commands: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, state: TextureUses) {
    let transition = wgpu::TextureTransition { texture, selector: None, state };
    commands.transition_resources(std::iter::empty(), std::iter::once(transition));
}
