//! BC2's kernels on the GPU: one for alpha, followed by BC1's for colours.

use crate::{
    EncodeOptions,
    bc::{bc1::color_chain, real_time},
    chain::{Bind, Chain, Dispatch, Step, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Twin of `struct Params` in alpha.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Params {
    columns: u32,
    first_block: u32,
    end_block: u32,
    first: u32,
    pitch: u32,
    padding: [u32; 3],
}

/// Returns the chain for these options.
pub(super) fn chain(options: &EncodeOptions) -> Chain {
    if let Some(level) = options.real_time {
        return real_time::chain(real_time::BC2, level, 0);
    }
    let mut chain = color_chain(options);
    // BC1's first kernel overwrites the alpha of the texels, so alpha comes first.
    chain.steps.insert(0, alpha_step());
    chain
}

fn alpha_step() -> Step {
    let work = |dispatch: &Dispatch| {
        let params = Params {
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            padding: [0; 3],
        };
        Work { parts: 1, params: bytemuck::bytes_of(&params).to_vec() }
    };
    Step {
        kernel: alpha_kernel(),
        binds: vec![Bind::Params, Bind::Texels, Bind::Blocks],
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(work),
    }
}

fn alpha_kernel() -> Kernel {
    Kernel::new("bc2 alpha", &[Binding::Uniform, Binding::Read, Binding::Write])
        .file(&WGSL, "bc/bc2/alpha.wgsl")
}

/// Returns the kernels that BC1 does not have, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    vec![alpha_kernel()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (params, size) = layout(&alpha_kernel(), "Params");
        let expected = offsets!(
            Params: "columns" columns, "first_block" first_block, "end_block" end_block, "first" first,
            "pitch" pitch);
        assert_eq!(params, expected);
        assert!(size <= size_of::<Params>());
    }
}
