//! Reordering of voxels whose frames are the fastest axis, as in sequences of 3D Slicer. The result has all
//! voxels of a frame before those of the next.

use crate::{Header, stream::BufReadSeek};
use std::io::{self, Read, Seek, SeekFrom};

/// Maximum number of positions to read at a time, each with the numbers of all frames.
const PIECE: usize = 1 << 12;

/// Number of bytes to read at a time, unless one position has more.
const PIECE_BYTES: usize = 1 << 22;

/// Maximum size in bytes of frames that are collected in one pass over the source. A larger source is read
/// several times.
const COLLECTED_BYTES: u64 = 1 << 26;

/// Reordered voxels of a source that can be read again.
pub struct FramesFirst {
    source: Box<dyn BufReadSeek + Send>,
    /// Offset of the first voxel in bytes.
    start: u64,
    number_bytes: usize,
    frame_count: usize,
    /// Number of positions in a frame.
    place_count: u64,
    /// Number of frames that were collected.
    frame: usize,
    /// Positions of the next frame that were read, if it is read piece by piece.
    place: u64,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were returned.
    at: usize,
    position: u64,
    piece: Vec<u8>,
    collected_bytes: u64,
}

impl FramesFirst {
    /// Reorders the voxels, which have one channel, from the current position of `source`.
    ///
    /// # Errors
    /// Errors of `source`, and an error if the numbers of one position take more than 64 MiB.
    pub fn new(mut source: Box<dyn BufReadSeek + Send>, header: &Header) -> io::Result<Self> {
        if (header.frames as u64).saturating_mul(header.voxel_type.byte_count() as u64) > COLLECTED_BYTES {
            let reason = format!("{} frames side by side are not supported: more than 64 MiB", header.frames);
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        Ok(Self {
            start: source.stream_position()?,
            source,
            number_bytes: header.voxel_type.byte_count(),
            frame_count: header.frames,
            place_count: header.dims.x as u64 * header.dims.y as u64 * header.dims.z as u64,
            frame: 0,
            place: 0,
            buffer: Vec::new(),
            at: 0,
            position: 0,
            piece: Vec::new(),
            collected_bytes: COLLECTED_BYTES,
        })
    }

    fn refill(&mut self) -> io::Result<()> {
        let piece = (PIECE_BYTES / (self.number_bytes * self.frame_count)).clamp(1, PIECE);
        self.buffer.clear();
        self.at = 0;
        if self.frame == self.frame_count {
            return Ok(());
        }
        if self.place == 0 {
            self.source.seek(SeekFrom::Start(self.start))?;
        }
        let frame_bytes = self.place_count * self.number_bytes as u64;
        let fitting =
            (self.collected_bytes / frame_bytes).min((self.frame_count - self.frame) as u64) as usize;
        if fitting == 0 {
            let count = (self.place_count - self.place).min(piece as u64) as usize;
            self.buffer.resize(count * self.number_bytes, 0);
            self.read_piece(count, 1, count, 0)?;
            self.place += count as u64;
            if self.place == self.place_count {
                (self.frame, self.place) = (self.frame + 1, 0);
            }
            return Ok(());
        }
        let places = self.place_count as usize;
        self.buffer.try_reserve(fitting * frame_bytes as usize)?;
        self.buffer.resize(fitting * frame_bytes as usize, 0);
        for first in (0..places).step_by(piece) {
            self.read_piece(piece.min(places - first), fitting, places, first)?;
        }
        self.frame += fitting;
        Ok(())
    }

    /// Reads the numbers of `count` positions. Puts those of the next frames into the buffer from position
    /// `first` on; the buffer has `stride` positions per frame.
    fn read_piece(&mut self, count: usize, frames: usize, stride: usize, first: usize) -> io::Result<()> {
        let (bytes, place_bytes) = (self.number_bytes, self.number_bytes * self.frame_count);
        self.piece.clear();
        // The memory grows with the bytes that there are, not with the number that the header states.
        let byte_count = count * place_bytes;
        (&mut self.source).take(byte_count as u64).read_to_end(&mut self.piece)?;
        if self.piece.len() < byte_count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (place, numbers) in self.piece.chunks_exact(place_bytes).enumerate() {
            let wanted = &numbers[self.frame * bytes..][..frames * bytes];
            for (frame, number) in wanted.chunks_exact(bytes).enumerate() {
                self.buffer[(frame * stride + first + place) * bytes..][..bytes].copy_from_slice(number);
            }
        }
        Ok(())
    }
}

impl Read for FramesFirst {
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

impl Seek for FramesFirst {
    /// Seeks to the start only.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                self.buffer.clear();
                (self.frame, self.place, self.at, self.position) = (0, 0, 0, 0);
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
    use crate::{Dims, VoxelType};
    use std::io::Cursor;

    #[test]
    fn a_header_does_not_dictate_the_memory() {
        let header = Header { frames: 4_000_000_000, ..Header::new(VoxelType::F64, Dims::new(1, 1, 1)) };
        let error = FramesFirst::new(Box::new(Cursor::new(Vec::new())), &header).err().expect("an error");
        assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    }

    #[test]
    fn frames_follow_each_other() {
        let header = Header { frames: 5, ..Header::new(VoxelType::U16, Dims::new(100, 50, 1)) };
        // Each number encodes its frame and position; four other bytes precede them.
        let numbers = (0..5000u16).flat_map(|place| (0..5).map(move |frame| frame * 10_000 + place));
        let mut bytes = b"head".to_vec();
        bytes.extend(numbers.flat_map(u16::to_le_bytes));
        let want: Vec<u8> = (0..5u16)
            .flat_map(|frame| (0..5000).map(move |place| frame * 10_000 + place))
            .flat_map(u16::to_le_bytes)
            .collect();
        // Collects all frames at once, two at a time, and none.
        for collected_bytes in [COLLECTED_BYTES, 20_000, 9_999] {
            let mut source = Cursor::new(bytes.clone());
            source.set_position(4);
            let mut reader = FramesFirst::new(Box::new(source), &header).expect("memory");
            reader.collected_bytes = collected_bytes;
            for _ in 0..2 {
                let mut read = Vec::new();
                reader.read_to_end(&mut read).expect("memory");
                assert!(read == want, "{collected_bytes}");
                assert_eq!(reader.stream_position().expect("a place"), want.len() as u64);
                reader.rewind().expect("the start");
            }
        }
    }
}
