//! Texels from a buffer of any channel type, or from a texture, to 8-bit RGBA in the order of blocks.

use brickwork_gpu::{Binding, Context, GpuError, Kernel, Pipeline, filled_buffer, wgpu};

/// `struct Source` of load.wgsl.
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

/// `struct Source` of load_texture.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct TextureParams {
    origin: [u32; 2],
    size: [u32; 2],
    columns: u32,
    blocks: u32,
}

/// Where texels are.
pub(super) enum From<'a> {
    /// In a buffer, the first at byte `offset`, rows `pitch` bytes apart.
    Buffer { buffer: &'a wgpu::Buffer, offset: u32, pitch: u32, channels: u32, channel_type: u32 },
    /// In a texture, from `origin` on.
    Texture { view: &'a wgpu::TextureView, origin: [u32; 2] },
}

/// What one load reads: `size` texels.
pub(super) struct LoadParams<'a> {
    pub from: From<'a>,
    pub size: [u32; 2],
}

pub(super) struct Loader {
    buffer: Pipeline,
    texture: Pipeline,
}

pub(super) fn buffer_kernel() -> Kernel {
    Kernel::new("load", &[Binding::Uniform, Binding::Read, Binding::Write])
        .parts(&[include_str!("load.wgsl"), include_str!("source.wgsl")])
}

pub(super) fn texture_kernel() -> Kernel {
    Kernel::new("load texture", &[Binding::Uniform, Binding::Texture, Binding::Write])
        .part(include_str!("load_texture.wgsl"))
}

impl Loader {
    pub fn new(context: &Context) -> Result<Self, GpuError> {
        Ok(Self {
            buffer: context.pipeline(&buffer_kernel())?,
            texture: context.pipeline(&texture_kernel())?,
        })
    }

    pub fn record(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::ComputePass<'_>,
        load: &LoadParams<'_>,
        texels: &wgpu::Buffer,
    ) {
        let size = load.size;
        let [columns, rows] = size.map(|texels| texels.div_ceil(4));
        let blocks = columns * rows;
        let groups = blocks.div_ceil(4);
        let uniform =
            |contents: &[u8]| filled_buffer(device, "source", contents, wgpu::BufferUsages::UNIFORM);
        let (params, pipeline, source);
        match load.from {
            From::Buffer { buffer, offset, pitch, channels, channel_type } => {
                let values = BufferParams { size, columns, blocks, offset, pitch, channels, channel_type };
                params = uniform(bytemuck::bytes_of(&values));
                (pipeline, source) = (&self.buffer, buffer.as_entire_binding());
            }
            From::Texture { view, origin } => {
                params = uniform(bytemuck::bytes_of(&TextureParams { origin, size, columns, blocks }));
                (pipeline, source) = (&self.texture, wgpu::BindingResource::TextureView(view));
            }
        }
        let bound = pipeline.bind(device, &[params.as_entire_binding(), source, texels.as_entire_binding()]);
        pipeline.dispatch(pass, &bound, groups);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (members, size) = layout(&buffer_kernel(), "Source");
        let expected = offsets!(
            BufferParams: "size" size, "columns" columns, "blocks" blocks, "offset" offset, "pitch" pitch,
            "channels" channels, "channel_type" channel_type);
        assert_eq!((members, size), (expected, size_of::<BufferParams>()));
        let (members, size) = layout(&texture_kernel(), "Source");
        let expected =
            offsets!(TextureParams: "origin" origin, "size" size, "columns" columns, "blocks" blocks);
        assert_eq!((members, size), (expected, size_of::<TextureParams>()));
    }
}
