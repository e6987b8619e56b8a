//! Block images on Metal, created beneath wgpu and passed to it: a texture and a buffer at the start of one
//! placement heap.
//!
//! The heap tracks hazards as a whole, so Metal itself orders reads of the texture after writes to the
//! buffer. wgpu offers no fences. This code has only been type-checked; it has not run on Apple's hardware.
#![allow(unsafe_code)]

use super::{BlockImage, BlockImageDesc, BlockWords};
use crate::{Context, GpuError, UnsupportedReason};
use objc2::{rc::Retained, runtime::ProtocolObject};
use objc2_metal::{
    MTLBuffer, MTLDevice, MTLHazardTrackingMode, MTLHeap, MTLHeapDescriptor, MTLHeapType, MTLPixelFormat,
    MTLResourceOptions, MTLStorageMode, MTLTexture, MTLTextureDescriptor, MTLTextureType, MTLTextureUsage,
};
use wgpu::{
    BufferUsages, TextureUses,
    hal::{self, api::Metal},
};

const MEMORY: &str = "a buffer in an image's memory";

/// Returns a texture that is only sampled and copied. It has no contents.
pub(super) fn plain(context: &Context, desc: &BlockImageDesc) -> Result<wgpu::Texture, GpuError> {
    let (texture, ..) = made(context, desc)?;
    wrapped(context, desc, texture, TextureUses::UNINITIALIZED)
}

/// Works like [`BlockImage::with_memory`], before the image has contents.
pub(super) fn with_memory(context: &Context, desc: &BlockImageDesc) -> Result<BlockImage, GpuError> {
    let (texture, buffer, size) = made(context, desc)?;
    let limit = context.device().limits().max_storage_buffer_binding_size;
    if size > limit {
        return Err(GpuError::Limit { what: MEMORY, needed: size, limit });
    }
    let description = wgpu::BufferDescriptor {
        label: Some(MEMORY),
        size,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    // SAFETY: the buffer is this device's and has this size; `BlockImage::cleared` fills it before it is
    // read.
    let memory = context.checked(MEMORY, || unsafe {
        let buffer = hal::metal::Device::buffer_from_raw(buffer, size);
        context.device().create_buffer_from_hal::<Metal>(buffer, &description)
    })?;
    Ok(BlockImage {
        desc: *desc,
        texture: wrapped(context, desc, texture.clone(), TextureUses::UNINITIALIZED)?,
        words: BlockWords::Memory(memory),
        state: wrapped(context, desc, texture, TextureUses::RESOURCE)?,
    })
}

type Texture = Retained<ProtocolObject<dyn MTLTexture>>;
type Buffer = Retained<ProtocolObject<dyn MTLBuffer>>;

/// Returns the texture, the buffer, and the buffer's size in bytes. Texture and buffer keep their heap.
fn made(context: &Context, desc: &BlockImageDesc) -> Result<(Texture, Buffer, u64), GpuError> {
    let what = MEMORY;
    let unsupported = |reason| GpuError::Unsupported { what, reason };
    // SAFETY: the device is not destroyed here.
    let hal_device = unsafe { context.device().as_hal::<Metal>() }
        .ok_or_else(|| unsupported(UnsupportedReason::Requires("the Metal backend")))?;
    let device = hal_device.raw_device();
    let format =
        pixel_format(desc.format).ok_or_else(|| unsupported(UnsupportedReason::Format { api: "Metal" }))?;
    let texture = MTLTextureDescriptor::new();
    let kind = if desc.layers > 1 { MTLTextureType::Type2DArray } else { MTLTextureType::Type2D };
    texture.setTextureType(kind);
    texture.setPixelFormat(format);
    texture.setStorageMode(MTLStorageMode::Private);
    texture.setHazardTrackingMode(MTLHazardTrackingMode::Tracked);
    // Views with and without sRGB.
    texture.setUsage(MTLTextureUsage::ShaderRead | MTLTextureUsage::PixelFormatView);
    // SAFETY: `BlockImageDesc::check` has found all of them within the device's limits, and not zero.
    unsafe {
        texture.setWidth(desc.size[0] as usize);
        texture.setHeight(desc.size[1] as usize);
        texture.setMipmapLevelCount(desc.mip_levels as usize);
        texture.setArrayLength(desc.layers as usize);
    }
    let size = device.heapTextureSizeAndAlignWithDescriptor(&texture).size.next_multiple_of(16);
    let heap = MTLHeapDescriptor::new();
    heap.setType(MTLHeapType::Placement);
    heap.setStorageMode(MTLStorageMode::Private);
    heap.setHazardTrackingMode(MTLHazardTrackingMode::Tracked);
    heap.setSize(size);
    let heap = device.newHeapWithDescriptor(&heap).ok_or(GpuError::OutOfMemory { what })?;
    let options = MTLResourceOptions::StorageModePrivate | MTLResourceOptions::HazardTrackingModeTracked;
    // SAFETY: both are within the heap, which was made for the texture's size; at offset 0 they are aligned.
    let (texture, buffer) = unsafe {
        (
            heap.newTextureWithDescriptor_offset(&texture, 0),
            heap.newBufferWithLength_options_offset(size, options, 0),
        )
    };
    let texture = texture.ok_or(GpuError::OutOfMemory { what })?;
    Ok((texture, buffer.ok_or(GpuError::OutOfMemory { what })?, size as u64))
}

/// Returns the texture as one of wgpu.
fn wrapped(
    context: &Context,
    desc: &BlockImageDesc,
    texture: Texture,
    state: TextureUses,
) -> Result<wgpu::Texture, GpuError> {
    let formats = desc.view_formats();
    let label = "a texture of blocks";
    let description = wgpu::TextureDescriptor { view_formats: &formats, ..desc.texture(label) };
    let kind = if desc.layers > 1 { MTLTextureType::Type2DArray } else { MTLTextureType::Type2D };
    let [width, height] = desc.size;
    let size = hal::CopyExtent { width, height, depth: 1 };
    // SAFETY: the texture is this device's and is as described.
    context.checked(label, || unsafe {
        let texture = hal::metal::Device::texture_from_raw(
            texture,
            desc.format,
            kind,
            desc.layers,
            desc.mip_levels,
            size,
            None,
        );
        context.device().create_texture_from_hal::<Metal>(texture, &description, state)
    })
}

fn pixel_format(format: wgpu::TextureFormat) -> Option<MTLPixelFormat> {
    use MTLPixelFormat as M;
    use wgpu::TextureFormat as F;
    Some(match format {
        F::Bc1RgbaUnorm => M::BC1_RGBA,
        F::Bc1RgbaUnormSrgb => M::BC1_RGBA_sRGB,
        F::Bc2RgbaUnorm => M::BC2_RGBA,
        F::Bc2RgbaUnormSrgb => M::BC2_RGBA_sRGB,
        F::Bc3RgbaUnorm => M::BC3_RGBA,
        F::Bc3RgbaUnormSrgb => M::BC3_RGBA_sRGB,
        F::Bc4RUnorm => M::BC4_RUnorm,
        F::Bc4RSnorm => M::BC4_RSnorm,
        F::Bc5RgUnorm => M::BC5_RGUnorm,
        F::Bc5RgSnorm => M::BC5_RGSnorm,
        F::Bc6hRgbFloat => M::BC6H_RGBFloat,
        F::Bc6hRgbUfloat => M::BC6H_RGBUfloat,
        F::Bc7RgbaUnorm => M::BC7_RGBAUnorm,
        F::Bc7RgbaUnormSrgb => M::BC7_RGBAUnorm_sRGB,
        _ => return None,
    })
}
