//! Loading of texels from a buffer of any channel type, or from a texture, block by block in the form that a
//! codec takes.

use crate::{ChannelType, TexelFormat, TexelType, wgsl::WGSL};
use brickwork_gpu::{Binding, Context, GpuError, Kernel, Pipeline, filled_buffer, wgpu};

/// Returns the kernels' number for a type of channels.
pub(super) const fn channel_number(channel_type: ChannelType) -> u32 {
    match channel_type {
        ChannelType::U8 => 0,
        ChannelType::U16 => 1,
        ChannelType::F16 => 2,
        ChannelType::F32 => 3,
    }
}

/// `struct BufferSource` of load.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct BufferParams {
    size: [u32; 2],
    columns: u32,
    blocks: u32,
    offset: u32,
    pitch: u32,
    channels: u32,
    channel_type: u32,
}

/// `struct TextureSource` of load_texture.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct TextureParams {
    origin: [u32; 2],
    size: [u32; 2],
    columns: u32,
    blocks: u32,
}

impl BufferParams {
    /// Returns the parameters for `size` texels. The first one is at byte `offset`, and rows are `pitch`
    /// bytes apart.
    pub fn new(size: [u32; 2], offset: u32, pitch: u32, texel_type: TexelType) -> Self {
        let [columns, rows] = size.map(|texels| texels.div_ceil(4));
        let channels = texel_type.channel_count();
        let channel_type = channel_number(texel_type.channel_type());
        Self { size, columns, blocks: columns * rows, offset, pitch, channels, channel_type }
    }
}

impl TextureParams {
    /// Returns the parameters for `size` texels, starting at `origin`.
    pub fn new(origin: [u32; 2], size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|texels| texels.div_ceil(4));
        Self { origin, size, columns, blocks: columns * rows }
    }
}

/// Location of the texels.
pub(super) enum LoadFrom<'a> {
    /// In a buffer. The first texel is at byte `offset`, and rows are `pitch` bytes apart.
    Buffer { buffer: &'a wgpu::Buffer, offset: u32, pitch: u32, texel_type: TexelType },
    /// In a texture, starting at `origin`.
    Texture { view: &'a wgpu::TextureView, origin: [u32; 2] },
}

/// Parameters of one load of `size` texels.
pub(super) struct LoadParams<'a> {
    pub from: LoadFrom<'a>,
    pub size: [u32; 2],
    /// True if the image's texels store alpha.
    pub has_alpha: bool,
}

pub(super) struct Loader {
    buffer: Pipeline,
    texture: Pipeline,
}

/// Returns every kernel of this file.
pub(super) fn kernels() -> Vec<Kernel> {
    TexelFormat::ALL.iter().flat_map(|&format| [buffer_kernel(format), texture_kernel(format)]).collect()
}

/// Adds code that reads texels of one form from a buffer to a kernel whose `params` contain their position.
pub(super) fn reading(kernel: Kernel, format: TexelFormat) -> Kernel {
    match format {
        TexelFormat::Rgba8 => kernel.file(&WGSL, "gpu/source_rgba8.wgsl"),
        TexelFormat::Rgba16 | TexelFormat::RgbaF16 => kernel.file(&WGSL, "gpu/source_wide.wgsl"),
    }
}

/// Adds the constant of convert_wide.wgsl, if the form needs it.
pub(super) fn converting(kernel: Kernel, format: TexelFormat) -> Kernel {
    match format {
        TexelFormat::Rgba8 => kernel,
        TexelFormat::Rgba16 => kernel.constant("HALF", 0u32),
        TexelFormat::RgbaF16 => kernel.constant("HALF", 1u32),
    }
}

/// Adds code that writes texels of one form.
pub(super) fn writing(kernel: Kernel, format: TexelFormat) -> Kernel {
    match format {
        TexelFormat::Rgba8 => kernel.files(&WGSL, &["gpu/texel_rgba8.wgsl", "gpu/put_rgba8.wgsl"]),
        TexelFormat::Rgba16 | TexelFormat::RgbaF16 => kernel.file(&WGSL, "gpu/put_wide.wgsl"),
    }
}

/// Returns the name of the kernel that loads from buffers.
pub(super) const fn buffer_kernel_name(format: TexelFormat) -> &'static str {
    match format {
        TexelFormat::Rgba8 => "load",
        TexelFormat::Rgba16 => "load 16 bits",
        TexelFormat::RgbaF16 => "load halves",
    }
}

pub(super) fn buffer_kernel(format: TexelFormat) -> Kernel {
    let kernel = Kernel::new(buffer_kernel_name(format), &[Binding::Uniform, Binding::Read, Binding::Write]);
    writing(reading(converting(kernel.file(&WGSL, "gpu/load.wgsl"), format), format), format)
}

pub(super) fn texture_kernel(format: TexelFormat) -> Kernel {
    let name = match format {
        TexelFormat::Rgba8 => "load texture",
        TexelFormat::Rgba16 => "load texture, 16 bits",
        TexelFormat::RgbaF16 => "load texture, halves",
    };
    let kernel = Kernel::new(name, &[Binding::Uniform, Binding::Texture, Binding::Write]);
    writing(converting(kernel.file(&WGSL, "gpu/load_texture.wgsl"), format), format)
}

impl Loader {
    pub fn new(context: &Context, format: TexelFormat) -> Result<Self, GpuError> {
        Ok(Self {
            buffer: context.pipeline(&buffer_kernel(format))?,
            texture: context.pipeline(&texture_kernel(format))?,
        })
    }

    pub fn record(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::ComputePass<'_>,
        load: &LoadParams<'_>,
        texels: &wgpu::Buffer,
    ) {
        let [columns, rows] = load.size.map(|texels| texels.div_ceil(4));
        let uniform =
            |contents: &[u8]| filled_buffer(device, "source", contents, wgpu::BufferUsages::UNIFORM);
        let (params, pipeline, source);
        match load.from {
            LoadFrom::Buffer { buffer, offset, pitch, texel_type } => {
                let values = BufferParams::new(load.size, offset, pitch, texel_type);
                params = uniform(bytemuck::bytes_of(&values));
                (pipeline, source) = (&self.buffer, buffer.as_entire_binding());
            }
            LoadFrom::Texture { view, origin } => {
                params = uniform(bytemuck::bytes_of(&TextureParams::new(origin, load.size)));
                (pipeline, source) = (&self.texture, wgpu::BindingResource::TextureView(view));
            }
        }
        let bound = pipeline.bind(device, &[params.as_entire_binding(), source, texels.as_entire_binding()]);
        pipeline.dispatch(pass, &bound, (columns * rows).div_ceil(4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (members, size) = layout(&buffer_kernel(TexelFormat::Rgba8), "BufferSource");
        let expected = offsets!(
            BufferParams: "size" size, "columns" columns, "blocks" blocks, "offset" offset, "pitch" pitch,
            "channels" channels, "channel_type" channel_type);
        assert_eq!((members, size), (expected, size_of::<BufferParams>()));
        let (members, size) = layout(&texture_kernel(TexelFormat::Rgba8), "TextureSource");
        let expected =
            offsets!(TextureParams: "origin" origin, "size" size, "columns" columns, "blocks" blocks);
        assert_eq!((members, size), (expected, size_of::<TextureParams>()));
    }
}
