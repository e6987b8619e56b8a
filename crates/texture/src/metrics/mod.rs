//! Difference between an image and its original: mean square error, PSNR, SSIM.
//!
//! All metrics use 8-bit values ([`Texel::to_rgba8`](crate::Texel::to_rgba8)). Squared errors are summed in
//! integers, and SSIM row by row in a fixed order. The result is therefore the same for any number of
//! threads.

mod bands;
mod compare;
mod psnr;
mod ssim;

pub use compare::{
    MetricsError, compare, compare_blocks, compare_visible, compare_visible_blocks, difference,
};
pub use psnr::{Metrics, psnr};
