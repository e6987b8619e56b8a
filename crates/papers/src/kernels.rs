//! All kernels of this crate, and what they share.

use crate::{cuda::ClusterFitVariant, lsdxt::LsdxtVariant, wgsl::WGSL};
use brickwork_gpu::{Binding, Context, Kernel};
use brickwork_texture::{
    BlockFormat, EncodeOptions, Quality,
    bc::bc1::{Bc1Options, Method, stage_kernel},
    gpu::chain_steps,
};

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

/// Returns all kernels of this crate at the best quality, uncompiled. For tests, and for programs that
/// compile the WGSL themselves.
pub fn kernels() -> Vec<Kernel> {
    let steps = |method| {
        let options = EncodeOptions::new().with_quality(Quality::Best);
        chain_steps(BlockFormat::Bc1, &options.with_bc1(Bc1Options::new().with_method(method)))
    };
    let cluster_fit = ClusterFitVariant::ALL.iter().map(|variant| variant.edit(steps(Method::ClusterFit)));
    let lsdxt = LsdxtVariant::ALL.iter().map(|variant| variant.edit(steps(Method::Lsdxt)));
    let known = [Method::ClusterFit, Method::Lsdxt].map(steps);
    let known: Vec<_> = known.iter().flatten().map(|step| step.kernel().name()).collect();
    let mut kernels: Vec<Kernel> = Vec::new();
    for step in cluster_fit.chain(lsdxt).flatten() {
        let kernel = step.kernel();
        let is_same =
            |other: &Kernel| other.name() == kernel.name() && other.overrides() == kernel.overrides();
        if !known.contains(&kernel.name()) && !kernels.iter().any(is_same) {
            kernels.push(kernel.clone());
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::assert_files_used;

    #[test]
    fn every_file_is_used_and_uses_what_it_needs() {
        assert_files_used(&WGSL, &kernels());
    }
}
