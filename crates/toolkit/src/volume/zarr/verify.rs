//! A check of every chunk of a Zarr folder.

use super::{ZarrCheck, group::read_levels, reader::Odometer};
use brickwork_base::{Stage, Task};
use brickwork_volume::{OpenError, formats::FormatError};
use rayon::prelude::*;
use std::path::Path;

/// Chunks that are decoded between two checks for cancellation.
const BATCH: usize = 16;

/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 1000;

/// Decodes all chunks of the array or of all levels of the group at `path`. Reports the chunks done.
///
/// # Errors
/// [`OpenError`] if the metadata is damaged, memory runs out, or the call is cancelled. Damaged chunks are
/// in the result, the first 1,000 of them.
pub fn verify_zarr(path: &Path, task: &Task<'_>) -> Result<ZarrCheck, OpenError> {
    let (arrays, _) = read_levels(path)?;
    let counts = arrays.iter().map(|(array, _)| array.chunk_counts());
    let counts: Vec<Vec<u64>> = counts.filter(|counts| !counts.contains(&0)).collect();
    if counts.len() < arrays.len() {
        return Err(super::folder::fault("shape", "has a side of zero voxels").into());
    }
    let product = |counts: &Vec<u64>| counts.iter().fold(1u64, |all, &count| all.saturating_mul(count));
    let total = counts.iter().map(product).fold(0, u64::saturating_add);
    let mut check = ZarrCheck::default();
    for ((array, _), counts) in arrays.iter().zip(counts) {
        let mut odometer = Odometer::new(counts.iter().map(|&count| 0..count).collect());
        // (Large chunks are decoded one after the other.)
        let batch = BATCH.min((1 << 28) / array.chunk_bytes).max(1);
        loop {
            task.check()?;
            let indices: Vec<Vec<u64>> = odometer.by_ref().take(batch).collect();
            if indices.is_empty() {
                break;
            }
            let read = |indices: &Vec<u64>| array.read_chunk(indices).map(drop).err();
            let errors: Vec<FormatError> = indices.par_iter().filter_map(read).collect();
            for error in errors {
                if check.errors.len() < MAX_ERRORS {
                    check.errors.push(error.to_string());
                }
            }
            check.chunks += indices.len() as u64;
            task.report(Stage::Verifying, check.chunks, total);
        }
    }
    Ok(check)
}
