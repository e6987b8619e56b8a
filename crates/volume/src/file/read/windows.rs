//! Reading many boxes, each chunk once: windows, which are boxes of one size, and boxes at places in windows.
//!
//! The boxes are cut into pieces at the edges of chunks, and the pieces sorted by chunk. A thread reads a
//! chunk and decodes its pieces into separate memory, from which they are copied.

use super::{
    chunk::ChunkCoding,
    contents::{Body, BrickBody},
    destination::{Destination, meets},
    open_file::OpenFile,
    ordinals::{Ordinals, ordinal},
    region::touched,
};
use crate::{
    Dims, Region, Selection, ShapeError, Stage, Strides, Task, VolumeReadError,
    file::{
        layout::{ChunkGrid, ChunkPlace, Position, chunk_dims, corner_after},
        table::Table,
    },
    steps::Steps,
    untyped::VoxelBuffer,
};
use brickwork_base::parallel;
use std::{ops::Range, sync::atomic::Ordering};

/// Bytes of pieces that are decoded before they are copied. More take more memory, fewer occupy threads
/// worse at the end of each batch.
const BATCH_BYTES: usize = 32 << 20;

/// The part of a box that is in one chunk.
struct Piece {
    /// Chunk in its frame, z first: pieces are sorted by it.
    chunk: [usize; 3],
    /// Frame of the file.
    frame: usize,
    /// Position of its first voxel in the output, in voxels.
    place: usize,
    region: Region,
}

/// Channels of a mip level.
struct Selected {
    mip_level: usize,
    channels: Range<usize>,
}

