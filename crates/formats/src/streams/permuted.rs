//! Reordering of numbers whose axes the file has in another order: planes of channels, frames side by side,
//! or all axes reversed, as in Fortran. Some slices at a time are collected, with one pass over the part of
//! the file that they are in.

use crate::{Axis, AxisOrder};
use brickwork_volume::{BufReadSeek, Header};
use std::io::{self, Read, Seek, SeekFrom};

/// Maximum size in bytes of the slices that are collected in one pass, unless one slice has more.
const COLLECTED_BYTES: usize = 1 << 26;

/// Number of bytes of rows to read at a time, unless one row has more.
const PIECE_BYTES: usize = 1 << 20;

/// Number of axes.
const AXES: usize = Axis::ALL.len();

/// Numbers of a source that can be read again, with channels as the fastest axis, then x, y, z and frames.
pub struct Permuted {
    source: Box<dyn BufReadSeek + Send>,
    /// Offset of the first number in bytes.
    start: u64,
    number_bytes: usize,
    /// Sizes along the file's axes, the fastest first.
    stored: [usize; AXES],
    /// Distances here, in numbers, of neighbours along the file's axes.
    strides: [usize; AXES],
    /// Indices of z and frames among the file's axes.
    z: usize,
    frames: usize,
    slice_numbers: usize,
    /// Number of slices of all frames that were collected.
    slice: usize,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were returned.
    at: usize,
    position: u64,
    rows: Vec<u8>,
    collected_bytes: usize,
}

impl Permuted {
    /// Reorders the numbers from the current position of `source`, whose axes are in this order. A packed
    /// source is unpacked to its last row, and again when it is read.
    ///
    /// # Errors
    /// Errors of `source`, and an error if it ends before the last row.
    pub fn new(
        mut source: Box<dyn BufReadSeek + Send>,
        header: &Header,
        order: AxisOrder,
    ) -> io::Result<Self> {
        let (dims, number_bytes) = (header.dims, header.voxel_type.byte_count());
        // Axes that the file does not have are its slowest; those of volumes beyond z are frames.
        let missing = Axis::ALL.iter().filter(|axis| !order.axes().contains(axis));
        let axes: Vec<Axis> = missing.chain(order.axes()).rev().copied().collect();
        let row = header.channels * dims.x;
        let of = |axis: &Axis| match axis {
            Axis::Channel => (header.channels, 1),
            Axis::X => (dims.x, header.channels),
            Axis::Y => (dims.y, row),
            Axis::Z => (dims.z, row * dims.y),
            Axis::Frame => (header.frames, row * dims.y * dims.z),
        };
        let place = |wanted| axes.iter().position(|&axis| axis == wanted).unwrap_or_default();
        let (mut stored, mut strides) = ([1; AXES], [0; AXES]);
        for (axis, (size, stride)) in axes.iter().map(of).enumerate() {
            (stored[axis], strides[axis]) = (size, stride);
        }
        let start = source.stream_position()?;
        // Slices and rows are held in memory, so they must be in the file.
        let row_bytes = (stored[0] * number_bytes) as u64;
        let last = start + header.raw_bytes().map_err(io::Error::other)? - row_bytes;
        source.seek(SeekFrom::Start(last))?;
        if source.fill_buf()?.is_empty() {
            let reason = format!("the file ends too early: its last row would start at byte {last}");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
        }
        Ok(Self {
            source,
            start,
            number_bytes,
            stored,
            strides,
            z: place(Axis::Z),
            frames: place(Axis::Frame),
            slice_numbers: row * dims.y,
            slice: 0,
            buffer: Vec::new(),
            at: 0,
            position: 0,
            rows: Vec::new(),
            collected_bytes: COLLECTED_BYTES,
        })
    }

