//! Encoding within the caller's own commands.

use super::{
    GpuEncoder, check,
    load::{From, LoadParams},
    prepared::{Destination, Prepared, Scratch},
};
use crate::{EncodeError, EncodeOptions};
use brickwork_gpu::wgpu;
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
    /// 8-bit RGBA in the first 4 GiB of a buffer with usage `STORAGE`, row by row.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// Byte where texel (0, 0) starts; a multiple of 4.
        offset: u32,
        /// Bytes from row to row; a multiple of 4, and no less than a row of the region.
        bytes_per_row: u32,
    },
    /// A 2D texture with usage `TEXTURE_BINDING`, whose texels are floats between 0 and 1 to the shader. Texels are
    /// encoded as they are stored: an sRGB texture is viewed as its linear format, which must be among its
    /// `view_formats`.
    Texture {
        /// The texture.
        texture: &'a wgpu::Texture,
        /// Its mip level.
        mip_level: u32,
        /// Its array layer.
        layer: u32,
    },
}

/// Where blocks go.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The first 4 GiB of a buffer with usage `STORAGE`.
    Buffer {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// Byte where the first block starts; a multiple of 8.
        offset: u32,
        /// Bytes from row of blocks to row of blocks; a multiple of 8, and no less than a row.
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
    /// [`EncodeError::Gpu`] with [`GpuError::Limit`] where the region is larger than [`max_region`](Self::max_region) or
    /// a buffer larger than a storage binding may be, [`GpuError::Validation`] where the region is empty or the source or
    /// target does not fit: then nothing was recorded. After other errors, such as a lost device, the command encoder is
    /// spoilt.
    ///
    /// [`GpuError::Limit`]: brickwork_gpu::GpuError::Limit
    /// [`GpuError::Validation`]: brickwork_gpu::GpuError::Validation
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: Source<'_>,
        region: Region,
        target: Target<'_>,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        let prepared = self.prepared(options)?;
        let [columns, rows] = check::region(region, self.max_blocks(&prepared))?;
        check::source(source, region, self.context.device())?;
        check::target(target, [columns, rows], self.context.device())?;
        let mut scratch = self.shared.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |held: &Scratch| prepared.fits(held, held.texels(), columns * rows);
        let scratch = match &mut *scratch {
            Some(held) if fits(held) => held,
            other => other.insert(prepared.scratch(&self.context, columns * rows)?),
        };
        let [x, y] = region.origin;
        let view;
        let from = match source {
            Source::Buffer { buffer, offset, bytes_per_row } => From::Buffer {
                buffer,
                offset: offset + y * bytes_per_row + x * 4,
                pitch: bytes_per_row,
                channels: 4,
                channel_type: 0,
            },
            Source::Texture { texture, mip_level, layer } => {
                let description = wgpu::TextureViewDescriptor {
                    label: Some("source"),
                    format: Some(texture.format().remove_srgb_suffix()),
                    dimension: Some(wgpu::TextureViewDimension::D2),
                    usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
                    base_mip_level: mip_level,
                    mip_level_count: Some(1),
                    base_array_layer: layer,
                    array_layer_count: Some(1),
                    ..Default::default()
                };
                view = self.context.checked("the source", || texture.create_view(&description))?;
                From::Texture { view: &view, origin: region.origin }
            }
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
