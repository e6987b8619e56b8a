//! One kernel that writes blocks into a part of a target.

use super::{
    kernels::{Params, Store, Tiled, workgroups},
    tiling::Tiling,
};
use brickwork_gpu::{BlockImage, BlockWords, Context, GpuError, Pipeline, filled_buffer, wgpu};
use wgpu::{BindingResource, BufferUsages, TextureUsages, TextureViewDimension};

/// Target of a kernel's writes, and their order.
pub(crate) enum Part<'a> {
    /// A buffer, row by row.
    Buffer(&'a wgpu::Buffer),
    /// A view of one mip level and layer, with one texel per block.
    View(wgpu::TextureView),
    /// An image's memory, which stores one mip level and layer in the order of the tiling.
    Memory { memory: &'a wgpu::Buffer, tiling: &'a Tiling, by_slot: bool },
}

impl<'a> Part<'a> {
    /// Returns a mip level and layer of an image that kernels access as a view.
    ///
    /// # Panics
    /// If kernels access the image as memory.
    pub fn view(context: &Context, image: &BlockImage, mip_level: u32, layer: u32) -> Result<Self, GpuError> {
        let BlockWords::View(words) = image.words() else { panic!("an image without a view") };
        let description = wgpu::TextureViewDescriptor {
            label: Some("blocks"),
            dimension: Some(TextureViewDimension::D2),
            usage: Some(TextureUsages::STORAGE_BINDING),
            base_mip_level: mip_level,
            mip_level_count: Some(1),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..Default::default()
        };
        context.checked("a view of blocks", || words.create_view(&description)).map(Part::View)
    }

    /// Returns the way in which a kernel stores blocks here.
    pub fn store(&self) -> Store {
        match self {
            Part::Buffer(_) => Store::Linear,
            Part::View(_) => Store::View,
            Part::Memory { tiling, by_slot: false, .. } => Store::Scatter(Tiled::new(tiling)),
            Part::Memory { tiling, by_slot: true, .. } => Store::Gather(Tiled::new(tiling)),
        }
    }

    /// Records a kernel that reads `source` and stores blocks here.
    pub fn record(
        &self,
        context: &Context,
        commands: &mut wgpu::CommandEncoder,
        pipeline: &Pipeline,
        params: &Params,
        source: BindingResource<'_>,
    ) -> Result<(), GpuError> {
        let mut params = *params;
        if let Part::Memory { tiling, .. } = self {
            params.slots = tiling.slot_count() - tiling.base();
        }
        context.checked("writing blocks", || {
            let uniform =
                |bytes: &[u8]| filled_buffer(context.device(), "params", bytes, BufferUsages::UNIFORM);
            let buffer = uniform(bytemuck::bytes_of(&params));
            let mut bound = vec![buffer.as_entire_binding(), source];
            let size;
            match self {
                Part::Buffer(buffer) => bound.push(buffer.as_entire_binding()),
                Part::View(view) => bound.push(BindingResource::TextureView(view)),
                Part::Memory { memory, tiling, .. } => {
                    size = uniform(bytemuck::bytes_of(&tiling.size()));
                    bound.extend([memory.as_entire_binding(), size.as_entire_binding()]);
                }
            }
            let bound = pipeline.bind(context.device(), &bound);
            let mut pass = commands.begin_compute_pass(&Default::default());
            match self {
                Part::Memory { by_slot: true, .. } => {
                    pipeline.dispatch(&mut pass, &bound, params.slots.div_ceil(64));
                }
                _ => pipeline.dispatch_grid(&mut pass, &bound, workgroups(params.blocks)),
            }
        })
    }
}