    /// Collects the next slices: some of a frame, or some whole frames.
    fn refill(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.at = 0;
        let (depth, frame_count) = (self.stored[self.z], self.stored[self.frames]);
        let (frame, first) = (self.slice / depth, self.slice % depth);
        if frame == frame_count {
            return Ok(());
        }
        let slice_bytes = self.slice_numbers * self.number_bytes;
        let fitting = (self.collected_bytes / slice_bytes).max(1);
        let (frames, slices) = match first == 0 && fitting >= depth {
            true => ((fitting / depth).min(frame_count - frame), depth),
            false => (1, fitting.min(depth - first)),
        };
        let byte_count = frames * slices * slice_bytes;
        self.buffer.try_reserve_exact(byte_count)?;
        self.buffer.resize(byte_count, 0);
        let mut ranges = self.stored.map(|size| 0..size);
        ranges[self.z] = first..first + slices;
        ranges[self.frames] = frame..frame + frames;
        let [columns, rows, planes, stacks, outer] = ranges;
        let row_bytes = self.stored[0] * self.number_bytes;
        let at_once = (PIECE_BYTES / row_bytes).max(1);
        for index in outer {
            for stack in stacks.clone() {
                for plane in planes.clone() {
                    let slower = (index * self.stored[3] + stack) * self.stored[2] + plane;
                    let place = index * self.strides[4] + stack * self.strides[3] + plane * self.strides[2];
                    for first_row in rows.clone().step_by(at_once) {
                        let count = at_once.min(rows.end - first_row);
                        self.read_rows((slower * self.stored[1] + first_row) as u64, count)?;
                        let row_place = |row: usize| place + (first_row + row) * self.strides[1];
                        for (row, bytes) in self.rows.chunks_exact(row_bytes).enumerate() {
                            // The first number of the row may be before the collected slices, but not those
                            // of `columns`.
                            let target = row_place(row) + columns.start * self.strides[0];
                            let target = target - self.slice * self.slice_numbers;
                            let numbers =
                                &bytes[columns.start * self.number_bytes..columns.end * self.number_bytes];
                            put(&mut self.buffer, numbers, self.number_bytes, target, self.strides[0]);
                        }
                    }
                }
            }
        }
        self.slice += frames * slices;
        Ok(())
    }

    /// Reads rows of the file, the first of which has this index.
    fn read_rows(&mut self, first: u64, count: usize) -> io::Result<()> {
        let row_bytes = self.stored[0] * self.number_bytes;
        let wanted = self.start + first * row_bytes as u64;
        // A seek empties the buffer of a file's reader.
        if self.source.stream_position()? != wanted {
            self.source.seek(SeekFrom::Start(wanted))?;
        }
        self.rows.clear();
        // The memory grows with the bytes that there are, not with the number that the header states.
        (&mut self.source).take((count * row_bytes) as u64).read_to_end(&mut self.rows)?;
        if self.rows.len() < count * row_bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

/// Copies numbers to places `stride` numbers apart, the first of them at `target`.
fn put(buffer: &mut [u8], numbers: &[u8], number_bytes: usize, target: usize, stride: usize) {
    if stride == 1 {
        buffer[target * number_bytes..][..numbers.len()].copy_from_slice(numbers);
        return;
    }
    for (index, number) in numbers.chunks_exact(number_bytes).enumerate() {
        buffer[(target + index * stride) * number_bytes..][..number_bytes].copy_from_slice(number);
    }
}

impl Read for Permuted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() {
            self.refill()?;
        }
        let count = into.len().min(self.buffer.len() - self.at);
        into[..count].copy_from_slice(&self.buffer[self.at..][..count]);
        (self.at, self.position) = (self.at + count, self.position + count as u64);
        Ok(count)
    }
}

