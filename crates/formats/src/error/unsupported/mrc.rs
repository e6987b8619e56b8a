//! Properties of MRC files.

/// Property of an MRC file that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MrcFeature {
    /// Type of voxels.
    #[error("mode {mode} ({name})")]
    Mode {
        /// Number of the mode.
        mode: i32,
        /// Name of the type.
        name: &'static str,
    },
    /// Two voxels in each byte of mode 0, by IMOD's flags.
    #[error("mode 0 with two voxels in a byte (IMOD's flag 16)")]
    PackedBytes,
    /// Stack of volumes whose sections are not along z.
    #[error("a stack of volumes whose sections (MAPS) are not along z")]
    StackAxes,
}
