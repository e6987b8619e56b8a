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

/// Reader of one channel of a stream of voxels. What follows the voxels is passed on.
pub struct ChannelReader {
    voxels: VoxelStream,
    /// Position of the first voxel in the stream, if it can be read again.
    start: u64,
    voxel_bytes: usize,
    number: std::ops::Range<usize>,
    /// Number of voxels in the stream.
    count: u64,
    /// Number of voxels that are not read yet.
    rest: u64,
    piece: Vec<u8>,
    numbers: Vec<u8>,
    /// Number of bytes of `numbers` that were returned.
    at: usize,
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
        let voxel_bytes = number_bytes * header.channels;
        let count = header.raw_bytes()? / voxel_bytes as u64;
        let number = channel * number_bytes..(channel + 1) * number_bytes;
        let (piece, numbers) = (Vec::new(), Vec::new());
        Ok(Self { voxels, start, voxel_bytes, number, count, rest: count, piece, numbers, at: 0 })
    }

    /// Reads the next numbers; fewer if the stream ends too soon.
    fn refill(&mut self) -> io::Result<()> {
        let wanted = self.rest.min(PIECE);
        self.piece.clear();
        let byte_count = wanted * self.voxel_bytes as u64;
        (&mut self.voxels).take(byte_count).read_to_end(&mut self.piece)?;
        self.rest = if self.piece.len() as u64 == byte_count { self.rest - wanted } else { 0 };
        self.numbers.clear();
        for voxel in self.piece.chunks_exact(self.voxel_bytes) {
            self.numbers.extend_from_slice(&voxel[self.number.clone()]);
        }
        self.at = 0;
        Ok(())
    }
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.numbers.len() {
            if self.rest == 0 {
                return self.voxels.read(buffer);
            }
            self.refill()?;
        }
        let count = buffer.len().min(self.numbers.len() - self.at);
        buffer[..count].copy_from_slice(&self.numbers[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

impl Seek for ChannelReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let number_bytes = self.number.len() as u64;
        match to {
            SeekFrom::Current(0) => {}
            SeekFrom::Start(position)
                if position.is_multiple_of(number_bytes) && position / number_bytes <= self.count =>
            {
                let voxel = position / number_bytes;
                self.voxels.seek(SeekFrom::Start(self.start + voxel * self.voxel_bytes as u64))?;
                self.numbers.clear();
                (self.rest, self.at) = (self.count - voxel, 0);
            }
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        let unread = (self.numbers.len() - self.at) as u64;
        Ok((self.count - self.rest) * number_bytes - unread)
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

    /// Reads a channel in pieces of odd lengths, from the start and from the middle, and what follows.
    #[test]
    fn one_channel_is_read_in_any_pieces() {
        let header = Header::new(VoxelType::F64, Dims::new(41, 40, 21)).with(|header| header.channels = 3);
        let count = 41 * 40 * 21;
        assert!(count > PIECE);
        let bytes: Vec<u8> = (0..3 * count).flat_map(|i| (i as f64).to_le_bytes()).collect();
        let want: Vec<u8> = (0..count).flat_map(|i| ((3 * i + 1) as f64).to_le_bytes()).collect();
        let reader = |bytes: Vec<u8>| {
            let mut file = Cursor::new([&[7; 5][..], &bytes].concat());
            file.set_position(5);
            ChannelReader::new(VoxelStream::Rewindable(Box::new(file)), &header, 1).expect("a shape")
        };
        let mut channel = reader([&bytes[..], b"more"].concat());
        let mut found = Vec::with_capacity(61);
        channel.read_to_end(&mut found).expect("memory");
        assert!(found[..want.len()] == want && found.ends_with(b"more") && found.len() == want.len() + 4);
        for voxel in [0, 1, count / 2, count] {
            assert_eq!(channel.seek(SeekFrom::Start(8 * voxel)).expect("a voxel"), 8 * voxel);
            let mut piece = [0; 3];
            let read = channel.read(&mut piece).expect("memory");
            let rest = [&want[8 * voxel as usize..], b"more"].concat();
            assert_eq!((read, &piece), (3, rest.first_chunk().expect("three bytes")));
        }
        for unsupported in [SeekFrom::Start(4), SeekFrom::Start(8 * count + 8), SeekFrom::End(0)] {
            assert_eq!(channel.seek(unsupported).expect_err("no voxel").kind(), io::ErrorKind::Unsupported);
        }
        // Whole voxels of a stream that is cut are read.
        let mut found = Vec::new();
        reader(bytes[..24 * 33_000 + 23].to_vec()).read_to_end(&mut found).expect("memory");
        assert!(found == want[..8 * 33_000] && 33_000 > PIECE);
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
