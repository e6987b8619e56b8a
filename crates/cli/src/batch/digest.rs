//! SHA-256 of files and texts.

use super::{BatchError, BatchFault};
use brickwork_base::Task;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{
    fmt,
    fs::File,
    io::{self, Read as _, Write},
    path::Path,
};

/// Bytes read from a file at a time.
const BUFFER_BYTES: usize = 1 << 18;

/// A SHA-256. It is displayed, and stored in JSON, in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Digest(pub [u8; 32]);

impl Digest {
    /// Returns the digest of parts that are separated by their lengths.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the digest of a file. The task stops between two reads.
    ///
    /// # Errors
    /// Errors of the system; [`io::ErrorKind::Interrupted`] if the task is cancelled.
    pub fn of_file(path: &Path, task: &Task<'_>) -> io::Result<Self> {
        let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            task.check().map_err(|cancelled| io::Error::new(io::ErrorKind::Interrupted, cancelled))?;
            match file.read(&mut buffer)? {
                0 => return Ok(Self(hasher.finalize().into())),
                count => hasher.update(&buffer[..count]),
            }
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut digest = Self([0; 32]);
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("expected 64 hexadecimal digits");
        }
        for (byte, digits) in digest.0.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).unwrap_or_default();
            *byte = u8::from_str_radix(digits, 16).map_err(|_| "expected hexadecimal digits")?;
        }
        Ok(digest)
    }
}

/// Returns the digest of a file with this name in errors.
pub(super) fn digest_of_file(name: &str, path: &Path, task: &Task<'_>) -> Result<Digest, BatchError> {
    Digest::of_file(path, task).map_err(|error| match task.check() {
        Err(cancelled) => cancelled.into(),
        Ok(()) => BatchError::new(name, BatchFault::of_metadata(error)),
    })
}

/// A writer that also computes the digest.
pub(super) struct Digesting<W> {
    pub inner: W,
    hasher: Sha256,
    byte_count: u64,
}

impl<W: Write> Digesting<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, hasher: Sha256::new(), byte_count: 0 }
    }

    /// Returns the digest and the number of bytes written.
    pub fn finish(self) -> (W, Digest, u64) {
        (self.inner, Digest(self.hasher.finalize().into()), self.byte_count)
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.byte_count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