impl Seek for Permuted {
    /// Seeks to the start only.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                self.buffer.clear();
                (self.slice, self.at, self.position) = (0, 0, 0);
            }
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};
    use std::io::{BufReader, Cursor};

    /// Returns all orders of these axes.
    fn orders(axes: &[Axis]) -> Vec<Vec<Axis>> {
        if axes.is_empty() {
            return vec![Vec::new()];
        }
        let with_first = |first: usize| {
            let others: Vec<Axis> = axes.iter().copied().filter(|&axis| axis != axes[first]).collect();
            orders(&others).into_iter().map(move |rest| [&[axes[first]][..], &rest].concat())
        };
        (0..axes.len()).flat_map(with_first).collect()
    }

    #[test]
    fn every_order_of_axes_becomes_that_of_volumes() {
        let header = Header::new(VoxelType::U16, Dims::new(5, 4, 3)).with(|header| {
            (header.channels, header.frames) = (6, 2);
        });
        let size = |axis| match axis {
            Axis::Frame => 2,
            Axis::Channel => 6,
            Axis::Z => 3,
            Axis::Y => 4,
            Axis::X => 5usize,
        };
        let want: Vec<u8> = (0..720u16).flat_map(u16::to_le_bytes).collect();
        for axes in orders(Axis::ALL) {
            let mut bytes = b"head".to_vec();
            for number in 0..720 {
                // The place of a number of the file along each axis.
                let mut rest = number;
                let mut place = [0; AXES];
                for &axis in axes.iter().rev() {
                    place[axis as usize] = rest % size(axis);
                    rest /= size(axis);
                }
                let [t, c, z, y, x] = place;
                bytes.extend((((((t * 3 + z) * 4 + y) * 5 + x) * 6 + c) as u16).to_le_bytes());
            }
            let order = AxisOrder::new(&axes).expect("all axes");
            // Collects both frames at once, one frame, two slices, and one.
            for collected_bytes in [COLLECTED_BYTES, 800, 500, 1] {
                let mut source = Cursor::new(bytes.clone());
                source.set_position(4);
                let source = Box::new(BufReader::with_capacity(16, source));
                let mut reader = Permuted::new(source, &header, order).expect("memory");
                reader.collected_bytes = collected_bytes;
                for _ in 0..2 {
                    let mut read = Vec::new();
                    reader.read_to_end(&mut read).expect("memory");
                    assert!(read == want, "{order}, {collected_bytes}");
                    assert_eq!(reader.stream_position().expect("a place"), want.len() as u64);
                    reader.rewind().expect("the start");
                }
            }
            let short = Cursor::new(bytes[4..bytes.len() - 1].to_vec());
            let read = Permuted::new(Box::new(short), &header, order)
                .and_then(|mut reader| reader.read_to_end(&mut Vec::new()));
            assert_eq!(read.expect_err("too short").kind(), io::ErrorKind::UnexpectedEof, "{order}");
        }
    }

    #[test]
    fn long_axes_are_read_in_pieces() {
        let header = Header::new(VoxelType::U32, Dims::new(300_000, 2, 1)).with(|header| header.channels = 3);
        // Planes of channels, rows of more bytes than a piece.
        let plane = |channel: u32| (0..600_000u32).flat_map(move |voxel| (3 * voxel + channel).to_le_bytes());
        let bytes: Vec<u8> = (0..3).flat_map(plane).collect();
        let order = "cyx".parse().expect("axes");
        let mut reader = Permuted::new(Box::new(Cursor::new(bytes)), &header, order).expect("memory");
        let mut read = Vec::new();
        reader.read_to_end(&mut read).expect("memory");
        assert!(read.into_iter().eq((0..1_800_000u32).flat_map(u32::to_le_bytes)));
    }

    #[test]
    fn a_header_does_not_dictate_the_memory() {
        let header = Header::new(VoxelType::F32, Dims::new(30000, 30000, 30000));
        let order = "xyz".parse().expect("axes");
        let error = Permuted::new(Box::new(Cursor::new(vec![0; 100])), &header, order).err();
        assert!(error.expect("too short").to_string().contains("ends too early"));
        let frames =
            Header::new(VoxelType::F64, Dims::new(1, 1, 1)).with(|header| header.frames = 4_000_000_000);
        let error = Permuted::new(Box::new(Cursor::new(Vec::new())), &frames, AxisOrder::FRAMES_FIRST).err();
        assert_eq!(error.expect("too short").kind(), io::ErrorKind::UnexpectedEof);
    }
}
