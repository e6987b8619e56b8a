//! Next mip level of a band by filters of radius 1 to 3, with the same bytes as
//! [`next_level`](crate::mips::next_level).
//!
//! ```text
//! texels of a band and its halo → sums along rows (sums.wgsl) → sums of rows, texels (texels.wgsl)
//! ```
//!
//! The CPU adds single floats in a fixed order, each product and sum rounded once (`mips/resample/`). The
//! kernels compute the same roundings with integers (`single.wgsl`): a GPU's own floats may be fused, rounded
//! otherwise or flushed to 0. The weights are the CPU's, in a table of each band.
//!
//! The *halo* is the texels around a band that its part of the level needs. It is uploaded with the band,
//! and contains the texels past an edge of the image, too.

mod kernels;
mod maker;
mod table;
#[cfg(test)]
mod tests;

pub(super) use kernels::{AxisParams, FilterParams, clamped_sums_kernel, kernels, texels_kernel};
pub(super) use maker::FilterMaker;
