//! Methods from the papers on BC1 besides the stages in use: cluster fit as in NVIDIA's kernels (2007, 2009),
//! and LSDxt (L. Spiro; GraphiCon). `brickwork bench papers` measures them.

#[cfg(feature = "gpu")]
mod groups;
pub(super) mod lsdxt;
#[cfg(feature = "gpu")]
mod variants;

#[cfg(feature = "gpu")]
pub(super) use groups::group_stages;
#[cfg(feature = "gpu")]
pub(super) use variants::every_variant;
