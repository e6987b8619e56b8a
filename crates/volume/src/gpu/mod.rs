//! Decoding bricks on a GPU: bricks of 4³ voxels by 32 lanes each, from the file's own bytes.
//!
//! | file | what |
//! |---|---|
//! | `bits.wgsl` | the brick's words, staged in workgroup memory, and bits of them |
//! | `box.wgsl` | the voxels that lie in the volume |
//! | `header.wgsl` | the header, the dictionary, the groups' Rice levels |
//! | `planes.wgsl` | the codes' unary parts |
//! | `undo.wgsl` | predictions undone |
//! | `ballot_*.wgsl` | what 32 lanes say: by subgroup operations, or by workgroup memory |
//! | `brick.wgsl` | `decode_brick`, all of it |
//! | `decode.wgsl` | the kernel that writes bricks of a list to a buffer |
//! | `volume.rs`, `resident.wgsl` | a [resident volume](crate::ResidentVolume) on a GPU; its bricks |
//! | `pages.rs`, `pool.rs` | its pages: as many as kernels bind; more than the memory holds |
//! | `region.rs`, `region.wgsl`, `enter_*.wgsl` | regions of it decoded into a buffer or a 3D texture |
//!
//! [`with_decode_brick`] gives any kernel the decoder. What was tried is in `notes.md`.

pub(crate) mod pages;
pub(crate) mod pool;
mod region;
#[cfg(test)]
mod region_tests;
#[cfg(test)]
mod tests;
mod volume;

pub use brickwork_gpu::{
    Adapter, AdapterChoice, AdapterInfo, Context, ContextOptions, GpuError, adapters, wgpu,
};
pub(crate) use region::with_resident;
pub use region::{DecodedRegion, GpuReadError};
pub use volume::GpuVolume;
pub(crate) use volume::no_wide_numbers;

use crate::{
    Dims,
    brick::{MAX_ONES, WIDE, predict},
};
use brickwork_gpu::{Binding, Kernel};

/// A brick to decode, as the kernel's `Job` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct BrickJob {
    /// Byte of the bound words where the brick starts.
    pub start: u32,
    /// Its range; 0 for a brick of one value.
    pub range: u32,
    /// Its least ordinal or rank.
    pub minimum: u32,
    /// Its place in the voxels, in bricks of 64.
    pub place: u32,
    /// Its voxels along x, y and z that lie in the volume, from the lowest byte on: [`BrickJob::WHOLE`] for
    /// all. What is decoded for others is unspecified.
    pub inside: u32,
}

impl BrickJob {
    /// All 4×4×4 voxels.
    pub const WHOLE: u32 = 0x04_04_04;
}

/// The kernel that decodes one brick of 4³ voxels per workgroup of 32.
///
/// Binds: 0 the bytes of bricks as words, one word more than they take; 1 [`BrickJob`]s; 2 [`weights`]; 3 the
/// voxels, 64 ordinals or ranks per brick, x fastest, which are written.
pub fn brick_kernel() -> Kernel {
    let bindings = [Binding::Read, Binding::Read, Binding::Read, Binding::Write];
    with_decode_brick(Kernel::new("volume brick", &bindings), Lanes::Workgroup)
        .part(include_str!("decode.wgsl"))
}

/// Every kernel of this crate, uncompiled. For tests, and for programs that compile the WGSL themselves.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = decoders();
    kernels.extend(crate::render::gpu_kernels());
    kernels
}

/// Every kernel of this folder.
fn decoders() -> Vec<Kernel> {
    let mut kernels = vec![brick_kernel()];
    for page_count in [1, 2, 4] {
        kernels.extend([false, true].map(|has_subgroups| region::region_kernel(page_count, has_subgroups)));
    }
    kernels
}

/// Which threads the 32 lanes that decode a brick are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// A workgroup, on any device.
    Workgroup,
    /// So many in a workgroup, each in one subgroup: on devices whose subgroups always have 32 threads or
    /// more.
    Subgroups(u32),
}

