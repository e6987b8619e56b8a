//! Errors of the library as failures of the program.

use crate::{exit::Exit, failure::Failure};
use brickwork_volume::{DecodeError, OpenError, ReadError, VolumeErrorKind, VolumeFormat};
use std::path::Path;

/// The failure that an error of this kind is, in words for people.
pub fn failure(kind: VolumeErrorKind, error: impl std::fmt::Display) -> Failure {
    let exit = match kind {
        VolumeErrorKind::Argument => Exit::Usage,
        VolumeErrorKind::Invalid => Exit::Invalid,
        VolumeErrorKind::Unsupported => Exit::Unsupported,
        VolumeErrorKind::Limit => Exit::Runtime,
        VolumeErrorKind::Io => Exit::Io,
    };
    // As Rust's library says it.
    Failure::new(exit, error.to_string().replace("failed to fill whole buffer", "the file ends too soon"))
}

/// The failure of reading a `.bwv` file.
pub fn read_failure(error: &ReadError) -> Failure {
    failure(error.kind(), error)
}

/// The failure of opening the volume `name`.
pub fn open_failure(error: &OpenError, name: impl std::fmt::Display) -> Failure {
    if let Some((path, reason)) = error.voxel_file() {
        return failure(reason.kind(), reason).of_path(path);
    }
    let failure = failure(error.kind(), error);
    let failure = match error {
        OpenError::Undescribed => failure.hint("add --dims 512x512x361 --type u16"),
        OpenError::Described => {
            failure.hint("--dims, --type, --channels, --frames, --big-endian and --offset are for raw voxels")
        }
        _ => failure,
    };
    failure.of(name)
}

/// Opens a `.bwv` file.
///
/// # Errors
/// [`Failure`], named.
pub fn open_bwv(path: &Path) -> Result<brickwork_volume::VolumeFile, Failure> {
    let opened = std::fs::File::open(path).map_err(Into::into).and_then(brickwork_volume::VolumeFile::new);
    opened.map_err(|error| match (&error, VolumeFormat::detect(path)) {
        (ReadError::Format(DecodeError::NotAVolume), Ok(format))
            if !matches!(format, VolumeFormat::Raw | VolumeFormat::Bwv) =>
        {
            let bwv = VolumeFormat::Bwv.path_beside(path);
            let hint = format!("`brickwork volume encode {}` makes {}", path.display(), bwv.display());
            let reason = format!("is of the format {}, not a .bwv file", format.name());
            failure(VolumeErrorKind::Invalid, reason).hint(hint).of_path(path)
        }
        _ => read_failure(&error).of_path(path),
    })
}
