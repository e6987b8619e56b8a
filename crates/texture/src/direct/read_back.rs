//! Reading of bytes from the GPU while a target is made.

use crate::{EncodeError, Task};
use brickwork_gpu::{Context, Download};

/// Returns the bytes of a download. Blocks until they are available or the task is cancelled.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_back(
    context: &Context,
    download: Download,
    task: &Task<'_>,
) -> Result<Vec<u8>, EncodeError> {
    let bytes = async { Ok(download.bytes(context).await?) };
    context.run(bytes, || Ok(task.check()?))
}

/// Returns the bytes of a download. A browser's thread cannot wait, and need not: block textures that kernels
/// write are refused earlier.
#[cfg(target_arch = "wasm32")]
pub(crate) fn read_back(context: &Context, download: Download, _: &Task<'_>) -> Result<Vec<u8>, EncodeError> {
    Ok(download.take(context)?)
}
