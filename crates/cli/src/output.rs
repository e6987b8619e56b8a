//! Results on standard output and in files, and interrupts.

pub use crate::batch::Output;
use crate::{exit, failure::Failure};
use brickwork_base::interrupt::remove_temporary_files;
pub use brickwork_base::whole_file::Existing;
use std::io::{self, Write};

/// Returns the treatment of existing files: with `force`, they are replaced.
pub const fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

/// Writes the whole `output` with `write`, and returns the number of bytes written.
///
/// # Errors
/// The failure of `write` or of the system, with the output's name. A file is then unchanged.
pub fn write(
    output: &Output,
    existing: Existing,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    output.write(existing, write).map_err(|failure: Failure| failure.of(output.name()))
}

/// Writes `text` to standard output, or to standard error. It is not a failure if the reader is gone.
///
/// # Errors
/// [`Failure`] if the system cannot write it, for example because the disk is full.
pub fn print(text: &str, to_stderr: bool) -> Result<(), Failure> {
    let write = |writer: &mut dyn Write| writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    let (result, name) = if to_stderr {
        (write(&mut io::stderr().lock()), "standard error")
    } else {
        (write(&mut io::stdout().lock()), "standard output")
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io(&error).of(name)),
        _ => Ok(()),
    }
}

/// Ends the program without running the exit functions of libraries. Those of a driver may free memory that
/// its threads still use: lavapipe crashed this way when interrupted during compilation.
fn end_at_once(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code);
}

/// Makes Ctrl-C (and SIGTERM, SIGHUP) remove the temporary files and end the program from now on.
pub fn clean_up_on_interrupt() {
    let handler = || {
        remove_temporary_files();
        end_at_once(exit::INTERRUPTED);
    };
    // Without a handler, the program still works, but an interrupt leaves the temporary file.
    let _ = ctrlc::set_handler(handler);
    // A file that exceeds the limit of `ulimit -f` must fail with EFBIG, not kill the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}
