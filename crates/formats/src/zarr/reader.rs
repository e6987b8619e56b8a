//! The voxels of a Zarr array as a stream.

use super::array::ZarrArray;
use crate::{Axis, FormatError, error::into_io};
use brickwork_base::{CancelToken, Cancelled, Task};
use brickwork_volume::{Dims, Header};
use rayon::prelude::*;
use std::{
    io::{self, BufRead, Read, Seek, SeekFrom},
    ops::Range,
    sync::Arc,
};

/// Memory for voxels and chunks if there is no limit.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Stream of voxels: channels fastest, then x, y, z and frames. They are read in pieces, each a box of
/// consecutive voxels: slices as deep as the chunks, or fewer slices, rows or voxels if memory is short. The
/// chunks of a piece are decoded by several threads. It can only be sought back to its start.
pub struct ZarrReader {
    array: Arc<ZarrArray>,
    /// Meaning of each axis of the array.
    axes: Vec<Axis>,
    dims: Dims,
    /// Channels to read.
    channels: Range<u64>,
    frames: usize,
    /// Sides of a piece.
    sides: Dims,
    /// Chunks decoded at a time.
    batch: usize,
    max_memory: Option<u64>,
    cancel: Option<CancelToken>,
    /// Frame and first voxel of the next piece.
    next: (usize, [usize; 3]),
    piece: Vec<u8>,
    at: usize,
    position: u64,
}

impl ZarrReader {
    /// Returns the reader of some channels of an array whose axes have the given meaning; `header` has only
    /// these channels. Reading fails as [`check_memory`] does.
    pub fn new(
        array: Arc<ZarrArray>,
        (axes, channels): (Vec<Axis>, Range<u64>),
        header: &Header,
        max_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Self {
        let dims = header.dims;
        let decoded = array.decoding_bytes();
        let half = max_memory.unwrap_or(DEFAULT_MEMORY).saturating_sub(array.unpacked_bytes) / 2;
        let deep = axes.iter().position(|&axis| axis == Axis::Z).map_or(1, |axis| array.chunk[axis].get());
        let voxel_bytes = (header.channels * header.voxel_type.byte_count()) as u64;
        let fitting = |bytes: u64| usize::try_from(half / bytes).unwrap_or(usize::MAX).max(1);
        let x = dims.x.min(fitting(voxel_bytes));
        let row = dims.x as u64 * voxel_bytes;
        let y = if x < dims.x { 1 } else { dims.y.min(fitting(row)) };
        let deep = usize::try_from(deep).unwrap_or(usize::MAX).min(dims.z);
        let z = if y < dims.y { 1 } else { deep.min(fitting(row.saturating_mul(dims.y as u64))) };
        Self {
            array,
            axes,
            dims,
            channels,
            frames: header.frames,
            sides: Dims::new(x, y, z),
            batch: fitting(decoded),
            max_memory,
            cancel: task.cancel_token().cloned(),
            next: (0, [0; 3]),
            piece: Vec::new(),
            at: 0,
            position: 0,
        }
    }

    /// Reads the next piece; leaves it empty at the end.
    fn refill(&mut self) -> Result<(), FormatError> {
        self.at = 0;
        self.piece.clear();
        let (frame, [x, y, z]) = self.next;
        if frame == self.frames {
            return Ok(());
        }
        check_memory(&self.array, self.max_memory)?;
        let sides = Dims::new(
            self.sides.x.min(self.dims.x - x),
            self.sides.y.min(self.dims.y - y),
            self.sides.z.min(self.dims.z - z),
        );
        self.read_piece(frame, [x, y, z], sides)?;
        self.next = if x + sides.x < self.dims.x {
            (frame, [x + sides.x, y, z])
        } else if y + sides.y < self.dims.y {
            (frame, [0, y + sides.y, z])
        } else if z + sides.z < self.dims.z {
            (frame, [0, 0, z + sides.z])
        } else {
            (frame + 1, [0; 3])
        };
        Ok(())
    }

    fn read_piece(&mut self, frame: usize, start: [usize; 3], sides: Dims) -> Result<(), FormatError> {
        let number_bytes = self.array.voxel_type.byte_count();
        let voxel = (self.channels.end - self.channels.start) as usize * number_bytes;
        let byte_count = sides.x * sides.y * sides.z * voxel;
        self.piece.try_reserve(byte_count).map_err(|_| FormatError::Memory(byte_count as u64))?;
        self.piece.resize(byte_count, 0);
        if self.array.fill.iter().any(|&byte| byte != 0) {
            self.piece
                .chunks_exact_mut(number_bytes)
                .for_each(|number| number.copy_from_slice(&self.array.fill));
        }
        // The box in the array, and the distance of neighbours in the piece, along each axis of the array.
        let along = |axis: &Axis| match axis {
            Axis::Frame => (frame as u64..frame as u64 + 1, 0),
            Axis::Channel => (self.channels.clone(), number_bytes),
            Axis::X => (start[0] as u64..(start[0] + sides.x) as u64, voxel),
            Axis::Y => (start[1] as u64..(start[1] + sides.y) as u64, voxel * sides.x),
            Axis::Z => (start[2] as u64..(start[2] + sides.z) as u64, voxel * sides.x * sides.y),
        };
        let (region, steps): (Vec<Range<u64>>, Vec<usize>) = self.axes.iter().map(along).unzip();
        let chunk: Vec<u64> = self.array.chunk.iter().map(|side| side.get()).collect();
        let chunks: Vec<Range<u64>> = region
            .iter()
            .zip(&chunk)
            .map(|(range, side)| range.start / side..(range.end - 1) / side + 1)
            .collect();
        let mut odometer = Odometer::new(chunks);
        let batch = self.batch.min(rayon::current_num_threads());
        loop {
            if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
                return Err(Cancelled.into());
            }
            let indices: Vec<Vec<u64>> = odometer.by_ref().take(batch).collect();
            if indices.is_empty() {
                return Ok(());
            }
            let array = &self.array;
            let read: Result<Vec<_>, FormatError> = if let [only] = &indices[..] {
                array.read_chunk(only).map(|voxels| vec![voxels])
            } else {
                indices.par_iter().map(|indices| array.read_chunk(indices)).collect()
            };
            for (indices, voxels) in indices.iter().zip(read?) {
                let Some(voxels) = voxels else { continue };
                let origin: Vec<u64> = indices.iter().zip(&chunk).map(|(index, side)| index * side).collect();
                copy_chunk(&voxels, &origin, &chunk, number_bytes, &mut self.piece, &region, &steps);
            }
        }
    }
}