impl Lanes {
    /// How many 32 lanes a workgroup has.
    const fn teams(self) -> u32 {
        match self {
            Self::Workgroup => 1,
            Self::Subgroups(teams) => teams,
        }
    }

    /// The entry point, which calls `run(group: u32, invocation: u32)` with the numbers of the workgroup and
    /// of the thread in it: threads 0 to 31 are the first lanes, and so on.
    pub(crate) const fn entry(self) -> &'static str {
        match self {
            Self::Workgroup => include_str!("enter_workgroup.wgsl"),
            Self::Subgroups(_) => include_str!("enter_subgroup.wgsl"),
        }
    }

    /// What 32 lanes say.
    const fn ballot(self) -> &'static str {
        match self {
            Self::Workgroup => include_str!("ballot_workgroup.wgsl"),
            Self::Subgroups(_) => include_str!("ballot_subgroup.wgsl"),
        }
    }
}

/// The kernel with the function `decode_brick(lane: u32, start: u32, range: u32, inside: vec3u) -> vec2u`,
/// for workgroups of 32 lanes (`LANES`), or of several times 32.
///
/// The lanes of 32 call it with their place among these, and with the byte where a brick starts, its range,
/// and how many of its voxels along each axis lie in the volume; the whole workgroup calls it at the same
/// time. It returns two of the brick's 64 values less their minimum: voxels `lane` and `lane + 32`, x
/// fastest. It may be called again at once.
///
/// The kernel has the function `weights_at(i: u32) -> vec2u`, which reads eight bytes of [`weights`], and the
/// function `payload(i: u32) -> u32`, which reads word `i` of the bytes of bricks; after these comes one word
/// more. With [`Lanes::Subgroups`] it sets `first_value` to 64 times the number of the lane's 32 in the
/// workgroup, and `subgroup_part` to their number in the subgroup.
pub fn with_decode_brick(kernel: Kernel, lanes: Lanes) -> Kernel {
    kernel
        .parts(&[include_str!("bits.wgsl"), include_str!("box.wgsl"), include_str!("header.wgsl")])
        .parts(&[include_str!("planes.wgsl"), include_str!("undo.wgsl"), include_str!("brick.wgsl")])
        .part(lanes.ballot())
        .constants([
            ("LANES", 32),
            ("VOXELS", 64),
            ("TEAMS", lanes.teams()),
            ("BRICK_WORDS", BRICK_WORDS),
            ("STAGED", BRICK_WORDS * lanes.teams()),
            ("VALUES", 64 * lanes.teams()),
            ("WIDE", WIDE),
            ("MAX_ONES", MAX_ONES),
            ("SORTED", predict::SORTED as u32),
        ])
        .constants([("WIDE_WEIGHTS", WIDE_WEIGHTS as u32)])
        .table("BACKS", &predict::backs(Dims::cube(4)).map(|back| back as u32))
}

/// Words that a brick takes at most, from the one on in which it starts, and two more: a header of 553 bits
/// after 24 others, 65 bits in bit planes and 31 in remainders for each code, and the rest of a byte.
const BRICK_WORDS: u32 = (24 + 553 + 64 * (65 + 31) + 7) / 32 + 3;

/// Where in [`weights`] those of wide bricks start, in eight bytes.
const WIDE_WEIGHTS: usize = 8 * predict::COUNT;

/// The predictors' tables as kernels read them: weights, eight signed bytes by predictor and class, and then
/// those of wide bricks.
pub fn weights() -> Vec<u8> {
    let mut bytes: Vec<_> = predict::WEIGHTS.as_flattened().as_flattened().iter().map(|&w| w as u8).collect();
    for predictor in 0..predict::COUNT {
        bytes.extend((0..8).flat_map(|class| predict::wide_weights(predictor, class)).map(|w| w as u8));
    }
    bytes
}
