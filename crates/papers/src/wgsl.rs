//! The crate's WGSL files. Those of `brickwork-texture` that they use are added by the kernels.

use brickwork_gpu::{WgslFiles, wgsl_files};

/// Paths start in `src`.
pub(crate) const WGSL: WgslFiles = wgsl_files![
    "cuda/group.wgsl",
    "cuda/group_assign.wgsl",
    "cuda/group_order.wgsl",
    "cuda/group_search.wgsl",
    "cuda/group_shared.wgsl",
    "cuda/group_subgroup.wgsl",
    "lsdxt/dynamic_first.wgsl",
    "lsdxt/dynamic_refine.wgsl",
    "lsdxt/enter_subgroup.wgsl",
    "lsdxt/local.wgsl",
    "lsdxt/local_first.wgsl",
    "lsdxt/local_refine.wgsl",
    "lsdxt/search_dynamic.wgsl",
    "lsdxt/search_local.wgsl",
    "lsdxt/subgroup.wgsl",
    "lsdxt/subgroup_first.wgsl",
    "lsdxt/subgroup_refine.wgsl",
    "lsdxt/winner_subgroup.wgsl",
];
