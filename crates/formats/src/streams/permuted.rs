//! Reordering of voxels whose axes the file has in another order. A few slices at a time are collected, with
//! one pass over the part of the file that they are in.

use brickwork_volume::{BufReadSeek, Header};
use std::io::{self, Read, Seek, SeekFrom};

/// Maximum size in bytes of the slices that are collected in one pass, unless one slice has more.
const COLLECTED_BYTES: usize = 1 << 26;

/// Voxels of a source that can be read again, with x as the fastest axis, then y and z.
pub struct Permuted {
    source: Box<dyn BufReadSeek + Send>,
    /// Offset of the first voxel in bytes.
    start: u64,
    number_bytes: usize,
    /// Sizes along the file's axes, the fastest first.
    stored: [usize; 3],
    /// Distances here, in voxels, of neighbours along the file's axes.
    strides: [usize; 3],
    /// Index of z among the file's axes.
    z: usize,
    slice_voxels: usize,
    /// Number of slices that were collected.
    slice: usize,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were returned.
    at: usize,
    position: u64,
    row: Vec<u8>,
    collected_bytes: usize,
}

impl Permuted {
    /// Reorders voxels of one channel from the current position of `source`. `axes` are those of the file,
    /// the fastest first: 0 is x. Frames follow each other along z. A packed source is unpacked to its last
    /// row, and again when it is read.
    ///
    /// # Errors
    /// Errors of `source`, and an error if it ends before the last row.
    pub fn new(
        mut source: Box<dyn BufReadSeek + Send>,
        header: &Header,
        axes: [usize; 3],
    ) -> io::Result<Self> {
        let (dims, number_bytes) = (header.dims, header.voxel_type.byte_count());
        let slice_voxels = dims.x * dims.y;
        let stored = axes.map(|axis| [dims.x, dims.y, dims.z * header.frames][axis]);
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
            strides: axes.map(|axis| [1, dims.x, slice_voxels][axis]),
            z: axes.iter().position(|&axis| axis == 2).unwrap_or(2),
            slice_voxels,
            slice: 0,
            buffer: Vec::new(),
            at: 0,
            position: 0,
            row: Vec::new(),
            collected_bytes: COLLECTED_BYTES,
        })
    }

    /// Collects the next slices.
    fn refill(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.at = 0;
        let (bytes, first) = (self.number_bytes, self.slice);
        let rest = self.stored[self.z] - first;
        if rest == 0 {
            return Ok(());
        }
        let slice_bytes = self.slice_voxels * bytes;
        let count = (self.collected_bytes / slice_bytes).clamp(1, rest);
        self.buffer.try_reserve_exact(count * slice_bytes)?;
        self.buffer.resize(count * slice_bytes, 0);
        let mut ranges = self.stored.map(|size| 0..size);
        ranges[self.z] = first..first + count;
        let [columns, rows, sections] = ranges;
        let row_bytes = (self.stored[0] * bytes) as u64;
        for section in sections {
            let before = (section * self.stored[1] + rows.start) as u64;
            let wanted = self.start + before * row_bytes;
            // A seek empties the buffer of a file's reader.
            if self.source.stream_position()? != wanted {
                self.source.seek(SeekFrom::Start(wanted))?;
            }
            for row in rows.clone() {
                self.row.clear();
                (&mut self.source).take(row_bytes).read_to_end(&mut self.row)?;
                if (self.row.len() as u64) < row_bytes {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                let [x, y, z] = self.strides;
                for column in columns.clone() {
                    let voxel = column * x + row * y + section * z - first * self.slice_voxels;
                    self.buffer[voxel * bytes..][..bytes]
                        .copy_from_slice(&self.row[column * bytes..][..bytes]);
                }
            }
        }
        self.slice += count;
        Ok(())
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

    #[test]
    fn every_order_of_axes_becomes_x_y_z() {
        let sizes = [7usize, 6, 5];
        let header = Header::new(VoxelType::U16, Dims::new(7, 6, 5));
        let want: Vec<u8> = (0..7 * 6 * 5u16).flat_map(u16::to_le_bytes).collect();
        for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut bytes = b"head".to_vec();
            for section in 0..sizes[axes[2]] {
                for row in 0..sizes[axes[1]] {
                    for column in 0..sizes[axes[0]] {
                        let mut place = [0; 3];
                        (place[axes[0]], place[axes[1]], place[axes[2]]) = (column, row, section);
                        let [x, y, z] = place;
                        bytes.extend((((z * 6 + y) * 7 + x) as u16).to_le_bytes());
                    }
                }
            }
            // Collects all slices at once, two at a time, and one at a time.
            for collected_bytes in [COLLECTED_BYTES, 200, 1] {
                let mut source = Cursor::new(bytes.clone());
                source.set_position(4);
                let source = Box::new(BufReader::with_capacity(16, source));
                let mut reader = Permuted::new(source, &header, axes).expect("memory");
                reader.collected_bytes = collected_bytes;
                for _ in 0..2 {
                    let mut read = Vec::new();
                    reader.read_to_end(&mut read).expect("memory");
                    assert!(read == want, "{axes:?}, {collected_bytes}");
                    reader.rewind().expect("the start");
                }
            }
        }
    }

    #[test]
    fn a_header_does_not_dictate_the_memory() {
        let header = Header::new(VoxelType::F32, Dims::new(30000, 30000, 30000));
        let error = Permuted::new(Box::new(Cursor::new(vec![0; 100])), &header, [2, 1, 0]).err();
        assert!(error.expect("too short").to_string().contains("ends too early"));
    }
}
