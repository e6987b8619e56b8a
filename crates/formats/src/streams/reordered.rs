//! Reordering of voxels whose fastest axis in the file is one of the slowest here: frames, as in sequences of
//! 3D Slicer, or all axes reversed, as in Fortran.
//!
//! The fastest axes of the file are its *outer* axes, because they become the slowest: frames, or frames and
//! slices. The numbers with the same outer indices are a *plane*: a frame, or a slice. One pass over the file
//! collects as many planes as the memory allows.

use brickwork_volume::{BufReadSeek, Dims, Header};
use std::io::{self, Read, Seek, SeekFrom};

/// Maximum number of positions to read at a time, each with the numbers of all frames.
const PIECE: usize = 1 << 12;

/// Number of bytes to read at a time, unless one position has more.
const PIECE_BYTES: usize = 1 << 22;

/// Maximum size in bytes of planes that are collected in one pass over the source. A larger source is read
/// several times.
const COLLECTED_BYTES: u64 = 1 << 26;

/// Reordered voxels of a source that can be read again.
pub struct Reordered {
    source: Box<dyn BufReadSeek + Send>,
    /// Offset of the first voxel in bytes.
    start: u64,
    number_bytes: usize,
    /// Sizes of the outer axes: frames, then slices.
    outer: [usize; 2],
    /// Sizes of a plane's axes in the file, the fastest first. Here their order is reversed.
    inner: [usize; 3],
    /// Number of planes that were collected.
    plane: usize,
    /// Positions of the next plane that were read, if it is read piece by piece.
    place: u64,
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were returned.
    at: usize,
    position: u64,
    piece: Vec<u8>,
    collected_bytes: u64,
}

impl Reordered {
    /// Reorders voxels of one channel from the current position of `source`. In the file, the frames of a
    /// voxel are side by side.
    ///
    /// # Errors
    /// Errors of `source`, and an error if the frames of one position take more than 64 MiB.
    pub fn frames_first(source: Box<dyn BufReadSeek + Send>, header: &Header) -> io::Result<Self> {
        let Dims { x, y, z } = header.dims;
        // The axes of a frame keep their order.
        Self::new(source, header, [header.frames, 1], [x * y * z, 1, 1])
    }

    /// Reorders voxels from the current position of `source`. In the file, frames are the fastest axis, then
    /// z, y, x and channels.
    ///
    /// # Errors
    /// Errors of `source`, an error if it ends before the voxels, and an error if the frames and slices of
    /// one position take more than 64 MiB.
    pub fn reversed(mut source: Box<dyn BufReadSeek + Send>, header: &Header) -> io::Result<Self> {
        let Dims { x, y, z } = header.dims;
        let start = source.stream_position()?;
        // A slice is held in memory, so it must be in the file.
        let last = source.seek(SeekFrom::Start(start + header.raw_bytes().map_err(io::Error::other)? - 1))?;
        if source.fill_buf()?.is_empty() {
            let reason = format!("the file ends too early: its last voxel would end at byte {}", last + 1);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
        }
        source.seek(SeekFrom::Start(start))?;
        Self::new(source, header, [header.frames, z], [y, x, header.channels])
    }

