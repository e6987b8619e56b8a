//! Reading of bytes from the GPU while a target is made.

use brickwork_gpu::{Context, Download, GpuError};

/// Returns the bytes of a download. Blocks until they are available.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_back(context: &Context, download: Download) -> Result<Vec<u8>, GpuError> {
    download.wait(context)
}

/// Returns the bytes of a download. A browser's thread cannot wait, and need not: block textures that kernels
/// write are refused earlier.
#[cfg(target_arch = "wasm32")]
pub(crate) fn read_back(context: &Context, download: Download) -> Result<Vec<u8>, GpuError> {
    download.take(context)
}
