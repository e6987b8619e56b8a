//! The ways to write blocks into a texture.

use std::fmt;

/// Way in which blocks are written into a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Kernels store blocks through a view of the texture that has one texel per block. Available on Vulkan
    /// and Direct3D 12.
    BlockView,
    /// Kernels with one thread per block store blocks in the texture's memory, in the GPU's order. Available
    /// on Vulkan and Metal.
    WritesSwizzled,
    /// As `WritesSwizzled`, with one thread per slot of the memory, which finds the block for that slot.
    ReadsSwizzled,
    /// Kernels encode into a buffer, which is copied. Works on every device that samples the format.
    Copy,
}

impl Strategy {
    /// All strategies, in the order in which [`CompressedTarget::new`](super::CompressedTarget::new) tries
    /// them.
    pub const ALL: &[Self] = &[Self::BlockView, Self::WritesSwizzled, Self::ReadsSwizzled, Self::Copy];

    /// Returns the strategy's name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlockView => "block view",
            Self::WritesSwizzled => "writes swizzled",
            Self::ReadsSwizzled => "reads swizzled",
            Self::Copy => "copy",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
