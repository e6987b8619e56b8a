//! Encoder of the CPU or of a GPU, for programs that decide at run time.

use super::coder::Coder;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
use crate::gpu::GpuEncoder;
use crate::{
    BlockFormat, CpuEncoder, EncodeError, EncodeOptions, Image, Task,
    mips::{Covered, MipLevel, MipOptions},
};

/// An encoder on either device. Both return the same bytes. On wasm32, only the CPU's exists, because a
/// browser's thread cannot wait for a GPU; see `GpuEncoder::start`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Encoder {
    /// The CPU.
    Cpu(CpuEncoder),
    /// A GPU.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    Gpu(GpuEncoder),
}

impl Default for Encoder {
    /// Returns the CPU's encoder, with all threads and the best instruction set.
    fn default() -> Self {
        Self::Cpu(CpuEncoder::new())
    }
}

impl From<CpuEncoder> for Encoder {
    fn from(encoder: CpuEncoder) -> Self {
        Self::Cpu(encoder)
    }
}

#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
impl From<GpuEncoder> for Encoder {
    fn from(encoder: GpuEncoder) -> Self {
        Self::Gpu(encoder)
    }
}

impl Encoder {
    /// Writes the blocks of `image` to `blocks`, one row of blocks after another. ASTC is encoded for linear
    /// textures.
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
        match self {
            Self::Cpu(encoder) => encoder.encode_into(image, format, options, blocks, task),
            #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
            Self::Gpu(encoder) => encoder.encode_into(image, format, options, blocks, task),
        }
    }

    /// Encodes `image`. If `mips` is given, returns the next mip level, made by the same device, except for
    /// plain formats.
    pub(crate) fn encode_level(
        &self,
        image: &dyn Image,
        coder: Coder,
        options: &EncodeOptions,
        mips: Option<MipOptions>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<Option<MipLevel>, EncodeError> {
        let next = |mips| self.next_slice(&Covered::image(image), coder, mips, task);
        let block_coder = match coder {
            Coder::Blocks(coder) => coder,
            Coder::Plain(format) => {
                self.cpu().encode_plain(image, format, blocks, task)?;
                return mips.map(next).transpose();
            }
        };
        match self {
            Self::Cpu(encoder) => {
                encoder.encode_in_rows(image, block_coder, options, blocks, task)?;
                mips.map(next).transpose()
            }
            #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
            // The GPU's mip levels have the channels that the codec takes.
            Self::Gpu(encoder)
                if !block_coder.codec.kernels.has(options)
                    || mips.is_some_and(|mips| mips.extreme.is_some())
                    || coder.level_channels(image.channel_type())
                        != block_coder.codec.texels.channel_type() =>
            {
                encoder.encode_in_bands(image, block_coder, options, None, blocks, task)?;
                mips.map(next).transpose()
            }
            #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
            Self::Gpu(encoder) => encoder.encode_in_bands(image, block_coder, options, mips, blocks, task),
        }
    }

    /// Returns one slice of the next mip level. The CPU makes it for either encoder.
    pub(crate) fn next_slice(
        &self,
        covered: &Covered<'_>,
        coder: Coder,
        mips: MipOptions,
        task: &Task<'_>,
    ) -> Result<MipLevel, EncodeError> {
        self.cpu().next_mip_level(covered, coder.level_channels(covered.channel_type()), mips, task)
    }

    /// Returns the encoder for work that the CPU does for either encoder.
    pub(crate) fn cpu(&self) -> CpuEncoder {
        match self {
            Self::Cpu(encoder) => *encoder,
            #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
            Self::Gpu(_) => CpuEncoder::new(),
        }
    }
}
