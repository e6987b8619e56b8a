//! Options for writing a file, in addition to its header.

/// Choices that do not change the voxels.
#[derive(Clone, Debug)]
pub struct BwvOptions {
    pub(crate) remap: bool,
    pub(crate) max_memory: Option<u64>,
}

impl BwvOptions {
    /// Returns the defaults: rank tables where they save bytes, no limit of memory.
    pub const fn new() -> Self {
        Self { remap: true, max_memory: None }
    }

    /// Replaces values by their ranks where they leave gaps, or never. Default: true.
    #[must_use]
    pub const fn with_remap(self, remap: bool) -> Self {
        Self { remap, ..self }
    }

    /// Limits the bytes of voxels held at a time: [`Header::slab_bytes`](crate::Header::slab_bytes) must not
    /// be more. Encoding takes two to four times that. Default: no limit.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory: Some(max_memory), ..self }
    }

    /// True if values may be replaced by their ranks.
    pub const fn remap(&self) -> bool {
        self.remap
    }

    /// Returns the limit of the bytes of voxels held at a time, if there is one.
    pub const fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }
}

impl Default for BwvOptions {
    fn default() -> Self {
        Self::new()
    }
}
