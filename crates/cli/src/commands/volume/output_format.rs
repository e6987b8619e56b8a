//! The format of a volume's output.

use crate::batch::{Output, is_folder};
use brickwork_base::ErrorKind;
use brickwork_formats::{HAS_ZARR, VolumeFormat, ZarrForm};

/// The reason why no format belongs to an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputFormatError {
    /// Raw voxels were requested, and the output is a folder.
    #[error("raw voxels are written to a file, and this is a folder")]
    RawFolder,
    /// The extension is unknown, or belongs to a format that is only read.
    #[error("cannot write this format")]
    NotWritten,
    /// The output is a Zarr folder or archive, and this build does not have the feature `zarr`.
    #[error("cannot write Zarr without the feature zarr")]
    NoZarr,
}

impl OutputFormatError {
    /// Returns the error's kind: who can act on it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::RawFolder => ErrorKind::Argument,
            Self::NotWritten | Self::NoZarr => ErrorKind::Unsupported,
        }
    }
}

/// Returns the format in which a volume is written to `output`. It is that of the extension; raw voxels if
/// `is_raw` is true and for standard output; slices if the output is a folder or its name ends like one,
/// unless its extension is `.zarr`. A file with the extension `.ozx` is an archive of Zarr.
///
/// # Errors
/// [`OutputFormatError`] if there is none.
pub fn output_format(output: &Output, is_raw: bool) -> Result<VolumeFormat, OutputFormatError> {
    let Output::File(path) = output else { return Ok(VolumeFormat::Raw) };
    if !is_raw && ZarrForm::to_write(path).is_some() {
        return if HAS_ZARR { Ok(VolumeFormat::Zarr) } else { Err(OutputFormatError::NoZarr) };
    }
    match (is_raw, is_folder(path)) {
        (true, true) => Err(OutputFormatError::RawFolder),
        (true, false) => Ok(VolumeFormat::Raw),
        (false, true) => Ok(VolumeFormat::Folder),
        (false, false) => VolumeFormat::to_write(path).ok_or(OutputFormatError::NotWritten),
    }
}

/// True if Zarr is written to `output` as an archive, not as a folder.
pub fn is_archive(output: &Output) -> bool {
    matches!(output, Output::File(path) if ZarrForm::to_write(path) == Some(ZarrForm::Archive))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn names_folders_and_requests_decide() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, is_raw| output_format(&Output::of(&folder.path().join(name)), is_raw);
        assert_eq!(of("a.nii.gz", false), Ok(VolumeFormat::NiftiGz));
        assert_eq!(of("a.mhd", false), Err(OutputFormatError::NotWritten));
        assert_eq!(of("a.mhd", true), Ok(VolumeFormat::Raw));
        let zarr = if HAS_ZARR { Ok(VolumeFormat::Zarr) } else { Err(OutputFormatError::NoZarr) };
        assert_eq!((of("a.zarr", false), of("b.Zarr/", false), of("c.ome.zarr", false)), (zarr, zarr, zarr));
        assert_eq!((of("a.OZX", false), of("a.ozx", true)), (zarr, Ok(VolumeFormat::Raw)));
        assert_eq!((of("", false), of("new/", false)), (Ok(VolumeFormat::Folder), Ok(VolumeFormat::Folder)));
        assert_eq!((of("", true), of("new/", true)), (Err(OutputFormatError::RawFolder), of("", true)));
        assert_eq!(output_format(&Output::of(Path::new("-")), false), Ok(VolumeFormat::Raw));
    }
}
