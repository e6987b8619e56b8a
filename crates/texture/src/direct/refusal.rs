//! The reasons for a target's strategy.

use super::{
    Strategy,
    tiling::{ProbeError, TileOrder, Unfit},
};
use crate::{Cancelled, EncodeError, ErrorKind};
use brickwork_gpu::{GpuError, UnsupportedReason};
use std::fmt;

/// The reason why there is no [`CompressedTarget`](super::CompressedTarget) of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(clippy::exhaustive_enums, reason = "callers who try strategies tell a refusal from a failure")]
pub enum TargetError {
    /// The texture cannot be encoded, the device failed, or the call was cancelled.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The device does not write the texture by the strategy.
    #[error("no {strategy}: {refusal}")]
    Refused {
        /// The strategy.
        strategy: Strategy,
        /// The reason.
        refusal: Refusal,
    },
}

impl TargetError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Encode(error) => error.kind(),
            Self::Refused { .. } => ErrorKind::Unsupported,
        }
    }

    /// Returns the error of an attempt at a strategy: abilities and limits that a device lacks are refusals,
    /// except for copies.
    pub(crate) fn or_refused(self, strategy: Strategy) -> Self {
        let refusal = match self {
            Self::Encode(EncodeError::Gpu(error)) if strategy != Strategy::Copy => match error {
                GpuError::Unsupported { reason, .. } => Refusal::Unsupported(reason),
                GpuError::Limit { what, needed, limit } => Refusal::Limit { what, needed, limit },
                error => return error.into(),
            },
            error => return error,
        };
        Self::Refused { strategy, refusal }
    }
}

impl From<GpuError> for TargetError {
    fn from(error: GpuError) -> Self {
        Self::Encode(error.into())
    }
}

impl From<Cancelled> for TargetError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Encode(cancelled.into())
    }
}

/// The reason why a device does not write a texture by a [`Strategy`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The device, its driver or its backend does not have such textures.
    #[error(transparent)]
    Unsupported(UnsupportedReason),
    /// The texture exceeds a limit of the device.
    #[error("{what} needs {needed}, this GPU's limit is {limit}")]
    Limit {
        /// The object that is too large.
        what: &'static str,
        /// The need, with the unit of the limit.
        needed: u64,
        /// The device's limit.
        limit: u64,
    },
    /// Blocks that were written through a view were not those of the texture.
    #[error("blocks written to mip level {mip_level} are not those of the texture")]
    OtherBlocks {
        /// The mip level.
        mip_level: u32,
    },
    /// The order of the blocks in memory is not known.
    #[error("mip level {mip_level} of layer {layer}: {reason}")]
    UnknownOrder {
        /// The mip level.
        mip_level: u32,
        /// The layer.
        layer: u32,
        /// The reason.
        reason: UnknownOrder,
    },
}

/// The reason why the order of a texture's blocks in memory is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct UnknownOrder(#[from] OrderFault);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub(super) enum OrderFault {
    Probe(#[from] ProbeError),
    Fit(#[from] Unfit),
}

/// The reason for the strategy of a [`CompressedTarget`](super::CompressedTarget). It is displayed in one
/// line: the refused strategies, then the evidence for the chosen one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyReason {
    pub(super) refusals: Vec<(Strategy, Refusal)>,
    pub(super) evidence: Evidence,
}

/// The evidence that a strategy works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    View,
    Order(TileOrder),
    Copy,
}

impl StrategyReason {
    /// Returns the strategies that were tried before, each with the reason why the device refused it.
    pub fn refusals(&self) -> &[(Strategy, Refusal)] {
        &self.refusals
    }
}

impl fmt::Display for StrategyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (strategy, refusal) in &self.refusals {
            write!(f, "no {strategy}, {refusal}; ")?;
        }
        match self.evidence {
            Evidence::View => f.write_str("what was written through a view was in the texture"),
            Evidence::Order(order) => write!(f, "the order of blocks in memory is known: {order}"),
            Evidence::Copy => f.write_str("copies work everywhere"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_lacks_is_a_refusal_unless_blocks_are_copied() {
        let reason = UnsupportedReason::Requires("Vulkan 1.1");
        let limit = GpuError::Limit { what: "a buffer", needed: 9, limit: 8 };
        let lacking = [GpuError::Unsupported { what: "a view", reason }, limit];
        let texts = ["requires Vulkan 1.1", "a buffer needs 9, this GPU's limit is 8"];
        for (error, text) in lacking.into_iter().zip(texts) {
            let refused = TargetError::from(error.clone()).or_refused(Strategy::BlockView);
            assert_eq!(refused.to_string(), format!("no block view: {text}"));
            assert_eq!(refused.kind(), ErrorKind::Unsupported);
            let error = TargetError::from(error);
            assert_eq!(error.clone().or_refused(Strategy::Copy), error);
        }
        for error in [TargetError::from(Cancelled), GpuError::NoAdapter.into()] {
            assert_eq!(error.clone().or_refused(Strategy::BlockView), error);
        }
    }

    #[test]
    fn reasons_list_refusals_before_the_evidence() {
        let order = OrderFault::from(ProbeError::Missing { block: (1, 2), count: 3, of: 9 });
        let unknown = Refusal::UnknownOrder { mip_level: 1, layer: 0, reason: order.into() };
        let refusals = vec![
            (Strategy::BlockView, Refusal::OtherBlocks { mip_level: 2 }),
            (Strategy::WritesSwizzled, unknown),
        ];
        let reason = StrategyReason { refusals, evidence: Evidence::Copy };
        assert_eq!(
            reason.to_string(),
            "no block view, blocks written to mip level 2 are not those of the texture; no writes swizzled, \
             mip level 1 of layer 0: 3 of 9 blocks are not in the memory, the first is (1, 2); \
             copies work everywhere"
        );
        let reason = StrategyReason { refusals: Vec::new(), evidence: Evidence::Order(TileOrder::Linear) };
        assert_eq!(reason.to_string(), "the order of blocks in memory is known: linear");
    }
}
