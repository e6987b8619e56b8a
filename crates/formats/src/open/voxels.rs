//! Voxels of a header: behind it, or in other files.

use crate::{
    FormatError, FormatHeader, Note, NrrdFeature, OpenError, OpenedVolume, StorageOrder, VolumeFormat,
    VolumeOpenOptions, VoxelEncoding, VoxelLocation,
    opened::opened_volume::BUFFER_BYTES,
    streams::{
        file_list,
        limited::limited,
        permuted::Permuted,
        unpacked::{encoding_of, unpacked},
    },
};
use brickwork_base::regular_file;
use brickwork_volume::{ShapeError, Task, VoxelStream};
use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

/// Refuses names of axes for a format whose files name them.
pub fn check_axes(format: VolumeFormat, options: &VolumeOpenOptions) -> Result<(), FormatError> {
    let is_unnamed = matches!(format, VolumeFormat::Npy | VolumeFormat::Zarr);
    if options.axes.is_none() || is_unnamed { Ok(()) } else { Err(FormatError::NamedAxes) }
}

/// Refuses a smaller mip level of a format that has none. Others are opened at the level.
pub fn check_level(volume: &OpenedVolume, options: &VolumeOpenOptions) -> Result<(), ShapeError> {
    if options.mip_level == 0 || matches!(volume.format, VolumeFormat::Bwv | VolumeFormat::Zarr) {
        return Ok(());
    }
    Err(ShapeError::Selected { what: "level", index: options.mip_level, count: 1 })
}

/// Returns a channel of a volume, or all without an index. `.bwv` files, Zarr arrays, and TIFF stacks whose
/// channels are pages have only the chosen one already.
pub fn with_channel(volume: OpenedVolume, index: Option<usize>) -> Result<OpenedVolume, OpenError> {
    let count = volume.header.channels;
    let Some(index) = index else { return Ok(volume) };
    let is_chosen = match volume.format {
        VolumeFormat::Bwv | VolumeFormat::Zarr => true,
        VolumeFormat::Tiff => count == 1,
        _ => false,
    };
    if is_chosen { Ok(volume) } else { volume.into_channel(index) }
}

/// Checks that a slice takes no more memory than allowed, if the volume is read slice by slice.
pub fn check_slices(volume: &OpenedVolume, options: &VolumeOpenOptions) -> Result<(), OpenError> {
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
/// they are in another file, `open_other` opens it. `is_packed` is true if the voxels are unpacked, so that
/// their length is unknown.
pub fn with_voxels(
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
        let (within, rest) = limited(voxels, byte_count).map_err(|reason| match &files[..] {
            [_, path] => OpenError::VoxelFile { path: path.clone(), reason: Box::new(reason) },
            _ => reason,
        })?;
        voxels = within;
        notes.extend((rest > 0).then_some(Note::BytesAfterVoxels { count: rest }));
    }
    if let StorageOrder::Axes(order) = storage_order {
        let VoxelStream::Rewindable(source) = voxels else {
            return Err(FormatError::from(NrrdFeature::PipedFramesFirst).into());
        };
        let permuted = Permuted::new(source, &header, order)?;
        voxels = VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, permuted)));
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

/// Returns the error with the name of the file of the voxels.
pub fn in_voxel_file(path: &Path, reason: io::Error) -> OpenError {
    OpenError::VoxelFile { path: path.to_owned(), reason: Box::new(reason.into()) }
}

/// Opens a file. A regular file can be read again, a pipe cannot.
pub fn open_file(path: &Path, task: &Task<'_>) -> io::Result<VoxelStream> {
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

/// Returns the bytes of `file`, unpacked if they are gzip or Zstandard, and their encoding: the names of
/// NIfTI files do not always tell.
pub fn unpacked_if_packed(mut file: VoxelStream) -> io::Result<(VoxelStream, VoxelEncoding)> {
    let encoding = encoding_of(file.fill_buf()?);
    Ok((unpacked(file, encoding)?, encoding))
}

/// Opens a file like [`open_file`], and unpacks its bytes.
pub fn open_packed(path: &Path, encoding: VoxelEncoding, task: &Task<'_>) -> io::Result<VoxelStream> {
    unpacked(open_file(path, task)?, encoding)
}
