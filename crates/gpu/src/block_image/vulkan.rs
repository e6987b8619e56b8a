//! Block images on Vulkan, created beneath wgpu and passed to it.
#![allow(unsafe_code)]

use super::{BlockImage, BlockImageDesc, BlockWords};
use crate::{Context, GpuError, UnsupportedReason};
use ash::vk;
use std::sync::Arc;
use wgpu::{
    BufferUsages, TextureFormat as F, TextureUsages, TextureUses,
    hal::{self, api::Vulkan},
};

const MEMORY: &str = "a buffer in an image's memory";

/// Returns a texture that is only sampled and copied. It has no contents.
pub(super) fn plain(context: &Context, desc: &BlockImageDesc) -> Result<wgpu::Texture, GpuError> {
    Made::new(context, desc, Kind::Plain)?.texture(context, desc)
}

/// Works like [`BlockImage::with_view`], before the image has contents.
pub(super) fn with_view(context: &Context, desc: &BlockImageDesc) -> Result<BlockImage, GpuError> {
    let made = Made::new(context, desc, Kind::View)?;
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::STORAGE_BINDING;
    let [width, height] = desc.blocks(0);
    let words = wgpu::TextureDescriptor {
        // wgpu does not accept mip levels that do not exist for the size in blocks.
        size: wgpu::Extent3d { width, height, ..desc.extent() },
        format: if desc.block_bytes() == 8 { F::Rg32Uint } else { F::Rgba32Uint },
        usage,
        ..desc.texture("blocks as integers")
    };
    let words = made.wrapped(context, &words, usage, TextureUses::RESOURCE)?;
    Ok(BlockImage {
        desc: *desc,
        texture: made.texture(context, desc)?,
        words: BlockWords::View(words.clone()),
        state: words,
    })
}

