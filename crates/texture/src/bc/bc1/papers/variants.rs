//! The variants of the kernels, and which of them a device can run.

use crate::{
    EncodeOptions,
    bc::bc1::{ClusterFitVariant, LsdxtVariant, Method},
    chain::DeviceTraits,
};
use brickwork_gpu::Context;

/// Returns these options with every variant of cluster fit, then of LSDxt.
pub(in crate::bc::bc1) fn every_variant(options: EncodeOptions) -> Vec<EncodeOptions> {
    let cluster_fit = ClusterFitVariant::ALL.iter().map(|&variant| {
        options.with_bc1(options.bc1.with_method(Method::ClusterFit).with_cluster_fit_variant(variant))
    });
    let lsdxt = LsdxtVariant::ALL
        .iter()
        .map(|&variant| options.with_bc1(options.bc1.with_method(Method::Lsdxt).with_lsdxt_variant(variant)));
    cluster_fit.chain(lsdxt).collect()
}

impl ClusterFitVariant {
    /// Returns the variant that a device uses: this one, or [`FourBlocks`](Self::FourBlocks) if the device
    /// cannot run it.
    pub fn available_on(self, context: &Context) -> Self {
        self.on(DeviceTraits::of(context))
    }

    pub(in crate::bc::bc1) fn on(self, traits: DeviceTraits) -> Self {
        match self {
            Self::Subgroup if !traits.has_wide_subgroups => Self::FourBlocks,
            variant => variant,
        }
    }
}

impl LsdxtVariant {
    /// Returns the variant that a device uses: this one, or [`Constant`](Self::Constant) if the device cannot
    /// run it.
    pub fn available_on(self, context: &Context) -> Self {
        self.on(DeviceTraits::of(context))
    }

    pub(in crate::bc::bc1) fn on(self, traits: DeviceTraits) -> Self {
        match self {
            Self::Subgroup if !traits.has_wide_subgroups => Self::Constant,
            variant => variant,
        }
    }
}
