//! Blocks that are written straight into the sampled texture, without a copy.
//!
//! ```text
//! CompressedTarget::new → how: block view, heap alias or copy → BlockTarget::Direct → GpuEncoder::record
//! ```

mod cache;
pub(crate) mod kernels;
mod known;
mod probe;
mod read_back;
mod record;
mod refusal;
mod strategy;
mod target;
#[cfg(test)]
mod tests;
mod tiling;

use cache::Cache;
pub(crate) use known::Known;
pub(crate) use record::Part;
pub use refusal::{Refusal, StrategyReason, TargetError, UnknownOrder};
pub use strategy::Strategy;
pub use target::CompressedTarget;
pub use tiling::{OrderMap, Tiling, TilingDescription};
