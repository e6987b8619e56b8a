//! Interleaving of channels that are stored one volume after the other.

use crate::{FormatError, streams::reopening_reader::ReopeningReader};
use brickwork_volume::{Header, VoxelStream};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Number of voxels to read at a time.
const PIECE: u64 = 1 << 15;

/// Returns the voxels of `header`. Each channel is stored as a separate volume, with all its frames, before
/// the next channel. `open` opens the bytes at a distance from the first volume; it is called once per
/// channel.
///
/// # Errors
/// [`ShapeError`](brickwork_volume::ShapeError).
pub fn side_by_side(
    header: &Header,
    mut open: impl FnMut(u64) -> io::Result<Box<dyn Read + Send>> + Send + 'static,
) -> Result<ReopeningReader, FormatError> {
    let (channels, number_bytes) = (header.channels as u64, header.voxel_type.byte_count());
    let plane_bytes = header.raw_bytes()? / channels;
    Ok(ReopeningReader::new(move || {
        let planes = (0..channels).map(|channel| open(channel * plane_bytes));
        let planes = planes.collect::<io::Result<Vec<_>>>()?;
        let (piece, voxels) = (Vec::new(), Vec::new());
        Ok(Box::new(SideBySide { planes, number_bytes, rest: plane_bytes, piece, voxels, at: 0 }))
    }))
}

struct SideBySide {
    planes: Vec<Box<dyn Read + Send>>,
    number_bytes: usize,
    /// Number of bytes in each plane that are not read yet.
    rest: u64,
    piece: Vec<u8>,
    voxels: Vec<u8>,
    /// Number of bytes of `voxels` that were returned.
    at: usize,
}

impl SideBySide {
    fn refill(&mut self) -> io::Result<()> {
        let channels = self.planes.len();
        let byte_count = self.rest.min(PIECE * self.number_bytes as u64) as usize;
        self.piece.resize(byte_count, 0);
        self.voxels.resize(byte_count * channels, 0);
        for (channel, plane) in self.planes.iter_mut().enumerate() {
            plane.read_exact(&mut self.piece)?;
            let voxels = self.voxels.chunks_exact_mut(self.number_bytes * channels);
            for (voxel, number) in voxels.zip(self.piece.chunks_exact(self.number_bytes)) {
                voxel[channel * self.number_bytes..][..self.number_bytes].copy_from_slice(number);
            }
        }
        (self.rest, self.at) = (self.rest - byte_count as u64, 0);
        Ok(())
    }
}

