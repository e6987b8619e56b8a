//! Writing a `.bwv` file from the first slice to the last: the typed outside of [`UntypedWriter`].

use super::{options::BwvOptions, untyped_writer::UntypedWriter};
use crate::{
    AnyView, Task, VolumeView, VolumeWriteError, Voxel,
    file::{header::Header, index::FileIndex, table::Table},
};
use std::{fmt, io::Write, marker::PhantomData};

/// Takes voxels in order and writes a file. Memory: one slab of 32 slices (64 with bricks of 8³), less than
/// half as much again with smaller mip levels, and 16 bytes per chunk; with the profile guthe2016 a frame and
/// its bytes.
///
/// The bytes do not depend on how many threads work.
pub struct VolumeWriter<W, T> {
    sink: W,
    writer: UntypedWriter,
    voxels: PhantomData<T>,
}

impl<W, T> fmt::Debug for VolumeWriter<W, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VolumeWriter").finish_non_exhaustive()
    }
}

/// Writes the file of one frame in memory to `sink`. One rank table serves the whole volume. Reports the
/// bytes encoded.
///
/// # Errors
/// [`VolumeWriteError`], also if the header has other dims, channels or frames than `volume`.
pub fn encode<T: Voxel>(
    volume: VolumeView<T>,
    header: &Header,
    options: &BwvOptions,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<(), VolumeWriteError> {
    UntypedWriter::encode(volume.into(), header, options, &mut sink, task)
}

/// Works like [`encode`] for voxels of a type known at run time, with any strides. Memory: for voxels that
/// are not dense, or not aligned for their type, a slab of them.
///
/// # Errors
/// The errors of [`encode`].
pub fn encode_any(
    volume: &AnyView<'_>,
    header: &Header,
    options: &BwvOptions,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<(), VolumeWriteError> {
    UntypedWriter::encode(*volume, header, options, &mut sink, task)
}

/// Returns the bytes of the file of one frame and one mip level up to its index, and the index.
pub(crate) fn encode_parts(
    volume: &AnyView<'_>,
    header: &Header,
    task: &Task<'_>,
) -> Result<(Vec<u8>, FileIndex), VolumeWriteError> {
    UntypedWriter::encode_parts(*volume, header, task)
}

impl<W: Write, T: Voxel> VolumeWriter<W, T> {
    /// Writes the header. Without a whole volume to look at, values are ranked slab by slab.
    ///
    /// # Errors
    /// [`VolumeWriteError`] if the header's type is not `T`, the format does not support the header, its
    /// dims cannot be addressed or its metadata is too long, or from `sink`.
    pub fn new(mut sink: W, header: &Header, options: &BwvOptions) -> Result<Self, VolumeWriteError> {
        let writer = UntypedWriter::new(&mut sink, header, T::TYPE, options)?;
        Ok(Self { sink, writer, voxels: PhantomData })
    }

    /// Uses these tables, or none, for all slabs with the volume's values. They must contain every ordinal of
    /// the volume.
    pub(crate) fn share_tables(&mut self, tables: Vec<Option<Table>>) {
        self.writer.share_tables(tables);
    }

    /// Takes the next numbers of voxels, as many as there are: channels run fastest, then x, y, z and the
    /// frames. Reports the bytes encoded. After an error the writer can only be dropped.
    ///
    /// # Errors
    /// [`VolumeWriteError`] if there are more voxels than the header requires, or from the sink.
    pub fn write_voxels(&mut self, voxels: &[T], task: &Task<'_>) -> Result<(), VolumeWriteError> {
        self.writer.write_voxels(&mut self.sink, bytemuck::cast_slice(voxels), task)
    }

    /// Writes the index, and returns the sink and how many bytes were written to it.
    ///
    /// # Errors
    /// [`VolumeWriteError::Count`] if voxels are missing, or from the sink.
    pub fn finish(mut self) -> Result<(W, u64), VolumeWriteError> {
        let byte_count = self.writer.finish(&mut self.sink)?;
        Ok((self.sink, byte_count))
    }
}
