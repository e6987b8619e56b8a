//! Encoding on the GPU: the same bytes as [`CpuEncoder`](crate::CpuEncoder) gives.
//!
//! ```text
//! texels in a buffer or texture → load → 8-bit RGBA by blocks → the format's kernels → blocks in a buffer
//! ```
//!
//! [`GpuEncoder`] takes whole images, in bands that no watchdog minds, or records into the caller's commands.

mod bands;
mod load;
mod prepared;
mod record;

pub use bands::Encoding;
pub use brickwork_gpu::{self as gpu, Context, ContextOptions, GpuError};
pub use record::{Region, Source, Target};

/// Every kernel there is, uncompiled. For tests, and for programs that compile the WGSL themselves.
pub fn kernels() -> Vec<brickwork_gpu::Kernel> {
    let mut kernels = vec![load::buffer_kernel(), load::texture_kernel()];
    kernels.extend(crate::bc::bc1::kernel::all());
    kernels
}

use crate::{EncodeError, EncodeOptions, Encoder, ImageView, Progress, Texel};
use prepared::{Prepared, Scratch};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU32},
};

/// The encoders that run on the GPU. Cheap to clone; clones share compiled kernels and scratch memory.
#[derive(Clone)]
pub struct GpuEncoder {
    context: Context,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// What the last options needed.
    prepared: Mutex<Option<Arc<Prepared>>>,
    /// Memory between the kernels of recorded commands.
    scratch: Mutex<Option<Scratch>>,
    /// Blocks in a band that took as long as a band should, for each quality; 0 where none was encoded yet.
    band_blocks: [AtomicU32; 5],
}

impl fmt::Debug for GpuEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuEncoder").field("context", &self.context).finish_non_exhaustive()
    }
}

impl GpuEncoder {
    /// An encoder on this device. Kernels are compiled when first used.
    pub fn new(context: Context) -> Self {
        Self { context, shared: Arc::default() }
    }

    /// The device.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Starts to encode `image` to `blocks`, which [`Encoding::poll`] carries on with.
    ///
    /// # Errors
    /// [`EncodeError`]: a slice of another length than the image needs, a format without an encoder, a kernel that
    /// the driver refuses, a device that is lost.
    pub fn start<'a, T: Texel>(
        &self,
        image: ImageView<'a, T>,
        options: &EncodeOptions,
        blocks: &'a mut [u8],
    ) -> Result<Encoding<'a, T>, EncodeError> {
        Encoding::new(self, image, options, blocks)
    }

    fn prepared(&self, options: &EncodeOptions) -> Result<Arc<Prepared>, EncodeError> {
        let mut last = self.shared.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(prepared) if prepared.options == *options => Ok(Arc::clone(prepared)),
            _ => {
                let prepared = Arc::new(Prepared::new(&self.context, options)?);
                Ok(Arc::clone(last.insert(prepared)))
            }
        }
    }
}

impl<T: Texel> Encoder<T> for GpuEncoder {
    fn encode_with(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<(), EncodeError> {
        Encoding::new(self, *image, options, blocks)?.run(progress)
    }
}
