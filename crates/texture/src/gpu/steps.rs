//! Steps of chains, for callers that run other kernels in their place.

use crate::{BlockFormat, EncodeOptions, bc::BlockCoder, chain::Step, codecs::codec_of};
use brickwork_gpu::Kernel;
use std::fmt;

/// Function that puts other kernels into a chain.
pub(super) type EditSteps = dyn Fn(Vec<ChainStep>) -> Vec<ChainStep> + Send + Sync;

/// A kernel of a format's chain, with its resources and the division of its work.
/// [`GpuEncoder::with_steps`](super::GpuEncoder::with_steps) runs others.
pub struct ChainStep(pub(super) Step);

impl fmt::Debug for ChainStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChainStep").field(&self.kernel().name()).finish()
    }
}

impl ChainStep {
    /// Returns the kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.0.kernel
    }

    /// Returns the step with another kernel, whose bindings are the first of this step's resources. The
    /// blocks are divided into the same parts, of which a workgroup processes `parts_per_workgroup`.
    ///
    /// # Panics
    /// If the kernel has more bindings than the step has resources.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel, parts_per_workgroup: u32) -> Self {
        let count = kernel.bindings().len();
        assert!(count <= self.0.binds.len(), "{} binds more than {self:?}", kernel.name());
        self.0.binds.truncate(count);
        Self(Step { kernel, parts_per_workgroup, ..self.0 })
    }
}

/// Returns the steps of a format's chain, in order; none if the CPU encodes the format.
pub fn chain_steps(format: BlockFormat, options: &EncodeOptions) -> Vec<ChainStep> {
    let steps = BlockCoder::linear(codec_of(format)).chain(options).map(|chain| chain.steps);
    steps.unwrap_or_default().into_iter().map(ChainStep).collect()
}
