//! The WGSL that kernels share, file by file: the first lines of each file say what it needs. A kernel joins
//! the parts that it calls, in any order.

pub(in crate::bc::bc1) const ASSIGN: &str = include_str!("assign.wgsl");
pub(in crate::bc::bc1) const AXIS: &str = include_str!("axis.wgsl");
pub(in crate::bc::bc1) const BEST: &str = include_str!("best.wgsl");
pub(in crate::bc::bc1) const CLUSTERS: &str = include_str!("clusters.wgsl");
pub(in crate::bc::bc1) const CLUSTER_FIT: &str = include_str!("cluster_fit.wgsl");
pub(in crate::bc::bc1) const FAMILIES: &str = include_str!("families.wgsl");
pub(in crate::bc::bc1) const FIT: &str = include_str!("fit.wgsl");
pub(in crate::bc::bc1) const LANES: &str = include_str!("lanes.wgsl");
pub(in crate::bc::bc1) const MOVES: &str = include_str!("moves.wgsl");
pub(in crate::bc::bc1) const NEAREST: &str = include_str!("nearest.wgsl");
pub(in crate::bc::bc1) const OTHER_AXES: &str = include_str!("other_axes.wgsl");
pub(in crate::bc::bc1) const PALETTE: &str = include_str!("palette.wgsl");
pub(in crate::bc::bc1) const PARAMS: &str = include_str!("params.wgsl");
pub(in crate::bc::bc1) const RUNNING: &str = include_str!("running.wgsl");
pub(in crate::bc::bc1) const TOTAL: &str = include_str!("total.wgsl");
pub(in crate::bc::bc1) const WORDS: &str = include_str!("words.wgsl");
