//! Variants of BC1's kernels that the papers describe (feature `papers`).

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

/// Division of work among the kernels of [`Method::ClusterFit`](super::Method::ClusterFit). All variants
/// return the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClusterFitVariant {
    /// Stages, with one thread per ordering, family, start or climb of each block.
    #[default]
    Stages,
    /// Two kernels up to the fitted starts, as in NVIDIA's papers (2007, 2009). Each ordering or family of
    /// each block has a workgroup of 64 threads.
    Group64,
    /// [`Group64`](Self::Group64) with 128 threads.
    Group128,
    /// [`Group64`](Self::Group64) with 256 threads.
    Group256,
    /// [`Group64`](Self::Group64) with 16 threads per block and four blocks per workgroup, so that few
    /// threads wait. The papers mention this as future work.
    FourBlocks,
    /// [`FourBlocks`](Self::FourBlocks) with sums over a block's texels within subgroups. If subgroups have
    /// fewer than 16 threads, [`FourBlocks`](Self::FourBlocks) is used.
    Subgroup,
}

impl ClusterFitVariant {
    /// All variants.
    pub const ALL: &[Self] =
        &[Self::Stages, Self::Group64, Self::Group128, Self::Group256, Self::FourBlocks, Self::Subgroup];
}

/// Memory in which kernels of [`Method::Lsdxt`](super::Method::Lsdxt) keep their data. All variants return
/// the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LsdxtVariant {
    /// Workgroup memory, with one thread per texel and four blocks per workgroup.
    LocalMemory,
    /// Arrays indexed by values known only at run time, with one thread per block.
    Dynamic,
    /// Registers, with one thread per block: all indices are constants.
    #[default]
    Constant,
    /// Registers of a subgroup, with one thread per texel: threads exchange data. If subgroups have fewer
    /// than 16 threads, [`Constant`](Self::Constant) is used.
    Subgroup,
}

impl LsdxtVariant {
    /// All variants.
    pub const ALL: &[Self] = &[Self::LocalMemory, Self::Dynamic, Self::Constant, Self::Subgroup];
}
