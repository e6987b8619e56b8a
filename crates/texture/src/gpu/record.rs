//! Encoding within the caller's own commands.

use super::{
    GpuEncoder,
    load::{From, LoadParams},
    prepared::{Destination, Prepared, Scratch},
};
use crate::{EncodeError, EncodeOptions};
use brickwork_gpu::{GpuError, wgpu};
use std::sync::PoisonError;

/// A rectangle of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Left and upper edge.
    pub origin: [u32; 2],
    /// Width and height, at least 1.
    pub size: [u32; 2],
}

/// Where texels come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// 8-bit RGBA in a buffer with usage `STORAGE`, row by row.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// Byte where texel (0, 0) starts; a multiple of 4.
        offset: u32,
        /// Bytes from row to row; a multiple of 4.
        bytes_per_row: u32,
    },
    /// A view of one level and layer of a texture with usage `TEXTURE_BINDING`, whose texels are floats between 0 and
    /// 1 to the shader. Values are encoded as they are loaded, so view an sRGB texture as its linear format
    /// (`view_formats`) to keep its bytes.
    Texture(&'a wgpu::TextureView),
}

/// Where blocks go.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A buffer with usage `STORAGE`.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// Byte where the first block starts; a multiple of 8.
        offset: u32,
        /// Bytes from row of blocks to row of blocks; a multiple of 8.
        bytes_per_row: u32,
    },
    /// A BC1 texture with usage `COPY_DST`: blocks pass through a buffer.
    Texture {
        /// The texture.
        texture: &'a wgpu::Texture,
        /// Its mip level.
        mip_level: u32,
        /// Its array layer.
        layer: u32,
        /// Texel of the level where the region's origin goes; multiples of 4.
        origin: [u32; 2],
    },
}

impl GpuEncoder {
    /// How many texels, in whole blocks, one [`record`](Self::record) may take on this device, by the size of its
    /// storage bindings. How many one *submission* should take, so that no watchdog stops it, depends on the device's
    /// speed: a drawing application should stay below its frame's time.
    ///
    /// # Errors
    /// [`EncodeError`], as [`record`](Self::record): kernels are compiled if they are not yet.
    pub fn max_region(&self, options: &EncodeOptions) -> Result<u64, EncodeError> {
        Ok(16 * self.max_blocks(&*self.prepared(options)?))
    }

    pub(super) fn max_blocks(&self, prepared: &Prepared) -> u64 {
        let limits = self.context.device().limits();
        let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // Threads are counted in 32 bits: 68 for the starts of each block and set, with transparent black.
        (bytes / prepared.block_bytes()).min(1 << 25)
    }

    /// Records the commands that encode `region` of `source` into `target`. Nothing is submitted or waited for, and the
    /// commands use no more than the caller's device and the encoder's own scratch memory, so that recordings must be
    /// submitted to one queue. The region's blocks start at its own corner, whatever its origin.
    ///
    /// # Errors
    /// [`EncodeError::Gpu`] with [`GpuError::Limit`] where the region is larger than [`max_region`](Self::max_region),
    /// [`GpuError::Validation`] where the source or target does not fit.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: Source<'_>,
        region: Region,
        target: Target<'_>,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        let texels = region.size.map(u64::from);
        let prepared = self.prepared(options)?;
        let (needed, limit) =
            (texels[0].div_ceil(4) * texels[1].div_ceil(4) * 16, 16 * self.max_blocks(&prepared));
        if needed > limit || needed == 0 {
            return Err(GpuError::Limit { what: "a region in texels", needed, limit }.into());
        }
        let [columns, rows] = region.size.map(|texels| texels.div_ceil(4));
        let mut scratch = self.shared.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |held: &Scratch| prepared.fits(held, held.texels(), columns * rows);
        let scratch = match &mut *scratch {
            Some(held) if fits(held) => held,
            other => other.insert(prepared.scratch(&self.context, columns * rows)?),
        };
        let [x, y] = region.origin;
        let from = match source {
            Source::Buffer { buffer, offset, bytes_per_row } => From::Buffer {
                buffer,
                offset: offset + y * bytes_per_row + x * 4,
                pitch: bytes_per_row,
                channels: 4,
                channel_type: 0,
            },
            Source::Texture(view) => From::Texture { view, origin: region.origin },
        };
        let load = LoadParams { from, size: region.size };
        match target {
            Target::Buffer { buffer, offset, bytes_per_row } => {
                let to = Destination { buffer, first: offset / 8, pitch: bytes_per_row / 8 };
                prepared.record(&self.context, encoder, &load, true, scratch, &to, None)?;
            }
            Target::Texture { texture, mip_level, layer, origin } => {
                // Copies to textures want rows at multiples of 256 bytes.
                let pitch = columns.next_multiple_of(32);
                let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
                let blocks = self.context.buffer("blocks", u64::from(pitch) * 8 * u64::from(rows), usage)?;
                let to = Destination { buffer: &blocks, first: 0, pitch };
                prepared.record(&self.context, encoder, &load, true, scratch, &to, None)?;
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(pitch * 8),
                    rows_per_image: None,
                };
                let to = wgpu::TexelCopyTextureInfo {
                    texture,
                    mip_level,
                    origin: wgpu::Origin3d { x: origin[0], y: origin[1], z: layer },
                    aspect: wgpu::TextureAspect::All,
                };
                // Whole blocks, also past the edge of a level.
                let size = wgpu::Extent3d { width: columns * 4, height: rows * 4, depth_or_array_layers: 1 };
                self.context.checked("copying blocks to a texture", || {
                    encoder.copy_buffer_to_texture(
                        wgpu::TexelCopyBufferInfo { buffer: &blocks, layout },
                        to,
                        size,
                    );
                })?;
            }
        }
        Ok(())
    }
}
