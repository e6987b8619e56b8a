//! "GPU-based lossless volume data compression" (S. Guthe and M. Goesele, 2016).
//!
//! - Section 3, bricks, transforms, RBUC and the offset volume with its second level:
//!   [`brickwork_volume::guthe2016`], the profile guthe2016 of `.bwv` files, whose page lists choices that
//!   the paper leaves open.
//! - Section 4, decoding in the kernel: `guthe2016/brick.wgsl` of the volume crate.
//! - Section 4.2, a cache of bricks for 32 threads: `render/cache.wgsl` there, for bricks of every coding.
//! - A whole volume decoded in memory: `decode.rs`.
//! - Table 2, sizes, entropies and shares of transforms: `sizes.rs`, `statistics.rs`.
//! - Table 3, the cache in renderings: `pictures.rs`. `sources.rs` has the volumes of both tables.
//!
//! An erratum: c1 = ⌈log2(max)⌉ as printed fails for powers of two. It is ⌈log2(max + 1)⌉.

mod decode;
mod pictures;
mod sizes;
mod sources;
mod statistics;

pub use decode::decode;
pub use sources::Source;
pub use statistics::BrickStatistics;

use crate::measure::{Bench, BenchError, PictureTable, SizeTable};

/// The paper.
const PAPER: &str = "GPU-based lossless volume data compression (Guthe & Goesele, 2016)";

/// Voxels along each side of a brick.
const SIDE: usize = 4;

/// Bricks between two checks for cancellation.
const BRICKS_AT_A_TIME: usize = 1 << 10;

/// Measures volumes: sizes, and renderings where there is a GPU. `tell` is called when each is done.
/// Memory: a volume with its index of equal bricks, about three times the voxels' bytes.
///
/// # Errors
/// [`BenchError`] if one cannot be read, or the GPU fails.
pub(crate) fn tables<E: From<BenchError>>(
    bench: &Bench<'_>,
    volumes: &[Source<'_, E>],
    tell: &dyn Fn(),
) -> Result<(SizeTable, Option<PictureTable>), E> {
    let (mut sizes, mut pictures) = (sizes::table(), pictures::table(bench));
    for volume in volumes {
        let name = volume.name();
        let (header, bytes) = volume.read()?;
        let (row, file) = sizes::measure(name.clone(), &header, &bytes).map_err(|error| error.of(&name))?;
        drop(bytes);
        sizes.measured.push(row);
        if let Some(table) = &mut pictures {
            pictures::measure(table, bench, name.clone(), &file).map_err(|error| error.of(&name))?;
        }
        tell();
    }
    Ok((sizes, pictures))
}
