//! Files of NIfTI: which names they have, and opening them, packed and in pairs.

use super::encode::{Opened, format_failure, open_file, opened};
use crate::{exit::Exit, failure::Failure};
use brickwork_volume::formats::{
    Source, Voxels, gzip,
    nifti::{self},
};
use std::{
    ffi::OsStr,
    io::{self, BufReader, Seek, SeekFrom},
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

/// Opens the file at `path`: what it is, and its voxels from the first on.
///
/// # Errors
/// [`Failure`].
pub fn open(path: &Path) -> Result<(Source, Opened), Failure> {
    let mut file = open_one(path, packed(path))?;
    // A pair's voxels lie beside the header, packed or not.
    let image = |end: &str| bare(path).with_extension(end);
    let pair = if image("img").exists() { image("img") } else { image("img.gz") };
    let pair = if pair.exists() { pair } else { image("img") };
    let pair_name = pair.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let source = match &mut file {
        Opened::File(file) => nifti::read_header(file, pair_name),
        Opened::Gzip(file) => nifti::read_header(&mut **file, pair_name),
        Opened::Pipe(pipe) => nifti::read_header(&mut **pipe, pair_name),
        Opened::Voxels(_) => unreachable!("open_one opens bytes"),
    }
    .map_err(|error| format_failure(&error))?;
    let Voxels::Detached { skip, .. } = source.voxels else { return Ok((source, file)) };
    let voxels = open_one(&pair, packed(&pair)).and_then(|mut voxels| {
        let skipped = match &mut voxels {
            Opened::File(file) => file.seek(SeekFrom::Start(skip)).map(drop),
            Opened::Gzip(file) => file.seek(SeekFrom::Start(skip)).map(drop),
            Opened::Pipe(pipe) => io::copy(&mut io::Read::take(pipe, skip), &mut io::sink()).map(drop),
            Opened::Voxels(_) => unreachable!("open_one opens bytes"),
        };
        skipped.map_err(|error| Failure::new(super::exit_of(&error), error))?;
        Ok(voxels)
    });
    Ok((source, voxels.map_err(|failure| failure.of_path(&pair))?))
}

fn open_one(path: &Path, packed: bool) -> Result<Opened, Failure> {
    match opened(BufReader::with_capacity(1 << 20, open_file(path)?))? {
        Opened::File(file) if packed => gzip::Reader::new(file)
            .map(|reader| Opened::Gzip(Box::new(reader)))
            .map_err(|error| Failure::io(&error)),
        Opened::Pipe(_) if packed => {
            Err(Failure::new(Exit::Unsupported, "is a pipe; packed NIfTI is read from files only"))
        }
        other => Ok(other),
    }
}
