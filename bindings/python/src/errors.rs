//! Errors of the libraries as Python exceptions.
//!
//! | kind | exception |
//! |---|---|
//! | argument | `ValueError` |
//! | invalid or unsupported file | `brickwork.FormatError`, a `ValueError` |
//! | memory or its limit | `MemoryError` |
//! | I/O | `OSError` or its subclass, with `errno` and `filename` if known |
//! | device | `RuntimeError` |
//! | cancelled | `KeyboardInterrupt`, or the exception of the callback (`work.rs`) |

use brickwork_base::ErrorKind;
use brickwork_formats::{self as formats, OpenError, PageStackFeature, SlicesError, UnsupportedFeature};
use brickwork_image::image_file::ImageReadError;
use brickwork_toolkit::{
    batch::BatchFault,
    texture::TextureJobError,
    volume::{TransferFault, VolumeError},
};
use brickwork_volume::{VolumeReadError, VolumeWriteError, VoxelStreamError};
use pyo3::{
    create_exception,
    exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
};
use std::{io, path::Path};

create_exception!(
    brickwork,
    FormatError,
    PyValueError,
    "A file or chunk that breaks its format's rules, or that Brickwork does not support."
);

/// Returns the exception of an error of this kind.
pub fn of_kind(kind: ErrorKind, text: String) -> PyErr {
    match kind {
        ErrorKind::Argument => PyValueError::new_err(text),
        ErrorKind::Invalid | ErrorKind::Unsupported => FormatError::new_err(text),
        ErrorKind::Limit => PyMemoryError::new_err(text),
        ErrorKind::Io => PyOSError::new_err(text),
        ErrorKind::Cancelled => PyKeyboardInterrupt::new_err(()),
        _ => PyRuntimeError::new_err(text),
    }
}

/// Returns the exception of an I/O error of a file. Python's own exceptions, which its file objects raise,
/// are returned as they are.
pub fn of_io(error: io::Error, path: Option<&Path>) -> PyErr {
    let text = match path {
        Some(path) => format!("{}: {error}", path.display()),
        None => error.to_string(),
    };
    if let (Some(code), path) = (error.raw_os_error(), path.map(Path::to_owned)) {
        let reason = error.to_string();
        let reason = reason.strip_suffix(&format!(" (os error {code})")).unwrap_or(&reason).to_owned();
        return match path {
            // Python would print a `Path` with its type.
            Some(path) => PyOSError::new_err((code, reason, path.into_os_string())),
            None => PyOSError::new_err((code, reason)),
        };
    }
    let kind = ErrorKind::of_io(&error);
    error.downcast::<PyErr>().unwrap_or_else(|_| of_kind(kind, text))
}

/// Number of the system's error for files that do not exist.
const NO_SUCH_FILE: i32 = 2;

/// Returns the exception of images that could not be encoded.
pub fn of_job(error: TextureJobError) -> PyErr {
    match error {
        TextureJobError::Read { input, error: ImageReadError::Io(error) } => {
            of_io(error, Some(Path::new(&input)))
        }
        TextureJobError::File(error) => {
            let code = match error.fault() {
                BatchFault::NotFound => Some(NO_SUCH_FILE),
                BatchFault::Io(error) => error.raw_os_error(),
                _ => None,
            };
            match (code, error.file()) {
                (Some(code), Some(file)) => of_io(io::Error::from_raw_os_error(code), Some(Path::new(file))),
                _ => of_kind(error.kind(), error.to_string()),
            }
        }
        TextureJobError::Options { file, error } => {
            of_kind(error.kind(), format!("{file}: {}", error.with_option_names(argument)))
        }
        error => of_kind(error.kind(), error.to_string()),
    }
}

/// Options whose arguments have other names. Two are plural, because they have several images.
const ARGUMENTS: [(&str, &str); 3] = [("color-space", "srgb"), ("level", "levels"), ("channel", "channels")];

