//! Block images on Direct3D 12, created beneath wgpu and passed to it. Relaxed format casting allows views of
//! these resources as integer texels.
//!
//! This has been type-checked only: it has not run.
#![allow(unsafe_code)]

use super::{BlockImage, BlockImageDesc, BlockWords};
use crate::{Context, GpuError, UnsupportedReason};
use wgpu::{
    TextureFormat as F, TextureUsages, TextureUses,
    hal::{self, api::Dx12},
};
use windows::{
    Win32::Graphics::{
        Direct3D12::{
            D3D12_BARRIER_LAYOUT_COMMON, D3D12_FEATURE_D3D12_OPTIONS12, D3D12_FEATURE_DATA_D3D12_OPTIONS12,
            D3D12_HEAP_FLAG_NONE, D3D12_HEAP_PROPERTIES, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_DESC1,
            D3D12_RESOURCE_DIMENSION_TEXTURE2D, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, ID3D12Device10,
            ID3D12Resource,
        },
        Dxgi::Common::{self as dxgi, DXGI_FORMAT, DXGI_SAMPLE_DESC},
    },
    core::Interface as _,
};

const VIEW: &str = "a view of blocks as integers";

/// Works like [`BlockImage::with_view`], before the image has contents. Returns `None` if the device is not
/// one of Direct3D 12.
pub(super) fn with_view(context: &Context, desc: &BlockImageDesc) -> Option<Result<BlockImage, GpuError>> {
    // SAFETY: the device is not destroyed here.
    let device = unsafe { context.device().as_hal::<Dx12>() }?;
    let made = device.raw_device().cast::<ID3D12Device10>();
    drop(device);
    Some(match made {
        Ok(device) => resource(&device, desc).and_then(|resource| wrapped(context, desc, &resource)),
        Err(_) => Err(unsupported(UnsupportedReason::Requires("ID3D12Device10"))),
    })
}

fn unsupported(reason: UnsupportedReason) -> GpuError {
    GpuError::Unsupported { what: VIEW, reason }
}

/// Returns DXGI's formats with sRGB and without.
fn dxgi_formats(format: wgpu::TextureFormat) -> Option<[DXGI_FORMAT; 2]> {
    Some(match format.remove_srgb_suffix() {
        F::Bc1RgbaUnorm => [dxgi::DXGI_FORMAT_BC1_UNORM, dxgi::DXGI_FORMAT_BC1_UNORM_SRGB],
        F::Bc2RgbaUnorm => [dxgi::DXGI_FORMAT_BC2_UNORM, dxgi::DXGI_FORMAT_BC2_UNORM_SRGB],
        F::Bc3RgbaUnorm => [dxgi::DXGI_FORMAT_BC3_UNORM, dxgi::DXGI_FORMAT_BC3_UNORM_SRGB],
        F::Bc4RUnorm => [dxgi::DXGI_FORMAT_BC4_UNORM; 2],
        F::Bc4RSnorm => [dxgi::DXGI_FORMAT_BC4_SNORM; 2],
        F::Bc5RgUnorm => [dxgi::DXGI_FORMAT_BC5_UNORM; 2],
        F::Bc5RgSnorm => [dxgi::DXGI_FORMAT_BC5_SNORM; 2],
        F::Bc6hRgbUfloat => [dxgi::DXGI_FORMAT_BC6H_UF16; 2],
        F::Bc6hRgbFloat => [dxgi::DXGI_FORMAT_BC6H_SF16; 2],
        F::Bc7RgbaUnorm => [dxgi::DXGI_FORMAT_BC7_UNORM, dxgi::DXGI_FORMAT_BC7_UNORM_SRGB],
        _ => return None,
    })
}

