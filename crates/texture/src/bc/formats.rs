//! From a format to its codec: the one place that matches formats.

use super::{bc1, bc2, bc3, bc4, bc5, bc7, codec::Codec};
use crate::BlockFormat;

/// The codec of `format`; `None` where there is none yet.
pub(crate) fn codec_of(format: BlockFormat) -> Option<&'static Codec> {
    match format {
        BlockFormat::Bc1 => Some(&bc1::CODEC),
        BlockFormat::Bc2 => Some(&bc2::CODEC),
        BlockFormat::Bc3 => Some(&bc3::CODEC),
        BlockFormat::Bc4Unorm => Some(&bc4::UNORM),
        BlockFormat::Bc4Snorm => Some(&bc4::SNORM),
        BlockFormat::Bc5Unorm => Some(&bc5::UNORM),
        BlockFormat::Bc5Snorm => Some(&bc5::SNORM),
        BlockFormat::Bc7 => Some(&bc7::CODEC),
        BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat => None,
    }
}

/// Every kernel of every format, uncompiled.
#[cfg(feature = "gpu")]
pub(crate) fn kernels() -> Vec<brickwork_gpu::Kernel> {
    [bc1::kernels(), bc2::kernels(), bc4::kernels(), bc7::kernels()].concat()
}

/// Everything that goes from a texture to blocks in one kernel, with the bytes of a block.
#[cfg(feature = "gpu")]
pub(crate) fn singles() -> impl Iterator<Item = (crate::chain::Single, u32)> {
    bc7::singles().map(|single| (single, 16))
}
