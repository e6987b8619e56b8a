//! Which variants of the kernels a device can run.

use super::{ClusterFitVariant, LsdxtVariant};
use crate::chain::DeviceTraits;
use brickwork_gpu::Context;

impl ClusterFitVariant {
    /// The variant that a device uses: this one, or [`FourBlocks`](Self::FourBlocks) if the device cannot run
    /// it.
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
    /// The variant that a device uses: this one, or [`Constant`](Self::Constant) if the device cannot run it.
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
