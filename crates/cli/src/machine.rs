//! Options about the machine, for every command.

use crate::{exit::Exit, failure::Failure, values};
use clap::Args;

/// Options about the machine, for every command.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct MachineArgs {
    /// Threads to use, 1 to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// Memory limit for texels and blocks: a number of bytes, or with K, M, G, KiB, MiB, GiB
    ///
    /// A file that needs more is refused with exit code 4 before the memory is allocated. Files that are
    /// processed side by side share it.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = values::memory_size)]
    pub max_memory: u64,
}

impl MachineArgs {
    /// Starts the threads: one pool for the encoders, decoders and metrics.
    ///
    /// # Errors
    /// [`Failure`] if they cannot be started.
    pub fn start_threads(&self) -> Result<(), Failure> {
        let count = self.threads.unwrap_or(0);
        rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build_global()
            .map_err(|error| Failure::new(Exit::Runtime, format!("cannot start the threads: {error}")))
    }
}
