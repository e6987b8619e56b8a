//! Encoder that runs on a GPU.

use super::{bands::Encoding, machine::Machine, steps::ChainStep};
use crate::{
    BlockFormat, EncodeError, EncodeOptions, Image, bc::BlockCoder, codecs::codec_of, mips::MipOptions,
    passes,
};
use brickwork_gpu::Context;
use std::{fmt, sync::Arc};

/// Encoder on a GPU. Cheap to clone; clones share compiled kernels and scratch memory.
///
/// `encode_into` takes a whole image and blocks, and [`start`](Self::start) does not block.
/// [`record`](Self::record) works within an application's own commands: `examples/render_target` draws on its
/// own device ([`Context::adopt`]), compresses the drawn image and samples the compressed texture, all in one
/// submission.
#[derive(Clone)]
pub struct GpuEncoder {
    pub(super) machine: Arc<Machine>,
}

impl fmt::Debug for GpuEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuEncoder").field("context", self.context()).finish_non_exhaustive()
    }
}

impl GpuEncoder {
    /// Returns an encoder on this device. Kernels are compiled at their first use. The chains of the last
    /// sixteen sets of options are kept.
    pub fn new(context: Context) -> Self {
        Self { machine: Arc::new(Machine::new(context, None)) }
    }

    /// Returns an encoder that runs other kernels, to compare them: `edit` receives the steps of each chain,
    /// in order, and returns those to run. The blocks are what these kernels write.
    pub fn with_steps(
        context: Context,
        edit: impl Fn(Vec<ChainStep>) -> Vec<ChainStep> + Send + Sync + 'static,
    ) -> Self {
        Self { machine: Arc::new(Machine::new(context, Some(Box::new(edit)))) }
    }

    /// Returns the device.
    pub fn context(&self) -> &Context {
        &self.machine.context
    }

    /// Starts to encode `image` to `blocks`; [`Encoding::poll`] continues. Neither blocks nor reads a clock.
    /// If `mips` is given, the next mip level is also made, with the filter of `mips`, and
    /// [`Encoding::into_next_level`] returns it: the bytes of [`next_level`](crate::mips::next_level).
    ///
    /// # Errors
    /// [`EncodeError`] if [`EncodeOptions::rdo`] or [`EncodeOptions::weigh_by_alpha`] is on, the options
    /// state another metric of BC6H than the format's default, the slice does not have the length that the
    /// image needs, `mips` is given and the image has more than 2⁴⁰ texels or the weights do not fit in
    /// memory, the driver refuses a kernel, or the device is out of memory or lost.
    pub fn start<'a>(
        &self,
        image: &'a dyn Image,
        format: BlockFormat,
        options: &EncodeOptions,
        mips: Option<MipOptions>,
        blocks: &'a mut [u8],
    ) -> Result<Encoding<'a>, EncodeError> {
        let coder = BlockCoder::linear(codec_of(format));
        passes::check_waits_for_none(coder.codec, options)?;
        Encoding::new(&self.machine, image, coder, options, mips, blocks)
    }
}
