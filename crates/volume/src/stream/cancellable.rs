//! Streams that stop when a token is cancelled.

use crate::{CancelToken, Cancelled, Task};
use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// A stream that outlives the call that opened it, and stops with that call's token: reads return an
/// [`io::Error`] that wraps [`Cancelled`].
#[derive(Debug)]
pub struct Cancellable<R> {
    inner: R,
    cancel: Option<CancelToken>,
}

impl<R> Cancellable<R> {
    /// Returns `inner`, to be stopped by the token of `task`.
    pub fn new(inner: R, task: &Task<'_>) -> Self {
        Self { inner, cancel: task.cancel_token().cloned() }
    }

    fn check(&self) -> io::Result<()> {
        match &self.cancel {
            Some(token) if token.is_cancelled() => Err(io::Error::other(Cancelled)),
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Cancellable<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        self.inner.read(into)
    }
}

impl<R: BufRead> BufRead for Cancellable<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
    }
}

impl<R: Seek> Seek for Cancellable<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.check()?;
        self.inner.seek(to)
    }
}
