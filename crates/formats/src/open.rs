//! Opens volumes of any format: recognizes the format and streams the voxels from the first one on.

#[cfg(feature = "io")]
use crate::folder;
use crate::{
    FormatError, FormatHeader, NiftiFeature, Note, NrrdFeature, OpenError, OpenedVolume, RawLayout,
    StorageOrder, VolumeFormat, VoxelEncoding, VoxelLocation, file_list,
    format::{header_beside, with_added, without_extension},
    gzip,
    limited::{first_bytes, limited},
    metaimage, mgh, nifti, npy, nrrd,
    open_options::VolumeOpenOptions,
    opened_volume::BUFFER_BYTES,
    pipe::{VolumePipe, open_source},
    planes,
    reordered::Reordered,
    source::Source,
    unpacked::unpacked,
    zarr,
};
use brickwork_base::regular_file;
use brickwork_volume::{ShapeError, Task, VoxelStream};
use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

/// Opens the volume at `path`, of any format: a file, a header whose voxels are in another file, or a folder
/// of slices. Reads headers, but no voxels yet. Opens pipes like [`VolumePipe`].
///
/// Reports the number of files or pages examined. The stream of voxels keeps the task's token: if it is
/// cancelled, a later call also stops.
///
/// ```no_run
/// use brickwork_formats::{VolumeFormat, open, write_volume};
/// use brickwork_volume::Task;
///
/// let task = Task::new();
/// let volume = open("scan.nrrd", &Default::default(), &task)?;
/// let file = std::fs::File::create("scan.bwv")?;
/// write_volume(volume, VolumeFormat::Bwv, &Default::default(), file, &task)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`]. Without the features `io`, `dicom` and `zarr`, the formats that need them are not
/// supported.
pub fn open(
    path: impl AsRef<Path>,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let path = path.as_ref();
    let is_described = options.raw != RawLayout::default();
    let format = match options.format.or_else(|| VolumeFormat::of_path(path)) {
        Some(format) => format,
        None if is_described => VolumeFormat::Raw,
        None => VolumeFormat::detect(path)?,
    };
    if is_described && format != VolumeFormat::Raw {
        return Err(OpenError::Described);
    }
    // If the name does not decide, the first bytes of a pipe do.
    let is_told = options.format.or_else(|| VolumeFormat::of_path(path)).is_some() || is_described;
    if !is_told && !std::fs::metadata(path)?.is_file() {
        return VolumePipe::new(File::open(path)?)?.open(options, task);
    }
    if !is_described {
        check_pointer(path)?;
    }
    let is_pair = matches!(format, VolumeFormat::Nifti | VolumeFormat::NiftiGz);
    let header_path = if is_pair { header_beside(path) } else { None };
    let path = header_path.as_deref().unwrap_or(path);
    let mut volume = match format {
        VolumeFormat::Raw => OpenedVolume::from_raw(open_file(path, task)?, &options.raw)?,
        VolumeFormat::Nrrd => {
            let mut file = open_file(path, task)?;
            let header = nrrd::read_header(&mut file)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::MetaImage => {
            let mut file = open_file(path, task)?;
            let header = metaimage::read_header(&mut file)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::Npy => {
            let mut file = open_file(path, task)?;
            let header = npy::read_header(&mut file)?;
            let file = npy::rewindable(file, &header, options.max_memory, task)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::Mgh => open_mgh(open_file(path, task)?)?,
        VolumeFormat::Nifti | VolumeFormat::NiftiGz => open_nifti(format, path, task)?,
        #[cfg(feature = "io")]
        VolumeFormat::Folder => folder::open(path, options, task)?,
        #[cfg(not(feature = "io"))]
        VolumeFormat::Folder => {
            return Err(FormatError::from(crate::UnsupportedFeature::Build { format, feature: "io" }).into());
        }
        VolumeFormat::Zarr => return zarr::open_level(path, options, task),
        VolumeFormat::Bwv | VolumeFormat::Vti | VolumeFormat::Tiff | VolumeFormat::Dicom => {
            open_source(format, Source::of_path(path, options.max_memory, task)?, options, task)?
        }
    };
    if volume.files.is_empty() {
        volume.files.push(path.to_owned());
    }
    check_slices(&volume, options)?;
    check_level(&volume, options)?;
    volume.voxels = volume.voxels.stopped_by(task);
    Ok(volume)
}

/// Starts of small files that replace large ones in Git repositories, their program, and its command.
const POINTERS: [(&[u8], &str, &str); 2] = [
    (b"version https://git-lfs.github.com/spec/", "Git LFS", "git lfs pull"),
    (b"/annex/objects/", "git-annex", "git annex get"),
];

/// Refuses a file that only names the volume.
fn check_pointer(path: &Path) -> Result<(), OpenError> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(());
    }
    let mut start = Vec::new();
    File::open(path)?.take(POINTERS[0].0.len() as u64).read_to_end(&mut start)?;
    match POINTERS.iter().find(|pointer| start.starts_with(pointer.0)) {
        Some(&(_, program, command)) => Err(FormatError::Pointer { program, command }.into()),
        None => Ok(()),
    }
}

/// Refuses a smaller mip level of a format that has none.
pub(crate) fn check_level(volume: &OpenedVolume, options: &VolumeOpenOptions) -> Result<(), ShapeError> {
    if options.mip_level == 0 || volume.format == VolumeFormat::Bwv {
        return Ok(());
    }
    Err(ShapeError::Selected { what: "level", index: options.mip_level, count: 1 })
}

/// Checks that a slice takes no more memory than allowed, if the volume is read slice by slice.
pub(crate) fn check_slices(volume: &OpenedVolume, options: &VolumeOpenOptions) -> Result<(), OpenError> {
    let is_of_slices =
        matches!(volume.format, VolumeFormat::Tiff | VolumeFormat::Dicom | VolumeFormat::Folder);
    let (header, Some(limit)) = (&volume.header, options.max_memory.filter(|_| is_of_slices)) else {
        return Ok(());
    };
    let slices = (header.dims.z * header.frames) as u64;
    let need = header.raw_bytes()? / slices;
    if need > limit { Err(FormatError::OverLimit { need, limit }.into()) } else { Ok(()) }
}

/// Returns the volume of a header at the start of `file`, which is then at the voxels, if they follow. If
/// they are in another file, `open_other` opens it. `is_packed` is true if the voxels are inflated gzip,
/// whose length is unknown.
pub(crate) fn with_voxels(
    format: VolumeFormat,
    path: &Path,
    (file, is_packed): (VoxelStream, bool),
    found: FormatHeader,
    open_other: impl Fn(&Path) -> io::Result<VoxelStream>,
) -> Result<OpenedVolume, OpenError> {
    let FormatHeader { header, order, voxels, encoding, skipped_lines, storage_order, mut notes } = found;
    let byte_count = header.raw_bytes()?;
    debug_assert!(storage_order != StorageOrder::ChannelsLast, "these have their own function");
    let mut files = vec![path.to_owned()];
    let is_list = matches!(voxels, VoxelLocation::Files { .. });
    let voxels = match voxels {
        VoxelLocation::Attached => {
            let mut file = file;
            skip_lines(&mut file, skipped_lines)?;
            unpacked(file, encoding)?
        }
        VoxelLocation::Detached { name, skip } => {
            let path = path.with_file_name(name);
            let opened = regular_file::check(&path)
                .and_then(|()| open_other(&path))
                .and_then(|voxels| at_voxels(voxels, encoding, (skipped_lines, skip), byte_count));
            let voxels = opened.map_err(|reason| in_voxel_file(&path, reason))?;
            files.push(path);
            voxels
        }
        VoxelLocation::Files { names, skip } => {
            let share = file_list::share(&names, byte_count)?;
            let paths: Vec<PathBuf> = names.iter().map(|name| path.with_file_name(name)).collect();
            for path in &paths {
                regular_file::check(path).map_err(|reason| in_voxel_file(path, reason))?;
            }
            files.extend(paths.iter().cloned());
            if let (VoxelEncoding::Raw, Some(skip), 0) = (encoding, skip, skipped_lines) {
                let wanted = skip.saturating_add(share);
                let surplus = |path| Ok(std::fs::metadata(path)?.len().saturating_sub(wanted));
                let count = paths.iter().map(surplus).sum::<io::Result<u64>>()?;
                notes.extend((count > 0).then_some(Note::BytesAfterVoxels { count }));
            }
            let voxels = file_list::joined(paths, share, move |path| {
                at_voxels(open_file(path, &Task::new())?, encoding, (skipped_lines, skip), share)
            });
            VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, voxels)))
        }
    };
    let mut voxels = voxels;
    if encoding == VoxelEncoding::Raw && !is_packed && !is_list {
        let (within, rest) = limited(voxels, byte_count)?;
        voxels = within;
        notes.extend((rest > 0).then_some(Note::BytesAfterVoxels { count: rest }));
    }
    if matches!(storage_order, StorageOrder::FramesFirst | StorageOrder::Reversed) {
        let VoxelStream::Rewindable(source) = voxels else {
            return Err(FormatError::from(NrrdFeature::PipedFramesFirst).into());
        };
        let reordered = match storage_order {
            StorageOrder::Reversed => Reordered::reversed(source, &header)?,
            _ => Reordered::frames_first(source, &header)?,
        };
        voxels = VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, reordered)));
    }
    Ok(OpenedVolume { format, header, order, voxels, files, notes })
}

