//! Writes volumes in all formats that are written. `bwv.rs` chooses the brick of a `.bwv` file, `lost.rs`
//! names the fields that a format cannot store.

pub(crate) mod bwv;
pub(crate) mod lost;
#[cfg(feature = "io")]
mod ome_tiff;

#[cfg(feature = "io")]
use crate::vti;
use crate::{
    OpenedVolume, UnwritableFeature, VolumeFormat, WriteError, metaimage, mrc, nifti, npy, nrrd,
    streams::{
        planes::OneChannel,
        widened::{Widening, widened},
    },
    write::bwv::{BrickPolicy, WrittenVolume, write_bwv},
};
use brickwork_volume::{
    BrickEffort, BwvOptions, ByteOrder, Header, Progress, Task, VoxelStream, VoxelStreamError, VoxelType,
    copy_voxels,
};
use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};
use std::io::{self, Seek as _, SeekFrom, Write};

/// Fastest level, which is also nibabel's default.
const QUICK: Compression = Compression::fast();

/// Level of Zstandard, which is also the default of the program `zstd`.
#[cfg(feature = "zstd")]
const ZSTD_LEVEL: i32 = 3;

/// Options for writing a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VolumeWriteOptions {
    /// True to compress the voxels of NRRD by gzip, or those of MetaImage by zlib. The voxels of MetaImage
    /// are then read twice, so they cannot come from a pipe. Other formats ignore this. Default: false.
    pub compress: bool,
    /// Policy for the size of a `.bwv` file's bricks. Default: [`BrickPolicy::Auto`].
    pub brick: BrickPolicy,
    /// Maximum number of bytes of voxels that a `.bwv` writer holds at a time, like
    /// [`BwvOptions::max_memory`]. For a pipe, the sample takes up to the same amount again. Default: no
    /// limit.
    ///
    /// [`BwvOptions::max_memory`]: brickwork_volume::BwvOptions::max_memory
    pub max_memory: Option<u64>,
    /// Encoder of a `.bwv` file's bricks of 4³, like [`BwvOptions::effort`]. Default: [`BrickEffort::Full`].
    ///
    /// [`BwvOptions::effort`]: brickwork_volume::BwvOptions::effort
    pub effort: BrickEffort,
}

impl Default for VolumeWriteOptions {
    fn default() -> Self {
        let (brick, effort) = (BrickPolicy::default(), BrickEffort::Full);
        Self { compress: false, brick, max_memory: None, effort }
    }
}

