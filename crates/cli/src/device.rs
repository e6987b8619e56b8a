//! Options `--device` and `--adapter`, and notes about the device.

use crate::{exit::Exit, failure::Failure, report, words::one_line};
use brickwork_toolkit::device::{self, AdapterChoice, Device, DeviceChoice, DeviceError, FallbackReason};
use std::sync::Once;

/// Options about the device.
#[derive(clap::Args)]
#[command(next_help_heading = "Machine")]
pub struct DeviceArgs {
    /// Device to use: blocks are the same on each, renderings of volumes differ by at most 1 of 255 [default:
    /// auto]
    #[arg(long, value_name = "NAME")]
    device: Option<DeviceName>,

    /// GPU to use, by its number or part of its name in "brickwork devices"; implies --device gpu
    #[arg(long, value_name = "NUMBER|NAME")]
    adapter: Option<String>,
}

/// Values of `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DeviceName {
    /// A GPU; if there is no hardware GPU or it fails, the CPU, with a note
    Auto,
    /// The CPU
    Cpu,
    /// A GPU, even a software one; if it fails, brickwork exits with 4
    Gpu,
}

/// Devices of one run of the program.
pub struct Devices {
    devices: device::Devices,
    /// True if `--device` or `--adapter` was given.
    is_chosen: bool,
    quiet: bool,
    /// Ensures that the reason for the CPU is printed only once.
    told: Once,
}

impl DeviceArgs {
    /// Returns the devices to use. With `quiet`, no note is printed if the CPU replaces a GPU.
    ///
    /// # Errors
    /// [`Failure`] if the options contradict each other, or if the GPU that they name cannot be used.
    pub fn open(&self, quiet: bool) -> Result<Devices, Failure> {
        let choice = match (self.device, &self.adapter) {
            (Some(DeviceName::Cpu), Some(_)) => {
                return Err(Failure::usage("--adapter names a GPU, but --device cpu uses none"));
            }
            (_, Some(adapter)) => DeviceChoice::Gpu(AdapterChoice::parse(adapter)),
            (Some(DeviceName::Gpu), None) => DeviceChoice::Gpu(AdapterChoice::Best),
            (Some(DeviceName::Cpu), None) => DeviceChoice::Cpu,
            (Some(DeviceName::Auto) | None, None) => DeviceChoice::Auto,
        };
        let is_chosen = self.device.is_some() || self.adapter.is_some();
        let devices = device::Devices::open(choice)?.for_little_work(is_chosen);
        Ok(Devices { devices, is_chosen, quiet, told: Once::new() })
    }
}

impl Devices {
    /// Returns the devices.
    pub fn inner(&self) -> &device::Devices {
        &self.devices
    }

    /// Returns the device. If it is not a GPU, the reason is reported. `work`, such as encoding, is done
    /// there.
    pub fn device(&self, work: &str) -> &Device {
        let device = self.devices.device();
        self.tell(None, work, device.fallback());
        device
    }

    /// Reports the reason why `work` is done on the CPU.
    pub fn tell(&self, name: Option<&str>, work: &str, reason: Option<&FallbackReason>) {
        let Some(reason) = reason else { return };
        let print = |text: &str| {
            // Many machines have software GPUs, and nobody expects them to be used.
            if reason.is_expected() && !self.is_chosen {
                report::detail(&one_line(text));
            } else {
                self.note(text);
            }
        };
        match (reason, name) {
            (FallbackReason::NotBuilt, _) => {}
            (
                FallbackReason::TooLittleWork
                | FallbackReason::NoKernels { .. }
                | FallbackReason::Failed { .. },
                Some(name),
            ) => {
                print(&format!("{name}: {work} on the CPU: {reason}"));
            }
            (FallbackReason::Failed { .. }, None) => print(&format!("{work} on the CPU: {reason}")),
            _ => self.told.call_once(|| print(&format!("{work} on the CPU: {reason}"))),
        }
    }

    /// Prints a note, unless the program must be quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            report::note(&one_line(text));
        }
    }

    /// Keeps compiled kernels for the next run.
    pub fn save_kernels(&self) {
        self.devices.save_kernels();
    }
}

/// Returns the GPU that `--adapter` names, else the best, which may be a software one.
///
/// # Errors
/// [`Failure`] with exit code 4.
#[cfg(feature = "gpu")]
pub fn open_gpu(adapter: Option<&str>) -> Result<device::Gpu, Failure> {
    let choice = adapter.map_or(AdapterChoice::Best, AdapterChoice::parse);
    Ok(device::Gpu::open(&choice).map_err(DeviceError::from)?)
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::NotBuilt => {
                Self::new(Exit::Unsupported, error).hint("build it with the feature gpu")
            }
            _ => Self::new(Exit::Runtime, one_line(error)),
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use brickwork_texture::{EncodeError, gpu::GpuError};

    #[test]
    fn faults_of_several_lines_are_told_in_one() {
        let reason = "Validation Error\n\n  line 7\n".to_owned();
        let failure = Failure::from(EncodeError::from(GpuError::KernelRefused {
            kernel: "a kernel".to_owned(),
            reason,
        }));
        assert_eq!(failure.to_string(), "kernel a kernel was refused: Validation Error line 7");
    }
}