/// Skips lines; each ends in a line feed.
fn skip_lines(file: &mut VoxelStream, count: u64) -> io::Result<()> {
    for _ in 0..count {
        if file.skip_until(b'\n')? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "ends within the lines to skip"));
        }
    }
    Ok(())
}

/// Moves a newly opened file to its first voxel, after the lines and bytes to skip. Without a count of bytes,
/// the last `byte_count` bytes are the voxels.
fn at_voxels(
    mut voxels: VoxelStream,
    encoding: VoxelEncoding,
    (lines, skip): (u64, Option<u64>),
    byte_count: u64,
) -> io::Result<VoxelStream> {
    skip_lines(&mut voxels, lines)?;
    let skip = match (skip, &mut voxels) {
        (Some(skip), _) => skip,
        (None, VoxelStream::Rewindable(file)) => {
            let (at, end) = (file.stream_position()?, file.seek(SeekFrom::End(0))?);
            file.seek(SeekFrom::Start(at))?;
            end.saturating_sub(byte_count).saturating_sub(at)
        }
        (None, VoxelStream::Once(_)) => 0,
    };
    let skips_packed = encoding == VoxelEncoding::Zlib || matches!(encoding, VoxelEncoding::Text(_));
    if skips_packed {
        voxels.skip(skip)?;
    }
    let mut voxels = unpacked(voxels, encoding)?;
    if !skips_packed {
        voxels.skip(skip)?;
    }
    Ok(voxels)
}

