//! Raw voxels from a stream to a `.bwv` file, a slab at a time.

use super::{ByteOrder, pieces::pieces, voxel_stream::ReadSeek};
use crate::{
    BwvOptions, Header, Stage, Task, VolumeWriteError, VolumeWriter, VoxelStreamError, file::Scans,
    with_voxel_type,
};
use std::io::{Read, Seek, SeekFrom, Write};

/// Reads the raw voxels of `header` from `source`, channels fastest, then x, y, z and frames, and writes a
/// `.bwv` file to `sink`; returns its length in bytes. Memory: a slab. Values are ranked slab by slab.
/// Reports the bytes read.
///
/// # Errors
/// [`VolumeWriteError::Voxels`] if `source` fails, or has fewer or more bytes than the header requires;
/// [`VolumeWriteError::Io`] from `sink`; other errors of [`VolumeWriter::new`].
pub fn encode_stream(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    options: &BwvOptions,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    encode_once(&mut source, order, header, options, &mut sink, task)
}

/// Works like [`encode_stream`], but reads `source` twice, so that one rank table serves the whole volume, as
/// with [`encode`](crate::encode). The first pass is reported as [`Stage::Analyzing`].
///
/// # Errors
/// The errors of [`encode_stream`].
pub fn encode_seekable(
    mut source: impl Read + Seek,
    order: ByteOrder,
    header: &Header,
    options: &BwvOptions,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    encode_twice(&mut source, order, header, options, &mut sink, task)
}

fn encode_once(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    options: &BwvOptions,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    with_voxel_type!(header.voxel_type, T => {
        let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
        pieces(source, order, header, |voxels: &[T], done, total| {
            task.report(Stage::Encoding, done, total);
            writer.write_voxels(voxels, &task.without_progress()).map(|()| true)
        })?;
        writer.finish().map(|(_, byte_count)| byte_count)
    })
}

fn encode_twice(
    mut source: &mut dyn ReadSeek,
    order: ByteOrder,
    header: &Header,
    options: &BwvOptions,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    with_voxel_type!(header.voxel_type, T => {
        let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
        if options.remap {
            let start = source.stream_position().map_err(VoxelStreamError::from)?;
            let mut scans = Scans::new::<T>(header.channels);
            pieces(&mut source, order, header, |voxels: &[T], done, total| {
                task.check()?;
                task.report(Stage::Analyzing, done, total);
                Ok::<_, VoxelStreamError>(scans.add(voxels))
            })?;
            writer.share_tables(scans.finish());
            source.seek(SeekFrom::Start(start)).map_err(VoxelStreamError::from)?;
        }
        pieces(&mut source, order, header, |voxels: &[T], done, total| {
            task.report(Stage::Encoding, done, total);
            writer.write_voxels(voxels, &task.without_progress()).map(|()| true)
        })?;
        writer.finish().map(|(_, byte_count)| byte_count)
    })
}