impl Read for SideBySide {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.voxels.len() && self.rest > 0 {
            self.refill()?;
        }
        let count = buffer.len().min(self.voxels.len() - self.at);
        buffer[..count].copy_from_slice(&self.voxels[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Reader of one channel of a stream of voxels.
pub struct ChannelReader {
    voxels: VoxelStream,
    /// Position of the first voxel in the stream, if it can be read again.
    start: u64,
    voxel_bytes: usize,
    number: std::ops::Range<usize>,
    piece: Vec<u8>,
    /// Bytes of the channel that were read.
    position: u64,
    /// Bytes of the channel in the stream.
    end: u64,
}

impl ChannelReader {
    /// Returns a reader of the stream from its position on.
    ///
    /// # Errors
    /// The errors of the stream, and [`ShapeError`](brickwork_volume::ShapeError).
    pub fn new(mut voxels: VoxelStream, header: &Header, channel: usize) -> Result<Self, FormatError> {
        let number_bytes = header.voxel_type.byte_count();
        let start = match &mut voxels {
            VoxelStream::Rewindable(stream) => stream.stream_position()?,
            VoxelStream::Once(_) => 0,
        };
        Ok(Self {
            voxels,
            start,
            voxel_bytes: number_bytes * header.channels,
            number: channel * number_bytes..(channel + 1) * number_bytes,
            piece: Vec::new(),
            position: 0,
            end: header.raw_bytes()? / header.channels as u64,
        })
    }
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // (The caller's buffer has room for numbers.)
        let rest = (self.end - self.position) / self.number.len() as u64;
        let count = (buffer.len() / self.number.len()).min(PIECE as usize).min(rest as usize);
        self.piece.resize(count * self.voxel_bytes, 0);
        self.voxels.read_exact(&mut self.piece)?;
        let numbers = self.piece.chunks_exact(self.voxel_bytes).map(|voxel| &voxel[self.number.clone()]);
        for (into, number) in buffer.chunks_exact_mut(self.number.len()).zip(numbers) {
            into.copy_from_slice(number);
        }
        self.position += (count * self.number.len()) as u64;
        Ok(count * self.number.len())
    }
}

impl Seek for ChannelReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) => {}
            SeekFrom::Start(position) if position.is_multiple_of(self.number.len() as u64) => {
                let voxels = position / self.number.len() as u64;
                self.voxels.seek(SeekFrom::Start(self.start + voxels * self.voxel_bytes as u64))?;
                self.position = position;
            }
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

/// Writer that keeps one channel of the voxels written to it.
pub struct OneChannel<W> {
    inner: W,
    /// Size of a voxel, in bytes; the next field has the bytes of the channel.
    voxel_bytes: usize,
    kept: std::ops::Range<usize>,
    /// Number of bytes of the current voxel that were written.
    at: usize,
    buffer: Vec<u8>,
}

impl<W: Write> OneChannel<W> {
    pub fn new(inner: W, header: &Header, channel: usize) -> Self {
        let number_bytes = header.voxel_type.byte_count();
        let kept = channel * number_bytes..(channel + 1) * number_bytes;
        Self { inner, voxel_bytes: number_bytes * header.channels, kept, at: 0, buffer: Vec::new() }
    }
}

impl<W: Write> Write for OneChannel<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.clear();
        for &byte in bytes {
            if self.kept.contains(&self.at) {
                self.buffer.push(byte);
            }
            self.at = if self.at + 1 == self.voxel_bytes { 0 } else { self.at + 1 };
        }
        self.inner.write_all(&self.buffer)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};
    use std::io::Cursor;

    #[test]
    fn planes_become_voxels_and_planes_again() {
        // There are more voxels than a piece has.
        let header = Header::new(VoxelType::U16, Dims::new(50, 40, 11)).with(|header| {
            header.channels = 3;
            header.frames = 2;
        });
        let count = header.dims.x * header.dims.y * header.dims.z * header.frames;
        assert!(count as u64 > PIECE);
        let planes: Vec<u8> =
            (0..3 * count as u32).flat_map(|i| (i.wrapping_mul(40503) as u16).to_le_bytes()).collect();
        let source = planes.clone();
        let open = move |skip: u64| {
            let mut plane = Cursor::new(source.clone());
            plane.set_position(skip);
            Ok(Box::new(plane) as Box<dyn Read + Send>)
        };
        let mut reader = side_by_side(&header, open).expect("a shape");
        for _ in 0..2 {
            let mut voxels = Vec::new();
            reader.read_to_end(&mut voxels).expect("all planes");
            assert_eq!(voxels.len(), planes.len());
            let number = |i: usize| &planes[2 * i..2 * i + 2];
            for voxel in [0, 1, count / 2, count - 1] {
                let want = [number(voxel), number(voxel + count), number(voxel + 2 * count)].concat();
                assert_eq!(voxels[6 * voxel..6 * voxel + 6], want);
            }
            let mut back = Vec::new();
            for channel in 0..3 {
                let mut plane = OneChannel::new(&mut back, &header, channel);
                voxels.chunks(4097).for_each(|piece| plane.write_all(piece).expect("memory"));
            }
            assert!(back == planes);
            reader.rewind().expect("the start");
        }
    }

    #[test]
    fn a_plane_that_ends_too_soon_is_an_error() {
        let header = Header::new(VoxelType::U8, Dims::new(3, 1, 1)).with(|header| header.channels = 2);
        let open =
            |skip: u64| Ok(Box::new(Cursor::new(vec![1u8; 5 - skip as usize])) as Box<dyn Read + Send>);
        let mut reader = side_by_side(&header, open).expect("a shape");
        let error = reader.read_to_end(&mut Vec::new()).expect_err("five bytes of six");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
