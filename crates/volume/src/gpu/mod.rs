//! Decoding of bricks on a GPU, from the file's own bytes. Where many are decoded, each thread decodes one of
//! 4³; 32 lanes decode each larger one, and each that a ray caster requests.
//!
//! | file | content |
//! |---|---|
//! | `format/*.wgsl` | a brick's header and bits, the voxels inside the volume, one prediction undone |
//! | `thread/*.wgsl` | `decode_whole`, `decode_rows`: bricks of 4³ by one thread each; most of them, any |
//! | `lanes/*.wgsl` | `decode_brick`: bricks of 4³ by 32 lanes; ballots by subgroup or by workgroup memory |
//! | `runs/*.wgsl` | `decode_all`: bricks of any size by 32 lanes, label bricks among them |
//! | `../guthe2016/*.wgsl` | `decode_brick` of the profile guthe2016 |
//! | `decoders.rs` | composition of these files with constants; `../brick/tables.rs` has their tables |
//! | `kernels/*.wgsl` | kernels that write bricks of a list to a buffer; entry points of 32 lanes |
//! | `error.rs` | errors |
//! | `volume.rs` | a [resident volume](crate::ResidentVolume) on a GPU |
//! | `pages.rs`, `pool.rs` | its pages: as many as kernels bind; more than the memory holds |
//! | `region.rs`, `region/*.wgsl` | regions of it decoded into a buffer or a 3D texture |
//! | `region_read.rs` | regions copied back |
//!
//! [`with_decode_brick`] adds the decoder to any kernel. `notes.md` has the decisions and measurements.

mod decoders;
mod error;
pub(crate) mod pages;
pub(crate) mod pool;
mod region;
mod region_read;
#[cfg(test)]
mod region_tests;
#[cfg(test)]
mod tests;
mod volume;

pub use crate::brick::tables::weights;
#[cfg(not(target_arch = "wasm32"))]
pub use brickwork_gpu::adapters;
pub use brickwork_gpu::{
    Adapter, AdapterChoice, AdapterInfo, Context, ContextOptions, GpuError, adapters_async, wgpu,
};
pub(crate) use decoders::with_decode_all;
pub use decoders::with_decode_brick;
use decoders::{THREADS, with_decode_rows};
pub use error::{GpuVolumeError, NotRendered};
pub use region::DecodedRegion;
pub(crate) use region::with_resident;
pub use region_read::RegionRead;
pub use volume::GpuVolume;
pub(crate) use volume::check_rendered;

use crate::{BrickSize, resident::Coding, wgsl::WGSL};
use brickwork_gpu::{Binding, Kernel};

/// A brick to decode; the layout is that of the kernel's `Job`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[expect(clippy::exhaustive_structs, reason = "the layout that kernels read")]
pub struct BrickJob {
    /// Byte of the bound words where the brick starts.
    pub start: u32,
    /// Range of the brick; 0 for a brick of one value.
    pub range: u32,
    /// Smallest ordinal or rank of the brick.
    pub minimum: u32,
    /// Position of the brick in the voxels, in bricks.
    pub place: u32,
    /// Number of its voxels along x, y and z in the volume, from the lowest byte on: [`BrickJob::whole`] for
    /// all. Values of other voxels are unspecified.
    pub inside: u32,
}

impl BrickJob {
    /// Returns `inside` for a whole brick.
    pub const fn whole(size: BrickSize) -> u32 {
        let dims = size.dims();
        (dims.x | dims.y << 8 | dims.z << 16) as u32
    }
}

/// Returns the kernel that decodes bricks of this size, [`bricks_of_group`] of them per workgroup. One thread
/// decodes a brick of 4³, 32 threads decode a larger one.
///
/// Binds: 0 the bytes of bricks as words, one word more than they take; 1 [`BrickJob`]s; 2 [`weights`]; 3 the
/// voxels, ordinals or ranks, x fastest, of one brick after the other, which are written.
pub fn brick_kernel(size: BrickSize) -> Kernel {
    let name = match size {
        BrickSize::Four => "volume brick",
        BrickSize::Eight => "volume brick 8×8×8",
        BrickSize::Flat => "volume brick 16×16×1",
    };
    let kernel = Kernel::new(name, &[Binding::Read, Binding::Read, Binding::Read, Binding::Write]);
    match size {
        BrickSize::Four => with_decode_rows(kernel).file(&WGSL, "gpu/kernels/decode_rows.wgsl"),
        _ => with_decode_all(kernel, Coding::Bricks(size)).file(&WGSL, "gpu/kernels/decode.wgsl"),
    }
}

/// Returns the number of bricks that a workgroup of [`brick_kernel`] decodes.
pub const fn bricks_of_group(size: BrickSize) -> u32 {
    match size {
        BrickSize::Four => THREADS,
        _ => 1,
    }
}

/// Returns all kernels of this crate, uncompiled: for tests, and for programs that compile the WGSL
/// themselves.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = decoders();
    kernels.extend(crate::render::gpu_kernels());
    kernels
}

/// Returns all kernels of this folder.
fn decoders() -> Vec<Kernel> {
    let mut kernels: Vec<_> = BrickSize::ALL.iter().map(|&size| brick_kernel(size)).collect();
    for coding in Coding::ALL {
        if region::by_rows(coding) {
            kernels.extend([8, 16, 32].map(region::rows_kernels).concat());
            continue;
        }
        kernels.extend([1, 2, 4].map(|page_count| region::region_kernel(coding, 32, page_count)));
    }
    kernels
}

/// The threads that form the 32 lanes of a brick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// A workgroup, on any device.
    Workgroup,
    /// A workgroup within one subgroup: on devices whose subgroups always have 32 threads or more.
    Subgroup,
    /// A workgroup whose control flow is proven uniform to the compilers of browsers, which refuse other
    /// barriers.
    Browser,
}

impl Lanes {
    /// Returns the file with the entry point, which calls `run(group: u32, invocation: u32)` with the numbers
    /// of the workgroup and of the lane.
    pub(crate) const fn entry(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Browser => "gpu/kernels/enter_workgroup.wgsl",
            Self::Subgroup => "gpu/kernels/enter_subgroup.wgsl",
        }
    }

    /// Returns the file with `ballot`.
    const fn ballot(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Browser => "gpu/lanes/ballot_workgroup.wgsl",
            Self::Subgroup => "gpu/lanes/ballot_subgroup.wgsl",
        }
    }

    /// Returns the file with `same`.
    const fn same(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Subgroup => "gpu/lanes/same_known.wgsl",
            Self::Browser => "gpu/lanes/same_proven.wgsl",
        }
    }
}
