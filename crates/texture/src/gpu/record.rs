//! Encoding within the caller's own commands.

use super::{
    check,
    encoder::GpuEncoder,
    load::{LoadFrom, LoadParams},
    prepared::Destination,
    target::{BlockTarget, Region, TexelSource},
};
use crate::{BlockFormat, EncodeError, EncodeOptions, bc::Codec, encode::codec, rdo, texel::TexelLayout};
use brickwork_gpu::wgpu;

impl GpuEncoder {
    /// The most texels, in whole blocks, that one [`record`](Self::record) may take on this device, by the
    /// size of its storage bindings. How many one *submission* should take, so that no driver's watchdog
    /// stops it, depends on the device's speed: an application that draws should stay below the time of a
    /// frame.
    ///
    /// # Errors
    /// [`EncodeError`], as for [`record`](Self::record), because kernels are compiled if they have not been
    /// yet.
    pub fn max_region(&self, format: BlockFormat, options: &EncodeOptions) -> Result<u64, EncodeError> {
        let prepared = self.machine.prepared(codec(format)?, options)?;
        Ok(16 * self.machine.max_blocks(&prepared))
    }

    /// Records the commands that encode `region` of `source` into `target`. Nothing is submitted or waited
    /// for. All recordings of one encoder share its scratch memory and must therefore be submitted to the
    /// same queue. The region's blocks start at its own corner, whatever its origin.
    ///
    /// # Errors
    /// [`EncodeError::Gpu`] with [`GpuError::Limit`] if the region is larger than
    /// [`max_region`](Self::max_region) or a buffer larger than a storage binding may be,
    /// [`GpuError::Validation`] if the region is empty or the source or target does not fit: nothing has then
    /// been recorded. After any other error, such as a lost device, the command encoder is invalid.
    ///
    /// [`GpuError::Limit`]: brickwork_gpu::GpuError::Limit
    /// [`GpuError::Validation`]: brickwork_gpu::GpuError::Validation
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: TexelSource<'_>,
        region: Region,
        target: BlockTarget<'_>,
        format: BlockFormat,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        self.record_codec(encoder, source, region, target, codec(format)?, options)
    }

    /// Records the commands of the codec of any format.
    pub(crate) fn record_codec(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: TexelSource<'_>,
        region: Region,
        target: BlockTarget<'_>,
        codec: &'static Codec,
        options: &EncodeOptions,
    ) -> Result<(), EncodeError> {
        let context = self.context();
        if rdo::is_on(codec, options) {
            return Err(EncodeError::Rdo);
        }
        let prepared = self.machine.prepared(codec, options)?;
        let [columns, rows] = check::region(region, self.machine.max_blocks(&prepared))?;
        check::source(source, region, context.device())?;
        check::target(target, [columns, rows], codec, context.device())?;
        let mut scratch = self.machine.scratch();
        let scratch = match &mut *scratch {
            Some(held) if prepared.fits(held, columns * rows) => held,
            other => other.insert(prepared.scratch(context, columns * rows)?),
        };
        let [x, y] = region.origin;
        let view;
        let from = match source {
            TexelSource::Buffer { buffer, texels, offset, bytes_per_row } => LoadFrom::Buffer {
                buffer,
                offset: offset + y * bytes_per_row + x * texels.texel_bytes(),
                pitch: bytes_per_row,
                layout: TexelLayout::of_format(texels),
            },
            TexelSource::Texture { texture, mip_level, layer } => {
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
                view = context.checked("the source", || texture.create_view(&description))?;
                LoadFrom::Texture { view: &view, origin: region.origin }
            }
        };
        let load = LoadParams { from, size: region.size, has_alpha: true };
        match target {
            BlockTarget::Buffer { buffer, offset, bytes_per_row } => {
                let [first, pitch] = [offset, bytes_per_row].map(|bytes| bytes / prepared.block_bytes());
                let to = Destination { buffer, first, pitch };
                prepared.record(context, encoder, &load, scratch, &to, None)?;
            }
            BlockTarget::Texture { texture, mip_level, layer, origin } => {
                let row_bytes =
                    (columns * prepared.block_bytes()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
                let pitch = row_bytes / prepared.block_bytes();
                let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
                let blocks = context.buffer("blocks", u64::from(row_bytes) * u64::from(rows), usage)?;
                let to = Destination { buffer: &blocks, first: 0, pitch };
                prepared.record(context, encoder, &load, scratch, &to, None)?;
                let layout = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes),
                    rows_per_image: None,
                };
                let to = wgpu::TexelCopyTextureInfo {
                    texture,
                    mip_level,
                    origin: wgpu::Origin3d { x: origin[0], y: origin[1], z: layer },
                    aspect: wgpu::TextureAspect::All,
                };
                // Whole blocks, even past the edge of a mip level.
                let size = wgpu::Extent3d { width: columns * 4, height: rows * 4, depth_or_array_layers: 1 };
                context.checked("copying blocks to a texture", || {
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
