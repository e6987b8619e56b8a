//! Source of a file's bytes: any object that can be read at any offset.

use std::{fs::File, io};

/// Bytes that can be read at any offset, from several threads at the same time.
pub trait ReadAt: Send + Sync {
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// The system's errors.
    fn byte_count(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the bytes end before the buffer is full, or an error of the
    /// system.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// Returns the `byte_count` bytes from `offset` on without a copy. `None` if the source has fewer, or
    /// cannot lend them, like a file. Default: `None`.
    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        let _ = (offset, byte_count);
        None
    }
}

impl ReadAt for [u8] {
    fn byte_count(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = self.slice_at(offset, buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        self.get(usize::try_from(offset).ok()?..)?.get(..byte_count)
    }
}

impl ReadAt for Vec<u8> {
    fn byte_count(&self) -> io::Result<u64> {
        self.as_slice().byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.as_slice().read_exact_at(buffer, offset)
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        self.as_slice().slice_at(offset, byte_count)
    }
}

impl ReadAt for File {
    fn byte_count(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    /// Fails: the platform has no files, such as a browser.
    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    buffer = &mut buffer[count..];
                    offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl<S: ReadAt + ?Sized> ReadAt for &S {
    fn byte_count(&self) -> io::Result<u64> {
        (**self).byte_count()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(buffer, offset)
    }

    fn slice_at(&self, offset: u64, byte_count: usize) -> Option<&[u8]> {
        (**self).slice_at(offset, byte_count)
    }
}
