//! A stream of voxels with its header.

use super::StatisticsError;
use crate::{
    ByteOrder, Header, VoxelStreamError,
    stream::{ReadSeek, fill},
};
use std::{
    fmt,
    io::{self, Read, Seek, SeekFrom},
};

/// Raw voxels with their header: channels fastest, then x, y, z and frames.
pub struct VoxelSource<'a> {
    voxels: &'a mut dyn ReadSeek,
    order: ByteOrder,
    header: &'a Header,
    start: Option<u64>,
    /// Bytes read since the start.
    done: u64,
}

impl fmt::Debug for VoxelSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VoxelSource").field("header", &self.header).finish_non_exhaustive()
    }
}

impl<'a> VoxelSource<'a> {
    /// Returns a source whose first voxel is at the current position of `voxels`, where it seeks to read them
    /// again.
    pub fn new(voxels: &'a mut (impl Read + Seek), order: ByteOrder, header: &'a Header) -> Self {
        Self { voxels, order, header, start: None, done: 0 }
    }

    /// Returns the header.
    pub const fn header(&self) -> &'a Header {
        self.header
    }

    /// Checks that the voxels can be the labels of a volume.
    pub(super) fn check_labels(&self, header: &Header) -> Result<(), StatisticsError> {
        let (labels, voxels) = (self.header, header);
        if labels.dims != voxels.dims {
            return Err(StatisticsError::LabelDims { labels: labels.dims, voxels: voxels.dims });
        }
        if labels.channels != 1 {
            return Err(StatisticsError::LabelChannels(labels.channels));
        }
        if labels.frames != 1 && labels.frames != voxels.frames {
            return Err(StatisticsError::LabelFrames { labels: labels.frames, voxels: voxels.frames });
        }
        labels.raw_bytes()?;
        Ok(())
    }

    /// Remembers the position of the first voxel.
    pub(super) fn mark(&mut self) -> io::Result<()> {
        self.start = Some(self.voxels.stream_position()?);
        Ok(())
    }

    /// Returns to the first voxel, if any was read.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        if self.done > 0 {
            let start = self.start.ok_or(io::ErrorKind::Unsupported)?;
            self.voxels.seek(SeekFrom::Start(start))?;
            self.done = 0;
        }
        Ok(())
    }

    /// Reads the next numbers, in this machine's byte order.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), VoxelStreamError> {
        let swap = if self.order == ByteOrder::NATIVE { 1 } else { self.header.voxel_type.byte_count() };
        let total = self.header.raw_bytes()?;
        fill(&mut self.voxels, swap, bytes, self.done, total)?;
        self.done += bytes.len() as u64;
        Ok(())
    }

    /// Checks that there is nothing after the last voxel.
    pub(super) fn at_end(&mut self) -> Result<(), VoxelStreamError> {
        let total = self.header.raw_bytes()?;
        if self.done == total { crate::stream::at_end(&mut self.voxels, total) } else { Ok(()) }
    }

    /// Returns the bytes of a frame.
    pub(super) fn frame_bytes(&self) -> Result<u64, StatisticsError> {
        Ok(self.header.raw_bytes()? / self.header.frames as u64)
    }
}
