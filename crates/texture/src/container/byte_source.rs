//! A reader that knows the length of its stream and its allocation limit. No number in a file can therefore
//! decide how much memory is taken.

use super::ContainerError;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// A stream of any type, so that the code that reads containers is compiled only once.
pub(crate) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// A reader with a known length and an allocation limit.
pub(crate) struct ByteSource<'a> {
    reader: &'a mut dyn ReadSeek,
    /// Length of the whole stream in bytes.
    len: u64,
    /// Maximum number of bytes that may be allocated at a time.
    limit: u64,
    /// Position of the reader, if it is known.
    position: Option<u64>,
}

impl<'a> ByteSource<'a> {
    pub fn new(reader: &'a mut dyn ReadSeek, limit: u64) -> Result<Self, ContainerError> {
        let len = reader.seek(SeekFrom::End(0))?;
        Ok(Self { reader, len, limit, position: None })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Fails unless the stream has `needed` bytes from `offset` on.
    pub fn check_range(&self, offset: u64, needed: u64) -> Result<(), ContainerError> {
        let available = self.len.saturating_sub(offset);
        if needed > available {
            return Err(ContainerError::Truncated { offset, needed, available });
        }
        Ok(())
    }

    /// Fails unless `needed` bytes may be allocated.
    pub fn check_limit(&self, needed: u64) -> Result<(), ContainerError> {
        let limit = self.limit.min(isize::MAX as u64);
        if needed > limit {
            return Err(ContainerError::TooLarge { needed, limit });
        }
        Ok(())
    }

    /// Returns the `N` bytes at `offset`. For headers, because `N` must be small.
    pub fn array<const N: usize>(&mut self, offset: u64) -> Result<[u8; N], ContainerError> {
        let mut bytes = [0; N];
        self.fill(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the `count` bytes at `offset`. They are allocated only once it is known that the stream
    /// contains them and the limit allows them.
    pub fn bytes(&mut self, offset: u64, count: u64) -> Result<Vec<u8>, ContainerError> {
        if count == 0 {
            // The offset may then be anything, even one to which a seek fails.
            return Ok(Vec::new());
        }
        self.check_range(offset, count)?;
        self.check_limit(count)?;
        let mut bytes = Vec::new();
        reserve(&mut bytes, count)?;
        self.seek(offset)?;
        self.position = None;
        (&mut *self.reader).take(count).read_to_end(&mut bytes)?;
        self.position = offset.checked_add(bytes.len() as u64);
        if bytes.len() as u64 != count {
            return Err(ContainerError::Truncated { offset, needed: count, available: bytes.len() as u64 });
        }
        Ok(bytes)
    }

    /// Fills `target` with the bytes at `offset`.
    pub fn fill(&mut self, offset: u64, target: &mut [u8]) -> Result<(), ContainerError> {
        self.check_range(offset, target.len() as u64)?;
        self.seek(offset)?;
        self.fill_next(offset, target)
    }

    /// Moves to a position. Within its buffer, a `BufReader` neither seeks nor reads again.
    fn seek(&mut self, offset: u64) -> Result<(), ContainerError> {
        let distance = |position: u64| i64::try_from(i128::from(offset) - i128::from(position)).ok();
        match self.position.take().and_then(distance) {
            Some(distance) => self.reader.seek_relative(distance)?,
            None => self.reader.seek(SeekFrom::Start(offset)).map(drop)?,
        }
        self.position = Some(offset);
        Ok(())
    }

    /// Fills `target` with the bytes after those read last. `offset` is used only in errors.
    pub fn fill_next(&mut self, offset: u64, target: &mut [u8]) -> Result<(), ContainerError> {
        let needed = target.len() as u64;
        let start = self.position.take();
        let mut filled = 0;
        while filled < target.len() {
            match self.reader.read(&mut target[filled..]) {
                Ok(0) => return Err(ContainerError::Truncated { offset, needed, available: filled as u64 }),
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.position = start.and_then(|start| start.checked_add(needed));
        Ok(())
    }
}

/// Reserves exactly `count` bytes, or fails if there is not enough memory.
fn reserve(bytes: &mut Vec<u8>, count: u64) -> Result<(), ContainerError> {
    let too_large = || ContainerError::TooLarge { needed: count, limit: isize::MAX as u64 };
    let count = usize::try_from(count).map_err(|_| too_large())?;
    bytes.try_reserve_exact(count).map_err(|_| too_large())
}

/// Returns `count` zeros, or fails if there is not enough memory. They take none until they are written.
pub(super) fn zeroed(count: u64) -> Result<Vec<u8>, ContainerError> {
    let too_large = || ContainerError::TooLarge { needed: count, limit: isize::MAX as u64 };
    let count = usize::try_from(count).map_err(|_| too_large())?;
    bytemuck::allocation::try_zeroed_vec(count).map_err(|_| too_large())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Cursor};

    /// A stream that ends earlier than its `seek` reports, like a file that is truncated during reading.
    struct Shrunk(Cursor<Vec<u8>>);

    impl Read for Shrunk {
        fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
            self.0.read(target)
        }
    }

    impl Seek for Shrunk {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            match position {
                SeekFrom::End(_) => Ok(1 << 50),
                other => self.0.seek(other),
            }
        }
    }

    /// A stream that counts the bytes read.
    struct Counted(Cursor<Vec<u8>>, u64);

    impl Read for Counted {
        fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(target)?;
            self.1 += count as u64;
            Ok(count)
        }
    }

    impl Seek for Counted {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            self.0.seek(position)
        }
    }

    #[test]
    fn small_parts_are_not_read_again_and_again() {
        let bytes: Vec<u8> = (0..100_000).map(|i| (i % 251) as u8).collect();
        let mut reader = io::BufReader::new(Counted(Cursor::new(bytes.clone()), 0));
        let mut source = ByteSource::new(&mut reader, 1 << 20).unwrap();
        for at in (0..99_000).step_by(12) {
            assert_eq!(source.array::<4>(at as u64).unwrap(), bytes[at..at + 4]);
            assert_eq!(source.bytes(at as u64 + 2, 9).unwrap(), bytes[at + 2..at + 11]);
        }
        assert_eq!(source.array::<4>(7).unwrap(), bytes[7..11]);
        assert!(reader.get_ref().1 < 250_000, "{} bytes", reader.get_ref().1);
    }

    #[test]
    fn a_stream_that_shrinks_is_truncated_and_not_an_endless_wait() {
        let mut reader = Shrunk(Cursor::new(vec![7; 10]));
        let mut source = ByteSource::new(&mut reader, 1 << 20).unwrap();
        let error = source.bytes(4, 100).unwrap_err();
        assert!(
            matches!(error, ContainerError::Truncated { offset: 4, needed: 100, available: 6 }),
            "{error}"
        );
        let error = source.array::<12>(0).unwrap_err();
        assert!(
            matches!(error, ContainerError::Truncated { offset: 0, needed: 12, available: 10 }),
            "{error}"
        );
        let error = source.bytes(0, 1 << 40).unwrap_err();
        assert!(matches!(error, ContainerError::TooLarge { limit: 1_048_576, .. }), "{error}");
    }
}
