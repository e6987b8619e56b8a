//! Images of any size from images of any size, by a separable filter.
//!
//! ```text
//! rows of texels → lights (source.rs) → sums along rows → sums of rows (sums.rs) → texels (target.rs)
//! ```
//!
//! *Lights* are four floats: three linear colours and alpha. With straight alpha, colours are multiplied by
//! alpha before the sums and divided by it after them. Weights are computed in double precision by basic
//! operations alone (`filters.rs`, `axis.rs`), and rounded to single precision once.
//!
//! Sums are added in the order of the source texels, each product rounded before it is added. IEEE 754
//! defines each result, so every instruction set and every number of threads gives the same bytes. The
//! kernels of `gpu/filter/` compute the same results with integers, from the same weights.

mod axes;
mod axis;
mod filters;
mod run;
mod source;
mod strip;
mod sums;
mod target;
#[cfg(test)]
mod tests;

pub(super) use run::resample;
#[cfg(feature = "gpu")]
pub(crate) use {axes::Axes, axis::Axis, source::visible};

/// Linear red, green and blue, and alpha. The unit is that of the texel's form (`source.rs`).
type Lights = [f32; 4];
