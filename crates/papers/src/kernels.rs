//! All kernels of this crate.

use crate::{cuda::ClusterFitVariant, lsdxt::LsdxtVariant};
use brickwork_gpu::Kernel;
use brickwork_texture::{BlockFormat, EncodeOptions, Quality, bc::bc1::Method, gpu::chain_steps};

/// Returns all kernels of this crate at the best quality, uncompiled. For tests, and for programs that
/// compile the WGSL themselves.
pub fn kernels() -> Vec<Kernel> {
    let steps = |method| {
        let options = EncodeOptions::default().with(|o| {
            o.quality = Quality::Best;
            o.bc1.method = method;
        });
        chain_steps(BlockFormat::Bc1, &options)
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
    use crate::wgsl::WGSL;
    use brickwork_gpu::testing::assert_files_used;

    #[test]
    fn every_file_is_used_and_uses_what_it_needs() {
        assert_files_used(&WGSL, &kernels());
    }
}
