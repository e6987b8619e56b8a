//! An open volume of any format: what it is, and its voxels to read.

use super::{Note, OpenError, RawLayout, VolumeFormat, reopening_reader::ReopeningReader};
use crate::{
    ByteOrder, Header, ReadAt, Region, RegionReader, Selection, ShapeError, Task, VolumeFile, VoxelStream,
};
use std::{io::BufReader, path::PathBuf};

/// Bytes read at a time.
pub(super) const BUFFER_BYTES: usize = 1 << 20;

/// An open volume of any format.
///
/// [`write_volume`](super::write_volume) writes it in another format; [`copy_voxels`](crate::copy_voxels),
/// [`compare`](crate::compare) and [`encode_stream`](crate::encode_stream) take its voxels, order and header.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers make them of voxels of their own")]
pub struct OpenedVolume {
    /// Its format.
    pub format: VolumeFormat,
    /// What it is.
    pub header: Header,
    /// Which byte of a number comes first.
    pub order: ByteOrder,
    /// Its voxels, from the first on: channels fastest, then x, y, z and frames.
    pub voxels: VoxelStream,
    /// The files that it consists of, the one that was opened first, and of a folder also each slice. Empty
    /// for a stream.
    pub files: Vec<PathBuf>,
    /// Notes on what the files say, for the user.
    pub notes: Vec<Note>,
}

impl OpenedVolume {
    /// Raw voxels from a stream that was just opened.
    ///
    /// # Errors
    /// As [`RawLayout::header`], and from what lies before the voxels.
    pub fn from_raw(mut voxels: VoxelStream, layout: &RawLayout) -> Result<Self, OpenError> {
        let header = layout.header()?;
        if layout.offset > 0 {
            voxels.skip(layout.offset)?;
        }
        let (format, order) = (VolumeFormat::Raw, layout.order);
        Ok(Self { format, header, order, voxels, files: Vec::new(), notes: Vec::new() })
    }

    /// What is selected of a region of a `.bwv` file, as a volume of its own; its header is that of
    /// [`Header::of_part`]. The region is one of the mip level selected. Its voxels stop when the
    /// task's token is cancelled.
    ///
    /// # Errors
    /// [`ShapeError`] if the region is empty or extends beyond the volume, or the file does not have what is
    /// selected.
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

    pub(super) fn from_files(
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
