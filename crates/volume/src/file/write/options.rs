//! Options for writing a file, in addition to its header.

use crate::BrickEffort;

/// Choices that do not change the voxels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BwvOptions {
    /// True to replace values by their ranks where they leave gaps. Default: true.
    pub remap: bool,
    /// Maximum number of bytes of voxels held at a time: [`Header::slab_bytes`](crate::Header::slab_bytes)
    /// must not be more. Encoding takes two to four times that. Default: no limit.
    pub max_memory: Option<u64>,
    /// Encoder of bricks of 4³. Default: [`BrickEffort::Full`]. The fast one is for files in memory.
    pub effort: BrickEffort,
}

impl BwvOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for BwvOptions {
    fn default() -> Self {
        Self { remap: true, max_memory: None, effort: BrickEffort::Full }
    }
}
