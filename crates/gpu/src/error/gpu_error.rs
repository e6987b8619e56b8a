//! The error of all calls that use a GPU.

use super::{BlockImageFault, MissingAbilities, UnsupportedReason};
use brickwork_base::ErrorKind;

/// A fault of the GPU, its driver, or a request that this GPU cannot meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter: no GPU, no driver for it, or no Vulkan loader.
    #[error("no GPU was found: no adapter of Vulkan, Metal or Direct3D 12 answers")]
    NoAdapter,
    /// No adapter matches the choice.
    #[error("no adapter matches \"{choice}\"; available: {known}")]
    UnknownAdapter {
        /// The request.
        choice: String,
        /// The available adapters, numbered.
        known: String,
    },
    /// The adapter offers less than `Limits::default()`, or no compute shaders.
    #[error("{adapter} cannot run Brickwork's kernels: {reason}")]
    Unfit {
        /// Name of the adapter.
        adapter: String,
        /// The missing abilities and limits.
        reason: MissingAbilities,
    },
    /// The driver did not open a device.
    #[error("{adapter} gave no device: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// The driver's message.
        reason: String,
    },
    /// The driver or the shader compiler refused a kernel.
    #[error("kernel {kernel} was refused: {reason}")]
    KernelRefused {
        /// Name of the kernel.
        kernel: String,
        /// The message of the compiler or of wgpu.
        reason: String,
    },
    /// A kernel has the name of another kernel, whose WGSL or bindings differ.
    #[error("another kernel of the name {kernel} has other WGSL or bindings")]
    KernelName {
        /// Name of both kernels.
        kernel: String,
    },
    /// The device has too little memory left.
    #[error("the GPU is out of memory ({what})")]
    OutOfMemory {
        /// The operation.
        what: &'static str,
    },
    /// Something is larger than the device's limit.
    #[error("{what} needs {needed}, this GPU's limit is {limit}")]
    Limit {
        /// The object that is too large.
        what: &'static str,
        /// The need, with its unit.
        needed: u64,
        /// The device's limit.
        limit: u64,
    },
    /// This device, its driver or its backend cannot do what was requested.
    #[error("{what}: not on this device: {reason}")]
    Unsupported {
        /// The request.
        what: &'static str,
        /// The missing ability.
        reason: UnsupportedReason,
    },
    /// The device is gone: a reset by the driver, an unplugged GPU, or work that its watchdog stopped.
    #[error("the GPU device was lost: {reason}")]
    Lost {
        /// The driver's message.
        reason: String,
    },
    /// The GPU's own validation found a mistake of Brickwork or of the caller who recorded commands.
    #[error("{what}: {reason}")]
    Validation {
        /// The operation.
        what: &'static str,
        /// The message of wgpu.
        reason: String,
    },
    /// There is no image of blocks with the requested description.
    #[error("a texture of blocks: {0}")]
    BlockImage(#[from] BlockImageFault),
    /// Bytes were taken before they arrived from the GPU.
    #[error("read-back: the bytes have not arrived")]
    NotArrived,
}

impl GpuError {
    /// Returns the kind of the error: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownAdapter { .. }
            | Self::KernelName { .. }
            | Self::BlockImage(_)
            | Self::NotArrived => ErrorKind::Argument,
            Self::OutOfMemory { .. } | Self::Limit { .. } => ErrorKind::Limit,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::NoAdapter
            | Self::Unfit { .. }
            | Self::NoDevice { .. }
            | Self::KernelRefused { .. }
            | Self::Lost { .. }
            | Self::Validation { .. } => ErrorKind::Device,
        }
    }
}
