//! A stream that tells how far it has been read.

use super::ByteStream;
use crate::report::Tell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// A stream that tells how far it has been read.
pub struct Told<'a> {
    inner: Box<dyn ByteStream>,
    tell: Tell<'a>,
    position: u64,
    length: u64,
}

impl<'a> Told<'a> {
    /// `inner` from its first byte.
    pub fn new(mut inner: Box<dyn ByteStream>, tell: Tell<'a>) -> io::Result<Self> {
        let length = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        Ok(Self { inner, tell, position: 0, length })
    }

    fn advance(&mut self, count: u64) {
        self.position += count;
        (self.tell)(self.position, self.length);
    }
}

impl Read for Told<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.advance(count as u64);
        Ok(count)
    }
}

impl BufRead for Told<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.advance(count as u64);
    }
}

impl Seek for Told<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(to)?;
        Ok(self.position)
    }
}
