//! The list of all kernels of this crate.

use crate::{gpu::decoders, render::gpu_kernels};
use brickwork_gpu::Kernel;

/// Returns all kernels of this crate, uncompiled: for tests, and for programs that compile the WGSL
/// themselves.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = decoders();
    kernels.extend(gpu_kernels());
    kernels
}
