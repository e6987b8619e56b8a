//! Checks that a region fits its source and target. wgpu reports faults in commands only when these are
//! finished. It uses the device's handler for uncaptured errors, which panics unless the application sets
//! another one. Everything is therefore checked before anything is recorded.

use super::target::{BlockRegion, BlockTarget, TexelSource};
use crate::bc::Codec;
use brickwork_gpu::{GpuError, wgpu};
use wgpu::{BufferUsages, TextureDimension, TextureSampleType, TextureUsages};

fn fault<T>(what: &'static str, reason: String) -> Result<T, GpuError> {
    Err(GpuError::Validation { what, reason })
}

/// Returns the columns and rows of blocks of a region, whose blocks contain at most `limit` texels.
pub(super) fn region(region: BlockRegion, limit: u64) -> Result<[u32; 2], GpuError> {
    if region.size.contains(&0) {
        return fault("the region", "it is empty".to_owned());
    }
    let [columns, rows] = region.size.map(|texels| texels.div_ceil(4));
    let blocks = u64::from(columns) * u64::from(rows);
    if blocks > limit {
        let (needed, limit) = (blocks.saturating_mul(16), 16 * limit);
        return Err(GpuError::Limit { what: "a region in texels", needed, limit });
    }
    Ok([columns, rows])
}

/// Checks that the source contains the region.
pub(super) fn source(
    source: TexelSource<'_>,
    region: BlockRegion,
    device: &wgpu::Device,
) -> Result<(), GpuError> {
    let what = "the source";
    let ([x, y], [width, height]) = (region.origin.map(u64::from), region.size.map(u64::from));
    match source {
        TexelSource::Buffer { buffer, texels, offset, bytes_per_row } => {
            let texel_bytes = u64::from(texels.texel_bytes());
            let rows = Rows {
                unit: 4,
                offset,
                bytes_per_row,
                row_bytes: texel_bytes * width,
                end: [texel_bytes * (x + width), y + height],
            };
            rows.check(what, buffer, device)
        }
        TexelSource::Texture { texture, mip_level, layer } => {
            let format = texture.format();
            let sample_type = format.sample_type(None, Some(device.features()));
            if !matches!(sample_type, Some(TextureSampleType::Float { .. })) {
                return fault(what, format!("{format:?} is not loaded as floats"));
            }
            if texture.sample_count() != 1 {
                return fault(
                    what,
                    format!("the texture has {} samples per texel, not 1", texture.sample_count()),
                );
            }
            let size = level_size(what, texture, TextureUsages::TEXTURE_BINDING, mip_level, layer)?;
            ends_within(what, [x + width, y + height], [size.width, size.height])
        }
    }
}

/// Checks that the target has room for the columns and rows of blocks.
pub(super) fn target(
    target: BlockTarget<'_>,
    blocks: [u32; 2],
    codec: &Codec,
    device: &wgpu::Device,
) -> Result<(), GpuError> {
    let what = "the target";
    let [columns, rows] = blocks.map(u64::from);
    match target {
        BlockTarget::Buffer { buffer, offset, bytes_per_row } => {
            let row_bytes = codec.block_bytes as u64 * columns;
            Rows { unit: codec.block_bytes as u32, offset, bytes_per_row, row_bytes, end: [row_bytes, rows] }
                .check(what, buffer, device)
        }
        BlockTarget::Direct { target, mip_level, layer, origin } => {
            let texture = target.texture();
            self::target(BlockTarget::Texture { texture, mip_level, layer, origin }, blocks, codec, device)
        }
        BlockTarget::Texture { texture, mip_level, layer, origin } => {
            let format = texture.format();
            if !codec.texture_formats.contains(&format) {
                let known: Vec<_> =
                    codec.texture_formats.iter().map(|format| format!("{format:?}")).collect();
                return fault(what, format!("{format:?} is not {}", known.join(" or ")));
            }
            let size = level_size(what, texture, TextureUsages::COPY_DST, mip_level, layer)?;
            if origin.iter().any(|texel| texel % 4 != 0) {
                return fault(what, format!("its origin is {origin:?}, not a multiple of 4"));
            }
            // Blocks at the edge of a mip level may extend past it.
            let size = size.physical_size(format);
            let [x, y] = origin.map(u64::from);
            ends_within(what, [x + 4 * columns, y + 4 * rows], [size.width, size.height])
        }
    }
}