/// Returns the name of the argument of an option: `roughness_from` for `roughness-from`.
pub fn argument(option: &str) -> String {
    let named = ARGUMENTS.iter().find(|(name, _)| *name == option);
    named.map_or_else(|| option.replace('-', "_"), |(_, argument)| (*argument).to_owned())
}

/// Returns the exception of a `.bwv` file that could not be read.
pub fn of_read(error: VolumeReadError) -> PyErr {
    match error {
        VolumeReadError::File { path, reason } => match *reason {
            VolumeReadError::Io(error) => of_io(error, Some(&path)),
            reason => of_kind(reason.kind(), format!("{}: {reason}", path.display())),
        },
        VolumeReadError::Io(error) => of_io(error, None),
        error => of_kind(error.kind(), error.to_string()),
    }
}

/// Returns the exception of a volume that could not be compressed.
pub fn of_write(error: VolumeWriteError) -> PyErr {
    match error {
        VolumeWriteError::Io(error) => of_io(error, None),
        error => of_kind(error.kind(), error.to_string()),
    }
}

/// Returns the exception of a file of any format that could not be opened.
pub fn of_open(error: OpenError, path: &Path) -> PyErr {
    match error {
        OpenError::Io(error) => of_io(error, Some(path)),
        OpenError::Bwv(error @ VolumeReadError::File { .. }) => of_read(error),
        OpenError::Bwv(VolumeReadError::Io(error)) => of_io(error, Some(path)),
        OpenError::VoxelFile { path, reason } => of_open(*reason, &path),
        // (It is a ZIP archive, as of Zarr.)
        OpenError::Undescribed | OpenError::Format(_) if is_npz(path) && is_of_content(error.kind()) => {
            let text =
                "an archive of NumPy arrays; numpy.load reads one, and brickwork.volume.compress takes it";
            of_kind(ErrorKind::Unsupported, format!("{}: {text}", path.display()))
        }
        error => of_kind(error.kind(), format!("{}: {error}{}", path.display(), hint(&error))),
    }
}

/// True if the bytes of a file are at fault, not the machine or the caller.
const fn is_of_content(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Argument)
}

fn is_npz(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz"))
}

/// Returns the end of the text of an error that an argument avoids.
const fn hint(error: &OpenError) -> &'static str {
    let error = match error {
        OpenError::Format(formats::FormatError::Slices(error)) => error,
        OpenError::Format(formats::FormatError::Unsupported(UnsupportedFeature::PageStack(
            PageStackFeature::Channels { samples: 1, .. },
        ))) => return "; volume.read(path, channel=0) reads one",
        _ => return "",
    };
    match error {
        SlicesError::Series(_) | SlicesError::Names(_) => "; choose one, such as series=0",
        SlicesError::Gap { .. } | SlicesError::Numbers { .. } => {
            "; allow_gaps=True joins the slices on both sides of the gap"
        }
        _ => "",
    }
}

/// Returns the exception of voxels of a file of any format that could not be read.
pub fn of_stream(error: VoxelStreamError, path: &Path) -> PyErr {
    match error {
        VoxelStreamError::Io(error) => of_io(error, Some(path)),
        VoxelStreamError::Bwv(error @ VolumeReadError::File { .. }) => of_read(error),
        error => of_kind(error.kind(), format!("{}: {error}", path.display())),
    }
}

/// Returns the exception of a volume that could not be read, measured or rendered. `path` is that of the
/// volume, if it is on disk.
pub fn of_volume(error: VolumeError, path: Option<&Path>) -> PyErr {
    match (error, path) {
        (VolumeError::Read(VolumeReadError::Io(error)), path) => of_io(error, path),
        (VolumeError::Transfer { path, reason: TransferFault::Io(error) }, _) => of_io(error, Some(&path)),
        (VolumeError::Read(error @ VolumeReadError::File { .. }), _) => of_read(error),
        (VolumeError::Open(error), Some(path)) => of_open(error, path),
        (VolumeError::Voxels(error), Some(path)) => of_stream(error, path),
        (error, Some(path)) => of_kind(error.kind(), format!("{}: {error}", path.display())),
        (error, None) => of_kind(error.kind(), error.to_string()),
    }
}
