//! The default profile's coder: a brick of 4³, 8³ or 16×16×1 values to bits and back.
//!
//! A brick's values are its numbers minus its minimum: 0..=range. The superblock contains minimum and range.
//! The bits of a brick are a *header*, *bit planes* and *remainders* (docs/volume-format.md is normative).
//!
//! The layout allows 32 lanes to work on one brick. A voxel's unary bits are in bit planes, where its
//! position is a count of bits below a mask. The position of its remainder follows from its group's Rice
//! level.
//!
//! | file | stage |
//! |---|---|
//! | `plan.rs`, `predict.rs` | the best of fifteen predictors; Rice levels of groups of 8 voxels |
//! | `codes.rs` | residuals as codes |
//! | `dictionary.rs` | the few values of a brick, which ranks replace |
//! | `encode.rs` | header, unary parts of the codes in bit planes, remainders |
//! | `fast.rs` | the second encoder, for bricks of 4³ in memory |
//! | `bit_planes.rs`, `order.rs` | bit planes of a run; the voxels of the codes |
//! | `header.rs` | the header, for `decode.rs` and `inspect.rs` |
//! | `head.rs` | header and bit planes of narrow bricks by words, for `byte_bricks.rs` and `avx512/` |
//! | `wavefront.rs` | the prediction undone in 10 steps of 16 lanes (22 of 64 at 8³, 31 of 16 in a slice) |
//! | `narrow.rs` | whole bricks of 4³ with a small range, one or four |
//! | `byte_bricks.rs`, `byte_wavefront.rs` | whole bricks of 4³ and 8³ with ranges below 256 |
//! | `labels/` | the second coder, for labels in bricks of 8³ |
//! | `avx512/` | narrow bricks with AVX-512: four bricks in lockstep, or one with short latency |
//! | `packed.rs` | bricks that a cache keeps decoded, in few bits |
//! | `shape.rs` | bricks with fewer voxels, at the ends of a volume |
//! | `tables.rs` | tables of the decoders that are kernels |
//! | `limits.rs` | bounds that encoder, tables and file share |
//!
//! Only codes of voxels inside the volume are written. Predictors use earlier neighbours, which are also
//! inside. Therefore both directions work on whole bricks, whose codes outside are zero. All numbers are
//! integers of 32 bits. Sums of weights are bounded, so ranges below 2²⁴ fit; larger sums wrap around.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod bit_planes;
pub(crate) mod byte_bricks;
mod byte_wavefront;
mod codes;
pub(crate) mod decode;
mod dictionary;
pub(crate) mod encode;
pub(crate) mod fast;
mod head;
mod header;
pub(crate) mod inspect;
mod labels;
mod limits;
pub(crate) mod narrow;
mod order;
pub(crate) mod packed;
mod plan;
pub(crate) mod predict;
pub(crate) mod rice_level;
mod shape;
#[cfg(feature = "kernel-inputs")]
pub(crate) mod tables;
mod wavefront;

/// Encoder of a brick, in the form of [`encode::brick`].
pub(crate) type BrickEncoder = fn(&[u32], u32, BrickBox, &mut Vec<u8>);

/// Time of the encoder of bricks. Voxels do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BrickEffort {
    /// The fast encoder, for voxels in memory that are only to be shown. A voxel takes as many bits as the
    /// range of its brick has, and the few values of a brick are in a dictionary. Scans take 1.2 to 1.8 times
    /// the memory of [`Full`](Self::Full). It encodes bricks of 4×4×4 voxels only.
    Fast,
    /// The encoder of the smallest bricks, which takes 7 to 11 times as long.
    Full,
}

pub(crate) use limits::{GROUP, MAX_NARROW, PADDING};
#[cfg(feature = "gpu")]
pub(crate) use limits::{MAX_LABEL, MAX_ONES, WIDE};
pub use shape::BrickSize;
pub(crate) use shape::{BrickBox, MAX_VOXELS};

#[cfg(test)]
mod tests;
