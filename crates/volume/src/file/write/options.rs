//! What may be chosen for a file besides what its header says.

/// Choices that do not change the voxels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BwvOptions {
    /// Whether values are replaced by their rank where they leave gaps. Default: true.
    pub remap: bool,
    /// Most bytes of voxels that may be held at a time: [`Header::slab_bytes`](crate::Header::slab_bytes)
    /// must not be more. Encoding takes two to four times that. Default: none, no limit.
    pub max_memory: Option<u64>,
}

impl Default for BwvOptions {
    fn default() -> Self {
        Self { remap: true, max_memory: None }
    }
}