    fn new(
        mut source: Box<dyn BufReadSeek + Send>,
        header: &Header,
        outer: [usize; 2],
        inner: [usize; 3],
    ) -> io::Result<Self> {
        let number_bytes = header.voxel_type.byte_count();
        let plane_count = outer[0] * outer[1];
        if (plane_count as u64).saturating_mul(number_bytes as u64) > COLLECTED_BYTES {
            let reason = format!("{plane_count} numbers side by side are not supported: more than 64 MiB");
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        Ok(Self {
            start: source.stream_position()?,
            source,
            number_bytes,
            outer,
            inner,
            plane: 0,
            place: 0,
            buffer: Vec::new(),
            at: 0,
            position: 0,
            piece: Vec::new(),
            collected_bytes: COLLECTED_BYTES,
        })
    }

    /// Number of planes.
    fn plane_count(&self) -> usize {
        self.outer[0] * self.outer[1]
    }

    /// Number of positions in a plane.
    fn place_count(&self) -> usize {
        self.inner.iter().product()
    }

    /// Returns the index of a plane's number among those of one position in the file.
    fn stored(&self, plane: usize) -> usize {
        let [frame_count, slice_count] = self.outer;
        plane / slice_count + plane % slice_count * frame_count
    }

    /// Returns the position here of a position in the file's plane.
    fn place_here(&self, place: usize) -> usize {
        let [a, b, c] = self.inner;
        (place % a * b + place / a % b) * c + place / (a * b)
    }

    fn refill(&mut self) -> io::Result<()> {
        let plane_count = self.plane_count();
        let piece = (PIECE_BYTES / (self.number_bytes * plane_count)).clamp(1, PIECE);
        self.buffer.clear();
        self.at = 0;
        if self.plane == plane_count {
            return Ok(());
        }
        if self.place == 0 {
            self.source.seek(SeekFrom::Start(self.start))?;
        }
        let (places, keeps_order) = (self.place_count(), self.inner[1..] == [1, 1]);
        let plane_bytes = places as u64 * self.number_bytes as u64;
        let least = usize::from(!keeps_order);
        let fitting =
            ((self.collected_bytes / plane_bytes).min((plane_count - self.plane) as u64) as usize).max(least);
        if fitting == 0 {
            let count = (places as u64 - self.place).min(piece as u64) as usize;
            self.buffer.resize(count * self.number_bytes, 0);
            self.read_piece(count, 1, count, 0)?;
            self.place += count as u64;
            if self.place == places as u64 {
                (self.plane, self.place) = (self.plane + 1, 0);
            }
            return Ok(());
        }
        self.buffer.try_reserve(fitting * plane_bytes as usize)?;
        self.buffer.resize(fitting * plane_bytes as usize, 0);
        for first in (0..places).step_by(piece) {
            self.read_piece(piece.min(places - first), fitting, places, first)?;
        }
        self.plane += fitting;
        Ok(())
    }

    /// Reads the numbers of `count` positions. Puts those of the next planes into the buffer from position
    /// `first` on; the buffer has `stride` positions per plane.
    fn read_piece(&mut self, count: usize, planes: usize, stride: usize, first: usize) -> io::Result<()> {
        let (bytes, place_bytes) = (self.number_bytes, self.number_bytes * self.plane_count());
        self.piece.clear();
        // The memory grows with the bytes that there are, not with the number that the header states.
        let byte_count = count * place_bytes;
        (&mut self.source).take(byte_count as u64).read_to_end(&mut self.piece)?;
        if self.piece.len() < byte_count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let stored: Vec<usize> = (0..planes).map(|plane| self.stored(self.plane + plane) * bytes).collect();
        for (place, numbers) in self.piece.chunks_exact(place_bytes).enumerate() {
            let target = self.place_here(first + place) * bytes;
            for (plane, &at) in stored.iter().enumerate() {
                let number = &numbers[at..][..bytes];
                self.buffer[plane * stride * bytes + target..][..bytes].copy_from_slice(number);
            }
        }
        Ok(())
    }
}

impl Read for Reordered {
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

impl Seek for Reordered {
    /// Seeks to the start only.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                self.buffer.clear();
                (self.plane, self.place, self.at, self.position) = (0, 0, 0, 0);
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
    use brickwork_volume::VoxelType;
    use std::io::Cursor;

    #[test]
    fn a_header_does_not_dictate_the_memory() {
        let header =
            Header::new(VoxelType::F64, Dims::new(1, 1, 1)).with(|header| header.frames = 4_000_000_000);
        let error =
            Reordered::frames_first(Box::new(Cursor::new(Vec::new())), &header).err().expect("an error");
        assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    }

    #[test]
    fn frames_follow_each_other() {
        let header = Header::new(VoxelType::U16, Dims::new(100, 50, 1)).with(|header| header.frames = 5);
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
            let mut reader = Reordered::frames_first(Box::new(source), &header).expect("memory");
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

    #[test]
    fn axes_are_reversed() {
        let header = Header::new(VoxelType::U16, Dims::new(7, 6, 5)).with(|header| {
            header.channels = 2;
            header.frames = 3;
        });
        // Each number encodes its place here, and follows the file's order: frames first, channels last.
        let mut bytes = b"head".to_vec();
        for c in 0..2u16 {
            for x in 0..7 {
                for y in 0..6 {
                    for z in 0..5 {
                        for t in 0..3 {
                            let place = (((t * 5 + z) * 6 + y) * 7 + x) * 2 + c;
                            bytes.extend(place.to_le_bytes());
                        }
                    }
                }
            }
        }
        let want: Vec<u8> = (0..3 * 5 * 6 * 7 * 2u16).flat_map(u16::to_le_bytes).collect();
        // Collects all slices at once, four at a time, and one at a time.
        for collected_bytes in [COLLECTED_BYTES, 700, 1] {
            let mut source = Cursor::new(bytes.clone());
            source.set_position(4);
            let mut reader = Reordered::reversed(Box::new(source), &header).expect("memory");
            reader.collected_bytes = collected_bytes;
            for _ in 0..2 {
                let mut read = Vec::new();
                reader.read_to_end(&mut read).expect("memory");
                assert!(read == want, "{collected_bytes}");
                reader.rewind().expect("the start");
            }
        }
        let short = Cursor::new(bytes[..bytes.len() - 1].to_vec());
        let mut short: Box<dyn BufReadSeek + Send> = Box::new(short);
        short.seek(SeekFrom::Start(4)).expect("memory");
        let error = Reordered::reversed(short, &header).err().expect("too short");
        assert!(error.to_string().contains("ends too early"), "{error}");
    }
}
