//! Blocks written straight into the texture that is sampled, without a copy.
//!
//! ```text
//! CompressedTarget::new → how: block view, heap alias or copy → BlockTarget::Direct → GpuEncoder::record
//! ```

pub(crate) mod kernels;
mod target;

pub use target::{CompressedTarget, Strategy};
pub(crate) use target::{block_view, check_view};

use brickwork_gpu::{Context, GpuError, Pipeline, filled_buffer, wgpu};
use kernels::Params;

/// Records one kernel of this folder with a thread per block: it binds its parameters, a source and a target.
pub(crate) fn record(
    context: &Context,
    commands: &mut wgpu::CommandEncoder,
    pipeline: &Pipeline,
    params: &Params,
    [source, target]: [wgpu::BindingResource<'_>; 2],
) -> Result<(), GpuError> {
    context.checked("writing blocks", || {
        let device = context.device();
        let uniform = wgpu::BufferUsages::UNIFORM;
        let buffer = filled_buffer(device, "params", bytemuck::bytes_of(params), uniform);
        let bound = pipeline.bind(device, &[buffer.as_entire_binding(), source, target]);
        let mut pass = commands.begin_compute_pass(&Default::default());
        pipeline.dispatch_grid(&mut pass, &bound, kernels::workgroups(params.blocks));
    })
}
