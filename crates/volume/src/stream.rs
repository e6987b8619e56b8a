//! Voxels as streams of bytes: from files and pipes to `.bwv` files and back, a slab at a time.

use crate::{
    EncodeOptions, Header, ReadAt, ReadError, Region, Selection, VolumeFile, VolumeWriter, Voxel, WriteError,
    file::Scans,
    raw::{NATIVE, at_end, fill},
    voxel::{dispatch, into_le_bytes},
};
use std::io::{Read, Seek, SeekFrom, Write};

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 22;

/// Which byte of a voxel comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// The least significant one.
    #[default]
    Little,
    /// The most significant one.
    Big,
}

/// Reads the raw voxels of `header` from `source`, channels fastest, then x, y, z and frames, and writes a `.bwv` file to `sink`;
/// returns its length. Memory: a slab. Values are ranked slab by slab. `progress` is called with the bytes read and the bytes in all.
///
/// # Errors
/// [`WriteError`] if `source` has fewer or more bytes than the header says, or from source and sink.
pub fn encode_stream(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    options: &EncodeOptions,
    sink: impl Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<u64, WriteError> {
    dispatch!(header.voxel_type, T => {
        let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
        pieces(&mut source, order, header, |voxels: &[T], done, total| {
            progress(done, total);
            writer.write_voxels(voxels).map(|()| true)
        })?;
        writer.finish().map(|(_, byte_count)| byte_count)
    })
}

/// As [`encode_stream`], but reads `source` twice, so that one rank table serves the whole volume, as
/// [`encode`](crate::encode) makes it.
///
/// # Errors
/// As [`encode_stream`].
pub fn encode_file(
    mut source: impl Read + Seek,
    order: ByteOrder,
    header: &Header,
    options: &EncodeOptions,
    sink: impl Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<u64, WriteError> {
    dispatch!(header.voxel_type, T => {
        let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
        if options.remap {
            let start = source.stream_position()?;
            let mut scans = Scans::new::<T>(header.channels);
            pieces(&mut source, order, header, |voxels: &[T], _, _| Ok(scans.add(voxels)))?;
            writer.share_tables(scans.finish());
            source.seek(SeekFrom::Start(start))?;
        }
        pieces(&mut source, order, header, |voxels: &[T], done, total| {
            progress(done, total);
            writer.write_voxels(voxels).map(|()| true)
        })?;
        writer.finish().map(|(_, byte_count)| byte_count)
    })
}

/// Calls `with` the voxels of `source` a piece of whole ones at a time, the bytes read so far and the bytes in all, for as long
/// as it says true.
fn pieces<T: Voxel>(
    source: &mut impl Read,
    order: ByteOrder,
    header: &Header,
    mut with: impl FnMut(&[T], u64, u64) -> Result<bool, WriteError>,
) -> Result<(), WriteError> {
    let total = header.raw_bytes()?;
    let mut done = 0;
    let most = PIECE_BYTES / size_of::<T>() / header.channels * header.channels;
    let mut piece: Vec<T> = vec![T::zeroed(); most];
    while done < total {
        let wanted = (total - done).min((most * size_of::<T>()) as u64) as usize;
        let bytes = &mut bytemuck::cast_slice_mut::<T, u8>(&mut piece)[..wanted];
        fill(source, if order == NATIVE { 1 } else { size_of::<T>() }, bytes, done, total)?;
        done += wanted as u64;
        if !with(&piece[..wanted / size_of::<T>()], done, total)? {
            return Ok(());
        }
    }
    at_end(source, total)
}

/// Writes the voxels of `region` that are selected to `sink` as little-endian bytes, channels fastest, then x, y, z and frames.
/// Memory: the region's part of a slab. `progress` is called with the slices done and the slices in all.
///
/// # Errors
/// [`ReadError`], also from `sink`.
pub fn decode_stream<S: ReadAt>(
    file: &VolumeFile<S>,
    selection: &Selection,
    region: &Region,
    mut sink: impl Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), ReadError> {
    let (frames, _) = file.check(selection)?;
    region.check(file.header().level_dims(selection.level))?;
    let depth = file.slab_depth();
    let total = region.z.len() as u64 * frames.len() as u64;
    let mut done = 0;
    for frame in frames {
        let selection = Selection { frames: Some(frame..frame + 1), ..selection.clone() };
        let mut z = region.z.start;
        while z < region.z.end {
            let end = region.z.end.min((z / depth + 1) * depth);
            let slab = Region { z: z..end, ..region.clone() };
            dispatch!(file.header().voxel_type, T => {
                sink.write_all(&into_le_bytes(file.read_selected::<T>(&selection, &slab)?))?;
            });
            done += (end - z) as u64;
            z = end;
            progress(done, total);
        }
    }
    Ok(())
}
