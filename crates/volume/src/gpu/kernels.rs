//! Kernels that decode bricks of a list.

use super::{
    decoders::{THREADS, with_decode_all, with_decode_rows},
    region::{by_rows, region_kernel, rows_kernels},
};
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
/// Binds: 0 the bytes of bricks as words, one word more than they take; 1 [`BrickJob`]s; 2
/// [`weights`](super::weights); 3 the voxels, ordinals or ranks, x fastest, of one brick after the other,
/// which are written.
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

/// Returns all kernels of this folder.
pub(crate) fn decoders() -> Vec<Kernel> {
    let mut kernels: Vec<_> = BrickSize::ALL.iter().map(|&size| brick_kernel(size)).collect();
    for coding in Coding::ALL {
        if by_rows(coding) {
            kernels.extend([8, 16, 32].map(rows_kernels).concat());
            continue;
        }
        kernels.extend([1, 2, 4].map(|page_count| region_kernel(coding, 32, page_count)));
    }
    kernels
}
