//! One kernel of BC1's chains, and what the stages of cluster fit hand on.

use super::params::{self, Parts};
use crate::{chain::Bind, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};
use std::borrow::Cow;

/// Sorted texels of each ordering.
pub(in crate::bc::bc1) const SORTED: Bind = Bind::Between(0);
/// The range fit of each block.
pub(in crate::bc::bc1) const RANGED: Bind = Bind::Between(1);
/// Cuts, then cost and endpoints, of each start.
pub(in crate::bc::bc1) const STARTS: Bind = Bind::Between(2);
/// Cost and endpoints of each climb.
pub(in crate::bc::bc1) const CLIMBED: Bind = Bind::Between(3);

/// A kernel over all blocks that are not simple, and how its work is divided.
pub(in crate::bc::bc1) struct Stage {
    pub kernel: Kernel,
    /// What it binds after the parameters, the tables and the texels.
    pub binds: Vec<Bind>,
    pub parts: Parts,
    pub parts_per_workgroup: u32,
    pub blocks_per_dispatch: u32,
    /// If it works only on dispatches where texels may be left out, or only on those where none is.
    pub masked: Option<bool>,
    /// Whether it searches along other axes than the principal one.
    pub other_axes: bool,
}

/// A stage with one thread per part, in workgroups of 64.
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

/// Two stages, one for dispatches where no texel is left out, in which `MASKED` is false.
pub(in crate::bc::bc1) fn with_and_without_masks(stage: Stage) -> [Stage; 2] {
    [false, true].map(|masked| Stage {
        kernel: stage.kernel.clone().with("MASKED", masked.into()),
        binds: stage.binds.clone(),
        masked: Some(masked),
        ..stage
    })
}

/// The stage along other axes.
pub(in crate::bc::bc1) fn along_other_axes(stage: Stage) -> Stage {
    Stage { kernel: stage.kernel.with("OTHER_AXES", true.into()), other_axes: true, ..stage }
}

/// A kernel that binds the parameters, the tables, the texels and then `more`.
pub(in crate::bc::bc1) fn kernel(
    name: impl Into<Cow<'static, str>>,
    files: &[impl AsRef<str>],
    more: &[Binding],
) -> Kernel {
    let bindings = [&[Binding::Uniform, Binding::Read, Binding::Read], more].concat();
    Kernel::new(name, &bindings).files(&WGSL, files).constants(params::constants())
}
