//! A stream of raw voxels that can be read again, or only once.

use super::cancellable::Cancellable;
use crate::Task;
use std::{
    fmt,
    io::{self, BufRead, Read, Seek, SeekFrom},
};

/// Bytes that are buffered and can be sought in.
pub trait BufReadSeek: BufRead + Seek {}

impl<R: BufRead + Seek> BufReadSeek for R {}

/// Bytes that can be sought in.
pub(crate) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// Raw voxels: channels fastest, then x, y, z and frames. An error in the underlying file is returned as an
/// [`io::Error`] of kind [`InvalidData`](io::ErrorKind::InvalidData);
/// [`VoxelStreamError`](crate::VoxelStreamError) unwraps it.
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum VoxelStream {
    /// Stream that can be read again after seeking back to its start. Other seeks may fail.
    Rewindable(Box<dyn BufReadSeek + Send>),
    /// Stream that can be read only once, such as a pipe.
    Once(Box<dyn BufRead + Send>),
}

impl VoxelStream {
    /// Skips `count` bytes. Streams that decode as they go read them. A pipe may have fewer.
    ///
    /// # Errors
    /// The errors of the underlying stream.
    pub fn skip(&mut self, count: u64) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        match self {
            Self::Rewindable(file) => {
                let at = file.stream_position()?.checked_add(count).ok_or(io::ErrorKind::InvalidInput)?;
                match file.seek(SeekFrom::Start(at)) {
                    Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                        io::copy(&mut file.take(count), &mut io::sink()).map(drop)
                    }
                    sought => sought.map(drop),
                }
            }
            Self::Once(pipe) => io::copy(&mut pipe.take(count), &mut io::sink()).map(drop),
        }
    }

    /// Returns the same bytes, until the token of `task` is cancelled. Reads then return an [`io::Error`]
    /// that wraps [`Cancelled`](crate::Cancelled).
    #[must_use]
    pub fn stopped_by(self, task: &Task<'_>) -> Self {
        match self {
            unstoppable if task.cancel_token().is_none() => unstoppable,
            Self::Rewindable(file) => Self::Rewindable(Box::new(Cancellable::new(file, task))),
            Self::Once(pipe) => Self::Once(Box::new(Cancellable::new(pipe, task))),
        }
    }

    fn bytes(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Rewindable(file) => file,
            Self::Once(pipe) => pipe,
        }
    }
}

impl Read for VoxelStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.bytes().read(into)
    }
}

impl BufRead for VoxelStream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes().fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes().consume(count);
    }
}

impl Seek for VoxelStream {
    /// Seeks in a stream that can be read again. Others fail.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Rewindable(file) => file.seek(to),
            Self::Once(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

impl fmt::Debug for VoxelStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rewindable(_) => "Rewindable(…)",
            Self::Once(_) => "Once(…)",
        })
    }
}
