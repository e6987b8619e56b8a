//! Open volumes of any format.

use crate::{
    FormatError, Note, OpenError, RawLayout, VolumeFormat,
    streams::{limited::surplus, planes::ChannelReader, reopening_reader::ReopeningReader},
};
use brickwork_volume::{
    ByteOrder, Header, ReadAt, Region, RegionReader, Selection, ShapeError, Task, VolumeFile, VoxelStream,
};
use std::{io::BufReader, path::PathBuf};

/// Number of bytes to read at a time.
pub(crate) const BUFFER_BYTES: usize = 1 << 20;

/// An open volume of any format.
///
/// [`write_volume`](crate::write_volume) writes it in another format.
/// [`copy_voxels`](brickwork_volume::copy_voxels), [`compare`](brickwork_volume::compare) and
/// [`encode_stream`](brickwork_volume::encode_stream) take its voxels, order and header.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build them from their own voxels")]
pub struct OpenedVolume {
    /// Format of the source.
    pub format: VolumeFormat,
    /// Header: dims, type and geometry.
    pub header: Header,
    /// Byte order of the voxels.
    pub order: ByteOrder,
    /// Voxels from the first on: channels fastest, then x, y, z and frames.
    pub voxels: VoxelStream,
    /// Files of the volume: the opened one first, and for a folder also each slice. Empty for a stream.
    pub files: Vec<PathBuf>,
    /// Notes on the files, for the user.
    pub notes: Vec<Note>,
}

impl OpenedVolume {
    /// Returns a volume of raw voxels from the start of a stream.
    ///
    /// # Errors
    /// The errors of [`RawLayout::header`], errors from reading the bytes before the voxels, and
    /// [`FormatError::Voxels`] for files of another length.
    pub fn from_raw(mut voxels: VoxelStream, layout: &RawLayout) -> Result<Self, OpenError> {
        let header = layout.header()?;
        if layout.offset > 0 {
            voxels.skip(layout.offset)?;
        }
        let need = header.raw_bytes()?;
        let surplus = surplus(&mut voxels, need)?;
        if surplus > 0 {
            return Err(FormatError::Voxels { need, have: need + surplus }.into());
        }
        let (format, order) = (VolumeFormat::Raw, layout.order);
        Ok(Self { format, header, order, voxels, files: Vec::new(), notes: Vec::new() })
    }

    /// Returns the selected part of a region of a `.bwv` file as a separate volume, with the header of
    /// [`Header::of_part`]. The region is one of the selected mip level. If the task's token is cancelled,
    /// the stream of voxels stops.
    ///
    /// # Errors
    /// [`ShapeError`] if the region is empty or extends beyond the volume, or if the file does not have the
    /// selected channels, frames or mip level.
    pub fn from_region<S: ReadAt + 'static>(
        file: VolumeFile<S>,
        selection: Selection,
        region: Region,
        task: &Task<'_>,
    ) -> Result<Self, ShapeError> {
        let whole = file.header().clone();
        let reader = RegionReader::new(file, selection.clone(), region.clone(), task)?;
        let voxels = VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, reader)));
        let header = whole.of_part(&selection, &region);
        let (format, order) = (VolumeFormat::Bwv, ByteOrder::Little);
        Ok(Self { format, header, order, voxels, files: Vec::new(), notes: Vec::new() })
    }

    /// Returns a channel as a separate volume. All channels are read, and one is kept.
    ///
    /// # Errors
    /// [`ShapeError::Selected`] if the volume lacks the channel; errors of the stream.
    pub fn into_channel(self, index: usize) -> Result<Self, OpenError> {
        let count = self.header.channels;
        if index >= count {
            return Err(ShapeError::Selected { what: "channel", index, count }.into());
        }
        if count == 1 {
            return Ok(self);
        }
        let selection = Selection { channel: Some(index), ..Selection::default() };
        let header = self.header.of_part(&selection, &Region::all(self.header.dims));
        let is_pipe = matches!(self.voxels, VoxelStream::Once(_));
        let reader = ChannelReader::new(self.voxels, &self.header, index)?;
        let reader = Box::new(BufReader::with_capacity(BUFFER_BYTES, reader));
        let voxels = if is_pipe { VoxelStream::Once(reader) } else { VoxelStream::Rewindable(reader) };
        Ok(Self { header, voxels, ..self })
    }

    pub(crate) fn from_files(
        format: VolumeFormat,
        header: Header,
        order: ByteOrder,
        voxels: ReopeningReader,
        files: Vec<PathBuf>,
    ) -> Self {
        let voxels = VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, voxels)));
        Self { format, header, order, voxels, files, notes: Vec::new() }
    }
}
