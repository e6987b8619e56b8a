//! From an image to blocks: the trait both encoders share, the one for the CPU, progress and cancellation.

use crate::{
    BlockFormat, EncodeOptions, ImageView, SimdLevel, Texel, bc,
    mips::{self, MipLevel, MipOptions},
};
use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// Turns a whole image into blocks.
pub trait Encoder<T: Texel> {
    /// Writes the blocks of `image`, row of blocks by row of blocks, to `blocks`.
    ///
    /// # Errors
    /// [`EncodeError`]; `blocks` is then unspecified.
    fn encode_into(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
    ) -> Result<(), EncodeError> {
        self.encode_with(image, options, blocks, &Progress::none())
    }

    /// The same, telling of its progress and stopping where it is asked to.
    ///
    /// # Errors
    /// [`EncodeError`]; `blocks` is then unspecified.
    fn encode_with(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<(), EncodeError>;

    /// The same, and gives the next mip level: [`next_level`](mips::next_level) of `image`, the same bytes on every
    /// device. What an encoder does not make itself, the CPU makes after encoding.
    ///
    /// # Errors
    /// [`EncodeError`]; `blocks` is then unspecified.
    ///
    /// # Panics
    /// If the image has more than 2⁴⁰ texels.
    fn encode_with_next_level(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        mips: MipOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<MipLevel, EncodeError> {
        self.encode_with(image, options, blocks, progress)?;
        Ok(mips::next_level(image, mips))
    }
}

/// Why an image was not encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The slice for the blocks has another length than the image needs.
    #[error("the image needs {needed} bytes of blocks, the slice has {given}")]
    BlocksLength {
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// There is no encoder for the format yet.
    #[error("there is no encoder for {0} yet")]
    Unsupported(BlockFormat),
    /// The [`CancelToken`] was used.
    #[error("the encoding was cancelled")]
    Cancelled,
    /// The GPU failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] brickwork_gpu::GpuError),
    /// The threads asked for could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// Asks a running call to stop. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that asks for nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every call that holds this token to stop; it returns [`EncodeError::Cancelled`] within a row of
    /// blocks a thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Where a call tells how far it is, and looks whether to go on.
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    callback: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    cancel: Option<&'a CancelToken>,
}

impl<'a> Progress<'a> {
    /// Tells nobody and is never cancelled.
    pub fn none() -> Self {
        Self::default()
    }

    /// Calls `callback(blocks done, blocks in all)` after every row of blocks, from any thread, never twice
    /// with the same count of blocks done.
    pub fn with_callback(self, callback: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self { callback: Some(callback), ..self }
    }

    /// Stops where `token` asks for it.
    pub fn with_cancel(self, token: &'a CancelToken) -> Self {
        Self { cancel: Some(token), ..self }
    }

    pub(crate) fn check(&self) -> Result<(), EncodeError> {
        if self.cancel.is_some_and(CancelToken::is_cancelled) { Err(EncodeError::Cancelled) } else { Ok(()) }
    }

    pub(crate) fn tell(&self, done: u64, all: u64) {
        if let Some(callback) = self.callback {
            callback(done, all);
        }
    }
}

/// The encoders that run on the CPU. Same bytes for any thread count and any [`SimdLevel`].
#[derive(Clone, Copy, Debug)]
pub struct CpuEncoder {
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "there is one thread"))]
    threads: Option<NonZeroUsize>,
    simd: SimdLevel,
}

impl Default for CpuEncoder {
    fn default() -> Self {
        Self::new()
    }
}

impl CpuEncoder {
    /// An encoder that uses rayon's current thread pool (one thread without the `rayon` feature) and the best
    /// instruction set this CPU has.
    pub fn new() -> Self {
        Self { threads: None, simd: SimdLevel::detect() }
    }

    /// Uses `threads` threads, or as many as the image has rows of blocks if that is fewer: the caller's own for 1,
    /// else a pool for each call.
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Uses `level` instead of the best one, or gives nothing if this CPU does not have it. For tests and
    /// benchmarks: the blocks are the same.
    pub fn with_simd_level(self, level: SimdLevel) -> Option<Self> {
        level.is_available().then_some(Self { simd: level, ..self })
    }

