//! Decoding bricks on a GPU: bricks of 4³ voxels by 32 lanes each, from the file's own bytes.
//!
//! | file | what |
//! |---|---|
//! | `bits.wgsl` | bits of the bytes |
//! | `box.wgsl` | the voxels that lie in the volume |
//! | `header.wgsl` | the header, the dictionary, the groups' Rice levels |
//! | `planes.wgsl` | the codes' unary parts |
//! | `undo.wgsl` | predictions undone |
//! | `brick.wgsl` | `decode_brick`, all of it: a brick into workgroup memory |
//! | `decode.wgsl` | the kernel that writes bricks to a buffer |
//!
//! Whole volumes and rendering build on it: [`with_decode_brick`] gives any kernel the function.

#[cfg(test)]
mod tests;

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
    with_decode_brick(Kernel::new("volume brick", &bindings)).part(include_str!("decode.wgsl"))
}

/// The kernel with the function `decode_brick(lane: u32, start: u32, range: u32, inside: vec3u)`, for
/// workgroups of 32 (`LANES`).
///
/// All lanes of a workgroup call it together with their place in it, and with the byte where a brick starts,
/// its range, and how many of its voxels along each axis lie in the volume. It puts the brick's 64 values
/// less their minimum into the workgroup's array `values`, x fastest, where every lane may read them; there
/// must be a barrier between reading them and calling it again.
///
/// The kernel binds as storage what is only read: `words: array<u32>`, the bytes of bricks and one word more,
/// and `weights: array<vec2u>`, which is [`weights`].
pub fn with_decode_brick(kernel: Kernel) -> Kernel {
    kernel
        .parts(&[include_str!("bits.wgsl"), include_str!("box.wgsl"), include_str!("header.wgsl")])
        .parts(&[include_str!("planes.wgsl"), include_str!("undo.wgsl"), include_str!("brick.wgsl")])
        .constants([
            ("LANES", 32),
            ("WIDE", WIDE),
            ("MAX_ONES", MAX_ONES),
            ("SORTED", predict::SORTED as u32),
        ])
        .constants([("WIDE_WEIGHTS", WIDE_WEIGHTS as u32)])
        .table("BACKS", &predict::backs(Dims::cube(4)).map(|back| back as u32))
}

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
