//! "GPU-based lossless volume data compression" (S. Guthe and M. Goesele, 2016).
//!
//! | of the paper | where |
//! |---|---|
//! | 3: bricks, transforms, RBUC, offset volume, its second level | [`brickwork_volume::guthe2016`], the profile guthe2016 of `.bwv` files; its mod.rs lists choices that the paper leaves open |
//! | 4.1: decoding in the kernel | `guthe2016/brick.wgsl` of the volume crate |
//! | 4.2: a cache of bricks for each group of 32 threads | `render/cache.wgsl` there, for bricks of every coding |
//! | a whole volume decoded in memory | `decode.rs` |
//! | table 2: entropies, shares of transforms | `statistics.rs` |
//!
//! Brickwork's own bricks (`brick/` of the volume crate) started from this scheme. An erratum: c1 = ⌈log2(max)⌉
//! as printed fails for powers of two. It is ⌈log2(max + 1)⌉.

mod decode;
mod statistics;

pub use decode::decode;
pub use statistics::BrickStatistics;

/// Voxels along each side of a brick.
const SIDE: usize = 4;

/// Bricks between two checks for cancellation.
const BRICKS_AT_A_TIME: usize = 1 << 10;
