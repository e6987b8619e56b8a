//! All kernels of this crate.

use super::{load, mip};
use brickwork_gpu::Kernel;

/// Every kernel there is, uncompiled. For tests, and for programs that compile the WGSL themselves.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = load::kernels();
    kernels.extend(mip::kernels());
    kernels.extend(crate::bc::kernels());
    kernels.extend(crate::direct::kernels::all());
    kernels
}
