//! What makes pictures: a GPU, or the CPU where there is none to use.

use crate::failure::{Exit, Failure};
use brickwork_gpu::{AdapterChoice, Context, ContextOptions, adapters};
use std::thread;

/// What `--device` and `--adapter` say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU, or the CPU if there is no hardware GPU or it fails.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// This GPU, even a software one.
    Gpu(AdapterChoice),
}

/// What makes pictures.
#[derive(Clone)]
pub struct Device {
    /// The GPU; none for the CPU.
    pub context: Option<Context>,
    /// Its name.
    pub name: String,
    /// Why it is this one.
    pub why: String,
}

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// [`Failure`] if the GPU that was asked for cannot be used.
    pub fn open(choice: &DeviceChoice) -> Result<Self, Failure> {
        match choice {
            DeviceChoice::Cpu => Ok(Self::cpu("as asked for")),
            DeviceChoice::Auto => Ok(Self::auto().unwrap_or_else(|why| Self::cpu(&why))),
            DeviceChoice::Gpu(adapter) => {
                let mut options = ContextOptions::default();
                options.adapter = adapter.clone();
                let context = Context::open(&options).map_err(|error| Failure::new(Exit::Runtime, error))?;
                Ok(Self::gpu(context, "as asked for"))
            }
        }
    }

    fn auto() -> Result<Self, String> {
        let adapters = adapters();
        let Ok(best) = AdapterChoice::Best.find_in(&adapters) else { return Err("there is no GPU".into()) };
        if best.info().is_software() {
            return Err(format!("{} is a GPU in software", best.info().name));
        }
        let context = Context::open_on(&best, &ContextOptions::default()).map_err(|e| e.to_string())?;
        Ok(Self::gpu(context, "the best GPU"))
    }

    fn gpu(context: Context, why: &str) -> Self {
        let name = context.info().map_or_else(|| "GPU".to_owned(), |info| info.name.clone());
        Self { context: Some(context), name, why: why.to_owned() }
    }

    /// The CPU.
    pub fn cpu(why: &str) -> Self {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let threads = if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") };
        Self { context: None, name: format!("CPU, {threads}"), why: why.to_owned() }
    }
}