fn in_voxel_file(path: &Path, reason: io::Error) -> OpenError {
    OpenError::VoxelFile { path: path.to_owned(), reason: Box::new(reason.into()) }
}

/// FreeSurfer's volume, packed or not.
pub(crate) fn open_mgh(file: VoxelStream) -> Result<OpenedVolume, OpenError> {
    let (mut file, _) = unpacked_if_packed(file)?;
    let found = mgh::read_header(&mut file)?;
    let voxels = first_bytes(file, found.header.raw_bytes()?)?;
    let FormatHeader { header, order, notes, .. } = found;
    Ok(OpenedVolume { format: VolumeFormat::Mgh, header, order, voxels, files: Vec::new(), notes })
}

fn open_nifti(format: VolumeFormat, path: &Path, task: &Task<'_>) -> Result<OpenedVolume, OpenError> {
    let (mut file, file_is_packed) = unpacked_if_packed(open_file(path, task)?)?;
    let pair = pair_of(path);
    let pair_name = pair.file_name().unwrap_or_default().to_string_lossy();
    let header = nifti::read_header(&mut file, &pair_name)?;
    let is_packed = pair.extension().is_some_and(|extension| extension == "gz");
    if header.storage_order == StorageOrder::ChannelsLast {
        return open_vectors(format, path, &mut file, header, (file_is_packed, is_packed));
    }
    let open_other = |path: &Path| if is_packed { open_packed(path, task) } else { open_file(path, task) };
    let voxels_are_packed = match &header.voxels {
        VoxelLocation::Attached => file_is_packed,
        VoxelLocation::Detached { .. } | VoxelLocation::Files { .. } => is_packed,
    };
    with_voxels(format, path, (file, voxels_are_packed), header, open_other)
}