/// Checks that a chunk can be decoded in half of the memory, beside a piece of the volume. The shards that an
/// archive compresses take up to a quarter of the memory first.
///
/// # Errors
/// [`FormatError::OverLimit`].
pub fn check_memory(array: &ZarrArray, max_memory: Option<u64>) -> Result<(), FormatError> {
    let need = 2 * array.decoding_bytes();
    match max_memory {
        Some(limit) if need.saturating_add(array.unpacked_bytes) > limit => {
            let need = if array.unpacked_bytes > 0 { need.div_ceil(3) * 4 } else { need };
            Err(FormatError::OverLimit { need, limit })
        }
        _ => Ok(()),
    }
}

/// Copies the numbers of a chunk that are in `region` to a piece, in which neighbours along each axis have
/// the distances `steps` in bytes.
fn copy_chunk(
    voxels: &[u8],
    origin: &[u64],
    chunk: &[u64],
    number_bytes: usize,
    piece: &mut [u8],
    region: &[Range<u64>],
    steps: &[usize],
) {
    let both: Vec<Range<u64>> = (0..chunk.len())
        .map(|axis| {
            let end = region[axis].end.min(origin[axis] + chunk[axis]);
            region[axis].start.max(origin[axis])..end
        })
        .collect();
    let last = chunk.len() - 1;
    let run = (both[last].end - both[last].start) as usize;
    // The last axis of the array is copied at once, from its first number on.
    let mut rows = both.clone();
    rows[last].end = rows[last].start + 1;
    for place in Odometer::new(rows) {
        let (mut from, mut to) = (0, 0);
        for axis in 0..=last {
            from = from * chunk[axis] as usize + (place[axis] - origin[axis]) as usize;
            to += (place[axis] - region[axis].start) as usize * steps[axis];
        }
        let numbers = &voxels[from * number_bytes..][..run * number_bytes];
        if steps[last] == number_bytes {
            piece[to..to + numbers.len()].copy_from_slice(numbers);
        } else {
            for (index, number) in numbers.chunks_exact(number_bytes).enumerate() {
                piece[to + index * steps[last]..][..number_bytes].copy_from_slice(number);
            }
        }
    }
}

/// Returns the number of places of a box.
pub fn count_of(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().fold(1, |count, range| count.saturating_mul(range.end - range.start))
}

/// All places of a box, the last axis fastest. No range is empty.
pub struct Odometer {
    ranges: Vec<Range<u64>>,
    next: Option<Vec<u64>>,
}

impl Odometer {
    /// Returns the places of a box of at least one axis.
    pub fn new(ranges: Vec<Range<u64>>) -> Self {
        let next = Some(ranges.iter().map(|range| range.start).collect());
        Self { ranges, next }
    }
}

impl Iterator for Odometer {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let place = self.next.take()?;
        let mut after = place.clone();
        for (at, range) in after.iter_mut().zip(&self.ranges).rev() {
            *at += 1;
            if *at < range.end {
                self.next = Some(after);
                return Some(place);
            }
            *at = range.start;
        }
        Some(place)
    }
}

impl BufRead for ZarrReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.piece.len() {
            self.refill().map_err(into_io)?;
        }
        Ok(&self.piece[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
        self.position += count as u64;
    }
}

impl Read for ZarrReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(into.len());
        into[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl Seek for ZarrReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                self.piece.clear();
                (self.next, self.at, self.position) = ((0, [0; 3]), 0, 0);
            }
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}
