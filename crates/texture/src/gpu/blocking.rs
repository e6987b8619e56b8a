//! Encoding of whole images in one call, for threads that may wait.

use super::{GpuEncoder, KernelTime, bands::Encoding};
use crate::{
    BlockFormat, EncodeError, EncodeOptions, Image, Progress, Task,
    bc::BlockCoder,
    codecs::codec_of,
    mips::{MipLevel, MipOptions},
    passes,
    simd::AvailableLevel,
};

impl GpuEncoder {
    /// Writes the blocks of `image` to `blocks`, one row of blocks after another. Blocks. Those of ASTC are
    /// for linear textures.
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
        self.encode_in_bands(image, BlockCoder::linear(codec_of(format)), options, None, blocks, task)
            .map(drop)
    }

    /// Encodes `image` to `blocks` and returns the time of each kernel by the GPU's own clock, summed over
    /// the bands. Returns `None` if the device has no timestamps. Reading the clock takes time, so this is
    /// slower than [`encode_into`](Self::encode_into). Blocks.
    ///
    /// # Errors
    /// Those of [`start`](Self::start).
    pub fn time_kernels(
        &self,
        image: &dyn Image,
        format: BlockFormat,
        options: &EncodeOptions,
        blocks: &mut [u8],
    ) -> Result<Option<Vec<KernelTime>>, EncodeError> {
        let coder = BlockCoder::linear(codec_of(format));
        Encoding::new(&self.machine, image, coder, options, None, blocks)?.run_timed()
    }

    /// Encodes with the codec of any format. If `mips` is given, returns the next mip level. Blocks.
    pub(crate) fn encode_in_bands(
        &self,
        image: &dyn Image,
        coder: BlockCoder,
        options: &EncodeOptions,
        mips: Option<MipOptions>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<Option<MipLevel>, EncodeError> {
        let (codec, simd) = (coder.codec, AvailableLevel::detect());
        if !codec.kernels.has(options) || passes::deep(image, codec, options, simd).is_some() {
            // There are no kernels for these options, or none of 16 bits. Their mip levels come from the
            // CPU, too.
            debug_assert!(mips.is_none());
            passes::encode(image, coder, options, simd, blocks, task)?;
            return Ok(None);
        }
        passes::check(codec, options)?;
        let mut encoding = Encoding::new(&self.machine, image, coder, options, mips, blocks)?;
        let passes = passes::count(codec, options);
        let report = |progress: Progress| {
            task.report(progress.stage, progress.done, passes * progress.total);
        };
        encoding.run(&task.with_progress(&report))?;
        let next_level = encoding.into_next_level();
        passes::run(image, codec, options, simd, blocks, task)?;
        Ok(next_level)
    }
}
