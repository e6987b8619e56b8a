//! Volumes compressed in memory, in which every brick is found in a few reads. The ray casters of the CPU and
//! of GPUs use them.
//!
//! A `.bwv` file codes where its bricks are as tightly as the bricks themselves. Here that is laid out in
//! fixed widths, superblock by superblock; the bricks are the file's own bytes.
//!
//! | file | contents |
//! |---|---|
//! | `superblock.rs` | the fields of 64 bricks, packed; and read again |
//! | `pages.rs` | superblocks in sequence, in pieces that fit a GPU's bindings |
//! | `coding.rs` | coding of bricks: their size, and their decoder |
//! | `options.rs` | the part of a file that becomes such a volume, and its form |
//! | `build.rs`, `lay_out.rs` | from a file's chunks, or from voxels |
//! | `inputs.rs`, `slots.rs` | as buffers of kernels: all of it, or some pages at a time |
//! | `streamed.rs`, `chunks.rs` | pages that are read from a file when rays need them |
//! | `volume.rs` | [`ResidentVolume`]: single bricks, regions, sizes |

mod build;
#[cfg(feature = "kernel-inputs")]
mod chunks;
mod coding;
#[cfg(feature = "kernel-inputs")]
mod inputs;
mod lay_out;
mod options;
mod pages;
#[cfg(feature = "kernel-inputs")]
mod slots;
#[cfg(feature = "kernel-inputs")]
mod streamed;
mod superblock;
#[cfg(test)]
mod tests;
mod volume;

#[cfg(feature = "kernel-inputs")]
pub use chunks::StreamError;
pub(crate) use coding::Coding;
#[cfg(feature = "kernel-inputs")]
pub(crate) use inputs::PageBuffers;
#[cfg(all(test, feature = "gpu"))]
pub(crate) use inputs::Shape;
#[cfg(feature = "kernel-inputs")]
pub use inputs::{MAX_PAGES, bound_pages};
pub use options::ResidentOptions;
#[cfg(feature = "kernel-inputs")]
pub use slots::{PageLoad, SlotShape, Slots};
#[cfg(feature = "kernel-inputs")]
pub use streamed::StreamedVolume;
#[cfg(feature = "gpu")]
pub(crate) use superblock::Record;
pub use volume::{ResidentBrick, ResidentVolume};
