//! Device that does the work: a GPU, or the CPU if no GPU can be used.
//!
//! A [`DeviceChoice`] is opened as [`Devices`], which open a GPU when one is first needed. The result of work
//! contains the [`Device`] that did it and, if the CPU replaced a GPU, the [`FallbackReason`]. Nothing is
//! printed.

mod cache_folder;
mod choice;
mod devices;
mod error;
mod fallback;
#[cfg_attr(not(feature = "gpu"), path = "no_gpu.rs")]
mod gpu;
mod simd;

pub use cache_folder::cache_folder;
pub use choice::DeviceChoice;
pub use devices::{Device, Devices, Done};
pub use error::DeviceError;
pub use fallback::FallbackReason;
#[cfg(feature = "gpu")]
pub use gpu::{Adapter, AdapterInfo, adapters, auto_adapter};
pub use gpu::{AdapterChoice, Gpu};
pub use simd::check_simd_variables;
