//! A volume compressed in memory, where every brick is found in a few reads: what the ray casters of the CPU
//! and of GPUs work on.
//!
//! A `.bwv` file codes where its bricks are as tightly as the bricks themselves. Here that is laid out in
//! fixed widths, superblock by superblock; the bricks are the file's own bytes.
//!
//! | file | what |
//! |---|---|
//! | `superblock.rs` | the fields of 64 bricks, packed; and read again |
//! | `pages.rs` | superblocks one after the other, in pieces that fit a GPU's bindings |
//! | `coding.rs` | what bricks are: their size, and how they are decoded |
//! | `options.rs` | what becomes such a volume, and its form |
//! | `build.rs` | from a file's chunks, or from voxels |
//! | `volume.rs` | [`ResidentVolume`]: single bricks, regions, sizes |

mod build;
mod coding;
mod options;
mod pages;
mod superblock;
#[cfg(test)]
mod tests;
mod volume;

pub(crate) use build::{Builder, encode_superblock};
pub(crate) use coding::Coding;
pub use options::ResidentOptions;
pub(crate) use superblock::PackedSuperblock;
#[cfg(feature = "gpu")]
pub(crate) use superblock::Record;
pub use volume::{ResidentBrick, ResidentVolume};
