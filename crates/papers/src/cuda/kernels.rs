//! Cluster fit as in NVIDIA's papers: one workgroup per block, or per four blocks.

use super::ClusterFitVariant;
use crate::variant_kernels::{kernel, with_overrides};
use brickwork_gpu::Binding;
use brickwork_texture::gpu::ChainStep;

/// `override` constants that follow from the options of the encoder.
const OPTIONS: [&str; 3] = ["FALLING", "LIGHT", "BLACK"];

/// Returns the steps of a chain in which two kernels replace the stages up to the fitted starts. Those along
/// other axes stay.
pub(super) fn edit(variant: ClusterFitVariant, steps: Vec<ChainStep>) -> Vec<ChainStep> {
    use ClusterFitVariant::{FourBlocks, Group64, Group128, Group256, Stages, Subgroup};
    let (order, search, threads, blocks) = match variant {
        Stages => return steps,
        Group64 => ("group of 64", "group of 64", 64u32, 1),
        Group128 => ("group of 128", "group of 128", 128, 1),
        Group256 => ("group of 256", "group of 256", 256, 1),
        FourBlocks => ("four blocks", "four blocks", 16, 4),
        Subgroup => ("subgroups", "four blocks", 16, 4),
    };
    let exchange = if variant == Subgroup { "cuda/group_subgroup.wgsl" } else { "cuda/group_shared.wgsl" };
    let shared = ["params.wgsl", "palette.wgsl", "nearest.wgsl", "clusters.wgsl", "fit.wgsl", "axis.wgsl"];
    let order = kernel(format!("bc1 order, {order}"), &shared, &[exchange], &[Binding::Write; 2]);
    let of_search = [&shared[..], &["families.wgsl", "best.wgsl", "cluster_fit.wgsl"]].concat();
    let bindings = [Binding::Read, Binding::Write];
    let search = kernel(format!("bc1 search, {search}"), &of_search, &["cuda/group_search.wgsl"], &bindings);
    let value = |name| {
        let mut overrides = steps.iter().flat_map(|step| step.kernel().overrides());
        overrides.find(|(known, _)| *known == name).copied()
    };
    let options: Vec<_> = OPTIONS.into_iter().filter_map(value).collect();
    let [order, search] = [order, search].map(|kernel| {
        let kernel = kernel.constant("THREADS", threads).constant("BLOCKS", blocks);
        with_overrides(kernel, options.iter().copied())
    });
    let edit = |step: ChainStep| {
        let is_along_other_axes = step.kernel().overrides().iter().any(|(name, _)| *name == "OTHER_AXES");
        match step.kernel().name() {
            _ if is_along_other_axes => Some(step),
            "bc1 order" => Some(step.with_kernel(order.clone(), blocks)),
            name if name.starts_with("bc1 search") => Some(step.with_kernel(search.clone(), blocks)),
            "bc1 descend" => None,
            _ => Some(step),
        }
    };
    steps.into_iter().filter_map(edit).collect()
}
