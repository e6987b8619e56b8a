//! Bricks at random, from chunks that stay in memory after they have been verified.
//!
//! [`VolumeFile::read`](super::VolumeFile::read) reads and verifies each chunk of its region at every call.
//! Here, a caller that reads single bricks, such as a ray caster, pays for a chunk once, and then only for
//! the bricks.
//!
//! | data | becomes | in |
//! |---|---|---|
//! | a brick's address | its chunk's slot, and its number in the chunk | `mip_level.rs`, `chunk_cache.rs` |
//! | an empty slot | the chunk's bytes, read and verified once, by one thread | `chunk_cache.rs` |
//! | a verified chunk | a record per brick, found by the brick's number | `open_chunk.rs`, `records.rs` |
//! | the first bytes of a record | minimum, range and coding of the brick | `record_head.rs` |
//! | a record | the brick's values | `decode.rs` |
//! | values and minimum | voxels of the file's type | `voxels.rs` |
//! | a chunk that was read | a place in the queue; chunks not used recently leave | `queue.rs`, `slot.rs` |
//! | a group of chunks | one piece of memory in large pages | `queue.rs`, `large_pages.rs` |
//!
//! A call for one brick (`one_brick.rs`) tries the shortest way first: chunk in memory, whole brick of 4³,
//! record in its place. A call for several (`several_bricks.rs`) waits for their memory together and decodes
//! them by fours.

mod brick_cache;
mod chunk_cache;
mod decode;
mod large_pages;
mod mip_level;
mod one_brick;
mod open_chunk;
mod queue;
mod record_head;
mod records;
mod several_bricks;
mod slot;
mod voxels;

pub use brick_cache::BrickCache;
