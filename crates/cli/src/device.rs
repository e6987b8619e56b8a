//! Which device works: `--device` and `--adapter`.

use crate::{failure::Failure, gpu::Gpu, report};
use brickwork_texture::{EncodeError, Encoder};
use std::sync::{
    Mutex, OnceLock, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// A run that encodes fewer texels does not look for a GPU unless it is told to: opening one takes longer
/// than encoding 256×256 texels on a CPU.
const WORTH_A_GPU: u64 = 1 << 16;

/// Options about the device.
#[derive(clap::Args)]
#[command(next_help_heading = "Machine")]
pub struct DeviceArgs {
    /// Device to use: blocks are the same on each, pictures of volumes differ by 1 of 255 at most [default:
    /// auto]
    #[arg(long, value_name = "NAME")]
    device: Option<DeviceChoice>,

    /// GPU to use, by its number or part of its name in "brickwork devices"; implies --device gpu
    #[arg(long, value_name = "NUMBER|NAME")]
    adapter: Option<String>,
}

/// The values of `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DeviceChoice {
    /// A GPU, or the CPU, with a note, if there is no hardware GPU or it fails
    Auto,
    /// The CPU
    Cpu,
    /// A GPU, even a software one; if it fails, brickwork exits with 4
    Gpu,
}

/// The devices of one run of the program.
pub struct Devices {
    choice: DeviceChoice,
    /// Whether `--device` or `--adapter` was given.
    is_chosen: bool,
    quiet: bool,
    /// Opened when first needed; nothing where there is no GPU to use.
    gpu: OnceLock<Option<Gpu>>,
    /// Texels that were to be encoded so far.
    texels: AtomicU64,
    /// One image at a time: a GPU gains nothing from two.
    turn: Mutex<()>,
}

impl DeviceArgs {
    /// The devices to use. With `quiet`, no note is printed if the CPU stands in for a GPU.
    ///
    /// # Errors
    /// [`Failure`] if the options contradict each other, or the GPU that they ask for cannot be used.
    pub fn open(&self, quiet: bool) -> Result<Devices, Failure> {
        let choice = match (self.device, &self.adapter) {
            (Some(DeviceChoice::Cpu), Some(_)) => {
                return Err(Failure::usage("--adapter names a GPU, but --device cpu uses none"));
            }
            (_, Some(_)) => DeviceChoice::Gpu,
            (choice, None) => choice.unwrap_or(DeviceChoice::Auto),
        };
        let gpu = match choice {
            DeviceChoice::Gpu => OnceLock::from(Some(Gpu::open(self.adapter.as_deref())?)),
            DeviceChoice::Cpu => OnceLock::from(None),
            DeviceChoice::Auto => OnceLock::new(),
        };
        let is_chosen = self.device.is_some() || self.adapter.is_some();
        let (texels, turn) = (AtomicU64::new(0), Mutex::new(()));
        Ok(Devices { choice, is_chosen, quiet, gpu, texels, turn })
    }
}

