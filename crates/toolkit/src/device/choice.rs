//! The choice of a device.

use super::AdapterChoice;

/// A request for a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// A hardware GPU if there is one, else the CPU. The CPU also replaces a GPU that fails.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// This GPU, even a software one. If it fails, the work fails, too.
    Gpu(AdapterChoice),
}
