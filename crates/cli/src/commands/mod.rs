//! The verbs, a file each.

#[cfg(feature = "gpu")]
pub mod bench;
pub mod compare;
pub mod decode;
#[cfg(feature = "gpu")]
pub mod devices;
pub mod encode;
pub mod info;
pub mod volume;

use crate::{failure::Failure, values};
use brickwork_texture::Decoder;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

/// Options about the machine, for every verb.
#[derive(Args)]
#[command(next_help_heading = "Machine")]
pub struct MachineArgs {
    /// Threads to use, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// Memory that texels and blocks of one file may take: bytes, or with K, M, G, KiB, MiB, GiB
    ///
    /// A file that asks for more is refused with exit code 4 before the memory is taken.
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
        rayon::ThreadPoolBuilder::new().num_threads(count).build_global().map_err(|error| {
            Failure::new(crate::exit::Exit::Runtime, format!("cannot start the threads: {error}"))
        })
    }
}

fn decoder_parser() -> impl TypedValueParser<Value = Decoder> {
    PossibleValuesParser::new(Decoder::ALL.map(Decoder::name)).try_map(|name| name.parse::<Decoder>())
}
