//! Volumes that may be packed by gzip or Zstandard: NIfTI in one file or a pair, MRC and MGH.

use super::voxels::{in_voxel_file, open_file, open_packed, unpacked_if_packed, with_voxels};
use crate::{
    Axis, AxisOrder, FormatError, FormatHeader, NiftiFeature, Note, OpenError, OpenedVolume, StorageOrder,
    VolumeFormat, VoxelEncoding, VoxelLocation,
    format::{with_added, without_extension},
    mgh, mrc, nifti,
    opened::{opened_volume::BUFFER_BYTES, source::Source},
    streams::{
        limited::{first_bytes, limited},
        permuted::Permuted,
        planes,
        widened::widened,
    },
};
use brickwork_base::regular_file;
use brickwork_volume::{ByteOrder, Region, Selection, ShapeError, Task, VoxelStream};
use std::{
    io::BufReader,
    path::{Path, PathBuf},
};

/// FreeSurfer's volume, packed or not. The time between frames follows the voxels, so a packed file of
/// several frames is unpacked as a whole.
pub fn open_mgh(file: VoxelStream) -> Result<OpenedVolume, OpenError> {
    let (mut file, _) = unpacked_if_packed(file)?;
    let FormatHeader { mut header, order, notes, .. } = mgh::read_header(&mut file)?;
    let byte_count = header.raw_bytes()?;
    if header.frames > 1
        && let VoxelStream::Rewindable(file) = &mut file
    {
        header.frame_spacing = mgh::frame_spacing(file, byte_count)?;
    }
    let voxels = first_bytes(file, byte_count)?;
    Ok(OpenedVolume { format: VolumeFormat::Mgh, header, order, voxels, files: Vec::new(), notes })
}

/// Map of MRC, packed or not; `name` is that of the file. A pipe whose axes are not x, y, z is held in
/// memory, up to `most` bytes.
pub fn open_mrc(
    file: VoxelStream,
    name: &str,
    most: Option<u64>,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let (mut voxels, encoding) = unpacked_if_packed(file)?;
    let mrc::Found { header, mut order, widening, axes, byte_count, mut notes } =
        mrc::read_header(&mut voxels, mrc::is_stack_name(name))?;
    if encoding == VoxelEncoding::Raw {
        let (within, count) = limited(voxels, byte_count)?;
        voxels = within;
        notes.extend((count > 0).then_some(Note::BytesAfterVoxels { count }));
    }
    let stored = AxisOrder::new(&axes.map(|axis| [Axis::X, Axis::Y, Axis::Z][axis])).map(AxisOrder::reversed);
    let order_here = stored.filter(|stored| !stored.is_usual());
    if order_here.is_some()
        && let VoxelStream::Once(pipe) = &mut voxels
    {
        let source = Source::of_stream(pipe, most, task)?;
        voxels = VoxelStream::Rewindable(Box::new(source.open()?));
    }
    if let Some(widening) = widening {
        voxels = widened(voxels, widening)?;
        order = ByteOrder::Little;
    }
    voxels = match (voxels, order_here) {
        (VoxelStream::Rewindable(source), Some(axes)) => {
            let permuted = Permuted::new(source, &header, axes)?;
            VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, permuted)))
        }
        (voxels, _) => voxels,
    };
    Ok(OpenedVolume { format: VolumeFormat::Mrc, header, order, voxels, files: Vec::new(), notes })
}

/// NIfTI in one file or a pair, each packed or not. Takes the channel if the file's channels are separate
/// volumes: the others are then not read.
pub fn open_nifti(
    format: VolumeFormat,
    path: &Path,
    channel: &mut Option<usize>,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let (mut file, encoding) = unpacked_if_packed(open_file(path, task)?)?;
    let pair = pair_of(path);
    let pair_name = pair.file_name().unwrap_or_default().to_string_lossy();
    let header = nifti::read_header(&mut file, &pair_name)?;
    let is_packed = pair.extension().is_some_and(|extension| extension == "gz");
    let pair_encoding = if is_packed { VoxelEncoding::Gzip } else { VoxelEncoding::Raw };
    if header.storage_order == StorageOrder::ChannelsLast {
        return open_vectors(format, path, &mut file, header, (encoding, pair_encoding), channel.take());
    }
    let voxel_encoding = match &header.voxels {
        VoxelLocation::Attached => encoding,
        VoxelLocation::Detached { .. } | VoxelLocation::Files { .. } => pair_encoding,
    };
    let is_packed = voxel_encoding != VoxelEncoding::Raw;
    with_voxels(format, path, (file, is_packed), header, |path| open_packed(path, pair_encoding, task))
}

/// Opens voxels of NIfTI whose channels are stored one volume after the other. Opens the file once per
/// channel.
fn open_vectors(
    format: VolumeFormat,
    path: &Path,
    file: &mut VoxelStream,
    FormatHeader { header, order, voxels, notes, .. }: FormatHeader,
    (file_encoding, pair_encoding): (VoxelEncoding, VoxelEncoding),
    channel: Option<usize>,
) -> Result<OpenedVolume, OpenError> {
    let count = header.channels;
    if let Some(index) = channel.filter(|&index| index >= count) {
        return Err(ShapeError::Selected { what: "channel", index, count }.into());
    }
    let selection = Selection { channel, ..Selection::default() };
    let first = channel.unwrap_or(0) as u64 * (header.raw_bytes()? / count as u64);
    let header = header.of_part(&selection, &Region::all(header.dims));
    let mut files = vec![path.to_owned()];
    let (voxel_path, start, encoding) = match (voxels, file) {
        (VoxelLocation::Attached, VoxelStream::Rewindable(file)) => {
            (path.to_owned(), file.stream_position()?, file_encoding)
        }
        (VoxelLocation::Attached, VoxelStream::Once(_)) => return Err(vectors_come_once().into()),
        (VoxelLocation::Files { .. }, _) => {
            return Err(FormatError::from(NiftiFeature::FileList).into());
        }
        (VoxelLocation::Detached { name, skip }, _) => {
            files.push(path.with_file_name(name));
            (files[1].clone(), skip.unwrap_or(0), pair_encoding)
        }
    };
    regular_file::check(&voxel_path).map_err(|reason| in_voxel_file(&voxel_path, reason))?;
    let voxels = planes::side_by_side(&header, move |distance| {
        let mut file = open_packed(&voxel_path, encoding, &Task::new())?;
        file.skip(start + first + distance)?;
        Ok(Box::new(file))
    })?;
    let volume = OpenedVolume::from_files(format, header, order, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the error that vectors cannot come from a pipe: each channel is read separately.
pub fn vectors_come_once() -> FormatError {
    NiftiFeature::VectorsOfPipe.into()
}

/// Returns the file of the voxels for a header at `path`, if they are separate: an `.img` file beside it,
/// compressed or not.
fn pair_of(path: &Path) -> PathBuf {
    let bare = without_extension(path);
    let (plain, packed) = (with_added(&bare, "img"), with_added(&bare, "img.gz"));
    if packed.exists() && !plain.exists() { packed } else { plain }
}
