//! Voxels on their way: counted, and stopped when nobody wants them any more.

use super::load::Progress;
use std::{
    io::{self, BufRead, Read, Seek, SeekFrom},
    sync::Arc,
};

/// A stream whose bytes count as progress.
pub struct Watched<R> {
    pub inner: R,
    pub progress: Arc<Progress>,
}

impl<R> Watched<R> {
    fn check(&self) -> io::Result<()> {
        if self.progress.is_cancelled() { Err(io::Error::other("cancelled")) } else { Ok(()) }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let count = self.inner.read(into)?;
        self.progress.add(count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Watched<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.progress.add(count as u64);
        self.inner.consume(count);
    }
}

impl<R: Seek> Seek for Watched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
