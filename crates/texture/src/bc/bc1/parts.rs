//! The WGSL that kernels share, file by file: the first lines of each say what it needs. A kernel joins the parts that it
//! calls, in any order.

pub(super) const ASSIGN: &str = include_str!("assign.wgsl");
pub(super) const AXIS: &str = include_str!("axis.wgsl");
pub(super) const BEST: &str = include_str!("best.wgsl");
pub(super) const CLUSTERS: &str = include_str!("clusters.wgsl");
pub(super) const CLUSTER_FIT: &str = include_str!("cluster_fit.wgsl");
pub(super) const FAMILIES: &str = include_str!("families.wgsl");
pub(super) const FIT: &str = include_str!("fit.wgsl");
pub(super) const LANES: &str = include_str!("lanes.wgsl");
pub(super) const MOVES: &str = include_str!("moves.wgsl");
pub(super) const NEAREST: &str = include_str!("nearest.wgsl");
pub(super) const PALETTE: &str = include_str!("palette.wgsl");
pub(super) const PARAMS: &str = include_str!("params.wgsl");
pub(super) const WORDS: &str = include_str!("words.wgsl");
