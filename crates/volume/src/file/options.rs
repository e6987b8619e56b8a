//! What may be chosen for a file besides what its header says.

/// Choices that do not change the voxels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Whether values are replaced by their rank where they leave gaps. Default: true.
    pub remap: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { remap: true }
    }
}