    /// The instruction set in use.
    pub fn simd_level(&self) -> SimdLevel {
        self.simd
    }
}

impl<T: Texel> Encoder<T> for CpuEncoder {
    fn encode_with(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<(), EncodeError> {
        let needed = options.format.image_bytes(image.width(), image.height());
        if needed != blocks.len() as u64 {
            return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
        }
        match options.format {
            BlockFormat::Bc1 => {
                let encoder = bc::bc1::RowEncoder::new(self.simd, options, T::HAS_ALPHA);
                self.for_each_block_row(image, options.format, blocks, progress, |row, blocks| {
                    encoder.encode_row(image, row, blocks)
                })
            }
            BlockFormat::Bc2
            | BlockFormat::Bc3
            | BlockFormat::Bc4Unorm
            | BlockFormat::Bc4Snorm
            | BlockFormat::Bc5Unorm
            | BlockFormat::Bc5Snorm
            | BlockFormat::Bc6hUfloat
            | BlockFormat::Bc6hSfloat
            | BlockFormat::Bc7 => Err(EncodeError::Unsupported(options.format)),
        }
    }

    fn encode_with_next_level(
        &self,
        image: &ImageView<'_, T>,
        options: &EncodeOptions,
        mips: MipOptions,
        blocks: &mut [u8],
        progress: &Progress<'_>,
    ) -> Result<MipLevel, EncodeError> {
        self.encode_with(image, options, blocks, progress)?;
        let rows = mips::halved(image.height());
        self.on_threads(rows, |is_parallel| mips::next_level_on(image, mips, is_parallel))
    }
}

impl CpuEncoder {
    /// Calls `encode_row(row, its blocks)` for every row of blocks, on the threads asked for.
    fn for_each_block_row<T: Texel>(
        &self,
        image: &ImageView<'_, T>,
        format: BlockFormat,
        blocks: &mut [u8],
        progress: &Progress<'_>,
        encode_row: impl Fn(u32, &mut [u8]) + Sync,
    ) -> Result<(), EncodeError> {
        let row_blocks = u64::from(image.block_columns());
        let row_bytes = image.block_columns() as usize * format.block_bytes();
        let total = row_blocks * u64::from(image.block_rows());
        let done = AtomicU64::new(0);
        let step = |(row, blocks): (usize, &mut [u8])| {
            progress.check()?;
            encode_row(row as u32, blocks);
            progress.tell(done.fetch_add(row_blocks, Ordering::Relaxed) + row_blocks, total);
            Ok(())
        };
        self.on_threads(image.block_rows(), |is_parallel| {
            #[cfg(feature = "rayon")]
            if is_parallel {
                use rayon::prelude::*;
                return blocks.par_chunks_exact_mut(row_bytes).enumerate().try_for_each(step);
            }
            #[cfg(not(feature = "rayon"))]
            let _ = is_parallel;
            blocks.chunks_exact_mut(row_bytes).enumerate().try_for_each(step)
        })?
    }

    /// Calls `work` where the threads asked for are rayon's, `most` at most, and tells it whether to use them.
    #[cfg_attr(not(feature = "rayon"), expect(unused_variables, reason = "there is one thread"))]
    fn on_threads<R: Send>(&self, most: u32, work: impl FnOnce(bool) -> R + Send) -> Result<R, EncodeError> {
        #[cfg(feature = "rayon")]
        match self.threads.map(|threads| threads.get().min(most as usize)) {
            None => return Ok(work(true)),
            Some(1) => {}
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool =
                    pool.map_err(|error| EncodeError::Threads { threads, reason: error.to_string() })?;
                return Ok(pool.install(|| work(true)));
            }
        }
        Ok(work(false))
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_more_threads_than_rows_of_blocks() {
        let texels = [[0u8; 4]; 12];
        let image = ImageView::new(&texels, 1, 12).unwrap();
        let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(50).unwrap());
        let threads = AtomicU64::new(0);
        let callback = |_, _| threads.store(rayon::current_num_threads() as u64, Ordering::Relaxed);
        let progress = Progress::none().with_callback(&callback);
        encoder.encode_with(&image, &EncodeOptions::default(), &mut [0; 24], &progress).unwrap();
        assert_eq!(threads.into_inner(), 3);
    }
}
