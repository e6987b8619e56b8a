//! Target of rate–distortion optimisation, and the result of the search for it.

use brickwork_base::ByteCount;
use brickwork_texture::RdoLambda;

/// Target of rate–distortion optimisation. λ is searched for. The first encoding is without optimisation; the
/// others use its blocks. For a size, a sample of the blocks predicts λ if mip level 0 has at least 4096:
/// mostly one to three others follow, at most eleven, and the texture is mostly 93 to 100 % as large as
/// allowed. Else at most eight others follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RdoTarget {
    /// The largest λ with at least this PSNR of mip level 0, in dB: that of the stored colours (with BC1's
    /// transparency, those of visible texels), or that of alpha if this is lower and the texture has alpha.
    Psnr(f64),
    /// A small λ with at most this size in bytes: that of a KTX2 file with Zstandard, else that of the
    /// blocks after Deflate, as in an archive.
    Bytes(u64),
    /// A small λ with at most this share, 0 to 1, of the size without optimisation.
    Share(f64),
}

/// Result of a search for λ.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RdoSearch {
    /// The target.
    pub target: RdoTarget,
    /// λ.
    pub lambda: RdoLambda,
    /// PSNR in dB, as [`RdoTarget::Psnr`] defines it.
    pub psnr: f64,
    /// Size in bytes, as [`RdoTarget::Bytes`] defines it.
    pub bytes: u64,
    /// Largest size that the target allows, in bytes. None for a PSNR.
    pub max_bytes: Option<u64>,
    /// Compression of the size: `zstd` or `deflate`.
    pub compression: &'static str,
    /// Number of encodings.
    pub encodings: u32,
}

/// A target that no λ reaches. It is displayed in one line, without a period.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RdoTargetError {
    /// The error is too large without optimisation.
    #[error("PSNR is {psnr:.2} dB even with λ 0, below the target of {target} dB")]
    #[non_exhaustive]
    Psnr {
        /// PSNR without optimisation, in dB.
        psnr: f64,
        /// The target in dB.
        target: f64,
    },
    /// The size is too large with the largest λ.
    #[error(
        "{} even with λ {}, above the target of {}; {} with λ 0",
        ByteCount(*least), RdoLambda::MAX, ByteCount(*target), ByteCount(*without)
    )]
    #[non_exhaustive]
    Bytes {
        /// Bytes with the largest λ.
        least: u64,
        /// The target in bytes.
        target: u64,
        /// Bytes without optimisation.
        without: u64,
    },
}
