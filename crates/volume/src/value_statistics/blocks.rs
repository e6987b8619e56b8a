//! Passes over voxels and labels, in blocks of pieces.

use super::{StatisticsError, VoxelSource};
use crate::{Dims, Stage, Task, VoxelType};
use std::ops::Range;

/// Voxels of a piece, the unit of work of a thread.
const PIECE: usize = 1 << 15;

/// Voxels of a block, the unit of reading.
const BLOCK: usize = 64 * PIECE;

/// Voxels and labels.
pub struct Blocks<'a> {
    voxels: VoxelSource<'a>,
    labels: Option<VoxelSource<'a>>,
    frames: Range<usize>,
    /// Bytes of one pass, those of passes before, and the expected number of passes that are left.
    pass_bytes: u64,
    done: u64,
    left: u64,
}

/// Some voxels of a frame.
pub struct Block<'a> {
    pub frame: usize,
    pub dims: Dims,
    pub channels: usize,
    pub voxel_type: VoxelType,
    /// Index of the first voxel in the frame.
    pub first: usize,
    pub voxels: &'a [u8],
    /// The labels and their type.
    pub labels: Option<(&'a [u8], VoxelType)>,
    /// True if the frame ends with this block.
    pub ends_frame: bool,
}

/// Part of a block.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Index of the first voxel in the block.
    pub first: usize,
    pub count: usize,
}

impl Block<'_> {
    /// Returns the number of voxels.
    pub fn count(&self) -> usize {
        self.voxels.len() / (self.channels * self.voxel_type.byte_count())
    }

    /// Returns the pieces.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let count = self.count();
        (0..count).step_by(PIECE).map(move |first| Piece { first, count: PIECE.min(count - first) })
    }
}

impl<'a> Blocks<'a> {
    pub fn new(
        voxels: VoxelSource<'a>,
        labels: Option<VoxelSource<'a>>,
        frames: Range<usize>,
    ) -> Result<Self, StatisticsError> {
        let pass_bytes = voxels.frame_bytes()? * frames.end as u64;
        Ok(Self { voxels, labels, frames, pass_bytes, done: 0, left: 1 })
    }

    pub const fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    /// Estimates the number of passes from now on.
    pub const fn expect_passes(&mut self, left: usize) {
        self.left = left as u64;
    }

    /// Calls `with` for each block of the frames, in order.
    pub fn pass(
        &mut self,
        task: &Task<'_>,
        mut with: impl FnMut(&Block<'_>) -> Result<(), StatisticsError>,
    ) -> Result<(), StatisticsError> {
        let header = self.voxels.header();
        let (dims, channels, voxel_type) = (header.dims, header.channels, header.voxel_type);
        let voxel_bytes = channels * voxel_type.byte_count();
        let label_type = self.labels.as_ref().map(|labels| labels.header().voxel_type);
        let label_bytes = label_type.map_or(0, VoxelType::byte_count);
        let is_static = self.labels.as_ref().is_some_and(|labels| labels.header().frames == 1);
        let frame_voxels = dims.voxel_count()?;
        let total = self.done + self.left * self.pass_bytes;
        let most = BLOCK.min(frame_voxels);
        let (mut voxels, mut labels) = (vec![0; most * voxel_bytes], vec![0; most * label_bytes]);
        self.start()?;
        for frame in 0..self.frames.end {
            if is_static && let Some(source) = &mut self.labels {
                source.rewind().map_err(|error| StatisticsError::Labels(error.into()))?;
            }
            for first in (0..frame_voxels).step_by(BLOCK) {
                task.report(Stage::Analyzing, self.done, total);
                task.check()?;
                let count = BLOCK.min(frame_voxels - first);
                let voxels = &mut voxels[..count * voxel_bytes];
                self.voxels.fill(voxels).map_err(StatisticsError::Voxels)?;
                let labels = &mut labels[..count * label_bytes];
                if let Some(source) = &mut self.labels {
                    source.fill(labels).map_err(StatisticsError::Labels)?;
                }
                if self.frames.contains(&frame) {
                    let labels = label_type.map(|voxel_type| (&*labels, voxel_type));
                    let ends_frame = first + count == frame_voxels;
                    with(&Block { frame, dims, channels, voxel_type, first, voxels, labels, ends_frame })?;
                }
                self.done += (count * voxel_bytes) as u64;
            }
        }
        task.report(Stage::Analyzing, self.done, total);
        self.voxels.at_end().map_err(StatisticsError::Voxels)?;
        if let Some(labels) = &mut self.labels {
            labels.at_end().map_err(StatisticsError::Labels)?;
        }
        Ok(())
    }

    /// Seeks to the first voxels. Streams that are read once are not sought.
    fn start(&mut self) -> Result<(), StatisticsError> {
        let (is_first, is_last) = (self.done == 0, self.left == 1);
        let seek = |source: &mut VoxelSource<'_>, is_read_again: bool| {
            if is_first && is_read_again { source.mark() } else { source.rewind() }
        };
        seek(&mut self.voxels, !is_last).map_err(|error| StatisticsError::Voxels(error.into()))?;
        let several = self.frames.end > 1 || !is_last;
        let labels = self.labels.as_mut().map_or(Ok(()), |labels| seek(labels, several));
        labels.map_err(|error| StatisticsError::Labels(error.into()))
    }
}
