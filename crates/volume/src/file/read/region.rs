//! Reading a region: only the chunks it touches, into voxels as bytes.

use super::{
    brick_values::BrickValues,
    chunk::ChunkCoding,
    chunk_stretch::{ChunkStretch, StretchChunk},
    contents::{Body, BrickBody},
    destination::{Destination, meets},
    open_file::OpenFile,
    ordinals::{Ordinals, ordinal},
    section_reader::SectionReader,
};
use crate::{
    Dims, Region, ShapeError, Stage, Task, VolumeReadError,
    file::{
        layout::{ChunkGrid, ChunkPlace, Position, chunk_dims},
        selection::Selection,
        table::Table,
    },
    guthe2016,
    steps::Steps,
};
use brickwork_base::parallel;
use std::{ops::Range, sync::atomic::Ordering};

/// Maximum number of bytes that are read in parts and copied, which takes as much memory again.
const MAX_COPIED_BYTES: usize = 64 << 20;

/// A row of chunks of one frame, and for each slice the rows of voxels it covers.
struct Job<'v> {
    frame: usize,
    y: usize,
    z: usize,
    slices: Vec<&'v mut [u8]>,
}

impl OpenFile<'_> {
    /// Returns the selected frames and channels, if the file has them.
    pub fn check(self, selection: &Selection) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        selection.check(self.header)
    }

    /// Returns the count of the selected numbers of `region`, and their bytes.
    pub fn size(self, selection: &Selection, region: &Region) -> Result<(usize, usize), VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        region.check(self.header.mip_level_dims(selection.mip_level))?;
        let count = region.dims().number_count(channels.len())?.checked_mul(frames.len());
        let bytes = count.and_then(|count| count.checked_mul(self.header.voxel_type.byte_count()));
        Ok(count.zip(bytes).ok_or(ShapeError::TooLarge(region.dims()))?)
    }

    /// Fills `voxels` with the bytes of the voxels of `region` that are selected, aligned for their
    /// type.
    pub fn read_into(
        self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        region.check(self.header.mip_level_dims(selection.mip_level))?;
        let dims = region.dims();
        let numbers = dims.number_count(channels.len())?;
        let expected = numbers.saturating_mul(frames.len());
        let number_bytes = self.header.voxel_type.byte_count();
        let actual = voxels.len() / number_bytes;
        if actual != expected {
            return Err(ShapeError::Length { dims, expected, actual }.into());
        }
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(selection.mip_level));
        let rows = touched(&region.y, side.y).len() * touched(&region.z, side.z).len() * frames.len();
        if voxels.len() <= MAX_COPIED_BYTES
            && let Some(parts) =
                self.parts(selection.mip_level, frames.len(), region, parallel::thread_count(task))
        {
            let steps = Steps::new(task, Stage::Decoding, (rows * parts.len()) as u64);
            return self.read_parts(selection, region, parts, voxels, &steps);
        }
        let steps = Steps::new(task, Stage::Decoding, rows as u64);
        self.read_rows(selection.mip_level, frames, channels, region, voxels, &steps)
    }

    /// Returns the parts along x of a region with few rows of chunks, so that more threads can work on them.
    /// Returns none if there are enough rows.
    fn parts(self, mip_level: usize, frames: usize, region: &Region, threads: usize) -> Option<Vec<Region>> {
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let rows = frames * touched(&region.y, side.y).len() * touched(&region.z, side.z).len();
        let chunks = touched(&region.x, side.x);
        let parts = chunks.len().min((4 * threads).div_ceil(rows));
        let start = |part: usize| (chunks.start + chunks.len() * part / parts) * side.x;
        let x = |part: usize| region.x.start.max(start(part))..region.x.end.min(start(part + 1));
        (threads > 1 && parts > 1).then(|| (0..parts).map(|i| Region { x: x(i), ..region.clone() }).collect())
    }

    /// Reads each part into separate memory, and copies its rows to their places.
    fn read_parts(
        self,
        selection: &Selection,
        region: &Region,
        parts: Vec<Region>,
        voxels: &mut [u8],
        steps: &Steps<'_>,
    ) -> Result<(), VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        let voxel_bytes = channels.len() * self.header.voxel_type.byte_count();
        let read = |part: Region| {
            let (_, byte_count) = self.size(selection, &part)?;
            // The buffer has numbers of 64 bits, so its bytes are aligned for any type.
            let mut memory: Vec<u64> = Vec::new();
            let count = byte_count.div_ceil(8);
            memory.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(byte_count as u64))?;
            memory.resize(count, 0);
            let voxels = &mut bytemuck::cast_slice_mut(&mut memory)[..byte_count];
            self.read_rows(selection.mip_level, frames.clone(), channels.clone(), &part, voxels, steps)?;
            Ok::<_, VolumeReadError>((part, memory))
        };
        let row_bytes = region.x.len() * voxel_bytes;
        for (part, memory) in parallel::try_map(steps.task(), parts, read)? {
            let start = (part.x.start - region.x.start) * voxel_bytes;
            let bytes: &[u8] = bytemuck::cast_slice(&memory);
            let rows = bytes.chunks_exact(part.x.len() * voxel_bytes);
            for (out, row) in voxels.chunks_exact_mut(row_bytes).zip(rows) {
                out[start..start + row.len()].copy_from_slice(row);
            }
        }
        Ok(())
    }

    /// Works like [`read_into`](Self::read_into), one row of chunks at a time.
    fn read_rows(
        self,
        mip_level: usize,
        frames: Range<usize>,
        channels: Range<usize>,
        region: &Region,
        voxels: &mut [u8],
        steps: &Steps<'_>,
    ) -> Result<(), VolumeReadError> {
        // A job is a row of chunks: for each slice, the rows of voxels it covers.
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let rows = touched(&region.y, side.y);
        let dims = region.dims();
        let row_bytes = dims.x * channels.len() * self.header.voxel_type.byte_count();
        let mut jobs: Vec<Job> = Vec::new();
        for (frame, voxels) in frames.zip(voxels.chunks_exact_mut(row_bytes * dims.y * dims.z)) {
            let first_job = jobs.len();
            for z in touched(&region.z, side.z) {
                jobs.extend(rows.clone().map(|y| Job { frame, y, z, slices: Vec::new() }));
            }
            for (z, mut slice) in region.z.clone().zip(voxels.chunks_exact_mut(row_bytes * dims.y)) {
                let first = first_job + (z / side.z - region.z.start / side.z) * rows.len();
                for (row, job) in rows.clone().zip(&mut jobs[first..]) {
                    let from = region.y.start.max(row * side.y);
                    let to = region.y.end.min((row + 1) * side.y);
                    let (part, rest) = slice.split_at_mut((to - from) * row_bytes);
                    job.slices.push(part);
                    slice = rest;
                }
            }
        }
        let work = |job: Job| {
            self.read_row(mip_level, channels.clone(), region, job, steps)?;
            steps.add(1);
            Ok(())
        };
        parallel::try_map(steps.task(), jobs, work).map(drop)
    }

    /// Reads a job's part of `region`, every channel.
    fn read_row(
        self,
        mip_level: usize,
        channels: Range<usize>,
        region: &Region,
        job: Job,
        steps: &Steps<'_>,
    ) -> Result<(), VolumeReadError> {
        let side = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let voxel_type = self.header.voxel_type;
        let words = voxel_type.word_count();
        let first = (region.y.start.max(job.y * side.y), region.z.start.max(job.z * side.z));
        let Job { frame, y, z, slices } = job;
        let channel_count = channels.len();
        let mut destination =
            Destination { region, voxel_type, first, slices, channels: channel_count, channel: 0, word: 0 };
        for channel in channels.clone() {
            for word in 0..words {
                (destination.channel, destination.word) = (channel - channels.start, word);
                let component = channel * words + word;
                match self.body {
                    Body::Bricks(body) => {
                        self.read_chunks(body, mip_level, (frame, y, z), component, &mut destination, steps)?;
                    }
                    Body::Guthe2016(sections) => {
                        let section = sections.get(self.header, mip_level, frame, component);
                        let bricks = SectionReader::new(self.source, section)?;
                        read_section(bricks, (y * side.y, z * side.z), side, &mut destination, steps)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads what `destination` needs from the chunks in row `y` of layer `z` of a frame.
    fn read_chunks(
        self,
        body: &BrickBody,
        mip_level: usize,
        (frame, y, z): (usize, usize, usize),
        component: usize,
        destination: &mut Destination,
        steps: &Steps<'_>,
    ) -> Result<(), VolumeReadError> {
        let chunk_dims = chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level));
        let side = chunk_dims.x;
        let grid = ChunkGrid::new(self.header, mip_level);
        let slab = frame * grid.dims.z + z;
        let region = destination.region;
        let mut stretch: Option<ChunkStretch> = None;
        for x in region.x.start / side..region.x.end.div_ceil(side) {
            steps.check()?;
            let part = body.chunk_at(grid, mip_level, ChunkPlace { x, y, component, slab });
            let lookup = self.table(body, part)?.and_then(Table::lookup);
            let wanted = |corner: Position, dims: Dims| meets(region, corner, dims);
            let chunk = self.superblocks(body, part, wanted)?;
            let value = match chunk.coding {
                ChunkCoding::Constant(value) => Some(value),
                _ if destination.has_plain_rows() => chunk.frequent_value(),
                _ => None,
            };
            let frequent = value.map(|value| ordinal(lookup, value));
            let chunk = StretchChunk { chunk, part, lookup };
            if let Some(stretch) = stretch.as_mut().filter(|stretch| stretch.continues_with(frequent)) {
                stretch.add(chunk, side);
                continue;
            }
            if let Some(stretch) = stretch.take() {
                self.put_stretch(stretch, destination, steps)?;
            }
            match frequent {
                Some(ordinal) => stretch = Some(ChunkStretch::new(ordinal, chunk, chunk_dims)),
                None => self.put_chunk(&chunk, None, destination)?,
            }
        }
        stretch.map_or(Ok(()), |stretch| self.put_stretch(stretch, destination, steps))
    }

    /// Puts what `destination` needs of a stretch.
    fn put_stretch(
        self,
        stretch: ChunkStretch,
        destination: &mut Destination,
        steps: &Steps<'_>,
    ) -> Result<(), VolumeReadError> {
        destination.fill(stretch.corner, stretch.dims, stretch.ordinal);
        stretch.others.iter().try_for_each(|chunk| {
            steps.check()?;
            self.put_chunk(chunk, Some(stretch.ordinal), destination)
        })
    }

    /// Puts what `destination` needs of a chunk that is not of one value. Skips the bricks whose voxels are
    /// all `filled`: they are in place.
    fn put_chunk(
        self,
        StretchChunk { chunk, part, lookup }: &StretchChunk,
        filled: Option<u32>,
        destination: &mut Destination,
    ) -> Result<(), VolumeReadError> {
        let brick = self.header.brick;
        let region = destination.region;
        let mut brick_count = 0;
        let read = chunk.bricks(Some(region), |corner, bricks, min, range, values| {
            brick_count += (bricks.x * bricks.y * bricks.z) as u64;
            if range > 0 || filled != Some(ordinal(*lookup, min)) {
                destination.put(corner, brick.dims_of(bricks), values, Ordinals::new(*lookup, min, range));
            }
        });
        read.ok_or_else(|| part.broken())?;
        self.bricks_decoded.fetch_add(brick_count, Ordering::Relaxed);
        Ok(())
    }
}

/// Returns the boxes of `side` that a range touches.
pub(super) const fn touched(range: &Range<usize>, side: usize) -> Range<usize> {
    range.start / side..range.end.div_ceil(side)
}

/// Reads what `destination` needs from the bricks from voxel (y, z) on, for `side` voxels along each axis.
fn read_section(
    mut bricks: SectionReader,
    (y, z): (usize, usize),
    side: Dims,
    destination: &mut Destination,
    steps: &Steps<'_>,
) -> Result<(), VolumeReadError> {
    let region = destination.region;
    let bricks_of = |range: &Range<usize>| range.start / guthe2016::SIDE..range.end.div_ceil(guthe2016::SIDE);
    let part =
        |range: &Range<usize>, from: usize, side: usize| range.start.max(from)..range.end.min(from + side);
    for z in bricks_of(&part(&region.z, z, side.z)) {
        for y in bricks_of(&part(&region.y, y, side.y)) {
            steps.check()?;
            for x in bricks_of(&region.x) {
                let ordinals = bricks.brick(x, y, z)?;
                let corner = (x * guthe2016::SIDE, y * guthe2016::SIDE, z * guthe2016::SIDE);
                destination.put(
                    corner,
                    Dims::cube(guthe2016::SIDE),
                    BrickValues::Four(&ordinals),
                    Ordinals::From(0),
                );
            }
        }
    }
    Ok(())
}
