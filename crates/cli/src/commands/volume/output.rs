//! Writing a volume where a command line says.

use super::failure::failure;
use crate::{
    exit::Exit,
    failure::Failure,
    output::{Existing, Output},
    report::with_progress,
};
use brickwork_volume::{OpenedVolume, VolumeFormat, WriteError, WriteOptions, write_volume};

/// The format of what is written to `output`: by its extension, raw for unknown extensions and for standard
/// output.
///
/// # Errors
/// [`Failure`], named, if the extension is that of a format that is only read.
pub fn format_of(output: &Output) -> Result<VolumeFormat, Failure> {
    let Output::File(path) = output else { return Ok(VolumeFormat::Raw) };
    VolumeFormat::to_write(path).ok_or_else(|| {
        let written = VolumeFormat::ALL.into_iter().filter(|format| format.is_written());
        let written = written.filter(|&format| format != VolumeFormat::Raw);
        let endings: Vec<_> = written.map(|format| format!(".{}", format.extensions()[0])).collect();
        let endings = endings.join(", ");
        Failure::new(Exit::Unsupported, "cannot write this format")
            .of_path(path)
            .hint(format!("formats written: {endings}, and raw voxels with other extensions, such as .raw"))
    })
}

/// Checks that the name of `output` has no other extension than `extension`: a command that writes one format
/// must not give its files the name of another.
///
/// # Errors
/// [`Failure`], named.
pub fn check_extension(output: &Output, extension: &str, hint: &str) -> Result<(), Failure> {
    let Output::File(path) = output else { return Ok(()) };
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(extension) && !path.is_dir() => {
            let reason = format!("this command writes .{extension} files");
            Err(Failure::usage(reason).of_path(path).hint(hint))
        }
        _ => Ok(()),
    }
}

/// Writes `volume`, which was read from `input`, to `output`, with a progress bar unless it is to be `quiet`.
/// Returns how many bytes were written.
///
/// # Errors
/// [`Failure`], named after the side that failed.
pub fn write(
    volume: OpenedVolume,
    format: VolumeFormat,
    options: &WriteOptions,
    input: &str,
    output: &Output,
    existing: Existing,
    quiet: bool,
) -> Result<u64, Failure> {
    output.write(existing, |sink| {
        let written = with_progress(input, quiet, |progress| {
            write_volume(volume, format, options, sink, &mut |done, total| progress(done, total))
        });
        written.map_err(|error| {
            let failure = failure(error.kind(), &error);
            match error {
                WriteError::Io(_) => failure,
                WriteError::OverLimit { .. } => failure.hint("raise it with --max-memory").of(input),
                WriteError::Memory(_) => failure.hint("--brick flat takes less").of(input),
                _ => failure.of(input),
            }
        })
    })
}
