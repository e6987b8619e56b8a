//! Devices, kernels, read-back and timestamps: the parts of GPU programming that Brickwork's codecs need,
//! built on wgpu.
//!
//! ```text
//! adapters() → Context::open | Context::adopt → Context::pipeline(&Kernel) → record → submit → Download
//! ```
//!
//! This crate does not depend on any codec. A [`Kernel`] is assembled from WGSL and constants from Rust, and
//! compiled at its first use. Everything works at [`wgpu::Limits::default`]; only the sizes of buffers and
//! textures are raised to the adapter's own limits.
//!
//! No call waits, except calls whose documentation begins or ends with "Blocks", which do not exist on
//! wasm32. Each of them has a counterpart that is polled or is a future.
//!
//! No call panics or aborts because of a GPU fault. It returns a [`GpuError`].

// Each public enum or struct may grow, or states why it does not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod adapter;
mod block_image;
#[cfg(not(target_arch = "wasm32"))]
mod blocking;
mod buffer;
mod cache;
mod compile;
mod context;
mod context_options;
mod download;
mod error;
mod instance;
mod kernel;
mod pipeline;
mod scopes;
mod signal;
#[cfg(feature = "testing")]
pub mod testing;
mod timer;
mod wgsl_files;

pub use adapter::{Adapter, AdapterChoice, AdapterInfo, adapters_async};
pub use block_image::{BlockImage, BlockImageDesc, BlockWords};
#[cfg(not(target_arch = "wasm32"))]
pub use blocking::adapters;
pub use buffer::filled_buffer;
pub use context::Context;
pub use context_options::ContextOptions;
pub use download::Download;
pub use error::{BlockImageFault, GpuError, MissingAbilities, MissingAbility, UnsupportedReason};
pub use kernel::{Binding, Constant, Kernel};
pub use pipeline::Pipeline;
pub use timer::{Timer, TimerRead};
pub use wgpu;
pub use wgsl_files::WgslFiles;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
