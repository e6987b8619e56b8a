//! Encoder that runs on the CPU.

use crate::{
    BlockFormat, ChannelType, EncodeError, EncodeOptions, Image, PlainFormat, RdoLambda, SimdLevel, Task,
    Threads,
    bc::BlockCoder,
    codecs::codec_of,
    encode::encode_plain,
    mips::{self, Covered, MipLevel, MipOptions},
    passes,
    simd::AvailableLevel,
};
use std::num::NonZeroUsize;

/// Encoder on the CPU. It gives the same bytes for any number of threads and any [`SimdLevel`].
#[derive(Clone, Copy, Debug)]
pub struct CpuEncoder {
    threads: Option<NonZeroUsize>,
    simd: AvailableLevel,
}

impl Default for CpuEncoder {
    fn default() -> Self {
        Self::new()
    }
}

impl CpuEncoder {
    /// Returns an encoder that uses rayon's current thread pool (one thread without the `rayon` feature) and
    /// this CPU's best instruction set.
    pub fn new() -> Self {
        Self { threads: None, simd: AvailableLevel::detect() }
    }

    /// Uses `threads` threads, but at most one per row of blocks. A value of 1 means the calling thread;
    /// otherwise, each call creates a pool. Calls whose task specifies [`Threads::Calling`] always use the
    /// calling thread. Default: rayon's current pool.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Uses `level` instead of the best instruction set. Returns `None` if this CPU does not have it. For
    /// tests and benchmarks: the blocks are the same.
    pub fn with_simd_level(self, level: SimdLevel) -> Option<Self> {
        Some(Self { simd: AvailableLevel::of(level)?, ..self })
    }

    /// Returns the instruction set in use.
    pub fn simd_level(&self) -> SimdLevel {
        self.simd.get()
    }

    /// Writes the blocks of `image` to `blocks`, one row of blocks after another. ASTC is encoded for linear
    /// textures; [`encode_texture`](crate::encode_texture) encodes sRGB ones.
    ///
    /// # Errors
    /// [`EncodeError`]; the contents of `blocks` are then unspecified.
    pub fn encode_into(
        &self,
        image: &dyn Image,
        format: BlockFormat,
        options: &EncodeOptions,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), EncodeError> {
        self.encode_in_rows(image, BlockCoder::linear(codec_of(format)), options, blocks, task)
    }

    /// Encodes with the codec of any format.
    pub(crate) fn encode_in_rows(
        &self,
        image: &dyn Image,
        coder: BlockCoder,
        options: &EncodeOptions,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), EncodeError> {
        let rows = image.size()[1].div_ceil(4);
        self.on_threads(rows, task, |task| passes::encode(image, coder, options, self.simd, blocks, task))?
    }

    /// Optimises `blocks`, which were encoded without rate–distortion optimisation. The result is that of
    /// [`encode_in_rows`](Self::encode_in_rows).
    pub(crate) fn optimize(
        &self,
        image: &dyn Image,
        coder: BlockCoder,
        options: &EncodeOptions,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), EncodeError> {
        let plain = options.with(|o| o.rdo = RdoLambda::OFF);
        let is_deep = |options| passes::deep(image, coder.codec, options, self.simd).is_some();
        // The encoder of all 16 bits is not used with optimisation.
        if is_deep(&plain) && !is_deep(options) {
            return self.encode_in_rows(image, coder, options, blocks, task);
        }
        passes::check(coder.codec, options)?;
        let rows = image.size()[1].div_ceil(4);
        let run = |task: &Task<'_>| passes::optimize(image, coder.codec, options, blocks, task);
        self.on_threads(rows, task, run)?
    }

    /// Writes the texels of `image` in a plain format to `data`, on the threads of this encoder.
    pub(crate) fn encode_plain(
        &self,
        image: &dyn Image,
        format: PlainFormat,
        data: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), EncodeError> {
        let rows = image.size()[1];
        self.on_threads(rows, task, |task| encode_plain(image, format, data, task))?
    }

    /// Returns the next mip level of an image, or one slice of it for a 3D level.
    pub(crate) fn next_mip_level(
        &self,
        covered: &Covered<'_>,
        channels: ChannelType,
        options: MipOptions,
        task: &Task<'_>,
    ) -> Result<MipLevel, EncodeError> {
        let rows = mips::halved(covered.size()[1]);
        let level = |task: &Task<'_>| mips::next_slice(covered, channels, options, task);
        Ok(self.on_threads(rows, &task.without_progress(), level)??)
    }

    /// Calls `work` with a task for the threads of this encoder, at most `most`.
    fn on_threads<R: Send>(
        &self,
        most: u32,
        task: &Task<'_>,
        work: impl FnOnce(&Task<'_>) -> R + Send,
    ) -> Result<R, EncodeError> {
        let one = task.with_threads(Threads::Calling);
        match self.threads.map(|threads| threads.get().min(most as usize)) {
            _ if task.threads() == Threads::Calling => Ok(work(task)),
            None => Ok(work(task)),
            Some(1) => Ok(work(&one)),
            #[cfg(feature = "rayon")]
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool =
                    pool.map_err(|error| EncodeError::Threads { threads, reason: error.to_string() })?;
                Ok(pool.install(|| work(task)))
            }
            #[cfg(not(feature = "rayon"))]
            Some(_) => Ok(work(&one)),
        }
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;
    use crate::ImageView;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn there_are_no_more_threads_than_rows_of_blocks() {
        let texels = [[0u8; 4]; 12];
        let image = ImageView::new(&texels, 1, 12).unwrap();
        let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(50).unwrap());
        let threads = AtomicU64::new(0);
        let callback = |_| threads.store(rayon::current_num_threads() as u64, Ordering::Relaxed);
        let task = Task::new().with_progress(&callback);
        let options = EncodeOptions::default();
        encoder.encode_into(&image, BlockFormat::Bc1, &options, &mut [0; 24], &task).unwrap();
        assert_eq!(threads.into_inner(), 3);
    }
}