impl OpenFile<'_> {
    /// Fills `voxels` with the windows of `dims` voxels at `origins`.
    pub fn read_windows(
        self,
        selection: &Selection,
        origins: &[Position],
        dims: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        let Body::Bricks(body) = self.body else { return Err(VolumeReadError::Profile) };
        let window_numbers = dims.number_count(channels.len())?;
        let expected = window_numbers.saturating_mul(frames.len()).saturating_mul(origins.len());
        let actual = voxels.len() / self.header.voxel_type.byte_count();
        if actual != expected {
            return Err(ShapeError::Length { dims, expected, actual }.into());
        }
        let mip_level = selection.mip_level;
        let mut pieces = Vec::new();
        for (window, &(x, y, z)) in origins.iter().enumerate() {
            let range = |start: usize, count: usize| start..start.saturating_add(count);
            let region = Region { x: range(x, dims.x), y: range(y, dims.y), z: range(z, dims.z) };
            region.check(self.header.mip_level_dims(mip_level))?;
            for (i, frame) in frames.clone().enumerate() {
                let place = dims.index(0, 0, dims.z * (window * frames.len() + i));
                pieces.extend(self.pieces(mip_level, frame, &region, place, dims));
            }
        }
        self.read_all_pieces(body, Selected { mip_level, channels }, pieces, dims, voxels, task)
    }

    /// Copies boxes of the first frame and mip level to windows of `window` voxels, which follow each other
    /// in `voxels`. A box has the position of its first voxel there, in voxels. All positions were checked.
    pub fn read_boxes(
        self,
        boxes: &[(Region, usize)],
        window: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let channels = self.header.channels;
        let Body::Bricks(body) = self.body else {
            return boxes.iter().try_for_each(|(region, place)| {
                let strides = Strides { first: place * channels, ..Strides::dense(window, channels) };
                self.read_strided(&Selection::default(), region, voxels, &strides, task)
            });
        };
        let mut pieces = Vec::new();
        for (region, place) in boxes {
            region.check(self.header.dims)?;
            pieces.extend(self.pieces(0, 0, region, *place, window));
        }
        self.read_all_pieces(
            body,
            Selected { mip_level: 0, channels: 0..channels },
            pieces,
            window,
            voxels,
            task,
        )
    }

    /// Copies pieces to windows of `window` voxels.
    fn read_all_pieces(
        self,
        body: &BrickBody,
        selected: Selected,
        mut pieces: Vec<Piece>,
        window: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let voxel_bytes = selected.channels.len() * self.header.voxel_type.byte_count();
        pieces.sort_by_key(|piece| (piece.frame, piece.chunk));
        let chunks: Vec<_> = pieces.chunk_by(|a, b| (a.frame, a.chunk) == (b.frame, b.chunk)).collect();
        let steps = Steps::new(task, Stage::Decoding, chunks.len() as u64);
        let mut rest = &chunks[..];
        while !rest.is_empty() {
            let mut byte_count = 0;
            let more = rest.iter().take_while(|pieces| {
                let is_room = byte_count < BATCH_BYTES;
                byte_count += pieces.iter().map(|piece| bytes_of(piece, voxel_bytes)).sum::<usize>();
                is_room
            });
            let (batch, later) = rest.split_at(more.count());
            rest = later;
            let read = |pieces: &[Piece]| {
                let memory = self.read_pieces(body, &selected, pieces, &steps)?;
                steps.add(1);
                Ok::<_, VolumeReadError>(memory)
            };
            let memories = parallel::try_map(task, batch.iter().copied(), read)?;
            for (pieces, memory) in batch.iter().zip(memories) {
                copy_pieces(pieces, &memory, window, voxel_bytes, voxels);
            }
        }
        Ok(())
    }

    /// Cuts a box at the edges of chunks. Its first voxel is at `place` of windows of `window` voxels.
    fn pieces(
        self,
        mip_level: usize,
        frame: usize,
        region: &Region,
        place: usize,
        window: Dims,
    ) -> Vec<Piece> {
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let mut pieces = Vec::new();
        for z in touched(&region.z, side.z) {
            for y in touched(&region.y, side.y) {
                for x in touched(&region.x, side.x) {
                    let part = Region {
                        x: within(&region.x, x, side.x),
                        y: within(&region.y, y, side.y),
                        z: within(&region.z, z, side.z),
                    };
                    let (right, down, back) = (
                        part.x.start - region.x.start,
                        part.y.start - region.y.start,
                        part.z.start - region.z.start,
                    );
                    let place = place + window.index(right, down, back);
                    pieces.push(Piece { chunk: [z, y, x], frame, place, region: part });
                }
            }
        }
        pieces
    }

    /// Returns the voxels of the pieces of one chunk, one piece after the other.
    fn read_pieces(
        self,
        body: &BrickBody,
        selected: &Selected,
        pieces: &[Piece],
        steps: &Steps<'_>,
    ) -> Result<VoxelBuffer, VolumeReadError> {
        let Selected { mip_level, channels } = selected;
        let mip_level = *mip_level;
        let voxel_type = self.header.voxel_type;
        let words = voxel_type.word_count();
        let voxel_bytes = channels.len() * voxel_type.byte_count();
        let byte_count = pieces.iter().map(|piece| bytes_of(piece, voxel_bytes)).sum();
        let mut memory = VoxelBuffer::default();
        memory.resize(byte_count).map_err(|_| VolumeReadError::Memory(byte_count as u64))?;
        let grid = ChunkGrid::new(self.header, mip_level);
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let brick = self.header.brick;
        let Some(&Piece { chunk: [z, y, x], frame, .. }) = pieces.first() else { return Ok(memory) };
        let slab = frame * grid.dims.z + z;
        for channel in channels.clone() {
            for word in 0..words {
                let component = channel * words + word;
                let part = body.chunk_at(grid, mip_level, ChunkPlace { x, y, component, slab });
                let lookup = self.table(body, part)?.and_then(Table::lookup);
                let chunk = self.superblocks(body, part, |corner, dims| {
                    pieces.iter().any(|piece| meets(&piece.region, corner, dims))
                })?;
                let mut rest = memory.bytes_mut();
                for piece in pieces {
                    steps.check()?;
                    let region = &piece.region;
                    let (voxels, later) = rest.split_at_mut(bytes_of(piece, voxel_bytes));
                    rest = later;
                    let slice_bytes = region.x.len() * region.y.len() * voxel_bytes;
                    let mut destination = Destination {
                        region,
                        voxel_type,
                        first: (region.y.start, region.z.start),
                        slices: voxels.chunks_exact_mut(slice_bytes).collect(),
                        channels: channels.len(),
                        channel: channel - channels.start,
                        word,
                    };
                    if let ChunkCoding::Constant(value) = chunk.coding {
                        let corner = corner_after((0, 0, 0), side, (x, y, z));
                        destination.fill(corner, side, ordinal(lookup, value));
                        continue;
                    }
                    let mut brick_count = 0;
                    let read = chunk.bricks(Some(region), |corner, bricks, min, range, values| {
                        brick_count += (bricks.x * bricks.y * bricks.z) as u64;
                        let ordinals = Ordinals::new(lookup, min, range);
                        destination.put(corner, brick.dims_of(bricks), values, ordinals);
                    });
                    self.bricks_decoded.fetch_add(brick_count, Ordering::Relaxed);
                    read.ok_or_else(|| part.broken())?;
                }
            }
        }
        Ok(memory)
    }
}

/// Copies the rows of pieces to their windows.
fn copy_pieces(pieces: &[Piece], memory: &VoxelBuffer, window: Dims, voxel_bytes: usize, voxels: &mut [u8]) {
    let mut rest = memory.bytes();
    for piece in pieces {
        let (bytes, later) = rest.split_at(bytes_of(piece, voxel_bytes));
        rest = later;
        let dims = piece.region.dims();
        for (i, row) in bytes.chunks_exact(dims.x * voxel_bytes).enumerate() {
            let start = (piece.place + window.index(0, i % dims.y, i / dims.y)) * voxel_bytes;
            voxels[start..start + row.len()].copy_from_slice(row);
        }
    }
}

/// Returns the size of a piece in bytes.
fn bytes_of(piece: &Piece, voxel_bytes: usize) -> usize {
    let Region { x, y, z } = &piece.region;
    x.len() * y.len() * z.len() * voxel_bytes
}

/// Returns the part of a range in box `index` of `side`.
fn within(range: &Range<usize>, index: usize, side: usize) -> Range<usize> {
    range.start.max(index * side)..range.end.min((index + 1) * side)
}
