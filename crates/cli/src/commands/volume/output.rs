//! Writing of a volume to the output that a command line names.

use super::{
    failure::{ZARR_HINT, failure},
    output_format::{OutputFormatError, is_archive, output_format},
};
use crate::{
    failure::Failure,
    input::FileId,
    output::{self, Existing, Output},
    report::{note, with_progress},
};
use brickwork_base::{whole_file::folder_of, whole_folder::WholeFolder};
use brickwork_formats::{
    OpenedVolume, SliceFormat, VolumeFormat, VolumeWriteOptions, WriteError, WrittenVolume, ZarrOptions,
    write_slices, write_volume, write_zarr, write_zarr_archive,
};
use brickwork_toolkit::report::path_text;
use brickwork_volume::VolumeWriteError;
use std::{
    io,
    path::Path,
    time::{Duration, Instant},
};

/// Returns the format of `output`; see [`output_format`].
///
/// # Errors
/// [`Failure`] with the output's name if there is none, and with the formats that are written.
pub fn format_of(output: &Output, is_raw: bool) -> Result<VolumeFormat, Failure> {
    output_format(output, is_raw).map_err(|error| {
        let failure = failure(error.kind(), error).of(output.name());
        match error {
            OutputFormatError::NotWritten => {}
            OutputFormatError::NoZarr => return failure.hint(ZARR_HINT),
            _ => return failure,
        }
        let endings = VolumeFormat::written_extensions();
        failure.hint(format!(
            "formats written: {endings}, .zarr, .ozx, raw voxels with --raw under any name, and slices into \
             a folder, such as slices/"
        ))
    })
}

/// Checks files and folders before the work begins.
///
/// # Errors
/// The errors of [`Output::check`].
pub fn check(
    output: &Output,
    format: VolumeFormat,
    existing: Existing,
    inputs: &[FileId],
) -> Result<(), Failure> {
    match output {
        Output::File(path)
            if matches!(format, VolumeFormat::Folder | VolumeFormat::Zarr) && !is_archive(output) =>
        {
            WholeFolder::check(path).map_err(|error| folder_failure(&error, path))
        }
        _ => Ok(output.check(existing, inputs)?),
    }
}

fn folder_failure(error: &io::Error, path: &Path) -> Failure {
    let failure = Failure::io(error).of_path(path);
    match error.kind() {
        io::ErrorKind::AlreadyExists => failure.hint("the output is written to a new or empty folder"),
        _ => failure,
    }
}

/// Checks that the name of `output` has no extension other than `extension`. A command that writes one format
/// must not give its files the name of another.
///
/// # Errors
/// [`Failure`] with the output's name.
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

/// Notes that an output without an extension is a PNG file, unless `quiet` is true.
pub fn note_png(output: &Output, quiet: bool) {
    let Output::File(path) = output else { return };
    // (Devices, such as /dev/null, need no extension.)
    if !quiet && path.extension().is_none() && (path.is_file() || !path.exists()) {
        note(&format!("{}: a PNG file; name it .png, so that other programs know it", path_text(path)));
    }
}

/// A written output.
pub struct Written {
    /// Bytes of the file, or of all slices.
    pub file_bytes: u64,
    /// Bytes of voxels.
    pub raw_bytes: u64,
    /// Size of the bricks of a `.bwv` file, and the sample that decided it.
    pub volume: WrittenVolume,
    /// Time of reading and writing.
    pub time: Duration,
}

/// Writes `volume`, which was read from `input`, to `output`, with a progress bar unless `quiet` is true. The
/// output is a folder of files in the format `slices`, a Zarr folder or archive, or else a file in the format
/// of its name.
///
/// # Errors
/// [`Failure`] with the name of the side that failed.
pub fn write(
    volume: OpenedVolume,
    (format, options, slices, zarr): (VolumeFormat, &VolumeWriteOptions, Option<SliceFormat>, ZarrOptions),
    input: &str,
    output: &Output,
    existing: Existing,
    quiet: bool,
) -> Result<Written, Failure> {
    let raw_bytes = volume.header.raw_bytes().map_err(Failure::usage)?;
    let start = Instant::now();
    let failed = |error: WriteError| {
        let failure = failure(error.kind(), &error);
        match error {
            WriteError::Volume(VolumeWriteError::Io(_)) => failure,
            WriteError::Volume(VolumeWriteError::OverLimit { .. }) => {
                failure.hint("raise it with --max-memory").of(input)
            }
            WriteError::Volume(VolumeWriteError::Memory(_)) if format == VolumeFormat::Bwv => {
                failure.hint("--brick flat takes less").of(input)
            }
            _ => failure.of(input),
        }
    };
    let mut written_volume = WrittenVolume::default();
    let zarr = zarr.with(|zarr| {
        zarr.brick = options.brick;
        zarr.max_memory = options.max_memory;
    });
    let file_bytes = match output {
        Output::File(path) if format == VolumeFormat::Folder => {
            let slices = slices.unwrap_or_else(|| SliceFormat::of_type(volume.header.voxel_type));
            let folder = WholeFolder::create(path).map_err(|error| folder_failure(&error, path))?;
            let written =
                with_progress(input, quiet, |task| write_slices(volume, folder.path(), slices, task));
            let file_bytes = written.map_err(|error| failed(error).of_path(path))?;
            folder.commit().map_err(|error| folder_failure(&error, path))?;
            file_bytes
        }
        Output::File(path) if format == VolumeFormat::Zarr && is_archive(output) => {
            output::write(output, existing, |sink| {
                let written = with_progress(input, quiet, |task| {
                    write_zarr_archive(volume, sink, folder_of(path), &zarr, task)
                });
                written.map(|written| written_volume.brick = Some(written.brick)).map_err(failed)
            })?
        }
        Output::File(path) if format == VolumeFormat::Zarr => {
            let folder = WholeFolder::create(path).map_err(|error| folder_failure(&error, path))?;
            let written = with_progress(input, quiet, |task| write_zarr(volume, folder.path(), &zarr, task));
            let written = written.map_err(|error| failed(error).of_path(path))?;
            written_volume.brick = Some(written.brick);
            folder.commit().map_err(|error| folder_failure(&error, path))?;
            written.file_bytes
        }
        _ => output::write(output, existing, |sink| {
            let written =
                with_progress(input, quiet, |task| write_volume(volume, format, options, sink, task));
            written.map(|written| written_volume = written).map_err(failed)
        })?,
    };
    Ok(Written { file_bytes, raw_bytes, volume: written_volume, time: start.elapsed() })
}
