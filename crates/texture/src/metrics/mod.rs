//! Difference between an image and its original: mean square error, PSNR, SSIM, ꟻLIP.
//!
//! Metrics use 8-bit values ([`Texel::to_rgba8`](crate::Texel::to_rgba8)), except [`compare_real`],
//! [`compare_visible_real`], and those of blocks of BC4 and BC5 under
//! [`RoundingRule::Real`](crate::RoundingRule::Real). [`HdrMetrics`] use half floats. Squared errors are
//! summed in integers; real ones, those of half floats and SSIM are summed row by row in a fixed order. The
//! result is therefore the same for any number of threads.

mod bands;
mod block_rows;
mod compare;
mod difference;
mod error;
mod flip;
mod hdr;
mod normals;
mod psnr;
mod real;
mod ssim;

pub use compare::{compare, compare_blocks, compare_visible, compare_visible_blocks};
pub use difference::{difference, tone_mapped_difference};
pub use error::MetricsError;
pub use flip::flip;
pub use hdr::{HdrMetrics, HdrRange, compare_hdr, compare_hdr_blocks};
pub use normals::{NormalAngles, NormalMetrics, compare_normals};
pub use psnr::{Metrics, psnr};
pub use real::{compare_real, compare_visible_real};
