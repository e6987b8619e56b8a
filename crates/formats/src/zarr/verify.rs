//! A check of every chunk of a Zarr folder.

use super::{
    ZarrCheck,
    array::ZarrArray,
    chunk_files::Entry,
    fault::fault,
    group::read_levels,
    reader::{Odometer, count_of},
    store::Store,
};
use crate::{FormatError, Note, OpenError};
use brickwork_base::{Cancelled, Stage, Task};
use rayon::prelude::*;
use std::path::Path;

/// Chunks that are decoded between two checks for cancellation.
const BATCH: usize = 16;

/// Maximum number of errors, and of names of other files, that are kept.
const MAX_KEPT: usize = 1000;

/// Decodes all stored chunks of the array or of all levels of the group at `path`. Time depends on the files
/// that exist, not on the shape that the metadata state. Reports the chunks done.
///
/// # Errors
/// [`OpenError`] if the metadata is damaged, a folder cannot be read, memory runs out, or the call is
/// cancelled. Damaged chunks are in the result, the first 1,000 of them.
pub fn verify_zarr(path: &Path, task: &Task<'_>) -> Result<ZarrCheck, OpenError> {
    let (arrays, _) = read_levels(&Store::open(path, None, task)?)?;
    let arrays: Vec<ZarrArray> = arrays.into_iter().map(|(array, _)| array).collect();
    let mut pass = Pass { check: ZarrCheck::default(), task, stored: 0, done: 0, total: 0 };
    for array in &arrays {
        let counts = array.chunk_counts();
        if counts.contains(&0) {
            return Err(fault("shape", "has a side of zero voxels").into());
        }
        let count = counts.iter().fold(1u64, |all, &count| all.saturating_mul(count));
        pass.check.chunks = pass.check.chunks.saturating_add(count);
        for entry in array.files()? {
            task.check()?;
            if let Ok(Entry::Chunk(file)) = entry {
                pass.total = pass.total.saturating_add(count_of(&array.chunks_of_file(&file)));
            }
        }
    }
    let mut others = Vec::new();
    for array in &arrays {
        // Large chunks are decoded one after the other.
        let batch = BATCH.min((1 << 28) / array.chunk_bytes).max(1);
        let mut chunks = Vec::new();
        for entry in array.files()? {
            task.check()?;
            match entry {
                Ok(Entry::Chunk(file)) => {
                    for chunk in Odometer::new(array.chunks_of_file(&file)) {
                        chunks.push(chunk);
                        if chunks.len() == batch {
                            pass.decode(array, &mut chunks)?;
                        }
                    }
                }
                Ok(Entry::Other(key)) if others.len() < MAX_KEPT => others.push(key),
                Ok(Entry::Other(_)) => {}
                Err(error) => pass.add(&error),
            }
        }
        pass.decode(array, &mut chunks)?;
    }
    let mut check = pass.check;
    check.missing = check.chunks.saturating_sub(pass.stored);
    // Folders have no defined order.
    check.errors.sort_unstable();
    others.sort_unstable();
    if !others.is_empty() {
        check.notes.push(Note::NotChunks { files: others });
    }
    Ok(check)
}

/// State of a check.
struct Pass<'a> {
    check: ZarrCheck,
    task: &'a Task<'a>,
    /// Number of chunks that are stored.
    stored: u64,
    /// Number of chunks of files that were read.
    done: u64,
    /// Number of chunks of all files.
    total: u64,
}

impl Pass<'_> {
    /// Decodes chunks, and empties their list.
    fn decode(&mut self, array: &ZarrArray, chunks: &mut Vec<Vec<u64>>) -> Result<(), Cancelled> {
        self.task.check()?;
        let read = |indices: &Vec<u64>| array.read_chunk(indices).map(|voxels| voxels.is_some());
        let read: Vec<Result<bool, FormatError>> = chunks.par_iter().map(read).collect();
        for result in read {
            self.stored += u64::from(*result.as_ref().unwrap_or(&true));
            if let Err(error) = result {
                self.add(&error);
            }
        }
        self.done += chunks.len() as u64;
        self.task.report(Stage::Verifying, self.done, self.total.max(self.done));
        chunks.clear();
        Ok(())
    }

    fn add(&mut self, error: &FormatError) {
        if self.check.errors.len() < MAX_KEPT {
            self.check.errors.push(error.to_string());
        }
    }
}
