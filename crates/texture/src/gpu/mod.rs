//! Encoding on the GPU, with the same bytes as [`CpuEncoder`](crate::CpuEncoder).
//!
//! ```text
//! texels in a buffer or texture → load → texels by blocks → the format's chain of kernels
//!                                → blocks in a buffer
//! texels in a buffer → mip, or filter sums → filter texels → texels of the next mip level
//!                                → normals (hosts in other languages) → vectors of length 1
//! ```
//!
//! [`GpuEncoder`] encodes whole images in bands that are short enough for drivers' watchdogs, or records into
//! the caller's commands. For whole images, a band also makes its part of the next mip level on request.
//!
//! No file here depends on a block format. A format provides a chain (`src/chain.rs`): kernels, their
//! bindings, parameters, tables, the buffers between them, and the division of the work.

mod area;
mod bands;
#[cfg(not(target_arch = "wasm32"))]
mod blocking;
mod check;
mod encoder;
#[doc(hidden)]
pub mod export;
mod filter;
mod kernels;
mod level;
pub(crate) mod load;
mod machine;
mod mip;
mod normals;
mod prepared;
mod record;
mod source_rect;
mod steps;
mod target;
mod upload;

pub use crate::encode_error::{RecordFault, RecordPart};
pub use bands::Encoding;
#[cfg(not(target_arch = "wasm32"))]
pub use bands::KernelTime;
#[cfg(not(target_arch = "wasm32"))]
pub use brickwork_gpu::adapters;
pub use brickwork_gpu::{
    Adapter, AdapterChoice, AdapterInfo, Binding, Context, ContextOptions, Download, GpuError, Kernel,
    Pipeline, adapters_async, filled_buffer, wgpu,
};
pub use encoder::GpuEncoder;
pub use kernels::kernels;
pub use steps::{ChainStep, chain_steps};
pub use target::{BlockRegion, BlockTarget, Recording, TexelSource};
