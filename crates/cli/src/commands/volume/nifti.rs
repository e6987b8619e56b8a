//! Files of NIfTI: which names they have, and opening them, packed and in pairs.

use super::source::{Opened, Volume, format_failure, open_file};
use crate::{exit::Exit, failure::Failure, input::FileId};
use brickwork_volume::formats::{Voxels, gzip, nifti};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Whether the name ends in `.gz`.
pub fn packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// The path without `.gz`, where NIfTI is packed.
pub fn bare(path: &Path) -> PathBuf {
    if names(path) && packed(path) { path.with_extension("") } else { path.to_owned() }
}

/// Whether the name is that of a NIfTI file with a header.
pub fn names(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    let name = if packed(path) { stem } else { Some(path) };
    let extension = name.and_then(Path::extension);
    extension.is_some_and(|e| ["nii", "hdr"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Opens the file at `path`.
///
/// # Errors
/// [`Failure`], named where it is about the voxels' own file.
pub fn open(path: &Path) -> Result<Volume, Failure> {
    let mut file = open_one(path)?;
    // A pair's voxels lie beside the header, packed or not.
    let image = |end: &str| bare(path).with_extension(end);
    let pair = if image("img").exists() { image("img") } else { image("img.gz") };
    let pair = if pair.exists() { pair } else { image("img") };
    let pair_name = pair.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let source = nifti::read_header(file.bytes(), pair_name).map_err(|error| format_failure(&error))?;
    let mut files: Vec<FileId> = FileId::of(path).into_iter().collect();
    if let Voxels::Detached { skip, .. } = source.voxels {
        let voxels = open_one(&pair).and_then(|mut voxels| voxels.skip(skip).map(|()| voxels));
        file = voxels.map_err(|failure| failure.of_path(&pair))?;
        files.extend(FileId::of(&pair));
    }
    Ok(Volume { header: source.header, order: source.order, voxels: file, files })
}

/// Opens the bytes of a file, unpacked.
fn open_one(path: &Path) -> Result<Opened, Failure> {
    match open_file(path)? {
        Opened::Twice(file) if packed(path) => gzip::Reader::new(file)
            .map(|reader| Opened::Twice(Box::new(reader)))
            .map_err(|error| Failure::io(&error)),
        Opened::Once(_) if packed(path) => {
            Err(Failure::new(Exit::Unsupported, "is a pipe; packed NIfTI is read from files only"))
        }
        other => Ok(other),
    }
}
