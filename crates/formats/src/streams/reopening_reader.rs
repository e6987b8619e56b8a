//! Voxels of files that are not plain sequences of bytes: compressed ones, and slices in separate files or
//! pages.

use crate::{FormatError, error::into_io};
use std::io::{self, Read, Seek, SeekFrom};

/// Function that opens a reader for [`ReopeningReader`].
type Open = dyn FnMut() -> Result<Box<dyn Read + Send>, FormatError> + Send;

/// Reader of raw voxels, x fastest. Seeking to the start opens the files again; other positions cannot be
/// sought.
///
/// An error in a file is returned as an [`io::Error`] that wraps a [`FormatError`].
pub struct ReopeningReader {
    open: Box<Open>,
    opened: Option<Box<dyn Read + Send>>,
    position: u64,
}

impl ReopeningReader {
    /// Reads voxels from the reader that `open` returns. `open` is called at the first read and after each
    /// rewind.
    pub fn new(open: impl FnMut() -> Result<Box<dyn Read + Send>, FormatError> + Send + 'static) -> Self {
        Self { open: Box::new(open), opened: None, position: 0 }
    }

    /// Reads voxels slice by slice. `start` is called before the first slice and after each rewind. The
    /// function that it returns fills an empty buffer with the `slice_bytes` bytes of the slice of an index.
    pub fn of_slices<S, F>(slice_count: usize, slice_bytes: usize, mut start: S) -> Self
    where
        S: FnMut() -> F + Send + 'static,
        F: FnMut(usize, &mut Vec<u8>) -> Result<(), FormatError> + Send + 'static,
    {
        Self::new(move || {
            let slice = start();
            let slices = Slices { slice, slice_count, slice_bytes, index: 0, buffer: Vec::new(), at: 0 };
            Ok(Box::new(slices))
        })
    }
}

impl Read for ReopeningReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let opened = match &mut self.opened {
            Some(opened) => opened,
            none => none.insert((self.open)().map_err(into_io)?),
        };
        let count = opened.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for ReopeningReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => (self.opened, self.position) = (None, 0),
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

struct Slices<F> {
    slice: F,
    slice_count: usize,
    slice_bytes: usize,
    index: usize,
    buffer: Vec<u8>,
    at: usize,
}

impl<F: FnMut(usize, &mut Vec<u8>) -> Result<(), FormatError>> Read for Slices<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() {
            if self.index == self.slice_count {
                return Ok(0);
            }
            (self.at, self.index) = (0, self.index + 1);
            self.buffer.clear();
            (self.slice)(self.index - 1, &mut self.buffer).map_err(into_io)?;
            if self.buffer.len() != self.slice_bytes {
                let (need, have) = (self.slice_bytes as u64, self.buffer.len() as u64);
                return Err(into_io(FormatError::Length { part: "a slice", need, have }));
            }
        }
        let count = buffer.len().min(self.buffer.len() - self.at);
        buffer[..count].copy_from_slice(&self.buffer[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_follow_each_other_and_start_again() {
        let mut source = ReopeningReader::of_slices(3, 2, || {
            |index, bytes: &mut Vec<u8>| {
                bytes.extend_from_slice(&[index as u8, 10 + index as u8]);
                Ok(())
            }
        });
        for _ in 0..2 {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).expect("memory");
            assert_eq!(bytes, [0, 10, 1, 11, 2, 12]);
            assert_eq!(source.stream_position().expect("a place"), 6);
            source.rewind().expect("the start");
        }
        assert!(source.seek(SeekFrom::Start(1)).is_err());
        let mut short = ReopeningReader::of_slices(1, 3, || {
            |_, bytes: &mut Vec<u8>| {
                bytes.push(1);
                Ok(())
            }
        });
        let error = short.read(&mut [0]).expect_err("one byte of three").to_string();
        assert_eq!(error, "a slice has 1 bytes, expected 3");
    }
}
