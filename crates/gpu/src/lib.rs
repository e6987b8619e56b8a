//! Devices, kernels, read-back and timestamps: what Brickwork's codecs need of a GPU, built on wgpu.
//!
//! ```text
//! adapters() → Context::open | Context::adopt → Context::pipeline(&Kernel) → record → submit → Download
//! ```
//!
//! This crate knows no codec. A [`Kernel`] is assembled from WGSL and constants taken from Rust, and compiled
//! when first used. Everything works at [`wgpu::Limits::default`]; only the sizes of buffers and textures are
//! raised to the adapter's own.
//!
//! No call here panics or aborts because of a GPU fault: it returns a [`GpuError`].

// Each public enum may grow, or says why not.
#![warn(clippy::exhaustive_enums)]

mod adapter;
mod block_image;
mod buffer;
mod cache;
mod context;
mod download;
mod error;
mod instance;
mod kernel;
mod pipeline;
#[cfg(feature = "testing")]
pub mod testing;
mod timer;

pub use adapter::{Adapter, AdapterChoice, AdapterInfo, adapters};
pub use block_image::{BlockImage, BlockImageDesc, BlockWords};
pub use buffer::filled_buffer;
pub use context::{Context, ContextOptions};
pub use download::Download;
pub use error::GpuError;
pub use kernel::{Binding, Constant, Kernel};
pub use pipeline::Pipeline;
pub use timer::Timer;
pub use wgpu;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