fn resource(device: &ID3D12Device10, desc: &BlockImageDesc) -> Result<ID3D12Resource, GpuError> {
    let mut options = D3D12_FEATURE_DATA_D3D12_OPTIONS12::default();
    // SAFETY: the structure is the feature's, and its size is given.
    let asked = unsafe {
        device.CheckFeatureSupport(
            D3D12_FEATURE_D3D12_OPTIONS12,
            (&raw mut options).cast(),
            size_of_val(&options) as u32,
        )
    };
    if asked.is_err() || !options.RelaxedFormatCastingSupported.as_bool() {
        return Err(unsupported(UnsupportedReason::FormatCasting));
    }
    if desc.size.iter().any(|texels| texels % 4 != 0) {
        return Err(unsupported(UnsupportedReason::PartialBlocks));
    }
    let [linear, srgb] =
        dxgi_formats(desc.format).ok_or_else(|| unsupported(UnsupportedReason::Format { api: "DXGI" }))?;
    let words = match desc.block_bytes() {
        8 => dxgi::DXGI_FORMAT_R32G32_UINT,
        _ => dxgi::DXGI_FORMAT_R32G32B32A32_UINT,
    };
    let (Ok(layers), Ok(mip_levels)) = (desc.layers.try_into(), desc.mip_levels.try_into()) else {
        return Err(unsupported(UnsupportedReason::Layers));
    };
    let description = D3D12_RESOURCE_DESC1 {
        Dimension: D3D12_RESOURCE_DIMENSION_TEXTURE2D,
        Width: desc.size[0].into(),
        Height: desc.size[1],
        DepthOrArraySize: layers,
        MipLevels: mip_levels,
        Format: if desc.format.is_srgb() { srgb } else { linear },
        SampleDesc: DXGI_SAMPLE_DESC { Count: 1, Quality: 0 },
        Flags: D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS,
        ..Default::default()
    };
    let heap = D3D12_HEAP_PROPERTIES { Type: D3D12_HEAP_TYPE_DEFAULT, ..Default::default() };
    let formats = if linear == srgb { vec![linear, words] } else { vec![linear, srgb, words] };
    let mut made = None;
    // SAFETY: the pointers are to structures of this function; the layout is the one in which wgpu takes a
    // resource that nothing is in.
    let created = unsafe {
        device.CreateCommittedResource3(
            &heap,
            D3D12_HEAP_FLAG_NONE,
            &description,
            D3D12_BARRIER_LAYOUT_COMMON,
            None,
            None,
            Some(&formats),
            &mut made,
        )
    };
    created.map_err(|error| unsupported(UnsupportedReason::Driver(error.to_string())))?;
    made.ok_or(GpuError::OutOfMemory { what: VIEW })
}

/// Returns the resource as two textures of wgpu.
fn wrapped(
    context: &Context,
    desc: &BlockImageDesc,
    resource: &ID3D12Resource,
) -> Result<BlockImage, GpuError> {
    let wrap = |description: &wgpu::TextureDescriptor<'_>, state: TextureUses| {
        // SAFETY: the resource is this device's and has the format, or one to which it may be cast. Each
        // wrapper holds a reference. The state is the one in which it is when it is first used: see
        // `BlockImage`.
        context.checked(VIEW, || unsafe {
            let texture = hal::dx12::Device::texture_from_raw(
                resource.clone(),
                description.format,
                description.dimension,
                description.size,
                description.mip_level_count,
                1,
            );
            context.device().create_texture_from_hal::<Dx12>(texture, description, state)
        })
    };
    let formats = desc.view_formats();
    let texture = wgpu::TextureDescriptor { view_formats: &formats, ..desc.texture("a texture of blocks") };
    let [width, height] = desc.blocks(0);
    let words = wgpu::TextureDescriptor {
        size: wgpu::Extent3d { width, height, ..desc.extent() },
        format: if desc.block_bytes() == 8 { F::Rg32Uint } else { F::Rgba32Uint },
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::STORAGE_BINDING,
        ..desc.texture("blocks as integers")
    };
    let words = wrap(&words, TextureUses::RESOURCE)?;
    Ok(BlockImage {
        desc: *desc,
        texture: wrap(&texture, TextureUses::UNINITIALIZED)?,
        words: BlockWords::View(words.clone()),
        state: words,
    })
}
