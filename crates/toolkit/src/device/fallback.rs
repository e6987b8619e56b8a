//! Reasons why the CPU replaces a GPU.

use std::fmt;

/// Reason why [`DeviceChoice::Auto`](super::DeviceChoice::Auto) uses the CPU. It is displayed in one line,
/// without a period.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FallbackReason {
    /// There is no GPU, no driver for it, or no Vulkan loader.
    NoGpu,
    /// All GPUs are software that runs on the CPU, such as lavapipe. Many machines have one, and few users
    /// expect it to be used.
    #[non_exhaustive]
    SoftwareOnly {
        /// Name of the best of them.
        adapter: String,
    },
    /// The best GPU lacks features that Brickwork's kernels need.
    #[cfg(feature = "gpu")]
    #[non_exhaustive]
    Unfit {
        /// Name of the GPU.
        adapter: String,
        /// The missing abilities and limits.
        reason: brickwork_gpu::MissingAbilities,
    },
    /// Opening a GPU takes longer than the work on the CPU.
    TooLittleWork,
    /// There are no kernels of the format for these options.
    #[non_exhaustive]
    NoKernels {
        /// Name of the format, such as `astc-4x4` or `bc4 of 16 bits`.
        format: String,
    },
    /// The GPU could not be opened.
    #[non_exhaustive]
    NotOpened {
        /// The driver's error, in one line.
        reason: String,
    },
    /// The GPU failed during work.
    #[non_exhaustive]
    Failed {
        /// The GPU's error, in one line.
        reason: String,
    },
    /// The toolkit was built without its feature `gpu`.
    NotBuilt,
}

impl FallbackReason {
    /// Returns [`Failed`](Self::Failed) with the given error.
    pub(crate) fn failed(error: impl fmt::Display) -> Self {
        Self::Failed { reason: one_line(error) }
    }

    /// Returns [`NotOpened`](Self::NotOpened) with the given error.
    #[cfg(feature = "gpu")]
    pub(crate) fn not_opened(error: impl fmt::Display) -> Self {
        Self::NotOpened { reason: one_line(error) }
    }

    /// True if users expect this. Front ends then report it only on request.
    pub fn is_expected(&self) -> bool {
        matches!(
            self,
            Self::SoftwareOnly { .. } | Self::TooLittleWork | Self::NoKernels { .. } | Self::NotBuilt
        )
    }
}

impl fmt::Display for FallbackReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGpu => {
                f.write_str("no GPU was found: no adapter of Vulkan, Metal or Direct3D 12 answers")
            }
            Self::SoftwareOnly { adapter } => write!(f, "the only GPU is a software one, {adapter}"),
            #[cfg(feature = "gpu")]
            Self::Unfit { adapter, reason } => {
                write!(f, "{adapter} cannot run Brickwork's kernels: {reason}")
            }
            Self::TooLittleWork => f.write_str("too little for a GPU"),
            Self::NoKernels { format } => write!(f, "GPUs do not encode {format} with these options yet"),
            Self::NotOpened { reason } | Self::Failed { reason } => f.write_str(reason),
            Self::NotBuilt => f.write_str("this brickwork was built without GPU support"),
        }
    }
}

/// Returns an error in one line: compilers of kernels report several.
fn one_line(error: impl fmt::Display) -> String {
    let lines = error.to_string();
    lines.split_whitespace().collect::<Vec<_>>().join(" ")
}
