//! Cluster fit as in NVIDIA's papers: one workgroup per block, or per four blocks.

use crate::bc::bc1::{
    ClusterFitVariant,
    params::Parts,
    stage::{RANGED, SORTED, STARTS, Stage, kernel},
};
use brickwork_gpu::Binding;

/// Returns the kernels of a variant that replace the first three stages.
pub(in crate::bc::bc1) fn group_stages(variant: ClusterFitVariant) -> Option<[Stage; 2]> {
    use ClusterFitVariant::{FourBlocks, Group64, Group128, Group256, Stages, Subgroup};
    let (order, search, threads, blocks) = match variant {
        Stages => return None,
        Group64 => ("bc1 order, group of 64", "bc1 search, group of 64", 64, 1),
        Group128 => ("bc1 order, group of 128", "bc1 search, group of 128", 128, 1),
        Group256 => ("bc1 order, group of 256", "bc1 search, group of 256", 256, 1),
        FourBlocks => ("bc1 order, four blocks", "bc1 search, four blocks", 16, 4),
        Subgroup => ("bc1 order, subgroups", "bc1 search, four blocks", 16, 4),
    };
    let exchange = match variant {
        Subgroup => "bc/bc1/papers/group_subgroup.wgsl",
        Stages | Group64 | Group128 | Group256 | FourBlocks => "bc/bc1/papers/group_shared.wgsl",
    };
    let order = kernel(order, &[exchange], &[Binding::Write; 2]);
    let search = kernel(search, &["bc/bc1/papers/group_search.wgsl"], &[Binding::Read, Binding::Write]);
    let stage = |kernel: brickwork_gpu::Kernel, binds, parts| Stage {
        kernel: kernel.constant("THREADS", threads as u32).constant("BLOCKS", blocks),
        binds,
        parts,
        parts_per_workgroup: blocks,
        blocks_per_dispatch: u32::MAX,
        masked: None,
        other_axes: false,
    };
    Some([
        stage(order, vec![SORTED, RANGED], Parts::Orderings),
        stage(search, vec![SORTED, STARTS], Parts::Families),
    ])
}
