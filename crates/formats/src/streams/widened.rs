//! Stored numbers that become wider ones: half floats, and two voxels in a byte.

use brickwork_volume::{ByteOrder, VoxelStream, half::f16};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Number of bytes to read at a time.
const PIECE_BYTES: usize = 1 << 16;

/// Conversion of stored numbers.
#[derive(Clone, Copy, Debug)]
pub enum Widening {
    /// Half floats of a byte order become f32, little-endian.
    Halves(ByteOrder),
    /// Each byte has two voxels, the first in its low bits; they become u8. A row starts at a byte.
    Nibbles {
        /// Voxels of a row.
        columns: usize,
    },
}

/// Returns the widened numbers of `voxels` from its current position on. Seeking finds only starts of numbers
/// of halves, and of rows of nibbles.
///
/// # Errors
/// Errors of `voxels`.
pub fn widened(voxels: VoxelStream, widening: Widening) -> io::Result<VoxelStream> {
    let (buffer, piece) = (Vec::new(), Vec::new());
    Ok(match voxels {
        VoxelStream::Rewindable(mut source) => {
            let start = source.stream_position()?;
            let widened = Widened { source, start, widening, position: 0, buffer, at: 0, piece };
            VoxelStream::Rewindable(Box::new(BufReader::with_capacity(PIECE_BYTES, widened)))
        }
        VoxelStream::Once(source) => {
            let widened = Widened { source, start: 0, widening, position: 0, buffer, at: 0, piece };
            VoxelStream::Once(Box::new(BufReader::with_capacity(PIECE_BYTES, widened)))
        }
    })
}

struct Widened<R> {
    source: R,
    /// Offset of the first stored number in bytes.
    start: u64,
    widening: Widening,
    /// Number of bytes that were returned.
    position: u64,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were returned.
    at: usize,
    piece: Vec<u8>,
}

impl<R: BufRead> Widened<R> {
    fn refill(&mut self) -> io::Result<()> {
        self.piece.clear();
        self.buffer.clear();
        self.at = 0;
        match self.widening {
            Widening::Halves(order) => {
                (&mut self.source).take(PIECE_BYTES as u64).read_to_end(&mut self.piece)?;
                for &half in self.piece.as_chunks::<2>().0 {
                    let half = match order {
                        ByteOrder::Little => f16::from_le_bytes(half),
                        ByteOrder::Big => f16::from_be_bytes(half),
                    };
                    self.buffer.extend(half.to_f32().to_le_bytes());
                }
            }
            Widening::Nibbles { columns } => {
                // A piece has an even number of columns, so it starts at a byte.
                let rest = columns - (self.position % columns as u64) as usize;
                let byte_count = rest.div_ceil(2).min(PIECE_BYTES);
                (&mut self.source).take(byte_count as u64).read_to_end(&mut self.piece)?;
                self.buffer.extend(self.piece.iter().flat_map(|byte| [byte & 15, byte >> 4]));
                // The last byte of an odd row has one voxel.
                self.buffer.truncate(rest);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Widened<R> {
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

impl<R: BufRead + Seek> Seek for Widened<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(0) => return Ok(self.position),
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        let stored = match self.widening {
            Widening::Halves(_) if position.is_multiple_of(4) => position / 2,
            Widening::Nibbles { columns } if position.is_multiple_of(columns as u64) => {
                position / columns as u64 * columns.div_ceil(2) as u64
            }
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        self.source.seek(SeekFrom::Start(self.start + stored))?;
        self.buffer.clear();
        (self.at, self.position) = (0, position);
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn rows_of_nibbles_start_at_bytes() {
        // Rows that are shorter and longer than a piece.
        for columns in [1, 2, 5, 2 * PIECE_BYTES + 3] {
            let row: Vec<u8> = (0..columns).map(|i| (i * 7 % 16) as u8).collect();
            let packed: Vec<u8> =
                row.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0xf0, |high| high << 4)).collect();
            let file = [&b"head"[..], &packed, &packed, &packed].concat();
            let mut source = Cursor::new(file);
            source.set_position(4);
            let source = VoxelStream::Rewindable(Box::new(source));
            let VoxelStream::Rewindable(mut reader) =
                widened(source, Widening::Nibbles { columns }).expect("memory")
            else {
                panic!("a file")
            };
            for first in [0, 2, 1] {
                reader.seek(SeekFrom::Start((first * columns) as u64)).expect("the start of a row");
                let mut all = Vec::new();
                reader.read_to_end(&mut all).expect("memory");
                assert!(all == row.repeat(3 - first), "{columns} from row {first}");
            }
        }
    }
}
