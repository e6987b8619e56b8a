//! Writing any volume in any format that is written.

#[cfg(feature = "io")]
use super::vti;
use super::{OpenedVolume, VolumeFormat, metaimage, nifti, nrrd};
use crate::{EncodeOptions, VoxelStream, WriteError, copy_voxels, encode_seekable, encode_stream};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;

/// The quickest level, nibabel's default too.
const GZIP: Compression = Compression::fast();

/// Writes `volume` to `sink` as a file of `format`: its header, as far as the format has a place for what it
/// says, and its voxels, the least significant byte of each number first. Memory: some MiB, of a `.bwv` file
/// a slab.
///
/// `progress` is called with the bytes of voxels done and the bytes in all.
///
/// # Errors
/// [`WriteError::Voxels`] if the voxels cannot be read, [`WriteError::Io`] from `sink`,
/// [`WriteError::Unsupported`] if the format does not hold such a volume, [`WriteError::NotWritten`] unless
/// [`VolumeFormat::is_written`]; the format VTI is only written with the feature `io`.
pub fn write_volume(
    volume: OpenedVolume,
    format: VolumeFormat,
    mut sink: impl Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), WriteError> {
    write(volume, format, &mut sink, progress)
}

fn write(
    volume: OpenedVolume,
    format: VolumeFormat,
    mut sink: &mut dyn Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), WriteError> {
    let OpenedVolume { header, order, voxels, .. } = volume;
    match format {
        VolumeFormat::Bwv => {
            let options = EncodeOptions::default();
            match voxels {
                VoxelStream::Rewindable(file) => {
                    encode_seekable(file, order, &header, &options, &mut sink, progress)?;
                }
                VoxelStream::Once(pipe) => {
                    encode_stream(pipe, order, &header, &options, &mut sink, progress)?;
                }
            }
        }
        VolumeFormat::Raw => copy_voxels(voxels, order, &header, &mut sink, progress)?,
        VolumeFormat::Nrrd => {
            nrrd::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, progress)?;
        }
        VolumeFormat::MetaImage => {
            metaimage::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, progress)?;
        }
        VolumeFormat::Nifti => {
            nifti::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, progress)?;
        }
        VolumeFormat::NiftiGz => {
            let mut packed = GzEncoder::new(&mut sink, GZIP);
            nifti::write_header(&header, &mut packed)?;
            copy_voxels(voxels, order, &header, &mut packed, progress)?;
            packed.finish()?;
        }
        #[cfg(feature = "io")]
        VolumeFormat::Vti => {
            vti::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, progress)?;
            vti::write_end(sink)?;
        }
        #[cfg(not(feature = "io"))]
        VolumeFormat::Vti => return Err(WriteError::NotWritten(format.name())),
        VolumeFormat::Tiff | VolumeFormat::Dicom | VolumeFormat::Folder => {
            return Err(WriteError::NotWritten(format.name()));
        }
    }
    Ok(sink.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dims, OpenError, OpenOptions, RawLayout, VolumeErrorKind, VoxelType,
        formats::format_header::tests::posed, open,
    };
    use std::{fs, io::Cursor};

    const DIMS: Dims = Dims::new(5, 4, 3);

    fn bytes() -> Vec<u8> {
        (0..2 * 60).map(|i| i * 2).collect()
    }

    /// A big-endian volume that can be read again, or only once.
    fn volume(once: bool) -> OpenedVolume {
        let file = Cursor::new(bytes());
        let voxels =
            if once { VoxelStream::Once(Box::new(file)) } else { VoxelStream::Rewindable(Box::new(file)) };
        let layout = RawLayout { order: crate::ByteOrder::Big, ..RawLayout::new(VoxelType::U16, DIMS) };
        let volume = OpenedVolume::from_raw(voxels, &layout).expect("dims and type");
        OpenedVolume { header: posed(VoxelType::U16, DIMS), ..volume }
    }

    #[test]
    fn every_format_that_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut swapped = bytes();
        swapped.as_chunks_mut::<2>().0.iter_mut().for_each(|number| number.reverse());
        for format in VolumeFormat::ALL.into_iter().filter(|format| format.is_written()) {
            for once in [false, true] {
                let mut file = Vec::new();
                let mut last = (0, 0);
                let progress = &mut |done, total| last = (done, total);
                match write_volume(volume(once), format, &mut file, progress) {
                    Err(WriteError::NotWritten("vti")) if !cfg!(feature = "io") => continue,
                    written => written.unwrap_or_else(|error| panic!("{}: {error}", format.name())),
                }
                assert_eq!(last, (120, 120), "{format:?}");
                let path = format.path_beside(&folder.path().join("volume"));
                fs::write(&path, &file).expect("a file");
                let raw = RawLayout::new(VoxelType::U16, DIMS);
                let described = if format == VolumeFormat::Raw { raw } else { RawLayout::default() };
                let options = OpenOptions { raw: described, ..OpenOptions::default() };
                let read = open(&path, &options).unwrap_or_else(|error| panic!("{}: {error}", format.name()));
                assert_eq!((read.format, &read.files), (format, &vec![path.clone()]));
                if format != VolumeFormat::Raw {
                    let (have, want) = (&read.header, volume(once).header);
                    assert_eq!((have.spacing, have.origin), (want.spacing, want.origin), "{format:?}");
                    assert_eq!(have.orientation, want.orientation, "{format:?}");
                    let error = open(&path, &OpenOptions { raw, ..OpenOptions::default() });
                    assert!(matches!(error, Err(OpenError::Described)), "{error:?}");
                }
                let mut back = Vec::new();
                write_volume(read, VolumeFormat::Raw, &mut back, &mut |_, _| {}).expect("our own file");
                assert!(back == swapped, "{format:?}");
            }
        }
    }

    #[test]
    fn each_side_has_its_errors() {
        let mut short = volume(false);
        short.header.dims.z = 4;
        let error = write_volume(short, VolumeFormat::Nrrd, Vec::new(), &mut |_, _| {}).expect_err("short");
        assert!(matches!(error, WriteError::Voxels(_)) && error.kind() == VolumeErrorKind::Invalid);
        let full = &mut [0; 7][..];
        for format in [VolumeFormat::Nrrd, VolumeFormat::NiftiGz, VolumeFormat::Bwv] {
            let error = write_volume(volume(true), format, &mut *full, &mut |_, _| {}).expect_err("full");
            assert!(matches!(error, WriteError::Io(_)), "{format:?}: {error}");
        }
        let error = write_volume(volume(true), VolumeFormat::Tiff, Vec::new(), &mut |_, _| {});
        assert!(matches!(error, Err(WriteError::NotWritten("tiff"))));
    }
}
