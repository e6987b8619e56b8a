//! Streams that end after the number of bytes that the header requires.

use crate::{FormatError, OpenError};
use brickwork_volume::VoxelStream;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// The first bytes of `R`, from its current position on.
struct Limited<R> {
    inner: R,
    start: u64,
    byte_count: u64,
    position: u64,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = (self.byte_count - self.position).min(into.len() as u64) as usize;
        let count = self.inner.read(&mut into[..most])?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let rest = self.byte_count - self.position;
        let bytes = if rest == 0 { &[] } else { self.inner.fill_buf()? };
        Ok(&bytes[..rest.min(bytes.len() as u64) as usize])
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
        self.inner.consume(count);
    }
}

impl<R: Seek> Seek for Limited<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let wanted = match to {
            SeekFrom::Start(at) => at.checked_sub(self.start),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.byte_count.checked_add_signed(by),
        };
        let wanted = wanted.ok_or(io::ErrorKind::InvalidInput)?.min(self.byte_count);
        self.inner.seek(SeekFrom::Start(self.start + wanted))?;
        self.position = wanted;
        Ok(self.start + wanted)
    }
}

/// Most bytes after the voxels that are read to their end.
const MAX_REST: u64 = 1 << 24;

/// Bytes of the voxels. At their end, the bytes after them are read and ignored, so that a packed stream
/// verifies its checksum.
struct Prefix<R> {
    limited: Limited<R>,
}

impl<R: BufRead> Read for Prefix<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut there = self.fill_buf()?;
        let count = there.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Prefix<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.limited.position == self.limited.byte_count {
            let rest = io::copy(&mut (&mut self.limited.inner).take(MAX_REST + 1), &mut io::sink())?;
            if rest > MAX_REST {
                let reason = format!("more than {MAX_REST} bytes follow the voxels");
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
        }
        self.limited.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.limited.consume(count);
    }
}

impl<R: Seek> Seek for Prefix<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.limited.seek(to)
    }
}

/// Returns the first `byte_count` bytes of a stream, after which any may follow.
pub fn first_bytes(voxels: VoxelStream, byte_count: u64) -> io::Result<VoxelStream> {
    Ok(match voxels {
        VoxelStream::Rewindable(mut inner) => {
            let start = inner.stream_position()?;
            let limited = Limited { inner, start, byte_count, position: 0 };
            VoxelStream::Rewindable(Box::new(Prefix { limited }))
        }
        VoxelStream::Once(inner) => {
            let limited = Limited { inner, start: 0, byte_count, position: 0 };
            VoxelStream::Once(Box::new(Prefix { limited }))
        }
    })
}

/// Limits the raw voxels of a file to `byte_count` bytes. Returns the number of bytes after them. Streams
/// that cannot be rewound stay as they are.
pub fn limited(mut voxels: VoxelStream, byte_count: u64) -> Result<(VoxelStream, u64), OpenError> {
    let rest = surplus(&mut voxels, byte_count)?;
    Ok(match voxels {
        VoxelStream::Rewindable(mut inner) if rest > 0 => {
            let start = inner.stream_position()?;
            let limited = Limited { inner, start, byte_count, position: 0 };
            (VoxelStream::Rewindable(Box::new(limited)), rest)
        }
        voxels => (voxels, rest),
    })
}

/// Returns the number of bytes after the voxels of a file, or 0 for streams that cannot be rewound.
pub fn surplus(voxels: &mut VoxelStream, byte_count: u64) -> Result<u64, OpenError> {
    let VoxelStream::Rewindable(file) = voxels else { return Ok(0) };
    let start = file.stream_position()?;
    let have = file.seek(SeekFrom::End(0))?.saturating_sub(start);
    file.seek(SeekFrom::Start(start))?;
    Ok(have.checked_sub(byte_count).ok_or(FormatError::Voxels { need: byte_count, have })?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_short_file_is_an_error() {
        let short = || VoxelStream::Rewindable(Box::new(Cursor::new(b"voxel")));
        let error = limited(short(), 6).map(drop).expect_err("five bytes").to_string();
        assert_eq!(error, "expected 6 bytes of voxels, but there are 5");
    }

    #[test]
    fn a_stream_ends_where_its_voxels_do() {
        let mut file = Cursor::new(b"headvoxelsrest".to_vec());
        file.set_position(4);
        let (voxels, rest) = limited(VoxelStream::Rewindable(Box::new(file)), 6).expect("memory");
        assert_eq!(rest, 4);
        let VoxelStream::Rewindable(mut voxels) = voxels else { panic!("a file") };
        for _ in 0..2 {
            assert_eq!(voxels.stream_position().expect("memory"), 4);
            let mut all = Vec::new();
            voxels.read_to_end(&mut all).expect("memory");
            assert_eq!(all, b"voxels");
            assert!(voxels.fill_buf().expect("memory").is_empty());
            voxels.seek(SeekFrom::Start(4)).expect("memory");
        }
        assert_eq!(voxels.seek(SeekFrom::Start(7)).expect("memory"), 7);
        let mut all = Vec::new();
        voxels.read_to_end(&mut all).expect("memory");
        assert_eq!(all, b"els");
    }
}
