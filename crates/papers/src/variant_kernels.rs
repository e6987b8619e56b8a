//! Functions that the variants of BC1's kernels share.

use crate::wgsl::WGSL;
use brickwork_gpu::{Binding, Context, Kernel};
use brickwork_texture::bc::bc1::stage_kernel;

/// Returns a kernel of BC1's chains with files of the texture crate's `bc/bc1`, then files of this crate.
pub(crate) fn kernel(name: String, bc1: &[&str], own: &[&str], more: &[Binding]) -> Kernel {
    let paths: Vec<_> = bc1.iter().map(|file| format!("bc/bc1/{file}")).collect();
    stage_kernel(name, &paths, more).files(&WGSL, own)
}

/// Returns the kernel with those of these `override` constants that it declares.
pub(crate) fn with_overrides(
    kernel: Kernel,
    values: impl IntoIterator<Item = (&'static str, f64)>,
) -> Kernel {
    values.into_iter().fold(kernel, |kernel, (name, value)| {
        let is_declared = kernel.wgsl().contains(&format!("override {name} ="));
        if is_declared { kernel.with(name, value) } else { kernel }
    })
}

/// True if subgroups of the device have at least the 16 threads of a block.
pub(crate) fn has_wide_subgroups(context: &Context) -> bool {
    context.has_subgroups() && context.least_subgroup() >= 16
}