impl Devices {
    /// Runs `encode` for `texels` texels with the device's encoder, and again with the CPU's if a GPU fails
    /// that was not asked for. `name` is the input's. Returns the result and the device that made it.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn encode<R>(
        &self,
        name: &str,
        texels: u64,
        mut encode: impl FnMut(&Encoder) -> Result<R, EncodeError>,
    ) -> Result<(R, Device), Failure> {
        let so_far = self.texels.fetch_add(texels, Ordering::Relaxed) + texels;
        if so_far < WORTH_A_GPU && !self.is_chosen && self.gpu.get().is_none() {
            report::detail(&format!("{name}: encoding on the CPU: too little for a GPU"));
        } else if let Some(gpu) = self.gpu("encoding") {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            match encode(&gpu.encoder()) {
                Ok(result) => return Ok((result, Device { adapter: Some(gpu.name().to_owned()) })),
                Err(error) if self.choice == DeviceChoice::Auto && Gpu::failed(&error) => {
                    self.note(&format!("{name}: encoding on the CPU: {error}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok((encode(&Encoder::default())?, Device { adapter: None }))
    }

    /// The GPU, unless the CPU is to be used or there is no GPU to use, which is then said. `work` is what is
    /// done there, such as encoding.
    pub fn gpu(&self, work: &str) -> Option<&Gpu> {
        let open = || match Gpu::auto() {
            Ok(gpu) => gpu,
            Err(no) => {
                let text = report::one_line(format!("{work} on the CPU: {}", no.reason));
                // Software GPUs are on many machines, and nobody expects them to be used.
                if self.is_chosen || !no.is_software_alone {
                    self.note(&text);
                } else {
                    report::detail(&text);
                }
                None
            }
        };
        self.gpu.get_or_init(open).as_ref()
    }

    /// Whether the CPU may stand in for a GPU that fails.
    pub fn may_fall_back(&self) -> bool {
        self.choice == DeviceChoice::Auto
    }

    /// Says something, unless all is to be quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            report::note(&report::one_line(text));
        }
    }

    /// Keeps what was compiled for the next run.
    pub fn save_kernels(&self) {
        if let Some(Some(gpu)) = self.gpu.get() {
            gpu.save_kernels();
        }
    }
}

/// Why `--device auto` takes no GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGpu {
    /// The reason, in words.
    pub reason: String,
    /// Whether there is a GPU, but a software one.
    pub is_software_alone: bool,
}

/// What encoded.
pub struct Device {
    /// The GPU's name; nothing for the CPU.
    pub adapter: Option<String>,
}

impl Device {
    /// `cpu` or `gpu`.
    pub fn name(&self) -> &'static str {
        if self.adapter.is_some() { "gpu" } else { "cpu" }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use brickwork_texture::{BlockFormat, EncodeOptions, ImageView, Task, gpu::GpuError};

    /// The blocks of a small image, by these devices.
    fn encode(devices: &Devices) -> Result<(Vec<u8>, &'static str), Failure> {
        let texels: Vec<_> = (0..40 * 24).map(|i| [i as u8, (i / 40) as u8, (i * i) as u8]).collect();
        let image = ImageView::new(&texels, 40, 24).unwrap();
        let (blocks, device) = devices.encode("small", 40 * 24, |encoder| {
            let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(40, 24) as usize];
            encoder.encode_into(
                &image,
                BlockFormat::Bc1,
                &EncodeOptions::default(),
                &mut blocks,
                &Task::new(),
            )?;
            Ok(blocks)
        })?;
        Ok((blocks, device.name()))
    }

    fn devices(choice: DeviceChoice, gpu: Option<Gpu>) -> Devices {
        let (texels, turn) = (AtomicU64::new(0), Mutex::new(()));
        Devices { choice, is_chosen: true, quiet: false, gpu: OnceLock::from(gpu), texels, turn }
    }

    #[test]
    fn the_cpu_takes_over_from_a_gpu_that_fails() {
        let gpu = match Gpu::open(None) {
            Ok(gpu) => gpu,
            Err(error) if std::env::var_os("BRICKWORK_REQUIRE_GPU").is_some() => panic!("{error}"),
            Err(error) => return println!("skipped: no adapter ({error})"),
        };
        let [auto, demanded] =
            [DeviceChoice::Auto, DeviceChoice::Gpu].map(|choice| devices(choice, Some(gpu.clone())));
        let (blocks, _) = encode(&devices(DeviceChoice::Cpu, None)).unwrap();
        assert_eq!(encode(&auto).unwrap(), (blocks.clone(), "gpu"));
        gpu.lose();
        assert_eq!(encode(&auto).unwrap(), (blocks.clone(), "cpu"));
        assert_eq!(encode(&auto).unwrap(), (blocks, "cpu"));
        let failure = encode(&demanded).unwrap_err();
        assert_eq!(failure.exit, Exit::Runtime);
        assert!(failure.to_string().contains("lost"), "{failure}");
    }

    #[test]
    fn faults_of_several_lines_are_told_in_one() {
        let fault = GpuError::KernelRefused {
            kernel: "a kernel",
            reason: "Validation Error\n\n  line 7\n".to_owned(),
        };
        let failure = Failure::from(EncodeError::from(fault));
        assert_eq!(failure.to_string(), "kernel a kernel was refused: Validation Error line 7");
    }
}
