//! The encoder that runs on the CPU.

use crate::{
    BlockFormat, Cancelled, EncodeError, EncodeOptions, Image, SimdLevel, Stage, Task, TexelFormat,
    bc::{Codec, RowEncoder},
    encode::{codec, passes},
    image::{BlockRow, RowBuffer},
    mips::{self, Covered, MipLevel, MipOptions},
    simd::AvailableLevel,
};
use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicU64, Ordering},
};

/// Encodes on the CPU, with the same bytes for any number of threads and any [`SimdLevel`].
#[derive(Clone, Copy, Debug)]
pub struct CpuEncoder {
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "there is one thread"))]
    threads: Option<NonZeroUsize>,
    simd: AvailableLevel,
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
        Self { threads: None, simd: AvailableLevel::detect() }
    }

    /// Uses `threads` threads, or one per row of blocks if that is fewer: the caller's own thread for 1, else
    /// a pool for each call. Default: rayon's current pool.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Uses `level` instead of the best instruction set; `None` if this CPU does not have it. For tests and
    /// benchmarks: the blocks are the same.
    pub fn with_simd_level(self, level: SimdLevel) -> Option<Self> {
        Some(Self { simd: AvailableLevel::of(level)?, ..self })
    }

    /// The instruction set in use.
    pub fn simd_level(&self) -> SimdLevel {
        self.simd.get()
    }

    /// Writes the blocks of `image` to `blocks`, one row of blocks after another.
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
        self.encode_in_rows(image, codec(format)?, options, blocks, task)
    }

    /// Encodes with the codec of any format.
    pub(crate) fn encode_in_rows(
        &self,
        image: &dyn Image,
        codec: &Codec,
        options: &EncodeOptions,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), EncodeError> {
        passes::check(codec, options)?;
        let [width, height] = image.size();
        let columns = width.div_ceil(4) as usize;
        let rows = height.div_ceil(4);
        let row_bytes = columns * codec.block_bytes;
        let needed = (row_bytes as u64).saturating_mul(rows.into());
        if needed != blocks.len() as u64 {
            return Err(EncodeError::BlocksLength { needed, given: blocks.len() });
        }
        let encoder = (codec.rows)(options, self.simd, image.has_alpha());
        let total = columns as u64 * u64::from(rows) * passes::count(codec, options);
        let done = AtomicU64::new(0);
        let step = |buffers: &mut [RowBuffer; 4], (row, blocks): (usize, &mut [u8])| {
            task.check()?;
            encode_row(image, row as u32, &encoder, buffers, blocks, task)?;
            task.report(
                Stage::Encoding,
                done.fetch_add(columns as u64, Ordering::Relaxed) + columns as u64,
                total,
            );
            Ok(())
        };
        self.on_threads(rows, |is_parallel| {
            encode_rows(blocks, row_bytes, step, is_parallel)?;
            passes::run(image, codec, options, self.simd, blocks, task, is_parallel)
        })?
    }

    /// The next mip level of an image, or a slice of that of a 3D level.
    pub(crate) fn next_mip_level(
        &self,
        covered: &Covered<'_>,
        format: TexelFormat,
        options: MipOptions,
        task: &Task<'_>,
    ) -> Result<MipLevel, EncodeError> {
        let rows = mips::halved(covered.size()[1]);
        let task = task.without_progress();
        let level = |is_parallel| mips::next_slice_on(covered, format, options, &task, is_parallel);
        Ok(self.on_threads(rows, level)??)
    }

    /// Calls `work` in a pool of the threads asked for, `most` at most, and tells it whether to use them.
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

/// Calls `step` with the number and the blocks of each row of blocks.
pub(super) fn encode_rows(
    blocks: &mut [u8],
    row_bytes: usize,
    step: impl Fn(&mut [RowBuffer; 4], (usize, &mut [u8])) -> Result<(), EncodeError> + Send + Sync,
    is_parallel: bool,
) -> Result<(), EncodeError> {
    #[cfg(feature = "rayon")]
    if is_parallel {
        use rayon::prelude::*;
        return blocks.par_chunks_exact_mut(row_bytes).enumerate().try_for_each_init(Default::default, step);
    }
    let _ = is_parallel;
    let mut buffers = Default::default();
    blocks.chunks_exact_mut(row_bytes).enumerate().try_for_each(|row| step(&mut buffers, row))
}

/// Encodes the row of blocks `row` of `image` to `blocks`.
pub(super) fn encode_row(
    image: &dyn Image,
    row: u32,
    encoder: &RowEncoder,
    buffers: &mut [RowBuffer; 4],
    blocks: &mut [u8],
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    match encoder {
        RowEncoder::Rgba8(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
        RowEncoder::Rgba16(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
        RowEncoder::RgbaF16(encode) => encode(&BlockRow::of(image, row, buffers), blocks, task),
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;
    use crate::ImageView;

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
