//! Bytes back from the GPU while a target is made.

use brickwork_gpu::{Context, Download, GpuError};

/// The bytes of a download. Blocks.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_back(context: &Context, download: Download) -> Result<Vec<u8>, GpuError> {
    download.wait(context)
}

/// A browser's thread cannot wait. It need not: textures of blocks that kernels write are refused before.
#[cfg(target_arch = "wasm32")]
pub(crate) fn read_back(context: &Context, download: Download) -> Result<Vec<u8>, GpuError> {
    download.take(context)
}
