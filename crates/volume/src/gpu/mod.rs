//! Decoding bricks on a GPU: the kernel, for bricks of 4³ voxels.
//!
//! It shows that 32 lanes can decode a brick from the file's own bytes; whole volumes and rendering build on it.

#[cfg(test)]
mod tests;

use crate::brick::predict::WEIGHTS;
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
    Kernel {
        name: "volume brick",
        wgsl: include_str!("brick.wgsl").to_owned(),
        bindings: vec![Binding::Read, Binding::Read, Binding::Read, Binding::Write],
        overrides: Vec::new(),
    }
}

/// The predictors' weights as the kernel reads them: eight signed bytes by predictor and class.
pub fn weights() -> Vec<u8> {
    WEIGHTS.iter().flatten().flatten().map(|&weight| weight as u8).collect()
}
