//! Chains of one kernel, as in real time: each thread encodes a block of loaded texels.

use crate::{
    chain::{Bind, Chain, Dispatch, Single, Step, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Twin of `struct Params` in params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Params {
    size: [u32; 2],
    columns: u32,
    first_block: u32,
    end_block: u32,
    first: u32,
    pitch: u32,
    zero: u32,
}

impl Params {
    fn new(dispatch: &Dispatch) -> Self {
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            zero: 0,
        }
    }
}

/// Returns the chain of an encoder. Its first band has `first_band_blocks`.
pub(crate) fn chain(single: Single, first_band_blocks: u32) -> Chain {
    let work =
        |dispatch: &Dispatch| Work { parts: 1, params: bytemuck::bytes_of(&Params::new(dispatch)).to_vec() };
    let step = Step {
        kernel: kernel(&single),
        binds: vec![Bind::Params, Bind::Texels, Bind::Blocks],
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(work),
    };
    Chain {
        between: Vec::new(),
        tables: Vec::new(),
        steps: vec![step],
        single: Some(single),
        first_band_blocks,
        most_blocks: u32::MAX,
    }
}

/// Returns the kernel of an encoder that reads loaded texels.
pub(crate) fn kernel(single: &Single) -> Kernel {
    let kernel = Kernel::new(single.name.clone(), &[Binding::Uniform, Binding::Read, Binding::Write])
        .file(&WGSL, "real_time/main.wgsl")
        .constant("WORDS", single.block_bytes / 4);
    (single.complete)(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::singles;
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let single = singles().next().unwrap();
        let (members, size) = layout(&kernel(&single), "Params");
        let expected = offsets!(
            Params: "size" size, "columns" columns, "first_block" first_block, "end_block" end_block,
            "first" first, "pitch" pitch, "zero" zero);
        assert_eq!((members, size), (expected, size_of::<Params>()));
    }
}