/// Works like [`BlockImage::with_memory`], before the image has contents.
pub(super) fn with_memory(context: &Context, desc: &BlockImageDesc) -> Result<BlockImage, GpuError> {
    let made = Made::new(context, desc, Kind::Memory)?;
    let usage = TextureUsages::TEXTURE_BINDING;
    let state = made.wrapped(context, &desc.texture("blocks in memory"), usage, TextureUses::RESOURCE)?;
    Ok(BlockImage {
        desc: *desc,
        texture: made.texture(context, desc)?,
        words: BlockWords::Memory(made.buffer(context)?),
        state,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    View,
    Memory,
}

impl Kind {
    fn what(self) -> &'static str {
        match self {
            Self::Plain => "a texture of blocks",
            Self::View => "a view of blocks as integers",
            Self::Memory => MEMORY,
        }
    }
}

/// Vulkan objects of an image. Each wgpu object around them holds a share. wgpu drops its objects when the
/// GPU no longer needs them.
struct Raw {
    device: ash::Device,
    image: vk::Image,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Drop for Raw {
    fn drop(&mut self) {
        // SAFETY: all three were made by this device or are null. No object of wgpu uses them any more, and
        // wgpu drops its objects while the device exists, after the GPU has finished with them.
        unsafe {
            self.device.destroy_buffer(self.buffer, None);
            self.device.destroy_image(self.image, None);
            self.device.free_memory(self.memory, None);
        }
    }
}

struct Made {
    raw: Arc<Raw>,
    /// Size of the buffer in bytes.
    bytes: u64,
}

/// Returns the meaning of a driver's code.
fn fault(what: &'static str, code: vk::Result) -> GpuError {
    match code {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => {
            GpuError::OutOfMemory { what }
        }
        vk::Result::ERROR_DEVICE_LOST => GpuError::Lost { reason: code.to_string() },
        code => GpuError::Unsupported { what, reason: UnsupportedReason::Driver(format!("{code:?}")) },
    }
}

/// Returns Vulkan's formats with sRGB and without.
fn vulkan_formats(format: wgpu::TextureFormat) -> Option<[vk::Format; 2]> {
    Some(match format.remove_srgb_suffix() {
        F::Bc1RgbaUnorm => [vk::Format::BC1_RGBA_UNORM_BLOCK, vk::Format::BC1_RGBA_SRGB_BLOCK],
        F::Bc2RgbaUnorm => [vk::Format::BC2_UNORM_BLOCK, vk::Format::BC2_SRGB_BLOCK],
        F::Bc3RgbaUnorm => [vk::Format::BC3_UNORM_BLOCK, vk::Format::BC3_SRGB_BLOCK],
        F::Bc4RUnorm => [vk::Format::BC4_UNORM_BLOCK; 2],
        F::Bc4RSnorm => [vk::Format::BC4_SNORM_BLOCK; 2],
        F::Bc5RgUnorm => [vk::Format::BC5_UNORM_BLOCK; 2],
        F::Bc5RgSnorm => [vk::Format::BC5_SNORM_BLOCK; 2],
        F::Bc6hRgbUfloat => [vk::Format::BC6H_UFLOAT_BLOCK; 2],
        F::Bc6hRgbFloat => [vk::Format::BC6H_SFLOAT_BLOCK; 2],
        F::Bc7RgbaUnorm => [vk::Format::BC7_UNORM_BLOCK, vk::Format::BC7_SRGB_BLOCK],
        _ => return None,
    })
}

impl Made {
    fn new(context: &Context, desc: &BlockImageDesc, kind: Kind) -> Result<Self, GpuError> {
        let what = kind.what();
        let unsupported = |reason| GpuError::Unsupported { what, reason };
        // SAFETY: the device is not destroyed here.
        let hal_device = unsafe { context.device().as_hal::<Vulkan>() }
            .ok_or_else(|| unsupported(UnsupportedReason::Requires("the Vulkan backend")))?;
        let (device, physical) = (hal_device.raw_device(), hal_device.raw_physical_device());
        let instance = hal_device.shared_instance().raw_instance();
        // SAFETY: the physical device is the instance's.
        let version = unsafe { instance.get_physical_device_properties(physical) }.api_version;
        if version < vk::API_VERSION_1_1 {
            return Err(unsupported(UnsupportedReason::Requires("Vulkan 1.1")));
        }
        let Some([linear, srgb]) = vulkan_formats(desc.format) else {
            return Err(unsupported(UnsupportedReason::Format { api: "Vulkan" }));
        };
        let format = if desc.format.is_srgb() { srgb } else { linear };
        let words =
            if desc.block_bytes() == 8 { vk::Format::R32G32_UINT } else { vk::Format::R32G32B32A32_UINT };
        let mut usage = vk::ImageUsageFlags::SAMPLED
            | vk::ImageUsageFlags::TRANSFER_SRC
            | vk::ImageUsageFlags::TRANSFER_DST;
        let mut flags = vk::ImageCreateFlags::empty();
        if linear != srgb {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT;
        }
        let mut formats = vec![linear, srgb];
        formats.dedup();
        match kind {
            Kind::Plain => {}
            Kind::View => {
                usage |= vk::ImageUsageFlags::STORAGE;
                flags |= vk::ImageCreateFlags::MUTABLE_FORMAT
                    | vk::ImageCreateFlags::BLOCK_TEXEL_VIEW_COMPATIBLE
                    | vk::ImageCreateFlags::EXTENDED_USAGE;
                formats.push(words);
            }
            Kind::Memory => flags |= vk::ImageCreateFlags::ALIAS,
        }
        // SAFETY: the physical device is the instance's, and Vulkan 1.1 has the flags.
        let limits = unsafe {
            instance.get_physical_device_image_format_properties(
                physical,
                format,
                vk::ImageType::TYPE_2D,
                vk::ImageTiling::OPTIMAL,
                usage,
                flags,
            )
        };
        let limits = limits.map_err(|code| fault(what, code))?;
        let [width, height] = desc.size;
        if limits.max_mip_levels < desc.mip_levels
            || limits.max_array_layers < desc.layers
            || limits.max_extent.width < width
            || limits.max_extent.height < height
        {
            return Err(unsupported(UnsupportedReason::TextureLimits {
                size: desc.size,
                mip_levels: desc.mip_levels,
                layers: desc.layers,
                max_size: [limits.max_extent.width, limits.max_extent.height],
                max_mip_levels: limits.max_mip_levels,
                max_layers: limits.max_array_layers,
            }));
        }
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&formats);
        let mut info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(desc.mip_levels)
            .array_layers(desc.layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let has_lists = version >= vk::API_VERSION_1_2
            || hal_device.enabled_device_extensions().contains(&ash::khr::image_format_list::NAME);
        if has_lists && flags.contains(vk::ImageCreateFlags::MUTABLE_FORMAT) {
            info = info.push_next(&mut list);
        }
        let mut raw = Raw {
            device: device.clone(),
            image: vk::Image::null(),
            buffer: vk::Buffer::null(),
            memory: vk::DeviceMemory::null(),
        };
        // From here on, `raw` releases the objects created so far.
        // SAFETY: the driver has said that it takes this format, usage, flags, size, mip levels and layers.
        raw.image = unsafe { device.create_image(&info, None) }.map_err(|code| fault(what, code))?;
        // SAFETY: the image is the device's.
        let needed = unsafe { device.get_image_memory_requirements(raw.image) };
        let (mut size, mut types) = (needed.size.next_multiple_of(16), needed.memory_type_bits);
        let bytes = size;
        if kind == Kind::Memory {
            let most = context.device().limits().max_storage_buffer_binding_size;
            if size > most {
                return Err(GpuError::Limit { what, needed: size, limit: most });
            }
            let info = vk::BufferCreateInfo::default()
                .size(size)
                .usage(
                    vk::BufferUsageFlags::STORAGE_BUFFER
                        | vk::BufferUsageFlags::TRANSFER_SRC
                        | vk::BufferUsageFlags::TRANSFER_DST,
                )
                .sharing_mode(vk::SharingMode::EXCLUSIVE);
            // SAFETY: the size is not zero, and the usage needs no feature.
            raw.buffer = unsafe { device.create_buffer(&info, None) }.map_err(|code| fault(what, code))?;
            // SAFETY: the buffer is the device's.
            let of_buffer = unsafe { device.get_buffer_memory_requirements(raw.buffer) };
            size = size.max(of_buffer.size);
            types &= of_buffer.memory_type_bits;
        }
        // SAFETY: the physical device is the instance's.
        let all = unsafe { instance.get_physical_device_memory_properties(physical) };
        let is_local = |index: &usize| {
            let flags = all.memory_types[*index].property_flags;
            types & (1 << *index) != 0 && flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL)
        };
        let Some(index) = (0..all.memory_type_count as usize).find(is_local) else {
            return Err(unsupported(UnsupportedReason::SharedMemory));
        };
        let mut alone = vk::MemoryDedicatedAllocateInfo::default().image(raw.image);
        let mut info =
            vk::MemoryAllocateInfo::default().allocation_size(size).memory_type_index(index as u32);
        if kind != Kind::Memory {
            info = info.push_next(&mut alone);
        }
        // SAFETY: the memory type is one of the device's.
        raw.memory = unsafe { device.allocate_memory(&info, None) }.map_err(|code| fault(what, code))?;
        // SAFETY: the memory is new, large enough, and of a type that the image and the buffer take. At
        // offset 0 it is aligned for both.
        unsafe {
            device.bind_image_memory(raw.image, raw.memory, 0).map_err(|code| fault(what, code))?;
            if kind == Kind::Memory {
                device.bind_buffer_memory(raw.buffer, raw.memory, 0).map_err(|code| fault(what, code))?;
            }
        }
        Ok(Self { raw: Arc::new(raw), bytes })
    }

    /// Returns the texture that is sampled. It has no contents.
    fn texture(&self, context: &Context, desc: &BlockImageDesc) -> Result<wgpu::Texture, GpuError> {
        let formats = desc.view_formats();
        let description =
            wgpu::TextureDescriptor { view_formats: &formats, ..desc.texture("a texture of blocks") };
        self.wrapped(context, &description, description.usage, TextureUses::UNINITIALIZED)
    }

    /// Returns the image as a texture of wgpu.
    fn wrapped(
        &self,
        context: &Context,
        description: &wgpu::TextureDescriptor<'_>,
        usage: TextureUsages,
        state: TextureUses,
    ) -> Result<wgpu::Texture, GpuError> {
        let uses = [
            (TextureUsages::TEXTURE_BINDING, TextureUses::RESOURCE),
            (TextureUsages::STORAGE_BINDING, TextureUses::STORAGE_WRITE_ONLY),
            (TextureUsages::COPY_SRC, TextureUses::COPY_SRC),
            (TextureUsages::COPY_DST, TextureUses::COPY_DST),
        ];
        let hal_description = hal::TextureDescriptor {
            label: description.label,
            size: description.size,
            mip_level_count: description.mip_level_count,
            sample_count: 1,
            dimension: description.dimension,
            format: description.format,
            usage: uses.into_iter().filter(|of| usage.contains(of.0)).map(|of| of.1).collect(),
            memory_flags: hal::MemoryFlags::empty(),
            view_formats: description.view_formats.to_vec(),
        };
        let share = Arc::clone(&self.raw);
        let label = "a texture of blocks";
        // SAFETY: the image is this device's and has the format, or is viewed in one that its list has. The
        // share that the callback drops keeps it; wgpu frees nothing itself. The state is the one in which
        // the image is when it is first used: see `BlockImage`.
        context.checked(label, || unsafe {
            let Some(device) = context.device().as_hal::<Vulkan>() else {
                unreachable!("a device keeps its backend")
            };
            let texture = device.texture_from_raw(
                self.raw.image,
                &hal_description,
                Some(Box::new(move || drop(share))),
                hal::vulkan::TextureMemory::External,
            );
            drop(device);
            context.device().create_texture_from_hal::<Vulkan>(texture, description, state)
        })
    }

    /// Returns the memory as a buffer of wgpu.
    fn buffer(&self, context: &Context) -> Result<wgpu::Buffer, GpuError> {
        let share = Arc::clone(&self.raw);
        let description = wgpu::BufferDescriptor {
            label: Some("an image's memory"),
            size: self.bytes,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        // SAFETY: the buffer is this device's, with these usages and this size; the share that the callback
        // drops keeps it, and wgpu frees nothing itself. `BlockImage::cleared` fills it before it is read.
        context.checked(MEMORY, || unsafe {
            let buffer = hal::vulkan::Buffer::from_raw_externally_owned(
                self.raw.buffer,
                Box::new(move || drop(share)),
            );
            context.device().create_buffer_from_hal::<Vulkan>(buffer, &description)
        })
    }
}