/// Opens voxels of NIfTI whose channels are stored one volume after the other. Opens the file once per
/// channel.
fn open_vectors(
    format: VolumeFormat,
    path: &Path,
    file: &mut VoxelStream,
    FormatHeader { header, order, voxels, notes, .. }: FormatHeader,
    (file_is_packed, pair_is_packed): (bool, bool),
) -> Result<OpenedVolume, OpenError> {
    let mut files = vec![path.to_owned()];
    let (voxel_path, start, is_packed) = match (voxels, file) {
        (VoxelLocation::Attached, VoxelStream::Rewindable(file)) => {
            (path.to_owned(), file.stream_position()?, file_is_packed)
        }
        (VoxelLocation::Attached, VoxelStream::Once(_)) => return Err(vectors_come_once().into()),
        (VoxelLocation::Files { .. }, _) => {
            return Err(FormatError::from(NiftiFeature::FileList).into());
        }
        (VoxelLocation::Detached { name, skip }, _) => {
            files.push(path.with_file_name(name));
            (files[1].clone(), skip.unwrap_or(0), pair_is_packed)
        }
    };
    regular_file::check(&voxel_path).map_err(|reason| in_voxel_file(&voxel_path, reason))?;
    let voxels = planes::side_by_side(&header, move |distance| {
        let task = &Task::new();
        let mut file = if is_packed { open_packed(&voxel_path, task) } else { open_file(&voxel_path, task) }?;
        file.skip(start + distance)?;
        Ok(Box::new(file))
    })?;
    let volume = OpenedVolume::from_files(format, header, order, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the error that vectors cannot come from a pipe: each channel is read separately.
pub(crate) fn vectors_come_once() -> FormatError {
    NiftiFeature::VectorsOfPipe.into()
}

/// Returns the file of the voxels for a header at `path`, if they are separate: an `.img` file beside it,
/// compressed or not.
fn pair_of(path: &Path) -> PathBuf {
    let bare = without_extension(path);
    let (plain, packed) = (with_added(&bare, "img"), with_added(&bare, "img.gz"));
    if packed.exists() && !plain.exists() { packed } else { plain }
}

/// Opens a file. A regular file can be read again, a pipe cannot.
fn open_file(path: &Path, task: &Task<'_>) -> io::Result<VoxelStream> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, expected a file"));
    }
    let is_regular = metadata.is_file();
    let file = Box::new(BufReader::with_capacity(BUFFER_BYTES, file));
    let file = if is_regular { VoxelStream::Rewindable(file) } else { VoxelStream::Once(file) };
    Ok(file.stopped_by(task))
}

/// Returns the bytes of `file`, inflated if they are gzip, and whether they were: the names of NIfTI files do
/// not always tell.
pub(crate) fn unpacked_if_packed(mut file: VoxelStream) -> io::Result<(VoxelStream, bool)> {
    let is_packed = file.fill_buf()?.starts_with(&gzip::MAGIC);
    Ok((if is_packed { unpacked(file, VoxelEncoding::Gzip)? } else { file }, is_packed))
}

/// Opens a file like [`open_file`], and inflates its bytes.
fn open_packed(path: &Path, task: &Task<'_>) -> io::Result<VoxelStream> {
    unpacked(open_file(path, task)?, VoxelEncoding::Gzip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, ErrorKind, VoxelType};
    use std::fs;

    #[test]
    fn raw_voxels_need_a_description() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.raw");
        fs::write(&path, [1, 2, 3, 4, 5, 6]).expect("a file");
        let error = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect_err("no dims");
        assert!(matches!(error, OpenError::Undescribed) && error.kind() == ErrorKind::Argument);
        let raw = RawLayout::new(VoxelType::U8, Dims::new(3, 2, 1));
        let options = VolumeOpenOptions { raw, ..VolumeOpenOptions::default() };
        let mut volume = open(&path, &options, &Task::new()).expect("raw voxels");
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).expect("six bytes");
        assert_eq!((volume.header.dims, bytes.len()), (Dims::new(3, 2, 1), 6));
        let like = RawLayout { frames: Some(2), ..RawLayout::default() }.like(&volume.header);
        assert_eq!(like, RawLayout { frames: Some(2), channels: Some(1), ..raw });
        assert!(
            open(folder.path().join("b.raw"), &options, &Task::new())
                .is_err_and(|e| e.kind() == ErrorKind::Io)
        );
    }

    #[test]
    fn content_tells_the_format_where_the_name_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scan.dat");
        fs::write(&path, "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: raw\n\nab")
            .expect("a file");
        let volume = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect("NRRD");
        assert_eq!((volume.format, volume.header.dims), (VolumeFormat::Nrrd, Dims::new(1, 1, 2)));
        // A caller that describes voxels wants these bytes.
        let raw = RawLayout::new(VoxelType::U8, Dims::new(1, 1, 70));
        let volume = open(&path, &VolumeOpenOptions { raw, ..VolumeOpenOptions::default() }, &Task::new())
            .expect("raw voxels");
        assert_eq!(volume.format, VolumeFormat::Raw);
        let forced = VolumeOpenOptions { format: Some(VolumeFormat::Bwv), ..VolumeOpenOptions::default() };
        let error = open(&path, &forced, &Task::new()).expect_err("NRRD");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert_eq!(error.to_string(), "not a .bwv file: its first bytes differ");
    }

    #[test]
    fn encoded_voxels_are_found_behind_what_is_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let gzip = |bytes: &[u8]| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            io::Write::write_all(&mut packed, bytes).expect("memory");
            packed.finish().expect("memory")
        };
        let nrrd = |encoding: &str, skip: u32| {
            format!(
                "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 1 1\nencoding: {encoding}\n\
                 data file: voxels.bin\nbyte skip: {skip}\n\n"
            )
        };
        let meta = |line: &str, skip: u32| {
            format!(
                "NDims = 3\nDimSize = 3 1 1\n{line}\nHeaderSize = {skip}\nElementType = MET_UCHAR\n\
                 ElementDataFile = voxels.bin\n"
            )
        };
        let packed = gzip(&[9, 9, 1, 2, 3]);
        for (name, header, voxels) in [
            ("a.nhdr", nrrd("gzip", 2), packed.clone()),
            ("a.nhdr", nrrd("ascii", 2), b"9 1 2\n3\n".to_vec()),
            ("a.mhd", meta("CompressedData = True", 4), [b"skip".to_vec(), gzip(&[1, 2, 3])].concat()),
            ("a.mhd", meta("BinaryData = False", 2), b"9 1 2 3".to_vec()),
        ] {
            fs::write(path(name), &header).expect("a file");
            fs::write(path("voxels.bin"), voxels).expect("a file");
            let mut volume =
                open(path(name), &VolumeOpenOptions::default(), &Task::new()).expect("both files");
            let mut bytes = Vec::new();
            volume.voxels.read_to_end(&mut bytes).expect("three bytes");
            assert_eq!(bytes, [1, 2, 3], "{header}");
        }
    }

    #[test]
    fn voxels_in_a_file_of_their_own_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let header = "NDims = 3\nDimSize = 2 1 1\nHeaderSize = 1\nElementType = MET_UCHAR\n\
                      ElementDataFile = voxels.bin\n";
        fs::write(path("a.mhd"), header).expect("a file");
        let error = open(path("a.mhd"), &VolumeOpenOptions::default(), &Task::new()).expect_err("no voxels");
        let (missing, reason) = error.voxel_file().expect("the other file");
        assert_eq!((missing, reason.kind()), (path("voxels.bin").as_path(), ErrorKind::Io));
        fs::write(path("voxels.bin"), [7, 8, 9]).expect("a file");
        let mut volume =
            open(path("a.mhd"), &VolumeOpenOptions::default(), &Task::new()).expect("both files");
        assert_eq!(volume.files, [path("a.mhd"), path("voxels.bin")]);
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).expect("two bytes");
        assert_eq!(bytes, [8, 9]);
    }
}
