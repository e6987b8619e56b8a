//! Writing any volume: the format that a name asks for, its header, the voxels.

use super::{
    nifti,
    source::{Opened, Volume},
    write_failure,
};
use crate::{
    exit::Exit,
    failure::Failure,
    output::{Existing, Output},
    report::with_progress,
};
use brickwork_volume::{
    EncodeOptions, WriteError, copy_voxels, encode_file, encode_stream,
    formats::{self, metaimage, nrrd, vti},
};
use flate2::{Compression, write::GzEncoder};
use std::{
    io::{self, Write},
    path::Path,
};

/// The quickest level, nibabel's default too.
const GZIP: Compression = Compression::fast();

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Little-endian voxels, x fastest.
    Raw,
    Bwv,
    Nrrd,
    MetaImage,
    Nifti,
    NiftiGz,
    Vti,
}

impl Target {
    /// The format of what is written to `output`: by the ending of its name, raw for those that are of no format and for
    /// standard output.
    ///
    /// # Errors
    /// [`Failure`], named, if the ending is that of a format that is only read.
    pub fn of(output: &Output) -> Result<Self, Failure> {
        let Output::File(path) = output else { return Ok(Self::Raw) };
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        Ok(match extension.as_str() {
            "gz" if nifti::bare(path).extension().is_some_and(|e| e.eq_ignore_ascii_case("nii")) => {
                Self::NiftiGz
            }
            "bwv" => Self::Bwv,
            "nrrd" => Self::Nrrd,
            "mha" => Self::MetaImage,
            "nii" => Self::Nifti,
            "vti" => Self::Vti,
            "nhdr" | "mhd" | "hdr" | "tif" | "tiff" | "dcm" | "png" | "gz" | "zst" => {
                return Err(unsupported(path));
            }
            _ => Self::Raw,
        })
    }

    /// The format's name for JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Bwv => "bwv",
            Self::Nrrd => "nrrd",
            Self::MetaImage => "metaimage",
            Self::Nifti => "nifti",
            Self::NiftiGz => "nifti-gz",
            Self::Vti => "vti",
        }
    }

    /// Writes `volume`, which was read from `input`, to `output`, with a progress bar unless it is to be `quiet`. Returns how
    /// many bytes were written.
    ///
    /// # Errors
    /// [`Failure`], named after the side that failed.
    pub fn write(
        self,
        volume: Volume,
        input: &str,
        output: &Output,
        existing: Existing,
        quiet: bool,
    ) -> Result<u64, Failure> {
        output.write(existing, |sink| {
            let mut sink = Watched { inner: sink, has_failed: false };
            let written = with_progress(input, quiet, |progress| {
                let mut progress = |done, total| progress(done, total);
                self.write_to(volume, &mut sink, &mut progress)
            });
            written.map_err(|error| {
                let failure = write_failure(&error);
                if sink.has_failed { failure } else { failure.of(input) }
            })
        })
    }

    fn write_to(
        self,
        volume: Volume,
        mut sink: &mut dyn Write,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), WriteError> {
        let Volume { header, order, mut voxels, .. } = volume;
        match self {
            Self::Bwv => {
                let options = EncodeOptions::default();
                return match voxels {
                    Opened::Twice(file) => encode_file(file, order, &header, &options, sink, progress),
                    Opened::Once(pipe) => encode_stream(pipe, order, &header, &options, sink, progress),
                }
                .map(drop);
            }
            Self::Raw => {}
            Self::Nrrd => nrrd::write_header(&header, sink)?,
            Self::MetaImage => metaimage::write_header(&header, sink)?,
            Self::Nifti => formats::nifti::write_header(&header, sink)?,
            Self::NiftiGz => {
                let mut packed = GzEncoder::new(sink, GZIP);
                formats::nifti::write_header(&header, &mut packed)?;
                copy_voxels(voxels.bytes(), order, &header, &mut packed, progress)?;
                return Ok(packed.finish()?.flush()?);
            }
            Self::Vti => vti::write_header(&header, sink)?,
        }
        copy_voxels(voxels.bytes(), order, &header, &mut sink, progress)?;
        if self == Self::Vti {
            vti::write_end(sink)?;
        }
        Ok(sink.flush()?)
    }
}

fn unsupported(path: &Path) -> Failure {
    Failure::new(Exit::Unsupported, "this format is not written")
        .of_path(path)
        .hint("written are .bwv, .nrrd, .mha, .nii, .nii.gz, .vti, and raw voxels under other endings, such as .raw")
}

/// Remembers whether it was the sink that failed.
struct Watched<'a> {
    inner: &'a mut dyn Write,
    has_failed: bool,
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner
            .write(bytes)
            .inspect_err(|error| self.has_failed |= error.kind() != io::ErrorKind::Interrupted)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().inspect_err(|_| self.has_failed = true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_formats() {
        let of = |name: &str| Target::of(&Output::File(name.into()));
        for (name, target) in [
            ("a.bwv", Target::Bwv),
            ("a.NRRD", Target::Nrrd),
            ("a.mha", Target::MetaImage),
            ("a.nii", Target::Nifti),
            ("a.b.nii.gz", Target::NiftiGz),
            ("a.vti", Target::Vti),
            ("a.raw", Target::Raw),
            ("a", Target::Raw),
        ] {
            assert_eq!(of(name).expect(name), target);
        }
        for name in ["a.tif", "a.raw.gz", "a.hdr", "a.hdr.gz", "a.mhd", "a.dcm"] {
            let failure = of(name).expect_err(name);
            assert_eq!(failure.exit, Exit::Unsupported, "{failure}");
        }
    }
}