/// Used part of a buffer: rows of `row_bytes` bytes. The last row ends `end[0]` bytes after the start of row
/// `end[1] - 1`.
struct Rows {
    /// The offset and the bytes per row must be multiples of this.
    unit: u32,
    offset: u32,
    bytes_per_row: u32,
    row_bytes: u64,
    end: [u64; 2],
}

impl Rows {
    fn check(
        &self,
        what: &'static str,
        buffer: &wgpu::Buffer,
        device: &wgpu::Device,
    ) -> Result<(), GpuError> {
        let Self { unit, offset, bytes_per_row, row_bytes, end } = *self;
        if !buffer.usage().contains(BufferUsages::STORAGE) {
            return fault(what, "the buffer's usage lacks STORAGE".to_owned());
        }
        if offset % unit != 0 {
            return fault(what, format!("its offset is {offset}, not a multiple of {unit}"));
        }
        if bytes_per_row % unit != 0 {
            return fault(what, format!("its bytes per row are {bytes_per_row}, not a multiple of {unit}"));
        }
        if end[1] > 1 && u64::from(bytes_per_row) < row_bytes {
            return fault(what, format!("a row takes {row_bytes} bytes, its rows lie {bytes_per_row} apart"));
        }
        // This is below 2⁶⁴: rows and bytes per row have 33 and 32 bits.
        let end =
            u64::from(offset).saturating_add((end[1] - 1).saturating_mul(bytes_per_row.into())) + end[0];
        // Kernels count bytes in 32 bits.
        let size = buffer.size().min(1 << 32);
        if end > size {
            return fault(what, format!("the region ends at byte {end}, the buffer at {size}"));
        }
        // The whole buffer is bound, as words.
        let limit = device.limits().max_storage_buffer_binding_size;
        if buffer.size() > limit {
            return Err(GpuError::Limit { what: "a bound buffer", needed: buffer.size(), limit });
        }
        if !buffer.size().is_multiple_of(4) {
            return fault(what, format!("the buffer has {} bytes, not a multiple of 4", buffer.size()));
        }
        Ok(())
    }
}

/// Returns the size of a mip level, if this is a 2D texture with such a mip level and layer and with this
/// usage.
fn level_size(
    what: &'static str,
    texture: &wgpu::Texture,
    usage: TextureUsages,
    mip_level: u32,
    layer: u32,
) -> Result<wgpu::Extent3d, GpuError> {
    let (levels, layers) = (texture.mip_level_count(), texture.depth_or_array_layers());
    if !texture.usage().contains(usage) {
        return fault(what, format!("the texture's usage lacks {}", usage_name(usage)));
    }
    if texture.dimension() != TextureDimension::D2 {
        return fault(what, format!("the texture is {:?}, not D2", texture.dimension()));
    }
    if mip_level >= levels {
        return fault(what, format!("there is no mip level {mip_level} of {levels}"));
    }
    if layer >= layers {
        return fault(what, format!("there is no layer {layer} of {layers}"));
    }
    Ok(texture.size().mip_level_size(mip_level, TextureDimension::D2))
}

fn usage_name(usage: TextureUsages) -> String {
    usage.iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(" | ")
}

fn ends_within(what: &'static str, end: [u64; 2], size: [u32; 2]) -> Result<(), GpuError> {
    if end[0] > size[0].into() || end[1] > size[1].into() {
        return fault(
            what,
            format!("the region ends at {}×{}, the mip level at {}×{}", end[0], end[1], size[0], size[1]),
        );
    }
    Ok(())
}
