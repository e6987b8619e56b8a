//! "High Quality DXT Compression using CUDA" (NVIDIA, 2007): BC1 by cluster fit on GPUs.
//!
//! - Principal axis, order, all clusterings, least squares: `bc/bc1` of the texture crate, where it is the
//!   method of the encoder (`order.wgsl`, `search.wgsl` and their twins in Rust).
//! - One workgroup per block, of 64, 128 or 256 threads: [`ClusterFitVariant`], `kernels.rs`, `group*.wgsl`.
//! - Several blocks per workgroup, the paper's future work: the same. The encoder's stages have one thread
//!   per small task.
//! - Tables 1 and 2: `tables.rs`.
//!
//! The paper's tables hold 975 clusterings into four colours and 151 into three; counting gives C(19, 3) =
//! 969 and C(18, 2) = 153. Ranks break ties by index: the listed tie-break relies on lockstep. Alternatives
//! that the paper leaves open are measured by `bench/src/gpu_day/choices.rs` of the repository.

mod kernels;
mod tables;

use crate::variant_kernels::has_wide_subgroups;
use brickwork_gpu::Context;
use brickwork_texture::gpu::{ChainStep, GpuEncoder};
pub(crate) use tables::{CPUS, qualities, tables, tables_of, threads};

/// Division of work among the kernels of cluster fit
/// ([`Method::ClusterFit`](brickwork_texture::bc::bc1::Method::ClusterFit)). All variants return the same
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClusterFitVariant {
    /// Stages, with one thread per ordering, family, start or climb of each block: the texture crate's own.
    #[default]
    Stages,
    /// Two kernels up to the fitted starts, as in the papers. Each ordering or family of each block has a
    /// workgroup of 64 threads.
    Group64,
    /// [`Group64`](Self::Group64) with 128 threads.
    Group128,
    /// [`Group64`](Self::Group64) with 256 threads.
    Group256,
    /// [`Group64`](Self::Group64) with 16 threads per block and four blocks per workgroup, so that few
    /// threads wait. The papers mention this as future work.
    FourBlocks,
    /// [`FourBlocks`](Self::FourBlocks) with sums over a block's texels within subgroups, for devices whose
    /// subgroups have at least 16 threads.
    Subgroup,
}

impl ClusterFitVariant {
    /// All variants.
    pub const ALL: &[Self] =
        &[Self::Stages, Self::Group64, Self::Group128, Self::Group256, Self::FourBlocks, Self::Subgroup];

    /// Returns an encoder with this variant's kernels; `None` if the device cannot run them.
    pub fn encoder(self, context: &Context) -> Option<GpuEncoder> {
        let is_available = self != Self::Subgroup || has_wide_subgroups(context);
        is_available.then(|| GpuEncoder::with_steps(context.clone(), move |steps| self.edit(steps)))
    }

    /// Returns the steps of a chain with this variant's kernels.
    pub(crate) fn edit(self, steps: Vec<ChainStep>) -> Vec<ChainStep> {
        kernels::edit(self, steps)
    }
}
