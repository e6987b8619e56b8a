//! From a format to its codec: the one place that matches formats.

use super::{bc1, codec::Codec};
use crate::BlockFormat;

/// The codec of `format`; `None` where there is none yet.
pub(crate) fn codec_of(format: BlockFormat) -> Option<&'static Codec> {
    match format {
        BlockFormat::Bc1 => Some(&bc1::CODEC),
        BlockFormat::Bc2
        | BlockFormat::Bc3
        | BlockFormat::Bc4Unorm
        | BlockFormat::Bc4Snorm
        | BlockFormat::Bc5Unorm
        | BlockFormat::Bc5Snorm
        | BlockFormat::Bc6hUfloat
        | BlockFormat::Bc6hSfloat
        | BlockFormat::Bc7 => None,
    }
}

/// Every kernel of every format, uncompiled.
#[cfg(feature = "gpu")]
pub(crate) fn kernels() -> Vec<brickwork_gpu::Kernel> {
    bc1::kernels()
}
