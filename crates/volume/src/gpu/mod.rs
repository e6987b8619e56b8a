//! Decoding bricks on a GPU: the kernel, for bricks of 4³ voxels.
//!
//! It shows that 32 lanes can decode a brick from the file's own bytes; whole volumes and rendering build on it.

#[cfg(test)]
mod tests;

use crate::brick::predict::{ORDER_4, WEIGHTS};
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
}

/// The kernel that decodes one brick of 4³ voxels for each work group of 32.
///
/// Binds: 0 the bytes of bricks as words, one word more than they take; 1 [`BrickJob`]s; 2 [`weights`]; 3 the voxels, 64
/// ordinals or ranks a brick, x fastest, which are written.
pub fn brick_kernel() -> Kernel {
    Kernel::new("volume brick", &[Binding::Read, Binding::Read, Binding::Read, Binding::Write])
        .part(include_str!("brick.wgsl"))
}

/// The predictors' tables as the kernel reads them: weights, eight signed bytes by predictor and class, and the voxels of sorted
/// codes, a byte each.
pub fn weights() -> Vec<u8> {
    let weights = WEIGHTS.iter().flatten().flatten().map(|&weight| weight as u8);
    weights.chain(ORDER_4.iter().map(|&place| place as u8)).collect()
}