impl VolumeWriteOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Writes `volume` to `sink` as a file of `format`: its header, except fields that the format cannot store,
/// and its voxels, the least significant byte of each number first. Half floats become f32 if the format has
/// none. Memory: a few MiB; for a `.bwv` file, a
/// slab. Reports the bytes of voxels done. Returns the size of the bricks of a `.bwv` file, and the reason
/// for it.
///
/// # Errors
/// [`WriteError::Volume`] if the voxels cannot be read, or `sink` fails.
/// [`WriteError::Unsupported`] if the format cannot store such a volume.
/// [`WriteError::NotWritten`] unless [`VolumeFormat::is_written`]; VTI and TIFF also need the feature `io`,
/// Zstandard the feature `zstd`.
pub fn write_volume(
    volume: OpenedVolume,
    format: VolumeFormat,
    options: &VolumeWriteOptions,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<WrittenVolume, WriteError> {
    write(volume, format, options, &mut sink, task)
}

fn write(
    volume: OpenedVolume,
    format: VolumeFormat,
    options: &VolumeWriteOptions,
    mut sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<WrittenVolume, WriteError> {
    let OpenedVolume { mut header, mut order, mut voxels, .. } = volume;
    if header.voxel_type == VoxelType::F16 && !format.has_halves() {
        voxels = widened(voxels, Widening::Halves(order)).map_err(VoxelStreamError::from)?;
        (header.voxel_type, order) = (VoxelType::F32, ByteOrder::Little);
    }
    let compress = options.compress;
    let mut written = WrittenVolume::default();
    match format {
        VolumeFormat::Bwv => {
            let &VolumeWriteOptions { brick, max_memory, effort, .. } = options;
            let options = BwvOptions::default().with(|o| (o.max_memory, o.effort) = (max_memory, effort));
            written = write_bwv((voxels, order), header, (brick, &options), &mut sink, task)?;
        }
        VolumeFormat::Raw => copy_voxels(voxels, order, &header, &mut sink, task)?,
        VolumeFormat::Nrrd => {
            nrrd::write_header(&header, compress, sink)?;
            if compress {
                let mut packed = GzEncoder::new(&mut sink, QUICK);
                copy_voxels(voxels, order, &header, &mut packed, task)?;
                packed.finish()?;
            } else {
                copy_voxels(voxels, order, &header, &mut sink, task)?;
            }
        }
        VolumeFormat::MetaImage => {
            if compress {
                write_packed_metaimage(voxels, order, &header, sink, task)?;
            } else {
                metaimage::write_header(&header, None, sink)?;
                copy_voxels(voxels, order, &header, &mut sink, task)?;
            }
        }
        VolumeFormat::Nifti => {
            nifti::write_header(&header, sink)?;
            write_nifti_voxels(voxels, order, &header, sink, task)?;
        }
        VolumeFormat::NiftiGz => {
            let mut packed = GzEncoder::new(&mut sink, QUICK);
            nifti::write_header(&header, &mut packed)?;
            write_nifti_voxels(voxels, order, &header, &mut packed, task)?;
            packed.finish()?;
        }
        #[cfg(feature = "zstd")]
        VolumeFormat::NiftiZst => {
            let mut packed = zstd::stream::write::Encoder::new(&mut sink, ZSTD_LEVEL)?;
            packed.include_checksum(true)?;
            nifti::write_header(&header, &mut packed)?;
            write_nifti_voxels(voxels, order, &header, &mut packed, task)?;
            packed.finish()?;
        }
        VolumeFormat::Mrc => mrc::write_map(voxels, order, &header, sink, task)?,
        #[cfg(feature = "io")]
        VolumeFormat::Vti => {
            vti::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, task)?;
            vti::write_end(sink)?;
        }
        #[cfg(not(feature = "zstd"))]
        VolumeFormat::NiftiZst => return Err(WriteError::NotWritten(format.name())),
        #[cfg(feature = "io")]
        VolumeFormat::Tiff => {
            ome_tiff::write_header(&header, sink)?;
            if header.channels > 1 {
                copy_voxels(voxels, order, &header, ome_tiff::Pages::new(&header, sink)?, task)?;
            } else {
                copy_voxels(voxels, order, &header, &mut sink, task)?;
            }
        }
        #[cfg(not(feature = "io"))]
        VolumeFormat::Vti | VolumeFormat::Tiff => return Err(WriteError::NotWritten(format.name())),
        VolumeFormat::Npy => {
            npy::write_header(&header, sink)?;
            copy_voxels(voxels, order, &header, &mut sink, task)?;
        }
        VolumeFormat::Mgh | VolumeFormat::Dicom | VolumeFormat::Folder | VolumeFormat::Zarr => {
            return Err(WriteError::NotWritten(format.name()));
        }
    }
    sink.flush()?;
    Ok(written)
}

/// Writes the voxels. The channels of vectors are stored one volume after the other, so the voxels are read
/// once per channel.
fn write_nifti_voxels(
    voxels: VoxelStream,
    order: ByteOrder,
    header: &Header,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<(), WriteError> {
    if !nifti::is_vector(header.voxel_type, header.channels) {
        return Ok(copy_voxels(voxels, order, header, sink, task)?);
    }
    let VoxelStream::Rewindable(mut file) = voxels else {
        return Err(WriteError::Unsupported {
            format: "NIfTI",
            what: UnwritableFeature::ChannelsOfPipe,
            instead: "NRRD and MetaImage do",
        });
    };
    let start = file.stream_position().map_err(VoxelStreamError::from)?;
    let channels = header.channels as u64;
    for channel in 0..header.channels {
        file.seek(SeekFrom::Start(start)).map_err(VoxelStreamError::from)?;
        let plane = OneChannel::new(&mut *sink, header, channel);
        let part = |progress: Progress| {
            let done = channel as u64 * progress.total + progress.done;
            task.report(progress.stage, done / channels, progress.total);
        };
        copy_voxels(&mut file, order, header, plane, &task.with_progress(&part))?;
    }
    Ok(())
}

/// Writes compressed voxels. The header states their size, which MetaIO needs. So they are compressed twice,
/// and counted the first time.
fn write_packed_metaimage(
    voxels: VoxelStream,
    order: ByteOrder,
    header: &Header,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<(), WriteError> {
    let VoxelStream::Rewindable(mut file) = voxels else {
        return Err(WriteError::Unsupported {
            format: "MetaImage",
            what: UnwritableFeature::CompressedOfPipe,
            instead: "NRRD does",
        });
    };
    let start = file.stream_position().map_err(VoxelStreamError::from)?;
    let mut pack = |sink: &mut dyn Write, is_last: bool| {
        file.seek(SeekFrom::Start(start)).map_err(VoxelStreamError::from)?;
        let mut packed = ZlibEncoder::new(sink, QUICK);
        let half = |Progress { stage, done, total, .. }: Progress| {
            task.report(stage, (done + if is_last { total } else { 0 }) / 2, total);
        };
        copy_voxels(&mut file, order, header, &mut packed, &task.with_progress(&half))?;
        packed.try_finish()?;
        Ok::<u64, WriteError>(packed.total_out())
    };
    let packed_bytes = pack(&mut io::sink(), false)?;
    metaimage::write_header(header, Some(packed_bytes), sink)?;
    if pack(sink, true)? != packed_bytes {
        let error =
            io::Error::new(io::ErrorKind::InvalidData, "the voxels have changed while they were read");
        return Err(VoxelStreamError::from(error).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenError, RawLayout, VolumeOpenOptions, header::format_header::tests::posed, open};
    use brickwork_volume::{Dims, ErrorKind, VolumeWriteError, VoxelType};
    use std::{fs, io::Cursor, sync::Mutex};

    const DIMS: Dims = Dims::new(5, 4, 3);

    fn bytes() -> Vec<u8> {
        (0..2 * 60).map(|i| i * 2).collect()
    }

    /// Returns a big-endian volume that can be read again, or only once.
    fn volume(once: bool) -> OpenedVolume {
        let file = Cursor::new(bytes());
        let voxels =
            if once { VoxelStream::Once(Box::new(file)) } else { VoxelStream::Rewindable(Box::new(file)) };
        let layout = RawLayout { order: ByteOrder::Big, ..RawLayout::new(VoxelType::U16, DIMS) };
        let volume = OpenedVolume::from_raw(voxels, &layout).expect("dims and type");
        OpenedVolume { header: posed(VoxelType::U16, DIMS), ..volume }
    }

    #[test]
    fn every_format_that_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut swapped = bytes();
        swapped.as_chunks_mut::<2>().0.iter_mut().for_each(|number| number.reverse());
        for format in VolumeFormat::ALL.iter().copied().filter(|format| format.is_written()) {
            for (once, compress) in [(false, false), (true, false), (false, true)] {
                let options = VolumeWriteOptions::default().with(|o| o.compress = compress);
                let mut file = Vec::new();
                let last = Mutex::new((0, 0));
                let tell = |progress: Progress| *last.lock().expect("free") = (progress.done, progress.total);
                let task = Task::new().with_progress(&tell);
                match write_volume(volume(once), format, &options, &mut file, &task) {
                    Err(WriteError::NotWritten("vti" | "tiff")) if !cfg!(feature = "io") => continue,
                    Err(WriteError::NotWritten("nifti-zst")) if !cfg!(feature = "zstd") => continue,
                    written => drop(written.unwrap_or_else(|error| panic!("{}: {error}", format.name()))),
                }
                assert_eq!(last.into_inner().expect("free"), (120, 120), "{format:?}");
                let path = format.path_beside(&folder.path().join("volume"));
                fs::write(&path, &file).expect("a file");
                let raw = RawLayout::new(VoxelType::U16, DIMS);
                let described = if format == VolumeFormat::Raw { raw } else { RawLayout::default() };
                let options = VolumeOpenOptions { raw: described, ..VolumeOpenOptions::default() };
                let read = open(&path, &options, &Task::new())
                    .unwrap_or_else(|error| panic!("{}: {error}", format.name()));
                assert_eq!((read.format, &read.files), (format, &vec![path.clone()]));
                if !matches!(format, VolumeFormat::Raw | VolumeFormat::Npy) {
                    let (have, want) = (&read.header, volume(once).header);
                    assert_eq!(have.spacing, want.spacing, "{format:?}");
                    assert_eq!(have.origin == want.origin, format != VolumeFormat::Tiff, "{format:?}");
                    // MRC has no directions that turn one axis to another.
                    let turns = !matches!(format, VolumeFormat::Mrc | VolumeFormat::Tiff);
                    assert_eq!(have.orientation == want.orientation, turns, "{format:?}");
                    let error =
                        open(&path, &VolumeOpenOptions { raw, ..VolumeOpenOptions::default() }, &Task::new());
                    assert!(matches!(error, Err(OpenError::Described)), "{error:?}");
                }
                let mut back = Vec::new();
                write_volume(
                    read,
                    VolumeFormat::Raw,
                    &VolumeWriteOptions::default(),
                    &mut back,
                    &Task::new(),
                )
                .expect("our own file");
                assert!(back == swapped, "{format:?}");
            }
        }
    }

    /// Writes and reads NIfTI's vectors channel by channel, in one file, compressed, or beside their header.
    #[test]
    fn vectors_of_nifti_are_planes() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = posed(VoxelType::I16, Dims::new(2, 2, 1)).with(|header| {
            header.channels = 3;
            header.frames = 2;
        });
        let numbers: Vec<u8> = (0..24u16).flat_map(u16::to_le_bytes).collect();
        let volume = || OpenedVolume {
            format: VolumeFormat::Raw,
            header: header.clone(),
            order: ByteOrder::Little,
            voxels: VoxelStream::Rewindable(Box::new(Cursor::new(numbers.clone()))),
            files: Vec::new(),
            notes: Vec::new(),
        };
        let mut file = Vec::new();
        let packed = if cfg!(feature = "zstd") { VolumeFormat::NiftiZst } else { VolumeFormat::NiftiGz };
        for format in [packed, VolumeFormat::NiftiGz, VolumeFormat::Nifti] {
            file.clear();
            let last = Mutex::new((0, 0));
            let tell = |progress: Progress| *last.lock().expect("free") = (progress.done, progress.total);
            let task = Task::new().with_progress(&tell);
            write_volume(volume(), format, &VolumeWriteOptions::default(), &mut file, &task).expect("memory");
            assert_eq!(last.into_inner().expect("free"), (48, 48));
            fs::write(format.path_beside(&folder.path().join("v")), &file).expect("a file");
        }
        // Checks dim, the intent of vectors, and that the first channel of all voxels precedes the second.
        let dim: Vec<u8> = [5u16, 2, 2, 1, 2, 3, 1, 1].into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!((&file[40..56], &file[68..70]), (&dim[..], &1007u16.to_le_bytes()[..]));
        let planes: Vec<u8> =
            (0..3).flat_map(|c| (0..8u16).map(move |i| 3 * i + c)).flat_map(u16::to_le_bytes).collect();
        assert_eq!(file[352..], planes);
        let mut pair = file[..352].to_vec();
        pair[344..348].copy_from_slice(b"ni1\0");
        pair[108..112].fill(0);
        fs::write(folder.path().join("pair.hdr"), pair).expect("a file");
        fs::write(folder.path().join("pair.img"), &planes).expect("a file");
        let zst = format!("v.{}", packed.extensions()[0]);
        for name in ["v.nii", "v.nii.gz", &zst, "pair.hdr"] {
            let read =
                open(folder.path().join(name), &VolumeOpenOptions::default(), &Task::new()).expect(name);
            let (have, want) = (&read.header, &header);
            assert_eq!((have.dims, have.channels, have.frames), (want.dims, 3, 2), "{name}");
            // Writing `.bwv` reads the voxels twice.
            for format in [VolumeFormat::Bwv, VolumeFormat::Raw] {
                let read =
                    open(folder.path().join(name), &VolumeOpenOptions::default(), &Task::new()).expect(name);
                let mut back = Vec::new();
                write_volume(read, format, &VolumeWriteOptions::default(), &mut back, &Task::new())
                    .expect(name);
                assert!(format == VolumeFormat::Bwv || back == numbers, "{name}");
            }
        }
        fs::write(folder.path().join("pair.img"), &planes[1..]).expect("a file");
        let read = open(folder.path().join("pair.hdr"), &VolumeOpenOptions::default(), &Task::new())
            .expect("a header");
        let error =
            write_volume(read, VolumeFormat::Raw, &VolumeWriteOptions::default(), Vec::new(), &Task::new());
        assert!(matches!(error, Err(WriteError::Volume(VolumeWriteError::Voxels(_)))), "{error:?}");
        fs::remove_file(folder.path().join("pair.img")).expect("a file");
        let error = open(folder.path().join("pair.hdr"), &VolumeOpenOptions::default(), &Task::new())
            .expect_err("no voxels");
        assert!(error.voxel_file().is_some_and(|(path, _)| path.ends_with("pair.img")), "{error}");
        let once =
            OpenedVolume { voxels: VoxelStream::Once(Box::new(Cursor::new(numbers.clone()))), ..volume() };
        let error =
            write_volume(once, VolumeFormat::Nifti, &VolumeWriteOptions::default(), Vec::new(), &Task::new());
        let error = error.expect_err("a pipe").to_string();
        assert!(error.starts_with("NIfTI does not hold channels that come from a pipe"), "{error}");
    }

    #[test]
    fn each_side_has_its_errors() {
        let options = VolumeWriteOptions::default().with(|o| o.compress = true);
        let mut short = volume(false);
        short.header.dims.z = 4;
        let error =
            write_volume(short, VolumeFormat::Nrrd, &options, Vec::new(), &Task::new()).expect_err("short");
        assert!(
            matches!(error, WriteError::Volume(VolumeWriteError::Voxels(_)))
                && error.kind() == ErrorKind::Invalid
        );
        let full = &mut [0; 7][..];
        let packed = if cfg!(feature = "zstd") { VolumeFormat::NiftiZst } else { VolumeFormat::NiftiGz };
        for format in [VolumeFormat::Nrrd, packed, VolumeFormat::NiftiGz, VolumeFormat::Bwv] {
            let error =
                write_volume(volume(true), format, &options, &mut *full, &Task::new()).expect_err("full");
            assert!(matches!(error, WriteError::Volume(VolumeWriteError::Io(_))), "{format:?}: {error}");
        }
        let error = write_volume(volume(true), VolumeFormat::MetaImage, &options, Vec::new(), &Task::new());
        let error = error.expect_err("a pipe").to_string();
        assert!(
            error.starts_with("MetaImage does not hold compressed voxels that come from a pipe"),
            "{error}"
        );
        let error = write_volume(volume(true), VolumeFormat::Dicom, &options, Vec::new(), &Task::new());
        assert!(matches!(error, Err(WriteError::NotWritten("dicom"))));
    }
}
