//! Files that are read more than once: on disk, or held in memory because they came from a pipe.

use crate::FormatError;
use brickwork_volume::{ReadAt, Stage, Task};
use std::{
    fmt,
    fs::File,
    io::{self, BufReader, Cursor, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Number of bytes to read from a pipe at a time.
const PIECE: usize = 1 << 16;

/// Readers that can seek.
pub trait ReadSeek: Read + Seek + Send {}

impl<R: Read + Seek + Send> ReadSeek for R {}

/// File on disk, or the bytes of a pipe.
#[derive(Clone)]
pub enum Source {
    File(PathBuf),
    Memory(Shared),
}

/// Bytes shared by several readers.
#[derive(Clone)]
pub struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl ReadAt for Shared {
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

impl Source {
    /// Returns the source at `path`. Pipes are read to their end, up to `most` bytes.
    ///
    /// # Errors
    /// The errors of [`of_stream`](Self::of_stream).
    pub fn of_path(path: &Path, most: Option<u64>, task: &Task<'_>) -> Result<Self, FormatError> {
        match std::fs::metadata(path)? {
            metadata if metadata.is_file() || metadata.is_dir() => Ok(Self::File(path.to_owned())),
            _ => Self::of_stream(&mut File::open(path)?, most, task),
        }
    }

    /// Reads `stream` to its end, up to `most` bytes. The memory grows with the bytes read.
    ///
    /// # Errors
    /// [`FormatError::OverLimit`], [`FormatError::Memory`], or an error of the stream.
    pub fn of_stream(stream: &mut dyn Read, most: Option<u64>, task: &Task<'_>) -> Result<Self, FormatError> {
        let mut bytes = Vec::new();
        let mut piece = vec![0; PIECE];
        let mut next_report = 0;
        loop {
            task.check()?;
            // Pipes may give a few bytes at a time.
            if bytes.len() >= next_report {
                task.report(Stage::Reading, bytes.len() as u64, 0);
                next_report = bytes.len() + PIECE;
            }
            let count = match stream.read(&mut piece) {
                Ok(0) => return Ok(Self::Memory(Shared(Arc::new(bytes)))),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let need = bytes.len() as u64 + count as u64;
            if let Some(limit) = most.filter(|&most| need > most) {
                return Err(FormatError::OverLimit { need, limit });
            }
            if bytes.try_reserve(count).is_err() {
                return Err(FormatError::Memory(need));
            }
            bytes.extend_from_slice(&piece[..count]);
        }
    }

    /// Opens the bytes from the first on.
    pub fn open(&self) -> io::Result<BufReader<Box<dyn ReadSeek>>> {
        let bytes: Box<dyn ReadSeek> = match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Memory(bytes) => Box::new(Cursor::new(bytes.clone())),
        };
        Ok(BufReader::new(bytes))
    }

    /// Returns the number of bytes.
    pub fn byte_count(&self) -> io::Result<u64> {
        match self {
            Self::File(path) => Ok(std::fs::metadata(path)?.len()),
            Self::Memory(bytes) => Ok(bytes.0.len() as u64),
        }
    }

    /// Returns the file's path, if the source is a file.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::File(path) => vec![path.clone()],
            Self::Memory(_) => Vec::new(),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "File({path:?})"),
            Self::Memory(bytes) => write!(f, "Memory({} bytes)", bytes.0.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that gives ten bytes at a time.
    struct Drops<R>(R);

    impl<R: Read> Read for Drops<R> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = into.len().min(10);
            self.0.read(&mut into[..count])
        }
    }

    #[test]
    fn a_stream_is_held_up_to_a_limit() {
        let bytes: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
        let source =
            Source::of_stream(&mut &bytes[..], Some(200_000), &Task::new()).expect("as long as allowed");
        for _ in 0..2 {
            let mut read = Vec::new();
            source.open().and_then(|mut file| file.read_to_end(&mut read)).expect("memory");
            assert!(read == bytes);
        }
        assert_eq!((source.byte_count().expect("memory"), source.files().len()), (200_000, 0));
        let error =
            Source::of_stream(&mut &bytes[..], Some(199_999), &Task::new()).expect_err("a byte too many");
        assert!(matches!(error, FormatError::OverLimit { limit: 199_999, .. }), "{error}");
        // Reports are 64 KiB apart, however little comes at a time.
        let reports = std::sync::atomic::AtomicUsize::new(0);
        let count = |_| {
            reports.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let task = Task::new().with_progress(&count);
        Source::of_stream(&mut Drops(&bytes[..]), None, &task).expect("memory");
        assert!((1..=5).contains(&reports.into_inner()));
        // An endless stream ends at the limit.
        assert!(Source::of_stream(&mut io::repeat(7), Some(1 << 20), &Task::new()).is_err());
    }
}
