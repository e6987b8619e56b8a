//! Which variants of the kernels a device can run.

use super::options::{ClusterFitVariant, LsdxtVariant};
use crate::gpu::chain::DeviceTraits;
use brickwork_gpu::Context;

impl ClusterFitVariant {
    /// What is taken on a device: this variant, or [`FourBlocks`](Self::FourBlocks) where the device cannot.
    pub fn available_on(self, context: &Context) -> Self {
        self.on(DeviceTraits::of(context))
    }

    pub(super) fn on(self, traits: DeviceTraits) -> Self {
        match self {
            Self::Subgroup if !traits.has_wide_subgroups => Self::FourBlocks,
            variant => variant,
        }
    }
}

impl LsdxtVariant {
    /// What is taken on a device: this variant, or [`Constant`](Self::Constant) where the device cannot.
    pub fn available_on(self, context: &Context) -> Self {
        self.on(DeviceTraits::of(context))
    }

    pub(super) fn on(self, traits: DeviceTraits) -> Self {
        match self {
            Self::Subgroup if !traits.has_wide_subgroups => Self::Constant,
            variant => variant,
        }
    }
}
