//! Checks that a region fits its source and target. wgpu reports faults in commands only when these are
//! finished. It uses the device's handler for uncaptured errors, which panics unless the application sets
//! another one. Everything is therefore checked before anything is recorded.

use super::target::{BlockRegion, BlockTarget, TexelSource};
use crate::{
    EncodeError,
    bc::Codec,
    encode_error::{RecordFault, RecordPart},
};
use brickwork_gpu::{GpuError, wgpu};
use wgpu::{BufferUsages, TextureDimension, TextureSampleType, TextureUsages};

fn fault<T>(part: RecordPart, fault: RecordFault) -> Result<T, EncodeError> {
    Err(EncodeError::Record { part, fault })
}

/// Returns the columns and rows of blocks of a region, whose blocks contain at most `limit` texels.
pub(super) fn region(region: BlockRegion, limit: u64) -> Result<[u32; 2], EncodeError> {
    if region.size.contains(&0) {
        return fault(RecordPart::Region, RecordFault::Empty);
    }
    let [columns, rows] = region.size.map(|texels| texels.div_ceil(4));
    let blocks = u64::from(columns) * u64::from(rows);
    if blocks > limit {
        let (needed, limit) = (blocks.saturating_mul(16), 16 * limit);
        return Err(GpuError::Limit { what: "a region in texels", needed, limit }.into());
    }
    Ok([columns, rows])
}

/// Checks that the source contains the region.
pub(super) fn source(
    source: TexelSource<'_>,
    region: BlockRegion,
    device: &wgpu::Device,
) -> Result<(), EncodeError> {
    let part = RecordPart::Source;
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
            rows.check(part, buffer, device)
        }
        TexelSource::Texture { texture, mip_level, layer } => {
            let format = texture.format();
            let sample_type = format.sample_type(None, Some(device.features()));
            if !matches!(sample_type, Some(TextureSampleType::Float { .. })) {
                return fault(part, RecordFault::NotFloats(format));
            }
            if texture.sample_count() != 1 {
                return fault(part, RecordFault::Samples(texture.sample_count()));
            }
            let size = level_size(part, texture, TextureUsages::TEXTURE_BINDING, mip_level, layer)?;
            ends_within(part, [x + width, y + height], [size.width, size.height])
        }
    }
}

/// Checks that the target has room for the columns and rows of blocks.
pub(super) fn target(
    target: BlockTarget<'_>,
    blocks: [u32; 2],
    codec: &Codec,
    device: &wgpu::Device,
) -> Result<(), EncodeError> {
    let part = RecordPart::Target;
    let [columns, rows] = blocks.map(u64::from);
    match target {
        BlockTarget::Buffer { buffer, offset, bytes_per_row } => {
            let row_bytes = codec.block_bytes as u64 * columns;
            Rows { unit: codec.block_bytes as u32, offset, bytes_per_row, row_bytes, end: [row_bytes, rows] }
                .check(part, buffer, device)
        }
        BlockTarget::Direct { target, mip_level, layer, origin } => {
            let texture = target.texture();
            self::target(BlockTarget::Texture { texture, mip_level, layer, origin }, blocks, codec, device)
        }
        BlockTarget::Texture { texture, mip_level, layer, origin } => {
            let format = texture.format();
            if !codec.texture_formats.contains(&format) {
                return fault(part, RecordFault::Format { format, expected: codec.texture_formats });
            }
            let size = level_size(part, texture, TextureUsages::COPY_DST, mip_level, layer)?;
            if origin.iter().any(|texel| texel % 4 != 0) {
                return fault(part, RecordFault::Origin(origin));
            }
            // Blocks at the edge of a mip level may extend past it.
            let size = size.physical_size(format);
            let [x, y] = origin.map(u64::from);
            ends_within(part, [x + 4 * columns, y + 4 * rows], [size.width, size.height])
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
        part: RecordPart,
        buffer: &wgpu::Buffer,
        device: &wgpu::Device,
    ) -> Result<(), EncodeError> {
        let Self { unit, offset, bytes_per_row, row_bytes, end } = *self;
        if !buffer.usage().contains(BufferUsages::STORAGE) {
            return fault(part, RecordFault::BufferUsage);
        }
        if offset % unit != 0 {
            return fault(part, RecordFault::Offset { offset, unit });
        }
        if bytes_per_row % unit != 0 {
            return fault(part, RecordFault::BytesPerRow { bytes_per_row, unit });
        }
        if end[1] > 1 && u64::from(bytes_per_row) < row_bytes {
            return fault(part, RecordFault::Rows { row_bytes, bytes_per_row });
        }
        // This is below 2⁶⁴: rows and bytes per row have 33 and 32 bits.
        let end =
            u64::from(offset).saturating_add((end[1] - 1).saturating_mul(bytes_per_row.into())) + end[0];
        // Kernels count bytes in 32 bits.
        let size = buffer.size().min(1 << 32);
        if end > size {
            return fault(part, RecordFault::BufferEnd { end, size });
        }
        // The whole buffer is bound, as words.
        let limit = device.limits().max_storage_buffer_binding_size;
        if buffer.size() > limit {
            return Err(GpuError::Limit { what: "a bound buffer", needed: buffer.size(), limit }.into());
        }
        if !buffer.size().is_multiple_of(4) {
            return fault(part, RecordFault::BufferSize(buffer.size()));
        }
        Ok(())
    }
}

/// Returns the size of a mip level, if this is a 2D texture with such a mip level and layer and with this
/// usage.
fn level_size(
    part: RecordPart,
    texture: &wgpu::Texture,
    usage: TextureUsages,
    mip_level: u32,
    layer: u32,
) -> Result<wgpu::Extent3d, EncodeError> {
    let (mip_levels, layers) = (texture.mip_level_count(), texture.depth_or_array_layers());
    if !texture.usage().contains(usage) {
        return fault(part, RecordFault::TextureUsage(usage));
    }
    if texture.dimension() != TextureDimension::D2 {
        return fault(part, RecordFault::Dimension(texture.dimension()));
    }
    if mip_level >= mip_levels {
        return fault(part, RecordFault::MipLevel { mip_level, mip_levels });
    }
    if layer >= layers {
        return fault(part, RecordFault::Layer { layer, layers });
    }
    Ok(texture.size().mip_level_size(mip_level, TextureDimension::D2))
}

fn ends_within(part: RecordPart, end: [u64; 2], size: [u32; 2]) -> Result<(), EncodeError> {
    if end[0] > size[0].into() || end[1] > size[1].into() {
        return fault(part, RecordFault::TextureEnd { end, size });
    }
    Ok(())
}
