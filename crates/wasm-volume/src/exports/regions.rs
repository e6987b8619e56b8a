//! Functions of regions of chunks.

use crate::{
    chunk::part::{self, Part},
    memory::run,
};

/// Returns the number of bytes at the end of a chunk that reading its regions requires, as a double; infinity
/// for all bytes. Input: the last bytes of the chunk; 4 KiB are enough for most chunks.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_chunk_suffix() -> u32 {
    run(|input| Ok(part::suffix_bytes(&input).to_le_bytes().to_vec()))
}

/// Returns the size of a chunk and the byte ranges to be supplied before a region of it is read: pairs of
/// doubles, the first one 0 and the size. Input: [`Part`].
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_chunk_ranges() -> u32 {
    run(|input| Part::new(&input)?.ranges())
}

/// Returns the numbers of a region of a chunk, in the form of [`brickwork_decode_chunk`]. Input:
/// [`Part`].
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_chunk_region() -> u32 {
    run(|input| Part::new(&input)?.read())
}
