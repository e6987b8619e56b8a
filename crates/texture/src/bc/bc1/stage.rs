//! Stages: the kernels of BC1's chains, and the data that those of cluster fit pass on.

use super::{params, parts::Parts};
use crate::{chain::Bind, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};
use std::borrow::Cow;

/// Sorted texels of each ordering.
pub(in crate::bc::bc1) const SORTED: Bind = Bind::Between(0);
/// Range fit of each block.
pub(in crate::bc::bc1) const RANGED: Bind = Bind::Between(1);
/// Cuts, then cost and endpoints, of each start.
pub(in crate::bc::bc1) const STARTS: Bind = Bind::Between(2);
/// Cost and endpoints of each climb.
pub(in crate::bc::bc1) const CLIMBED: Bind = Bind::Between(3);

/// Kernel over all blocks that are not simple, with the division of its work.
pub(in crate::bc::bc1) struct Stage {
    pub kernel: Kernel,
    /// Bindings after the parameters, the tables and the texels.
    pub binds: Vec<Bind>,
    pub parts: Parts,
    pub parts_per_workgroup: u32,
    pub blocks_per_dispatch: u32,
    /// True for dispatches where texels may be left out, false for those where none is; `None` for both.
    pub masked: Option<bool>,
    /// True if it searches along axes other than the principal one.
    pub other_axes: bool,
}

/// Returns a stage with one thread per part, in workgroups of 64.
pub(in crate::bc::bc1) fn one_thread_each(kernel: Kernel, binds: Vec<Bind>, parts: Parts) -> Stage {
    Stage {
        kernel,
        binds,
        parts,
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        masked: None,
        other_axes: false,
    }
}

/// Returns two stages. One is for dispatches where no texel is left out; in it, `MASKED` is false.
pub(in crate::bc::bc1) fn with_and_without_masks(stage: Stage) -> [Stage; 2] {
    [false, true].map(|masked| Stage {
        kernel: stage.kernel.clone().with("MASKED", masked.into()),
        binds: stage.binds.clone(),
        masked: Some(masked),
        ..stage
    })
}

/// Returns the stage along other axes.
pub(in crate::bc::bc1) fn along_other_axes(stage: Stage) -> Stage {
    Stage { kernel: stage.kernel.with("OTHER_AXES", true.into()), other_axes: true, ..stage }
}

/// Returns a kernel of BC1's chains, which binds the parameters, the tables, the texels and then `more`. It
/// contains these WGSL files of the crate, such as `bc/bc1/palette.wgsl`, the files that they need, and the
/// numbers that they take from Rust. [`ChainStep::with_kernel`](crate::gpu::ChainStep::with_kernel) puts it
/// into a chain. Files and numbers may change with any version.
///
/// # Panics
/// If there is no such file.
pub fn kernel(name: impl Into<Cow<'static, str>>, files: &[impl AsRef<str>], more: &[Binding]) -> Kernel {
    let bindings = [&[Binding::Uniform, Binding::Read, Binding::Read], more].concat();
    Kernel::new(name, &bindings).files(&WGSL, files).constants(params::constants())
}
