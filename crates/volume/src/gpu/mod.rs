//! Decoding of bricks on a GPU, from the file's own bytes. Where many are decoded, each thread decodes one of
//! 4³; 32 lanes decode each larger one, and each that a ray caster requests.
//!
//! | file | content |
//! |---|---|
//! | `format/*.wgsl` | a brick's header and bits, the voxels inside the volume, one prediction undone |
//! | `thread/*.wgsl` | `decode_whole`, `decode_rows`: bricks of 4³ by one thread each; most of them, any |
//! | `lanes.rs`, `lanes/*.wgsl` | `decode_brick`: bricks of 4³ by 32 lanes of a subgroup or workgroup |
//! | `runs/*.wgsl` | `decode_all`: bricks of any size by 32 lanes, label bricks among them |
//! | `../guthe2016/*.wgsl` | `decode_brick` of the profile guthe2016 |
//! | `decoders.rs` | composition of these files with constants; `../brick/tables.rs` has their tables |
//! | `kernels.rs`, `kernels/*.wgsl` | kernels that write bricks of a list; entry points of 32 lanes |
//! | `error.rs` | errors |
//! | `volume.rs` | a [resident volume](crate::ResidentVolume) on a GPU |
//! | `pages.rs`, `pool.rs` | its pages: as many as kernels bind; more than the memory holds |
//! | `region.rs`, `region/*.wgsl` | regions of it decoded into a buffer or a 3D texture |
//! | `region_read.rs` | regions copied back |
//!
//! [`with_decode_brick`] adds the decoder to any kernel. `notes.md` has the decisions and measurements.

mod decoders;
mod error;
mod kernels;
mod lanes;
pub(crate) mod pages;
pub(crate) mod pool;
mod region;
mod region_read;
#[cfg(test)]
mod region_tests;
#[cfg(test)]
mod tests;
mod volume;

pub use crate::{brick::tables::weights, kernels::kernels};
#[cfg(not(target_arch = "wasm32"))]
pub use brickwork_gpu::adapters;
pub use brickwork_gpu::{
    Adapter, AdapterChoice, AdapterInfo, Context, ContextOptions, GpuError, adapters_async, wgpu,
};
pub(crate) use decoders::with_decode_all;
pub use decoders::with_decode_brick;
pub use error::{GpuVolumeError, NotRendered};
pub(crate) use kernels::decoders;
pub use kernels::{BrickJob, brick_kernel, bricks_of_group};
pub use lanes::Lanes;
pub use region::DecodedRegion;
pub(crate) use region::with_resident;
pub use region_read::RegionRead;
pub use volume::GpuVolume;
pub(crate) use volume::check_rendered;
