//! Reader for decoders, which tracks its position and keeps its error.

use super::{FileFormat, ImageFault, ImageReadError, failure::Failure, foreign};
use std::{
    cell::{Cell, RefCell},
    fmt,
    io::{self, BufRead, Read, Seek, SeekFrom},
    rc::Rc,
};

/// Position of a [`TrackedReader`], and the error of its underlying reader.
#[derive(Debug, Default)]
pub(super) struct State {
    position: Cell<u64>,
    failed: RefCell<Option<io::Error>>,
}

impl State {
    pub fn error(&self, format: FileFormat, failure: Failure, limit: u64) -> ImageReadError {
        // Decoders wrap and rename errors. The reader's own error is the informative one.
        if let Some(error) = self.failed.take() {
            return error.into();
        }
        let at = Some(self.position.get());
        match failure {
            Failure::Malformed(fault) => ImageReadError::Malformed { format, at, fault },
            Failure::MalformedWhole(fault) => ImageReadError::Malformed { format, at: None, fault },
            Failure::MalformedAt(at, fault) => ImageReadError::Malformed { format, at: Some(at), fault },
            Failure::Unsupported(feature) => ImageReadError::Unsupported { format, feature },
            Failure::Limit(needed) => ImageReadError::Limit { needed, limit },
            Failure::OutOfMemory(needed) => ImageReadError::OutOfMemory { needed },
            // The reader did not fail, so the decoder ran out of bytes.
            Failure::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                ImageReadError::Malformed { format, at, fault: ImageFault::Ends }
            }
            Failure::Io(error) => {
                let fault = ImageFault::Decoder(error.to_string());
                ImageReadError::Malformed { format, at, fault }
            }
        }
    }
}

/// A stream of any type. As a trait object, it lets decoders be compiled once.
pub trait BufReadSeek: BufRead + Seek {}

impl<R: BufRead + Seek> BufReadSeek for R {}

/// A reader that tracks its position and keeps its error.
pub struct TrackedReader<'a> {
    reader: &'a mut dyn BufReadSeek,
    length: u64,
    state: Rc<State>,
}

impl fmt::Debug for TrackedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reader: _, length, state } = self;
        f.debug_struct("TrackedReader").field("length", length).field("state", state).finish_non_exhaustive()
    }
}

impl<'a> TrackedReader<'a> {
    /// Returns a reader at the first byte.
    ///
    /// # Errors
    /// Those of `reader`.
    pub fn new(reader: &'a mut dyn BufReadSeek) -> io::Result<Self> {
        let length = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        Ok(Self { reader, length, state: Rc::default() })
    }

    /// Returns a reader at the same position, for a decoder that takes it.
    pub fn again(&mut self) -> TrackedReader<'_> {
        TrackedReader { reader: &mut *self.reader, length: self.length, state: Rc::clone(&self.state) }
    }

    /// Returns the file's length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the position of the next byte.
    pub fn position(&self) -> u64 {
        self.state.position.get()
    }

    pub(super) fn state(&self) -> Rc<State> {
        Rc::clone(&self.state)
    }

    /// Returns as many first bytes as the detection of the format needs. The position is then the first byte
    /// again.
    pub(super) fn first_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut *self.reader).take(foreign::FIRST_BYTES as u64).read_to_end(&mut bytes)?;
        self.reader.seek(SeekFrom::Start(0))?;
        Ok(bytes)
    }

    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let copy = io::Error::new(error.kind(), error.to_string());
            self.state.failed.replace(Some(error));
            copy
        })
    }

    fn advance(&self, count: u64) {
        self.state.position.set(self.state.position.get() + count);
    }
}

impl Read for TrackedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.reader.read(buffer);
        let count = self.note(result)?;
        self.advance(count as u64);
        Ok(count)
    }

    /// Reserves memory for the rest of the file once. The default implementation doubles and copies.
    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.state.position.get());
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(left).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // Reads no more than that, even if the file grows.
        let before = bytes.len();
        let result = (&mut *self.reader).take(left as u64).read_to_end(bytes);
        self.advance((bytes.len() - before) as u64);
        self.note(result)
    }
}

impl BufRead for TrackedReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // `note` cannot be used here, because the borrow of the buffer would last too long.
        match self.reader.fill_buf() {
            Ok(buffer) => Ok(buffer),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let copy = io::Error::new(error.kind(), error.to_string());
                self.state.failed.replace(Some(error));
                Err(copy)
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.advance(count as u64);
    }
}

impl Seek for TrackedReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // A seek to a position before the start is the file's fault, not the reader's.
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.state.position.get().checked_add_signed(offset),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
        };
        let target =
            target.filter(|&target| target <= i64::MAX as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        // Within its buffer, a `BufReader` neither seeks nor reads again.
        match self.reader.seek_relative(target.wrapping_sub(self.state.position.get()) as i64) {
            // The same is true of a seek so far past the end that the system refuses it.
            Err(_) if target > self.length => return Err(io::ErrorKind::UnexpectedEof.into()),
            result => self.note(result)?,
        }
        self.state.position.set(target);
        Ok(target)
    }
}
