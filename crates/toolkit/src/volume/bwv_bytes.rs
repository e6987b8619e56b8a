//! Bytes of a `.bwv` file.

use brickwork_base::{Stage, Task};
use brickwork_formats::{FormatError, OpenError};
use brickwork_volume::ReadAt;
use std::{
    fmt,
    io::{self, Read},
};

/// Bytes read from a pipe at a time.
const PIECE_BYTES: usize = 1 << 20;

/// Bytes of a `.bwv` file: on disk, in memory, or of another source.
pub struct BwvBytes(Box<dyn ReadAt>);

impl fmt::Debug for BwvBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BwvBytes").finish_non_exhaustive()
    }
}

impl BwvBytes {
    /// Returns the bytes of a source.
    pub fn new(source: impl ReadAt + 'static) -> Self {
        Self(Box::new(source))
    }

    /// Reads a pipe to its end, up to `max_memory` bytes. Reports the bytes read.
    ///
    /// # Errors
    /// [`OpenError`] if the pipe fails or contains more bytes, or if the call is cancelled.
    pub fn from_pipe(
        mut pipe: impl Read,
        max_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Result<Self, OpenError> {
        let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
        loop {
            task.check()?;
            task.report(Stage::Reading, bytes.len() as u64, 0);
            let count = match pipe.read(&mut piece) {
                Ok(0) => return Ok(Self::new(bytes)),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let need = bytes.len() as u64 + count as u64;
            if let Some(limit) = max_memory.filter(|&limit| need > limit) {
                return Err(FormatError::OverLimit { need, limit }.into());
            }
            bytes.try_reserve(count).map_err(|_| FormatError::Memory(need))?;
            bytes.extend_from_slice(&piece[..count]);
        }
    }
}

impl ReadAt for BwvBytes {
    fn byte_count(&self) -> io::Result<u64> {
        self.0.byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(buffer, offset)
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        self.0.slice_at(offset, byte_count)
    }
}
