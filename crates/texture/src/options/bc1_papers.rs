//! The variants of BC1's kernels that the papers describe (feature `papers`).

use super::bc1::Bc1Options;

impl Bc1Options {
    /// Sets the kernels of [`Method::ClusterFit`](super::Method::ClusterFit) on GPUs, to measure which is
    /// fastest. Default: [`ClusterFitVariant::Stages`].
    #[must_use]
    pub const fn with_cluster_fit_variant(mut self, variant: ClusterFitVariant) -> Self {
        self.cluster_fit_variant = variant;
        self
    }

    /// Sets the kernels of [`Method::Lsdxt`](super::Method::Lsdxt) on GPUs, to measure which is fastest.
    /// Default: [`LsdxtVariant::Constant`].
    #[must_use]
    pub const fn with_lsdxt_variant(mut self, variant: LsdxtVariant) -> Self {
        self.lsdxt_variant = variant;
        self
    }

    /// Returns the kernels of [`Method::ClusterFit`](super::Method::ClusterFit).
    pub const fn cluster_fit_variant(&self) -> ClusterFitVariant {
        self.cluster_fit_variant
    }

    /// Returns the kernels of [`Method::Lsdxt`](super::Method::Lsdxt).
    pub const fn lsdxt_variant(&self) -> LsdxtVariant {
        self.lsdxt_variant
    }
}

/// The division of work among the kernels of [`Method::ClusterFit`](super::Method::ClusterFit). All variants
/// give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClusterFitVariant {
    /// Stages, with one thread per ordering, family, start or climb of each block.
    #[default]
    Stages,
    /// Two kernels up to the fitted starts, with a workgroup of 64 threads per ordering or family of each
    /// block, as in NVIDIA's papers (2007, 2009).
    Group64,
    /// The same with 128 threads.
    Group128,
    /// The same with 256 threads.
    Group256,
    /// The same with 16 threads per block and four blocks in a workgroup, so that few threads ever wait: what
    /// the papers leave as future work.
    FourBlocks,
    /// As [`FourBlocks`](Self::FourBlocks), with sums over a block's texels within subgroups. Where these
    /// have fewer than 16 threads, [`FourBlocks`](Self::FourBlocks) is taken.
    Subgroup,
}

impl ClusterFitVariant {
    /// Every variant.
    pub const ALL: &[Self] =
        &[Self::Stages, Self::Group64, Self::Group128, Self::Group256, Self::FourBlocks, Self::Subgroup];
}

/// The memory in which kernels of [`Method::Lsdxt`](super::Method::Lsdxt) keep their data. All give the same
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LsdxtVariant {
    /// One thread per texel, four blocks in a workgroup, in workgroup memory.
    LocalMemory,
    /// One thread per block, in arrays indexed by values known only at run time.
    Dynamic,
    /// One thread per block, in registers: every index is a constant.
    #[default]
    Constant,
    /// One thread per texel, exchanged within subgroups. Where these have fewer than 16 threads,
    /// [`Constant`](Self::Constant) is taken.
    Subgroup,
}

impl LsdxtVariant {
    /// Every variant.
    pub const ALL: &[Self] = &[Self::LocalMemory, Self::Dynamic, Self::Constant, Self::Subgroup];
}
